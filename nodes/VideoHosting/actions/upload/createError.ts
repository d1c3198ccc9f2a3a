import { NodeApiError, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { explanationOf, isTransient, toNodeError } from '../../transport/errors';
import { isUnreachable } from '../../upload/decision';
import { SlotHeldError } from '../../upload/slotHeldError';
import { LOST_CREATE_ADVICE, SLOT_RULE, slotAdvice } from './slotAdvice';

const ONE_AT_A_TIME =
	'The service accepts one upload at a time: create one upload, send its file with Upload → Resume, then create the next one.';

/** The error of Upload → Create: what happened, and what it means for the upload slot. */
export function toCreateError(
	context: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
): NodeApiError | NodeOperationError {
	const held = error instanceof SlotHeldError ? error : undefined;
	const failure = toNodeError(context, held ? held.reason : error, itemIndex);
	const { happened } = explanationOf(failure);
	if (held) {
		const isOneOfSeveral = context.getInputData().length > 1;
		failure.message = [happened, slotAdvice(held.holder), ...(isOneOfSeveral ? [ONE_AT_A_TIME] : [])].join(
			' ',
		);
		if (!isOneOfSeveral) failure.description = SLOT_RULE;
	} else if (isTransient(failure) && !isUnreachable(failure)) {
		failure.message = `${happened} ${LOST_CREATE_ADVICE}`;
	}
	return failure;
}

import { NodeApiError, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { isTransient, toNodeError } from '../../service/errors';
import { isUnreachable } from '../../transfer/recovery/decision';
import { SlotHeldError } from '../../transfer/recovery/slotHeldError';
import { TransferError } from '../../transfer/recovery/transferError';
import { heldSlotAdvice, LOST_CREATE_ADVICE, slotAdvice } from './slotAdvice';

const ONE_AT_A_TIME =
	'The service accepts one upload at a time: create one upload, send its file with Upload → Resume, then create the next one.';

/** The error of Upload → Create: what happened, and what it means for the upload slot. */
export function toCreateError(
	context: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
): NodeApiError | NodeOperationError {
	if (error instanceof TransferError) {
		return new NodeOperationError(context.getNode(), error.message, { itemIndex });
	}
	const held = error instanceof SlotHeldError ? error : undefined;
	const failure = toNodeError(context, held ? held.reason : error);
	if (held) {
		const severalItems = context.getInputData().length > 1 ? [ONE_AT_A_TIME] : [];
		const holder = held.holder ? [heldSlotAdvice(held.holder)] : [];
		failure.message = [failure.message, ...holder, ...severalItems].join(' ');
		failure.description = slotAdvice(held.holder);
	} else if (isTransient(failure) && !isUnreachable(failure)) {
		failure.message = `${failure.message} ${LOST_CREATE_ADVICE}`;
	}
	return failure;
}

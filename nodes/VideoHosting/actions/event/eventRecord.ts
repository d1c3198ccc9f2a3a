import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { eventByHash } from '../../service/events';
import { containsNoRecord } from '../../service/responseParsing';

/**
 * One event by its hash, as the service returns it.
 *
 * @throws NodeOperationError when the plan has no such event; NodeApiError when the request fails
 */
export async function eventRecord(
	context: IExecuteFunctions,
	itemIndex: number,
	planId: string,
	hash: string,
): Promise<unknown> {
	const event = await eventByHash(context, planId, hash, itemIndex);
	if (event === '' || containsNoRecord(event, 'event')) throw noEventError(context, itemIndex, planId, hash);
	return event;
}

/** The error for a hash that no event of the plan has. */
export function noEventError(
	context: IExecuteFunctions,
	itemIndex: number,
	planId: string,
	hash: string,
): NodeOperationError {
	const message = `The plan ${planId} has no event with the hash "${hash}"`;
	return new NodeOperationError(context.getNode(), message, {
		itemIndex,
		description: 'Check Event and Plan ID.',
	});
}

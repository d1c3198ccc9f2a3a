import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
} from 'n8n-workflow';

import { planOrDefault } from '../../service/plan';
import { findEventWithId, findListedEvent, findPlanSecret } from '../../service/planEvents';
import { eventIdOf, planSecretOf } from '../../service/recordFields';
import { hasStatus, toNodeError } from '../../transport/errors';
import { numberParameter, ownPlanIdParameter, textParameter } from '../parameters';

export const secretOption: INodeProperties = {
	displayName: 'Secret',
	name: 'secret',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	description: 'Secret of the plan. Leave it empty to look it up in the events of the plan.',
};

export const eventIdOption: INodeProperties = {
	displayName: 'Event ID',
	name: 'eventId',
	type: 'number',
	default: 0,
	description: 'Numeric ID of the event. Leave it at 0 to look it up in the events of the plan.',
};

/**
 * Sends a change of an event with what docs/api-reference.md#update-an-event and
 * docs/api-reference.md#start-or-end-an-event require besides the hash: the plan secret and, for an update, the numeric event
 * ID. Values under Options are used as they are; the rest is looked up. When the service rejects a secret that another event of
 * the plan carries, the change is sent again with the event's own: a rejected request was not carried out.
 *
 * @param send sends the request
 * @returns the response, and the event's record before the change when the lookup of the secret read it
 * @throws NodeOperationError when the lookup does not find the secret; it names the option to fill in
 */
export async function changeEvent(
	context: IExecuteFunctions,
	itemIndex: number,
	hash: string,
	send: (secret: string, eventId: number | undefined) => Promise<unknown>,
): Promise<{ response: unknown; record?: IDataObject }> {
	const givenSecret = textParameter(context, itemIndex, 'options.secret', 'Secret');
	const ownPlanId = ownPlanIdParameter(context, itemIndex);
	const needsId = context.getNodeParameter('operation', itemIndex) === 'update';
	const givenId = needsId ? eventIdOfOption(context, itemIndex) : undefined;
	const isIdMissing = needsId && givenId === undefined;
	if (givenSecret !== '' && !isIdMissing) return { response: await send(givenSecret, givenId) };

	const planId = await planOrDefault(context, ownPlanId, itemIndex);
	const { secret, record } =
		givenSecret === ''
			? await findPlanSecret(context, planId, hash, itemIndex)
			: { secret: givenSecret, record: undefined };
	const withId = isIdMissing ? await findEventWithId(context, planId, hash, itemIndex) : undefined;
	if (isIdMissing && !withId) {
		throw new NodeOperationError(
			context.getNode(),
			`The plan ${planId} has no event with the hash "${hash}"`,
			{
				itemIndex,
				description: 'Check Event and Plan ID, or enter the event ID and the secret under Options.',
			},
		);
	}
	if (secret === undefined) {
		throw new NodeOperationError(context.getNode(), `No secret was found for the event "${hash}"`, {
			itemIndex,
			description: 'No event of this plan contains one. Enter it in the option Secret.',
		});
	}
	const eventId = givenId ?? (withId && eventIdOf(withId));
	try {
		return { response: await send(secret, eventId), record };
	} catch (error) {
		const rejection = toNodeError(context, error);
		if (givenSecret !== '' || record || !hasStatus(rejection, /^40[13]$/)) throw rejection;
		const own = await findListedEvent(context, planId, hash, itemIndex).catch(() => undefined);
		const ownSecret = own && planSecretOf(own);
		if (ownSecret === undefined || ownSecret === secret) throw rejection;
		return { response: await send(ownSecret, eventId), record: own };
	}
}

function eventIdOfOption(context: IExecuteFunctions, itemIndex: number): number | undefined {
	const id = numberParameter(context, itemIndex, 'options.eventId', 'Event ID', { min: 0 });
	return id === 0 ? undefined : id;
}

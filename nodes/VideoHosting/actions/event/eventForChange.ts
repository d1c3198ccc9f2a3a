import type { IDataObject } from 'n8n-workflow';

import type { Parameter } from '../../parameters/field';
import { parameter, text } from '../../parameters/parameter';
import { toNumber } from '../../parameters/values';
import { planOrDefault } from '../../service/plan';
import { findEventWithId, findListedEvent, findPlanSecret } from '../../service/recordDirectory';
import { resolveEvent } from '../../service/recordByName';
import { planSecretOf } from '../../service/recordFields';
import { hasStatus, toNodeError } from '../../transport/errors';
import { eventField, planIdOption } from '../fields';
import type { Item } from '../item';
import { noEventError, requiredEventId } from './get';

/** What the body of a change contains of the event: the secret is that of the plan, the ID is undefined without `idOption`. */
type ChangedEvent = { hash: string; secret: string; eventId?: number };

const NO_EVENT_ADVICE = 'Check Event and Plan ID, or enter the event ID and the secret under Options.';

export const secretOption = text({
	displayName: 'Secret',
	name: 'secret',
	collection: 'options',
	typeOptions: { password: true },
	description: 'Secret of the plan. Leave it empty to look it up in the events of the plan.',
});

export const eventIdOption = parameter(toEventId, {
	displayName: 'Event ID',
	name: 'eventId',
	collection: 'options',
	type: 'number',
	default: 0,
	description: 'Numeric ID of the event. Leave it at 0 to look it up in the events of the plan.',
});

/**
 * Sends a change of an event with what docs/api-reference.md#update-an-event and
 * docs/api-reference.md#start-or-end-an-event require besides the hash: the plan secret and, for an update, the numeric event
 * ID. Values under Options are used as they are; the rest is looked up. When the service rejects a secret that another event of
 * the plan carries, the change is sent again with the event's own: a rejected request was not carried out.
 *
 * @param send sends the request
 * @param idOption for a change that sends the numeric event ID
 * @returns the response, and the event's record before the change when the lookup of the secret read it
 * @throws NodeOperationError when the lookup does not find the secret; it names the option to fill in
 */
export async function changeEvent(
	item: Item,
	send: (event: ChangedEvent) => Promise<unknown>,
	idOption?: Parameter<number | undefined>,
): Promise<{ hash: string; response: unknown; record?: IDataObject }> {
	const { context } = item;
	const chosen = item.read(eventField);
	const givenSecret = item.read(secretOption);
	const ownPlanId = item.read(planIdOption);
	const givenId = idOption && item.read(idOption);
	const isIdMissing = idOption !== undefined && givenId === undefined;
	const hash = await resolveEvent(context, chosen, ownPlanId);
	if (givenSecret !== '' && !isIdMissing) {
		return { hash, response: await send({ hash, secret: givenSecret, eventId: givenId }) };
	}

	const planId = await planOrDefault(context, ownPlanId);
	const { secret, record } =
		givenSecret === ''
			? await findPlanSecret(context, planId, hash)
			: { secret: givenSecret, record: undefined };
	const eventId = isIdMissing ? await foundEventId(item, planId, hash) : givenId;
	if (secret === undefined) {
		throw item.error(
			`No secret was found for the event "${hash}"`,
			'No event of this plan contains one. Enter it in the option Secret.',
		);
	}
	try {
		return { hash, response: await send({ hash, secret, eventId }), record };
	} catch (error) {
		const rejection = toNodeError(context, error);
		if (givenSecret !== '' || record || !hasStatus(rejection, /^40[13]$/)) throw rejection;
		const own = await findListedEvent(context, planId, hash).catch(() => undefined);
		const ownSecret = own && planSecretOf(own);
		if (ownSecret === undefined || ownSecret === secret) throw rejection;
		return { hash, response: await send({ hash, secret: ownSecret, eventId }), record: own };
	}
}

async function foundEventId(item: Item, planId: string, hash: string): Promise<number> {
	const event = await findEventWithId(item.context, planId, hash);
	if (!event) throw noEventError(item, planId, hash, NO_EVENT_ADVICE);
	return requiredEventId(item, event, hash, 'Enter it in the option Event ID.');
}

/** 0 means empty. */
function toEventId(label: string, value: unknown): number | undefined {
	const id = toNumber(label, value, { min: 0 });
	return id === 0 ? undefined : id;
}

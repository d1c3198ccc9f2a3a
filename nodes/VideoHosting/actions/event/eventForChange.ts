import { number, text, type Parameter } from '../../parameters/parameter';
import { quoted } from '../../parameters/values';
import type { Event } from '../../service/event';
import { eventWithId, findPlanSecret } from '../../service/events';
import { chosenEvent } from '../fields';
import type { Item } from '../operation';

export const secretOption = text({
	displayName: 'Secret',
	name: 'secret',
	collection: 'options',
	typeOptions: { password: true },
	description: 'Secret of the plan. Leave it empty to look it up in the events of the plan.',
});

/** 0 means empty. */
export const eventIdOption = number(
	{ min: 0, fractions: false },
	{
		displayName: 'Event ID',
		name: 'eventId',
		collection: 'options',
		default: 0,
		description: 'Numeric ID of the event. Leave it at 0 to look it up in the events of the plan.',
	},
);

/**
 * Hash, plan secret and, for an update, numeric ID of the chosen event, as docs/api-reference.md#update-an-event and
 * docs/api-reference.md#start-or-end-an-event require them. Secret and ID are looked up unless Options contains them.
 *
 * @param idOption for a change that sends the numeric event ID
 * @throws NodeOperationError when the event, the secret or the ID is not found
 */
export async function eventForChange(item: Item, idOption?: Parameter<number>) {
	const givenSecret = item.read(secretOption);
	const givenId = idOption && item.read(idOption);
	const { planId, hash } = await chosenEvent(item);
	const secret = givenSecret || (await findPlanSecret(item.context, planId));
	const { id: eventId } =
		givenId === 0
			? await identifiedEvent(item, planId, hash, 'Enter it in the option Event ID.')
			: { id: givenId };
	if (secret !== undefined) return { eventId, secret, hash };
	throw item.error(
		`No secret was found for the event ${quoted(hash)}`,
		'No listed event of this plan contains one. Try again in half a minute, or enter it in the option Secret.',
	);
}

/**
 * The event with this hash and its numeric ID.
 *
 * @param advice for a record that contains no ID
 * @throws NodeOperationError when the plan has no such event, or its record contains no ID
 */
export async function identifiedEvent(
	item: Item,
	planId: string,
	hash: string,
	advice: string,
): Promise<Event & { id: number }> {
	const event = await eventWithId(item.context, planId, hash);
	const { id } = event;
	if (id !== undefined) return { ...event, id };
	throw item.error(`The record of the event ${quoted(hash)} contains no numeric ID`, advice);
}

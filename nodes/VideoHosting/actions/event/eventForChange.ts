import { text } from '../../parameters/parameter';
import { quoted } from '../../parameters/values';
import type { Event, Stage } from '../../service/event';
import { eventWithId, findPlanSecret } from '../../service/events';
import { OperationError } from '../../transport/serviceError';
import { chosenEvent } from '../fields';
import type { Item } from '../operation';

export const secretOption = text({
	displayName: 'Secret',
	name: 'secret',
	collection: 'options',
	typeOptions: { password: true },
	description: 'Secret of the plan. Leave it empty to look it up in the events of the plan.',
});

/**
 * Plan, hash and plan secret of the chosen event, as docs/api-reference.md#update-an-event and
 * docs/api-reference.md#start-or-end-an-event require them.
 *
 * @param stages of the events that count By External ID
 * @throws OperationError when the event or the secret is not found
 */
export async function eventForChange(
	item: Item,
	stages?: readonly Stage[],
): Promise<{ planId: string; hash: string; secret: string }> {
	item.read(secretOption);
	const { planId, hash } = await chosenEvent(item, undefined, stages);
	return { planId, hash, secret: await secretFor(item, planId, hash) };
}

/**
 * The secret of a plan, which is looked up unless Options contains it.
 *
 * @param hash of the event that is to be changed, for the message
 * @throws OperationError when it is not found
 */
export async function secretFor(item: Item, planId: string, hash: string): Promise<string> {
	const secret = item.read(secretOption) || (await findPlanSecret(item.context, planId));
	if (secret !== undefined) return secret;
	throw new OperationError(
		`No secret was found for the event ${quoted(hash)}`,
		'No listed event of this plan contains one. Try again in half a minute, or enter it in the option Secret.',
	);
}

/**
 * The event with this hash and its numeric ID.
 *
 * @param advice for a record that contains no ID
 * @param givenId 0 when none was entered
 * @throws OperationError when the plan has no such event, or its record contains no ID
 */
export async function identifiedEvent(
	item: Item,
	planId: string,
	hash: string,
	advice: string,
	givenId = 0,
): Promise<Event & { id: number }> {
	const event = await eventWithId(item.context, planId, hash);
	const id = givenId || event.id;
	if (id !== undefined) return { ...event, id };
	throw new OperationError(`The record of the event ${quoted(hash)} contains no numeric ID`, advice);
}

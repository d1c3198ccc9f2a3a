import { optIn, parameter } from '../../parameters/parameter';
import { toEventReference, typedMode, type EventReference } from '../../parameters/references';
import { emptyError, quoted, toNumber, toTexts, type Entered } from '../../parameters/values';
import type { Stage } from '../../service/event';
import { eventLists, findChosenEvent, isWaiting, STAGES } from '../../service/events';
import { OperationError } from '../../transport/serviceError';
import { chosenEvent, eventField, planIdOf, planIdOption } from '../fields';
import type { Item, Operation } from '../operation';
import { identifiedEvent } from './eventForChange';

/** Delete sends numbers (docs/api-reference.md#delete-events), and accepts several of them. */
const eventsToDeleteField = parameter(toEvents, {
	...eventField,
	description:
		'Live event, from the list, by its hash or exact title, or by its External ID while it is waiting. By ID takes the numeric ID, which Get Many returns, or several separated by commas.',
	modes: [
		...(eventField.modes ?? []),
		typedMode(
			{ displayName: 'By ID', name: 'id', placeholder: 'e.g. 12 or 12, 15, 16' },
			'^\\s*\\d+(\\s*,\\s*\\d+)*\\s*$',
			'Enter one number, or several separated by commas',
		),
	],
});

const skipIfMissingOption = optIn({
	displayName: 'Skip If Missing',
	name: 'skipIfMissing',
	collection: 'options',
	description:
		'Whether to return deleted: false and skipped: true when the plan has no such event. By External ID, an event that is live or over counts as missing. IDs are not looked up.',
});

/** See docs/api-reference.md#delete-events: the request contains numeric IDs alone. */
export const deleteEvent: Operation = {
	name: 'Delete',
	description: 'Delete one or more events permanently',
	action: 'Delete live event',
	parameters: [eventsToDeleteField, planIdOption, skipIfMissingOption],
	async execute(item) {
		const chosen = item.read(eventsToDeleteField);
		const skips = item.read(skipIfMissingOption);
		// IDs need no plan, but an invalid Plan ID is an error.
		item.read(planIdOption);
		const deleted = 'eventIds' in chosen ? chosen : await eventOf(item, chosen, skips);
		if (!deleted) return { deleted: false, skipped: true };
		await deleteEvents(item, deleted);
		return { deleted: true, ...deleted };
	},
};

/** Deletes them, and notes that for the run. */
export async function deleteEvents(item: Item, { eventIds, hash, title }: DeletedEvents): Promise<void> {
	await item.request('DELETE', ['events', 'delete'], { eventIds }, 'application/json;charset=UTF-8');
	await eventLists.change(item.context, { ids: [...eventIds, hash], oldName: title });
}

/** `hash` and `title` only of a single event that was looked up. */
type DeletedEvents = { eventIds: number[]; hash?: string; title?: string };

/** IDs are one number, several in a list, or several separated by commas; each once. */
function toEvents(label: string, value: unknown, entered: Entered): DeletedEvents | EventReference {
	const { mode } = entered;
	// In an expression for the whole parameter, a text is a hash; a number or a list means IDs.
	const isId = mode === 'id' || (mode === undefined && typeof value !== 'string');
	if (!isId) return toEventReference(label, value, entered);
	const ids = toTexts(label, value).map((id) => toNumber({ min: 1 })(label, id));
	if (ids.length > 0) return { eventIds: [...new Set(ids)] };
	throw emptyError(label, 'Enter the ID of an event.');
}

/** @returns undefined when it is missing, and `skips` says that this is no error */
async function eventOf(
	item: Item,
	chosen: EventReference,
	skips: boolean,
): Promise<DeletedEvents | undefined> {
	const { context } = item;
	const isOfEntry = 'externalId' in chosen;
	const stages: readonly Stage[] = isOfEntry ? ['waiting'] : STAGES;
	if (skips && !(await findChosenEvent(context, chosen, await planIdOf(item), stages))) return undefined;
	const { planId, hash } = await chosenEvent(item, chosen, stages);
	// A list may be minutes old.
	if (isOfEntry && !(await isWaiting(context, planId, hash))) {
		if (skips) return undefined;
		const message = `The event ${quoted(hash)} is no longer waiting, so it is not deleted by its External ID`;
		throw new OperationError(message, 'Choose it By Hash.');
	}
	const { id, title } = await identifiedEvent(item, planId, hash, 'Enter its number in Event By ID.');
	return { eventIds: [id], hash, title };
}

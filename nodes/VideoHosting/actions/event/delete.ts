import { parameter } from '../../parameters/parameter';
import { toRecordReference, typedMode, type Reference } from '../../parameters/references';
import { emptyError, toNumber, toTexts, type Entered } from '../../parameters/values';
import { eventLists } from '../../service/events';
import { chosenEvent, eventField, planIdOption } from '../fields';
import type { Item, Operation } from '../operation';
import { identifiedEvent } from './eventForChange';

/** Delete sends numbers (docs/api-reference.md#delete-events), and accepts several of them. */
const eventsToDeleteField = parameter(toEvents, {
	...eventField,
	description:
		'Live event, from the list or by its hash or exact title. By ID takes the numeric ID, which Get Many returns, or several separated by commas.',
	modes: [
		...(eventField.modes ?? []),
		typedMode(
			{ displayName: 'By ID', name: 'id', placeholder: 'e.g. 12 or 12, 15, 16' },
			'^\\s*\\d+(\\s*,\\s*\\d+)*\\s*$',
			'Enter one number, or several separated by commas',
		),
	],
});

/** See docs/api-reference.md#delete-events: the request contains numeric IDs alone. */
export const deleteEvent: Operation = {
	name: 'Delete',
	description: 'Delete one or more events permanently',
	action: 'Delete live event',
	parameters: [eventsToDeleteField, planIdOption],
	async execute(item) {
		const chosen = item.read(eventsToDeleteField);
		// IDs need no plan, but an invalid Plan ID is an error.
		item.read(planIdOption);
		const deleted = 'eventIds' in chosen ? chosen : await eventOf(item, chosen);
		const { eventIds, hash } = deleted;
		await item.request('DELETE', ['events', 'delete'], { eventIds }, 'application/json;charset=UTF-8');
		await eventLists.change(item.context, { ids: [...eventIds, hash], oldName: deleted.title });
		return { deleted: true, ...deleted };
	},
};

/** `hash` and `title` only of a single event that was looked up. */
type DeletedEvents = { eventIds: number[]; hash?: string; title?: string };

/** IDs are one number, several in a list, or several separated by commas; each once. */
function toEvents(label: string, value: unknown, entered: Entered): DeletedEvents | Reference {
	const { mode } = entered;
	// In an expression for the whole parameter, a text is a hash; a number or a list means IDs.
	const isId = mode === 'id' || (mode === undefined && typeof value !== 'string');
	if (!isId) return toRecordReference(label, value, entered);
	const ids = toTexts(label, value).map((id) => toNumber({ min: 1 })(label, id));
	if (ids.length > 0) return { eventIds: [...new Set(ids)] };
	throw emptyError(label, 'Enter the ID of an event.');
}

async function eventOf(item: Item, chosen: Reference): Promise<DeletedEvents> {
	const { planId, hash } = await chosenEvent(item, chosen);
	const { id, title } = await identifiedEvent(item, planId, hash, 'Enter its number in Event By ID.');
	return { eventIds: [id], hash, title };
}

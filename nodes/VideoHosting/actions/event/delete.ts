import type { Entered } from '../../parameters/field';
import { toRecordReference, type RecordReference } from '../../parameters/identifiers';
import { locator } from '../../parameters/locators';
import { parameter } from '../../parameters/parameter';
import { InvalidParameterError, quoted, toTexts } from '../../parameters/values';
import { planOrDefault } from '../../service/plan';
import { resolveEvent } from '../../service/recordByName';
import { noteEventChange } from '../../service/recordDirectory';
import { eventIdOf, eventTitleOf } from '../../service/recordFields';
import { isRecord } from '../../shared/jsonFields';
import { path } from '../../transport/request';
import { eventLocator, planIdOption } from '../fields';
import type { Item } from '../item';
import type { Operation } from '../operation';
import { eventRecord } from './eventRecord';

/** Delete sends numbers (docs/api-reference.md#delete-events), and accepts several of them. */
const eventsToDeleteField = parameter(
	toEvents,
	locator({
		...eventLocator,
		description:
			'Live event, from the list or by its hash or exact title. By ID takes the numeric ID, which Get Many returns, or several separated by commas.',
		typed: [
			...eventLocator.typed,
			{
				displayName: 'By ID',
				name: 'id',
				placeholder: 'e.g. 12 or 12, 15, 16',
				regex: '^\\s*\\d+(\\s*,\\s*\\d+)*\\s*$',
				errorMessage: 'Enter one number, or several separated by commas',
			},
		],
	}),
);

/** See docs/api-reference.md#delete-events: the request contains numeric IDs alone. */
export const deleteEvent: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		description: 'Delete one or more events permanently',
		action: 'Delete events',
	},
	parameters: [eventsToDeleteField, planIdOption],
	async execute(item) {
		const { context } = item;
		const chosen = item.read(eventsToDeleteField);
		// IDs need no plan, but what is entered must be valid.
		const ownPlanId = item.read(planIdOption);
		const deleted = 'eventIds' in chosen ? chosen : await eventOf(item, chosen, ownPlanId);
		await item.request(
			'DELETE',
			path('events', 'delete'),
			{ eventIds: deleted.eventIds },
			'application/json;charset=UTF-8',
		);
		if (deleted.hash !== undefined) noteEventChange(context, deleted.hash, undefined);
		return { deleted: true, ...deleted };
	},
};

/** What is deleted: hash and title of a single event that was looked up. */
type DeletedEvents = { eventIds: number[]; hash?: string; title?: string };

function toEvents(label: string, value: unknown, entered: Entered): DeletedEvents | RecordReference {
	const { mode } = entered;
	// Of an expression that is the whole parameter, a text is a hash; a list can only be of IDs.
	const isId = mode === 'id' || (mode === undefined && Array.isArray(value));
	return isId ? { eventIds: toEventIds(label, value) } : toRecordReference(label, value, entered);
}

/** One number, several in a list, or several separated by commas; each once. */
function toEventIds(label: string, value: unknown): number[] {
	const ids = typeof value === 'string' && value.includes(',') ? value.split(',') : toTexts(label, value);
	if (ids.length === 0) throw new InvalidParameterError(`${label} is empty`, 'Enter the ID of an event.');
	if (ids.every((id) => /^[1-9]\d*$/.test(id.trim()) && Number.isSafeInteger(Number(id)))) {
		return [...new Set(ids.map(Number))];
	}
	throw new InvalidParameterError(
		`${label} ${quoted(value)} is not a list of event IDs`,
		'Enter whole numbers separated by commas, such as 12, 15.',
	);
}

/** @throws NodeOperationError when the plan has no such event, or its record contains no ID */
async function eventOf(item: Item, chosen: RecordReference, ownPlanId: string): Promise<DeletedEvents> {
	const { context, itemIndex } = item;
	const hash = await resolveEvent(context, chosen, ownPlanId, itemIndex);
	const planId = await planOrDefault(context, ownPlanId, itemIndex);
	const response = await eventRecord(item, planId, hash);
	// JSON that was parsed: an object is an IDataObject.
	const event = isRecord(response) ? response : {};
	const eventId = eventIdOf(event);
	if (eventId !== undefined) return { eventIds: [eventId], hash, title: eventTitleOf(event) };
	throw item.error(
		`The record of the event "${hash}" contains no numeric ID`,
		'Enter its number in Event By ID.',
	);
}

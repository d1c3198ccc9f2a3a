import { number } from '../../parameters/parameter';
import { eventLists } from '../../service/events';
import { changedRecord } from '../../service/record';
import { toEvent } from '../../service/event';
import { eventField, planIdOption } from '../fields';
import type { Operation } from '../operation';
import { titleField } from './create';
import { eventForChange, identifiedEvent, secretOption } from './eventForChange';
import { retitled } from './markedEvent';

const newTitleField = { ...titleField, displayName: 'New Title', description: 'New title of the event' };

/** 0 means empty. */
const eventIdOption = number(
	{ min: 0, fractions: false },
	{
		displayName: 'Event ID',
		name: 'eventId',
		collection: 'options',
		default: 0,
		description: 'Numeric ID of the event. Leave it at 0 to look it up in the events of the plan.',
	},
);

/** See docs/api-reference.md#update-an-event. Keeps the mark of Create or Update. */
export const update: Operation = {
	name: 'Update',
	description: 'Change the title of an event',
	action: 'Update live event',
	parameters: [eventField, newTitleField, eventIdOption, planIdOption, secretOption],
	async execute(item) {
		const title = item.read(newTitleField);
		const givenId = item.read(eventIdOption);
		const { planId, hash, secret } = await eventForChange(item);
		const advice = 'Enter it in the option Event ID.';
		const event = await identifiedEvent(item, planId, hash, advice, givenId);
		if (event.mark) return (await retitled(item, planId, { ...event, hash }, title)).record;
		const body = { title, eventId: event.id, secret, hash };
		const response = await item.request('PUT', ['events', 'update'], body);
		await eventLists.change(item.context, { ids: [hash, event.id], newName: title });
		return changedRecord(response, 'event', toEvent);
	},
};

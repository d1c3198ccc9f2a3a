import { requiredText } from '../../parameters/parameter';
import { eventLists } from '../../service/events';
import { recordIn } from '../../transport/response';
import { eventField, planIdOption } from '../fields';
import type { Operation } from '../operation';
import { eventForChange, eventIdOption, secretOption } from './eventForChange';

const titleField = requiredText({
	displayName: 'Title',
	name: 'title',
	placeholder: 'e.g. Quarterly all-hands, part 2',
	description: 'New title of the event',
});

/** See docs/api-reference.md#update-an-event. */
export const update: Operation = {
	name: 'Update',
	description: 'Change the title of an event',
	action: 'Update live event',
	parameters: [eventField, titleField, eventIdOption, planIdOption, secretOption],
	async execute(item) {
		const title = item.read(titleField);
		const sent = await eventForChange(item, eventIdOption);
		const response = await item.request('PUT', ['events', 'update'], { title, ...sent });
		await eventLists.change(item.context, { ids: [sent.hash, sent.eventId], newName: title });
		return recordIn(response, 'event');
	},
};

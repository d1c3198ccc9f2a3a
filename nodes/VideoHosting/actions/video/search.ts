import { requiredText } from '../../parameters/parameter';
import { firstRecords } from '../../service/paging';
import { videoPages } from '../../service/videos';
import { limitFields, limitOf, planIdOf, planIdOption } from '../fields';
import type { Operation } from '../operation';

const nameField = requiredText({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. interview',
	description: 'Name, or part of a name, to search for. The service decides how closely it must match.',
});

/** See docs/api-reference.md#search-videos-by-name. */
export const search: Operation = {
	name: 'Search',
	description: 'Find videos by their name',
	action: 'Search videos',
	parameters: [nameField, ...limitFields, planIdOption],
	returnsList: true,
	async execute(item) {
		const { context } = item;
		const name = item.read(nameField);
		const limit = limitOf(item);
		const planId = await planIdOf(item);
		const videos = await firstRecords(videoPages(context, planId, { name }), limit);
		return videos.map(({ record }) => record);
	},
};

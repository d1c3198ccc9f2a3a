import { requiredText } from '../../parameters/parameter';
import { firstRecords } from '../../service/paging';
import { videoPages } from '../../service/videos';
import { withoutSecrets } from '../../transport/secrets';
import { limitField, limitOf, planIdOf, planIdOption, returnAllField } from '../fields';
import type { Operation } from '../operation';

const nameField = requiredText({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. interview',
	description: 'Name, or part of a name, to search for. The service decides how closely it must match.',
});

/** See docs/api-reference.md#search-videos-by-name. */
export const search: Operation = {
	option: {
		name: 'Search',
		value: 'search',
		description: 'Find videos by their name',
		action: 'Search videos',
	},
	parameters: [nameField, returnAllField, limitField, planIdOption],
	async execute(item) {
		const { context, itemIndex } = item;
		const name = item.read(nameField);
		const limit = limitOf(item);
		const planId = await planIdOf(item);
		return withoutSecrets(await firstRecords(videoPages(context, planId, { name }, itemIndex), limit));
	},
};

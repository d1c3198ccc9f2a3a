import type { INodeProperties } from 'n8n-workflow';

import { HASH_REGEX, HASH_RULE } from '../parameters/identifiers';
import { locator, nameMode, type Locator } from '../parameters/locators';

export const planIdOption: INodeProperties = {
	displayName: 'Plan ID',
	name: 'planId',
	type: 'string',
	default: '',
	placeholder: 'Plan of the credential',
	description: 'Plan to use instead of the Plan ID of the credential',
};

const eventLocator: Locator = {
	displayName: 'Event',
	name: 'event',
	description:
		'Live event, from the list or by its hash or exact title. Create and Get Many return the hash.',
	typeOptions: { loadOptionsDependsOn: ['options.planId'] },
	searchListMethod: 'searchEvents',
	typed: [
		{
			displayName: 'By Hash',
			name: 'hash',
			placeholder: 'e.g. 5f1d7a84b9',
			regex: HASH_REGEX,
			errorMessage: `Not an event hash: ${HASH_RULE}`,
		},
		nameMode('By Title', 'title', 'e.g. Quarterly all-hands', 'Enter the title of an event'),
	],
};

export const eventField = locator(eventLocator);

/** Delete sends numbers (docs/api-reference.md#delete-events), and accepts several of them. */
export const eventsToDeleteField = locator({
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
});

export const createFolderOption: INodeProperties = {
	displayName: 'Create Folder If Missing',
	name: 'createFolder',
	type: 'boolean',
	default: false,
	description: 'Whether to create the folder when Folder is set By Name and no folder has this name',
};

export const videoField = locator({
	displayName: 'Video',
	name: 'video',
	description: 'Video, from the list or by its hash or exact name. Get Many and Search return the hash.',
	typeOptions: { loadOptionsDependsOn: ['options.planId'] },
	searchListMethod: 'searchVideos',
	typed: [
		{
			displayName: 'By Hash',
			name: 'hash',
			placeholder: 'e.g. 9c3e0d51f7',
			regex: HASH_REGEX,
			errorMessage: `Not a video hash: ${HASH_RULE}`,
		},
		nameMode('By Name', 'name', 'e.g. Interview, final cut', 'Enter the name of a video'),
	],
});

export const returnAllField: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limitField: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
};

export const includeSecretOption: INodeProperties = {
	displayName: 'Include Secret',
	name: 'includeSecret',
	type: 'boolean',
	default: false,
	description:
		'Whether to include the secret of the plan in the output. Anyone who can see the execution can then control the live events of the plan.',
};

/** The collection that holds what an operation can do without. */
export const optionsField = collection('Options', 'options', 'Add option');

/** The collection that narrows what a list operation returns. */
export const filtersField = collection('Filters', 'filters', 'Add filter');

function collection(displayName: string, name: string, placeholder: string) {
	return (...fields: INodeProperties[]): INodeProperties => ({
		displayName,
		name,
		type: 'collection',
		placeholder,
		default: {},
		options: fields.sort((one, other) => one.displayName.localeCompare(other.displayName)),
	});
}

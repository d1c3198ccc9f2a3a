import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { HASH_REGEX, HASH_RULE, UUID_REGEX } from '../parameters/identifiers';

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

export const folderField = locator({
	displayName: 'Folder',
	name: 'folder',
	description: 'Folder, from the list or by its UUID or exact name. Create and Get Many return the UUID.',
	searchListMethod: 'searchFolders',
	typed: [
		{
			displayName: 'By UUID',
			name: 'uuid',
			placeholder: 'e.g. 6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b',
			regex: UUID_REGEX,
			errorMessage: 'Not a UUID: a UUID has 32 hexadecimal digits in five groups',
		},
		nameMode('By Name', 'name', 'e.g. Webinars 2026', 'Enter the name of a folder'),
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

interface Locator extends Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'typeOptions'> {
	/** Name of the list search method in `methods/`. */
	searchListMethod: string;
	/** The modes in which the value is typed in. */
	typed: TypedMode[];
}

type TypedMode = Pick<INodePropertyMode, 'displayName' | 'name' | 'placeholder'> & {
	regex: string;
	errorMessage: string;
};

/** A mode in which exactly one record must have the text that is typed in. */
function nameMode(displayName: string, name: string, placeholder: string, errorMessage: string): TypedMode {
	return { displayName, name, placeholder, regex: '\\s*\\S[\\s\\S]*', errorMessage };
}

/** `an event`, `a folder` */
function article(displayName: string): string {
	const name = displayName.toLowerCase();
	return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

/** A record to pick from a list or to name by hand. */
function locator({ searchListMethod, typed, ...field }: Locator): INodeProperties {
	return {
		...field,
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${article(field.displayName)}…`,
				typeOptions: { searchListMethod, searchable: true },
			},
			...typed.map(({ regex, errorMessage, ...mode }): INodePropertyMode => ({
				...mode,
				type: 'string',
				validation: [{ type: 'regex', properties: { regex, errorMessage } }],
			})),
		],
	};
}

import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { HASH_REGEX, HASH_RULE, UUID_REGEX } from '../parameters/identifiers';

export const planIdField: INodeProperties = {
	displayName: 'Plan ID',
	name: 'planId',
	type: 'string',
	default: '',
	placeholder: 'Default plan of the credential',
	description: 'Plan of the event or video. Leave it empty to use the Default Plan ID of the credential.',
};

export const eventField = locator({
	displayName: 'Event',
	name: 'event',
	description: 'Live event, from the list or by its hash. Create and Get Many return the hash.',
	typeOptions: { loadOptionsDependsOn: ['planId'] },
	searchListMethod: 'searchEvents',
	typed: [
		{
			displayName: 'By Hash',
			name: 'hash',
			placeholder: 'e.g. 5f1d7a84b9',
			regex: HASH_REGEX,
			errorMessage: `Not an event hash: ${HASH_RULE}`,
		},
	],
});

/** Delete addresses events by their number, not by their hash (docs/api-reference.md#delete-events). */
export const eventIdField = locator({
	displayName: 'Event',
	name: 'event',
	description:
		'Event to delete, from the list or by its numeric ID, which Get Many returns. To delete several, enter their IDs separated by commas.',
	typeOptions: { loadOptionsDependsOn: ['planId'] },
	searchListMethod: 'searchEventIds',
	typed: [
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
	description:
		'Folder (gallery), from the list or by its UUID or exact name. Create and Get Many return the UUID.',
	searchListMethod: 'searchFolders',
	typed: [
		{
			displayName: 'By UUID',
			name: 'uuid',
			placeholder: 'e.g. 6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b',
			regex: UUID_REGEX,
			errorMessage: 'Not a UUID: a UUID has 32 hexadecimal digits in five groups',
		},
		{
			displayName: 'By Name',
			name: 'name',
			placeholder: 'e.g. Webinars 2026',
			regex: '\\s*\\S[\\s\\S]*',
			errorMessage: 'Enter the name of a folder',
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
	description: 'Video, from the list or by its hash. Get Many and Search return the hash.',
	typeOptions: { loadOptionsDependsOn: ['planId'] },
	searchListMethod: 'searchVideos',
	typed: [
		{
			displayName: 'By Hash',
			name: 'hash',
			placeholder: 'e.g. 9c3e0d51f7',
			regex: HASH_REGEX,
			errorMessage: `Not a video hash: ${HASH_RULE}`,
		},
	],
});

export const returnAllFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

export const includeSecretOption: INodeProperties = {
	displayName: 'Include Secret',
	name: 'includeSecret',
	type: 'boolean',
	default: false,
	description:
		'Whether to include the secret of the plan in the output. Anyone who can see the execution can then control the live events of the plan.',
};

/** The collection that holds what an operation can do without, in alphabetical order. */
export function optionsField(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	};
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

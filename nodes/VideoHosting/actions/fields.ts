import type { INodeProperties } from 'n8n-workflow';

/** A UUID in text form, as the reference shows it (Resources, Folder: `uuid`). */
export const UUID_REGEX = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
/** The form of a hash is not shown: refused is only what cannot be one, a text with white space or a web address. */
export const HASH_REGEX = '^(?!.*://)\\S+$';

export const planIdField: INodeProperties = {
	displayName: 'Plan ID',
	name: 'planId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 4711',
	description:
		'ID of the plan that the event or video belongs to. Leave it empty to use the Default Plan ID of the credential.',
};

export const eventField: INodeProperties = {
	displayName: 'Event',
	name: 'event',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	typeOptions: { loadOptionsDependsOn: ['planId'] },
	description: 'Live event, picked from the list or given by its hash, as Create and Get Many return it',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchEvents', searchable: true },
		},
		{
			displayName: 'By Hash',
			name: 'hash',
			type: 'string',
			placeholder: 'e.g. 5f1d7a84b9',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: HASH_REGEX,
						errorMessage: 'Not an event hash: it has no white space and is no web address',
					},
				},
			],
		},
	],
};

/** Delete addresses events by their number, not by their hash (5). */
export const eventIdField: INodeProperties = {
	displayName: 'Event',
	name: 'event',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	typeOptions: { loadOptionsDependsOn: ['planId'] },
	description:
		'Event to delete, picked from the list or given by its numeric event ID, as Get Many returns it. By ID also several, separated by commas.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchEventIds', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 12 or 12, 15, 16',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '^\\s*\\d+(\\s*,\\s*\\d+)*\\s*$',
						errorMessage: 'Enter one number, or several separated by commas',
					},
				},
			],
		},
	],
};

export const folderField: INodeProperties = {
	displayName: 'Folder',
	name: 'folder',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description:
		'Folder (gallery), picked from the list or given by its UUID, as Create and Get Many return it',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchFolders', searchable: true },
		},
		{
			displayName: 'By UUID',
			name: 'uuid',
			type: 'string',
			placeholder: 'e.g. 6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: UUID_REGEX,
						errorMessage: 'Not a UUID: it has 32 hexadecimal digits in five groups',
					},
				},
			],
		},
	],
};

export const videoField: INodeProperties = {
	displayName: 'Video',
	name: 'video',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	typeOptions: { loadOptionsDependsOn: ['planId'] },
	description: 'Video, picked from the list or given by its hash, as Get Many and Search return it',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchVideos', searchable: true },
		},
		{
			displayName: 'By Hash',
			name: 'hash',
			type: 'string',
			placeholder: 'e.g. 9c3e0d51f7',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: HASH_REGEX,
						errorMessage: 'Not a video hash: it has no white space and is no web address',
					},
				},
			],
		},
	],
};

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
		'Whether to leave the secret of the plan in the output. Whoever can see the execution can then control live events of the plan.',
};

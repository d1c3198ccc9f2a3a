import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { planOrDefault } from '../service/plan';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** The form of a hash is not shown: refused is only what cannot be one, a text with white space or a web address. */
const HASH_REGEX = '^(?!.*://)\\S+$';

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
						regex: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
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

/**
 * The plan of an operation: its own Plan ID, else the credential's.
 *
 * @throws NodeOperationError when both are empty
 */
export async function planIdOf(context: IExecuteFunctions, itemIndex: number): Promise<string> {
	return await planOrDefault(context, textOf(context, 'planId', itemIndex), itemIndex);
}

/** @throws NodeOperationError when the parameter `event` holds no hash */
export function eventHashOfParameter(context: IExecuteFunctions, itemIndex: number): string {
	return hashOfParameter(context, itemIndex, 'event', 'Event');
}

/** @throws NodeOperationError when the parameter `video` holds no hash */
export function videoHashOfParameter(context: IExecuteFunctions, itemIndex: number): string {
	return hashOfParameter(context, itemIndex, 'video', 'Video');
}

function hashOfParameter(
	context: IExecuteFunctions,
	itemIndex: number,
	name: 'event' | 'video',
	label: string,
): string {
	const hash = textOf(context, name, itemIndex);
	if (hash === '') {
		throw invalid(context, itemIndex, `${label} is empty: choose one from the list or enter its hash`);
	}
	if (!new RegExp(HASH_REGEX).test(hash)) {
		throw invalid(
			context,
			itemIndex,
			`${label} "${hash}" is not a hash: it has no white space and is no web address. Choose one from the list or enter its hash`,
		);
	}
	return hash;
}

/** @throws NodeOperationError when the parameter `folder` holds no UUID */
export function folderUuidOfParameter(context: IExecuteFunctions, itemIndex: number): string {
	const uuid = optionalFolderUuidOfParameter(context, itemIndex);
	if (uuid !== undefined) return uuid;
	throw invalid(context, itemIndex, 'Folder is empty: choose one from the list or enter its UUID');
}

/**
 * The gallery of an operation that can do without one; undefined when the parameter `folder` is empty.
 *
 * @throws NodeOperationError when the parameter is filled with something else than a UUID
 */
export function optionalFolderUuidOfParameter(
	context: IExecuteFunctions,
	itemIndex: number,
): string | undefined {
	const uuid = textOf(context, 'folder', itemIndex);
	if (uuid === '') return undefined;
	if (!UUID.test(uuid)) throw invalid(context, itemIndex, `Folder "${uuid}" is not a UUID`);
	return uuid;
}

/** How many records Get Many returns: all of them (Infinity) or up to Limit. */
export function limitOf(context: IExecuteFunctions, itemIndex: number): number {
	if (context.getNodeParameter('returnAll', itemIndex)) return Infinity;
	const text = textOf(context, 'limit', itemIndex);
	const limit = Number(text);
	if (Number.isInteger(limit) && limit > 0) return limit;
	throw invalid(context, itemIndex, `Limit "${text}" is not a whole number of 1 or more`);
}

/**
 * A text parameter that must be filled.
 *
 * @param label its name in the panel
 * @throws NodeOperationError when it is empty
 */
export function requiredText(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	label: string,
): string {
	const text = textOf(context, name, itemIndex);
	if (text === '') throw invalid(context, itemIndex, `${label} is empty: enter one`);
	return text;
}

/** A parameter, or the value of a resource locator, as {@link asText} reads it. */
export function textOf(context: IExecuteFunctions, name: string, itemIndex: number): string {
	return asText(context.getNodeParameter(name, itemIndex, '', { extractValue: true }));
}

/**
 * What an expression or a person gave as a text without surrounding white space: numbers are texts, n8n's dates are ISO
 * texts, and what is neither is ''.
 */
export function asText(value: unknown): string {
	// Luxon's DateTime and JavaScript's Date become ISO texts in JSON; an invalid one becomes null.
	const plain: unknown =
		value instanceof Object && 'toJSON' in value ? JSON.parse(JSON.stringify(value)) : value;
	return typeof plain === 'string' || typeof plain === 'number' ? String(plain).trim() : '';
}

/** The error for a parameter that cannot be sent: one sentence that names the parameter and says what to do. */
export function invalid(context: IExecuteFunctions, itemIndex: number, message: string): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, { itemIndex });
}

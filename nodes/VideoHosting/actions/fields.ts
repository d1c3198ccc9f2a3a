import { HASH_REGEX, HASH_RULE, toRecordReference, toRequiredFolder } from '../parameters/identifiers';
import * as locators from '../parameters/locators';
import { locator, nameMode, type Locator } from '../parameters/locators';
import { flag, parameter, text } from '../parameters/parameter';
import { toListed, toRequiredNumber, toWebAddress } from '../parameters/values';
import { planOrDefault } from '../service/plan';
import type { Item } from './item';

export const planIdOption = text({
	displayName: 'Plan ID',
	name: 'planId',
	collection: 'options',
	placeholder: 'Plan of the credential',
	description: 'Plan to use instead of the Plan ID of the credential',
});

export const eventLocator: Locator = {
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

export const eventField = parameter(toRecordReference, locator(eventLocator));

export const folderField = parameter(toRequiredFolder, locators.folderField);

export const createFolderOption = flag({
	displayName: 'Create Folder If Missing',
	name: 'createFolder',
	collection: 'options',
	description: 'Whether to create the folder when Folder is set By Name and no folder has this name',
});

export const videoField = parameter(
	toRecordReference,
	locator({
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
	}),
);

export const returnAllField = flag({
	displayName: 'Return All',
	name: 'returnAll',
	description: 'Whether to return all results or only up to a given limit',
});

export const limitField = parameter(toRequiredNumber({ min: 1 }), {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
});

export const includeSecretOption = flag({
	displayName: 'Include Secret',
	name: 'includeSecret',
	collection: 'options',
	description:
		'Whether to include the secret of the plan in the output. Anyone who can see the execution can then control the live events of the plan.',
});

export const sourceField = parameter(toListed, {
	displayName: 'Source',
	name: 'source',
	type: 'options',
	options: [
		{
			name: 'Binary Data',
			value: 'binary',
			description: 'A file in the item, from an earlier node',
		},
		{
			name: 'URL',
			value: 'url',
			description: 'A file on the web, which n8n does not store',
		},
	],
	default: 'binary',
	description: 'Where the file comes from',
});

export const binaryField = text({
	required: true,
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	default: 'data',
	hint: 'The name of the input binary field containing the file to be uploaded',
	displayOptions: { show: { source: ['binary'] } },
	description: 'Field of the input item that holds the file',
});

export const urlField = parameter(toWebAddress, {
	required: true,
	displayName: 'URL',
	name: 'url',
	placeholder: 'e.g. https://files.example.com/keynote.mp4',
	displayOptions: { show: { source: ['url'] } },
	description:
		'URL that the file can be downloaded from without signing in. The access token of the credential is not sent to it.',
});

/** How many records an operation returns: all of them (Infinity) or up to Limit. */
export function limitOf(item: Item): number {
	return item.read(returnAllField) ? Infinity : item.read(limitField);
}

/**
 * The plan of an operation: its own Plan ID, else the credential's.
 *
 * @throws NodeOperationError when both are empty
 */
export async function planIdOf(item: Item): Promise<string> {
	return await planOrDefault(item.context, item.read(planIdOption), item.itemIndex);
}

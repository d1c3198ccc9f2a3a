import { flag, optIn, parameter, text } from '../parameters/parameter';
import {
	folderLocator,
	hashMode,
	locator,
	nameMode,
	planIdOption,
	toEventReference,
	toRecordReference,
	toRequiredFolder,
	typedMode,
	type EventReference,
} from '../parameters/references';
import { toChoice, toNumber, toWebAddress } from '../parameters/values';
import type { Stage } from '../service/event';
import { resolveEvent } from '../service/events';
import { resolveFolder } from '../service/folders';
import { requiredMatch, VIDEOS } from '../service/onlyMatch';
import { planOrDefault } from '../service/plan';
import { isSameName } from '../service/record';
import type { Video } from '../service/video';
import { videosNamed, withFolderNames } from '../service/videos';
import { checkListed } from '../upload/existing';
import { toBinaryFiles } from './binaryFile';
import type { Item } from './operation';

export { planIdOption };

export const eventField = parameter(toEventReference, {
	required: true,
	...locator({
		displayName: 'Event',
		name: 'event',
		description:
			'Live event, from the list, by its hash or exact title, or by the External ID that Create or Update was given. Create and Get Many return the hash.',
		typeOptions: { loadOptionsDependsOn: ['options.planId'] },
		what: 'an event',
		searchListMethod: 'searchEvents',
		typed: [
			hashMode('e.g. 5f1d7a84b9', 'an event'),
			nameMode('title', 'e.g. Quarterly all-hands', 'an event'),
			typedMode(
				{ displayName: 'By External ID', name: 'externalId', placeholder: 'e.g. 6q2m8t1v0d' },
				'\\s*\\S[\\s\\S]*',
				'Enter the external ID of an event',
			),
		],
	}),
});

export const folderField = parameter(toRequiredFolder, { ...folderLocator, required: true });

export const createFolderOption = optIn({
	displayName: 'Create Folder If Missing',
	name: 'createFolder',
	collection: 'options',
	description: 'Whether to create the folder when Folder is set By Name and no folder has this name',
});

/** Each operation describes it. */
export const skipIfExistsOption = optIn({
	displayName: 'Skip If Exists',
	name: 'skipIfExists',
	collection: 'options',
});

export const videoField = parameter(toRecordReference, {
	required: true,
	...locator({
		displayName: 'Video',
		name: 'video',
		description: 'Video, from the list or by its hash or exact name. Get Many and Search return the hash.',
		typeOptions: { loadOptionsDependsOn: ['options.planId'] },
		what: 'a video',
		searchListMethod: 'searchVideos',
		typed: [hashMode('e.g. 9c3e0d51f7', 'a video'), nameMode('name', 'e.g. Interview, final cut', 'a video')],
	}),
});

const returnAllField = flag({
	displayName: 'Return All',
	name: 'returnAll',
	description: 'Whether to return all results or only up to a given limit',
});

const limitField = parameter(toNumber({ min: 1 }), {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
});

/** The fields that {@link limitOf} reads. */
export const limitFields = [returnAllField, limitField];

export const includeSecretOption = flag({
	displayName: 'Include Secret',
	name: 'includeSecret',
	collection: 'options',
	description:
		'Whether to include the secret of the plan in the output. Anyone who can see the execution can then control the live events of the plan.',
});

/** Sent unchecked: an expression may return another value than those that the reference shows. */
export const sortDirectionOption = text({
	displayName: 'Sort Direction',
	name: 'sort',
	collection: 'options',
	type: 'options',
	options: [
		{ name: 'Ascending', value: 'ASC' },
		{ name: 'Descending', value: 'DESC' },
	],
	default: 'DESC',
	description: 'Sort direction. Enter another value as an expression.',
});

const SOURCES = ['binary', 'url'] as const;

export const sourceField = parameter((label, value) => toChoice(label, value, SOURCES), {
	displayName: 'Source',
	name: 'source',
	type: 'options',
	options: [
		{ name: 'Binary Data', value: 'binary', description: 'A file in the item, from an earlier node' },
		{ name: 'URL', value: 'url', description: 'A file on the web, which n8n does not store' },
	],
	default: 'binary',
	description: 'Where the file comes from',
});

export const binaryField = parameter(toBinaryFiles, {
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
 * @throws OperationError when both are empty
 */
export async function planIdOf(item: Item): Promise<string> {
	return await planOrDefault(item.context, item.read(planIdOption));
}

/**
 * The event of an operation and its plan. Read all other parameters first: a title sends requests.
 *
 * @param stages of the events that count By External ID
 * @throws OperationError when no plan is set, or unless exactly one event is meant; ServiceError when the list cannot be
 * read
 */
export async function chosenEvent(
	item: Item,
	chosen: EventReference = item.read(eventField),
	stages?: readonly Stage[],
): Promise<{ planId: string; hash: string }> {
	const planId = await planIdOf(item);
	return { planId, hash: await resolveEvent(item.context, chosen, planId, stages) };
}

/**
 * The video of an operation and its plan, as {@link chosenEvent}; `video` when it was chosen by its name.
 *
 * @throws OperationError also while a video of the name that was uploaded here is not listed
 */
export async function chosenVideo(item: Item): Promise<{ planId: string; hash: string; video?: Video }> {
	const { context } = item;
	const chosen = item.read(videoField);
	const planId = await planIdOf(item);
	if ('id' in chosen) return { planId, hash: chosen.id };
	const videos = await videosNamed(context, planId, chosen.name);
	// Several are an error, which names their folders.
	const hasSeveral = videos.filter(({ name }) => isSameName(name, chosen.name)).length > 1;
	const shown = hasSeveral ? await withFolderNames(context, videos) : videos;
	const video = requiredMatch(shown, VIDEOS, chosen.name, planId);
	await checkListed(context, planId, chosen.name, videos);
	return { planId, hash: video.hash ?? '', video };
}

/** The UUID of the folder of an operation, as {@link resolveFolder} finds it. */
export async function chosenFolder(item: Item): Promise<string> {
	return await resolveFolder(item.context, item.read(folderField));
}

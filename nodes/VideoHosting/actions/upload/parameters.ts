import { optionalPlanOrDefault, planOrDefault } from '../../service/plan';
import { binarySource } from '../../sources/binarySource';
import type { Source } from '../../sources/source';
import { urlSource } from '../../sources/urlSource';
import { UploadMemory } from '../../upload/memory';
import { binaryFile, binaryFileOf, binaryFilesOf } from '../binaryFile';
import { binaryField, createFolderOption, planIdOption, sourceField, urlField } from '../fields';
import { Item } from '../operation';
import { fileNameField, thumbnailOption, titleOption, uploadFolderField, uploadOptions } from './fields';
import { toUploadError } from './uploadError';

const BYTES_PER_MEGABYTE = 1_048_576;

/**
 * Reads all parameters of Upload and Resume before the first request. Milliseconds and bytes are whole numbers, as timers, headers
 * and ranges require. Resume uses the plan of its upload unless it has a plan of its own.
 *
 * @param uploadId the upload to resume
 * @throws NodeOperationError when a value is of an unexpected type or out of its range
 */
export async function uploadParameters(item: Item, uploadId: string | undefined) {
	const megabytes = item.read(uploadOptions.maxRequestMegabytes);
	const maxRequestBytes =
		megabytes === 0 ? Infinity : Math.max(1, Math.round(megabytes * BYTES_PER_MEGABYTE));
	const parameters = {
		idleTimeoutMs: Math.round(item.read(uploadOptions.idleTimeoutSeconds) * 1000),
		maxRequestBytes,
		maxWaitMs: maxWaitMsOf(item),
		createFolder: item.read(createFolderOption),
		resumeUnfinished: item.read(uploadOptions.resumeUnfinished),
		returnVideo: item.read(uploadOptions.returnVideo),
		skipIfExists: item.read(uploadOptions.skipIfExists),
		title: item.read(titleOption),
		chosenFolder: item.read(uploadFolderField),
		fileName: item.read(fileNameField),
		thumbnailField: item.read(thumbnailOption),
	};
	const needsPlan = parameters.skipIfExists || parameters.title !== '' || parameters.thumbnailField !== '';
	const planOf = needsPlan ? planOrDefault : optionalPlanOrDefault;
	const planOfUpload = (await UploadMemory.of(item.context)).find(uploadId)?.planId ?? '';
	return { ...parameters, planId: await planOf(item.context, item.read(planIdOption) || planOfUpload) };
}

/** Max Wait in milliseconds; Create has the option, too. */
export function maxWaitMsOf(item: Item): number {
	return Math.round(item.read(uploadOptions.maxWaitMinutes) * 60_000);
}

/**
 * Divides an input item into one part per file. Where the node stops on errors, looks up all files before the first one is sent.
 *
 * @throws NodeOperationError also when a parameter names one video, and several files are selected
 */
export function uploadParts(item: Item): Item[] {
	const { context } = item;
	try {
		if (item.read(sourceField) === 'url') return [item];
		const files = binaryFilesOf(item, binaryField, item.read(thumbnailOption));
		if (files.length > 1) {
			const named = [fileNameField, titleOption].find((field) => item.read(field) !== '')?.displayName;
			if (named !== undefined)
				throw item.error(
					`${named} names one video, but ${binaryField.displayName} selects ${files.length} files`,
					`Leave ${named} empty.`,
				);
			if (!context.continueOnFail()) files.forEach((file) => binaryFile(item, file));
		}
		return files.map((file) => new Item(context, item.itemIndex, file));
	} catch (error) {
		throw toUploadError(context, error, {});
	}
}

/**
 * The file to upload, from the item's binary data or from its URL.
 *
 * @param timeoutMs how long the server of a URL may take to start its response, in milliseconds
 * @throws NodeOperationError when there is no such binary data or the URL is not valid; TransferError when the
 * server of the URL rejects the request or does not return the size
 */
export async function sourceOf(item: Item, timeoutMs: number): Promise<Source> {
	const { context } = item;
	if (item.read(sourceField) === 'url') return await urlSource(context, item.read(urlField), timeoutMs);
	return await binarySource(context, binaryFile(item, item.file ?? binaryFileOf(item, binaryField)));
}

import { NodeOperationError, type INodeProperties } from 'n8n-workflow';

import { toFlag, toListed, toNumber, toRequiredText, toText } from '../../parameters/values';
import { binarySource } from '../../sources/binarySource';
import type { Source } from '../../sources/source';
import { urlSource } from '../../sources/urlSource';
import { isUploadId } from '../../upload/tus/uploadRequests';
import { binaryFile, binaryFileOf, binaryFilesOf } from '../binaryFile';
import { createFolderOption, planIdOption } from '../fields';
import { invalidParameter, toOptionalFolder, toWebAddress, type ItemParameters } from '../parameters';
import { binaryImage } from '../video/thumbnailImage';
import {
	binaryField,
	fileNameField,
	sourceField,
	thumbnailOption,
	titleOption,
	uploadFolderField,
	uploadIdField,
	uploadOptions,
	urlField,
} from './fields';
import { toUploadError } from './uploadError';

const BYTES_PER_MEGABYTE = 1_048_576;

/** The longest time that a timer of Node.js accepts, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * All parameters of Upload and Resume that need no request, so that a wrong one is an error before the first request. The limits are
 * whole numbers of milliseconds and bytes: timers, headers and ranges accept no others. `createFolder`, `resumeUnfinished`,
 * `skipIfExists`, `title` and `thumbnail` are of Upload alone.
 *
 * @throws NodeOperationError when a value is of an unexpected type or out of its range
 */
export async function uploadParameters(item: ItemParameters) {
	const { option, read } = item;
	const seconds = numberOption(item, uploadOptions.idleTimeoutSeconds, 0.05, LONGEST_TIMER_MS / 1000);
	const megabytes = numberOption(
		item,
		uploadOptions.maxRequestMegabytes,
		0,
		Number.MAX_SAFE_INTEGER / 2 ** 20,
	);
	const maxRequestBytes =
		megabytes === 0 ? Infinity : Math.max(1, Math.round(megabytes * BYTES_PER_MEGABYTE));
	const thumbnailField = option(thumbnailOption, toText);
	return {
		limits: {
			idleTimeoutMs: Math.max(1, Math.round(seconds * 1000)),
			maxRequestBytes,
			maxWaitMs: maxWaitMsOf(item),
		},
		createFolder: option(createFolderOption, toFlag),
		resumeUnfinished: option(uploadOptions.resumeUnfinished, toFlag),
		returnVideo: option(uploadOptions.returnVideo, toFlag),
		skipIfExists: option(uploadOptions.skipIfExists, toFlag),
		title: option(titleOption, toText),
		chosenFolder: read(uploadFolderField, toOptionalFolder),
		chosenPlanId: option(planIdOption, toText),
		fileName: read(fileNameField, toText),
		thumbnail:
			thumbnailField === ''
				? undefined
				: await binaryImage(item, thumbnailField, thumbnailOption.displayName),
	};
}

/**
 * The option Max Wait, which Create has as well.
 *
 * @returns milliseconds
 * @throws NodeOperationError when it is out of its range
 */
export function maxWaitMsOf(item: ItemParameters): number {
	return Math.round(numberOption(item, uploadOptions.maxWaitMinutes, 0, LONGEST_TIMER_MS / 60_000) * 60_000);
}

function numberOption({ option }: ItemParameters, field: INodeProperties, min: number, most: number): number {
	const range = { min, max: Math.floor(most), fractions: true };
	// The default of a number field is a number; n8n's type allows any.
	return option(field, (label, value) => toNumber(label, value, range)) ?? Number(field.default);
}

/**
 * A part of an input item for each file to upload. Where the node stops on errors, a name that the item does not have is an
 * error before the first file is sent.
 *
 * @throws NodeOperationError also when a parameter names one video, and several files are selected
 */
export function uploadParts(item: ItemParameters): ItemParameters[] {
	const { context, itemIndex, option, read } = item;
	try {
		if (read(sourceField, toListed) === 'url') return [item];
		const files = binaryFilesOf(item, binaryField, option(thumbnailOption, toText));
		if (files.length > 1) {
			const named = read(fileNameField, toText) !== '' ? fileNameField : titleOption;
			if (named === fileNameField || option(titleOption, toText) !== '') {
				const message = `${named.displayName} names one video, but ${binaryField.displayName} selects ${files.length} files: leave ${named.displayName} empty`;
				throw invalidParameter(context, itemIndex, message);
			}
			if (!context.continueOnFail()) files.forEach((file) => binaryFile(item, file));
		}
		return files.map((file) => item.partOf(file));
	} catch (error) {
		throw toUploadError(context, error, { itemIndex, size: undefined, uploadId: undefined });
	}
}

/**
 * The file to upload, from the item's binary data or from its URL.
 *
 * @param timeoutMs how long the server of a URL may take to start its response, in milliseconds
 * @throws NodeOperationError when there is no such binary data or the URL is not valid; TransferError when the
 * server of the URL rejects the request or does not return the size
 */
export async function sourceOf(item: ItemParameters, timeoutMs: number): Promise<Source> {
	const { context, read } = item;
	if (read(sourceField, toListed) === 'url') {
		return await urlSource(context, read(urlField, toWebAddress), timeoutMs);
	}
	return await binarySource(context, binaryFile(item, item.file ?? binaryFileOf(item, binaryField)));
}

/**
 * The parameter Upload ID.
 *
 * @throws NodeOperationError when it is empty or not valid
 */
export function uploadIdOf({ context, itemIndex, read }: ItemParameters): string {
	const uploadId = read(uploadIdField, toRequiredText);
	if (isUploadId(uploadId)) return uploadId;
	throw new NodeOperationError(
		context.getNode(),
		`Upload ID "${uploadId}" is not valid: an ID has no slash, question mark, # or white space`,
		{
			itemIndex,
			description: 'Enter the ID alone, not the address of the upload.',
		},
	);
}

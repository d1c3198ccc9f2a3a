import { toListed, toText } from '../../parameters/values';
import { binarySource } from '../../sources/binarySource';
import type { Source } from '../../sources/source';
import { urlSource } from '../../sources/urlSource';
import { binaryFile, binaryFileOf, binaryFilesOf } from '../binaryFile';
import { invalidParameter, toWebAddress, type ItemParameters } from '../parameters';
import { binaryField, fileNameField, sourceField, thumbnailOption, titleOption, urlField } from './fields';
import { toUploadError } from './uploadError';

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
 * The parameter File Name, else the file's own name.
 *
 * @throws NodeOperationError when both are empty
 */
export function fileNameOf({ context, itemIndex, read }: ItemParameters, source: Source): string {
	const fileName = read(fileNameField, toText) || source.fileName;
	if (fileName !== undefined && fileName !== '') return fileName;
	throw invalidParameter(context, itemIndex, 'File Name is empty and the file has no name', 'Enter one.');
}

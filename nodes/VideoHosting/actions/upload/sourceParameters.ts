import { binarySource } from '../../sources/binarySource';
import type { Source } from '../../sources/source';
import { urlSource } from '../../sources/urlSource';
import { binaryFile, binaryFileOf, binaryFilesOf } from '../binaryFile';
import { binaryField, sourceField, urlField } from '../fields';
import type { Item } from '../item';
import { fileNameField, thumbnailOption, titleOption } from './fields';
import { toUploadError } from './uploadError';

/**
 * A part of an input item for each file to upload. Where the node stops on errors, a name that the item does not have is an
 * error before the first file is sent.
 *
 * @throws NodeOperationError also when a parameter names one video, and several files are selected
 */
export function uploadParts(item: Item): Item[] {
	const { context, itemIndex } = item;
	try {
		if (item.read(sourceField) === 'url') return [item];
		const files = binaryFilesOf(item, binaryField, item.read(thumbnailOption));
		if (files.length > 1) {
			const named = item.read(fileNameField) !== '' ? fileNameField : titleOption;
			if (named === fileNameField || item.read(titleOption) !== '') {
				const message = `${named.displayName} names one video, but ${binaryField.displayName} selects ${files.length} files: leave ${named.displayName} empty`;
				throw item.error(message);
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
export async function sourceOf(item: Item, timeoutMs: number): Promise<Source> {
	const { context } = item;
	if (item.read(sourceField) === 'url') {
		return await urlSource(context, item.read(urlField), timeoutMs);
	}
	return await binarySource(context, binaryFile(item, item.file ?? binaryFileOf(item, binaryField)));
}

/**
 * The parameter File Name, else the file's own name.
 *
 * @throws NodeOperationError when both are empty
 */
export function fileNameOf(item: Item, source: Source): string {
	const fileName = item.read(fileNameField) || source.fileName;
	if (fileName !== undefined && fileName !== '') return fileName;
	throw item.error('File Name is empty and the file has no name', 'Enter one.');
}

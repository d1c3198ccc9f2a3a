import { toListed, toText } from '../../parameters/values';
import { binarySource } from '../../sources/binarySource';
import type { Source } from '../../sources/source';
import { urlSource } from '../../sources/urlSource';
import { binaryFile } from '../binaryFile';
import { invalidParameter, toBinary, toWebAddress, type ItemParameters } from '../parameters';
import { binaryField, fileNameField, sourceField, urlField } from './fields';

/**
 * The file to upload, from the item's binary data or from its URL.
 *
 * @param timeoutMs how long the server of a URL may take to start its response, in milliseconds
 * @throws NodeOperationError when there is no such binary data or the URL is not valid; TransferError when the
 * server of the URL rejects the request or does not return the size
 */
export async function sourceOf(
	{ context, itemIndex, read }: ItemParameters,
	timeoutMs: number,
): Promise<Source> {
	if (read(sourceField, toListed) === 'url') {
		return await urlSource(context, read(urlField, toWebAddress), timeoutMs);
	}
	const binary = read(binaryField, toBinary);
	return await binarySource(context, binaryFile(context, itemIndex, binary));
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

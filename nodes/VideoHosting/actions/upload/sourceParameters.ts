import type { IExecuteFunctions } from 'n8n-workflow';

import { binarySource } from '../../sources/binarySource';
import type { Source } from '../../sources/source';
import { urlSource } from '../../sources/urlSource';
import { binaryFile } from '../binaryFile';
import {
	binaryParameter,
	choiceParameter,
	invalidParameter,
	textParameter,
	urlParameter,
} from '../parameters';

/**
 * The file to upload, from the item's binary data or from its URL.
 *
 * @param timeoutMs how long the server of a URL may take to start its response, in milliseconds
 * @throws NodeOperationError when there is no such binary data or the URL is not valid; TransferError when the
 * server of the URL rejects the request or does not return the size
 */
export async function sourceOf(
	context: IExecuteFunctions,
	itemIndex: number,
	timeoutMs: number,
): Promise<Source> {
	if (choiceParameter(context, itemIndex, 'source', 'Source', ['binary', 'url']) === 'url') {
		return await urlSource(context, urlParameter(context, itemIndex), timeoutMs);
	}
	const binary = binaryParameter(context, itemIndex);
	return await binarySource(context, binaryFile(context, itemIndex, binary));
}

/**
 * The parameter File Name, else the file's own name.
 *
 * @throws NodeOperationError when both are empty
 */
export function fileNameOf(context: IExecuteFunctions, itemIndex: number, source: Source): string {
	const fileName = textParameter(context, itemIndex, 'fileName', 'File Name') || source.fileName;
	if (fileName !== undefined && fileName !== '') return fileName;
	throw invalidParameter(context, itemIndex, 'File Name is empty and the file has no name: enter one');
}

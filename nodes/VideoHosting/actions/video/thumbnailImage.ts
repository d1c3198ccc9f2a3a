import { errorMessage } from '../../shared/errorMessage';
import { anySignal } from '../../shared/pause';
import { policiesOf } from '../../shared/policies';
import { binarySource } from '../../sources/binarySource';
import { dispositionFileName, urlFileName } from '../../sources/fileNames';
import { fileError, fileLabel, requestFile, type FileResponse } from '../../sources/fileRequest';
import { closing } from '../../sources/source';
import { cancelSignal } from '../../transport/request';
import type { ImageFile } from '../../upload/finishVideo';
import { binaryFile } from '../binaryFile';
import type { BinaryReference, Item } from '../item';

/** An image is kept in memory as a whole, so its size has a limit; bytes. */
const MOST_IMAGE_BYTES = 50 * 1024 * 1024;
const TOO_LARGE = ['is larger than 50 MiB', 'Choose a smaller image.'] as const;

/**
 * The image in a binary field of the input item. Its type and size are checked before it is read.
 *
 * @param label display name of the parameter; Input Binary Field by default
 * @throws NodeOperationError when the field contains no image, or one larger than 50 MiB
 */
export async function binaryImage(item: Item, binary: BinaryReference, label?: string): Promise<ImageFile> {
	const { context, itemIndex } = item;
	const file = binaryFile(item, binary, label);
	const { fileName, mimeType } = file;
	const what = typeof binary === 'string' ? `The file in "${binary}"` : 'The file';
	assertImageType(item, mimeType, what);
	const { size } = await binarySource(context, file);
	if (size > MOST_IMAGE_BYTES) throw item.error(`${what} ${TOO_LARGE[0]}`, TOO_LARGE[1]);
	if (size === 0) throw emptyImageError(item, what);
	return { bytes: await context.helpers.getBinaryDataBuffer(itemIndex, binary), mimeType, fileName };
}

/**
 * The image at a web address, requested without any credential of this node. Its type and size are checked before it is read.
 *
 * @throws NodeOperationError when it is not an image; TransferError when it cannot be read, or is larger than 50 MiB
 */
export async function urlImage(item: Item, url: string): Promise<ImageFile> {
	const { requestMs, responseMs: timeoutMs } = policiesOf(item.context).timeouts;
	const signal = anySignal(cancelSignal(item.context), AbortSignal.timeout(requestMs));
	const response = await requestFile(item.context, { url, timeoutMs, signal });
	try {
		const mimeType = (response.header('content-type') ?? '').split(';', 1)[0]?.trim() ?? '';
		assertImageType(item, mimeType, fileLabel(url));
		if (Number(response.header('content-length')) > MOST_IMAGE_BYTES) throw fileError(url, ...TOO_LARGE);
		const bytes = await bytesOf(url, response, signal);
		if (bytes.length === 0) throw emptyImageError(item, fileLabel(url));
		const fileName = dispositionFileName(response.header('content-disposition')) ?? urlFileName(response.url);
		return { bytes, mimeType, fileName };
	} finally {
		response.close();
	}
}

async function bytesOf(url: string, response: FileResponse, signal: AbortSignal): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	try {
		for await (const chunk of closing(signal, response.close, response.body)) {
			chunks.push(chunk);
			length += chunk.length;
			if (length > MOST_IMAGE_BYTES) break;
		}
	} catch (error) {
		const reason = errorMessage(signal.aborted ? signal.reason : error);
		throw fileError(url, `could not be downloaded (${reason})`, 'Try again later.');
	}
	if (length > MOST_IMAGE_BYTES) throw fileError(url, ...TOO_LARGE);
	return Buffer.concat(chunks);
}

/** @param what the file, as the subject of a sentence */
function assertImageType(item: Item, mimeType: string, what: string): void {
	if (/^image\//i.test(mimeType)) return;
	const type = mimeType === '' ? 'of an unknown type' : mimeType;
	throw item.error(
		`${what} is not an image but ${type}`,
		'Choose a file whose MIME type is that of an image.',
	);
}

function emptyImageError(item: Item, what: string) {
	return item.error(`${what} is empty (0 bytes)`, 'Choose an image.');
}

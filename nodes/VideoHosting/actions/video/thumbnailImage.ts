import { errorMessage } from '../../shared/errorMessage';
import { anySignal } from '../../shared/pause';
import { policiesOf } from '../../shared/policies';
import { dispositionFileName, urlFileName } from '../../sources/fileNames';
import { fileError, fileLabel, requestFile, type FileResponse } from '../../sources/fileRequest';
import { closing } from '../../sources/source';
import { cancelSignal } from '../../transport/request';
import type { ImageFile } from '../../upload/finishVideo';
import { binaryFile } from '../binaryFile';
import type { BinaryReference, Item } from '../item';

/** An image is kept in memory as a whole, so its size has a limit; bytes. */
const MOST_IMAGE_BYTES = 50 * 1024 * 1024;

/**
 * The image in a binary field of the input item.
 *
 * @param label display name of the parameter; Input Binary Field by default
 * @throws NodeOperationError when the field contains no image
 */
export async function binaryImage(item: Item, binary: BinaryReference, label?: string): Promise<ImageFile> {
	const { context, itemIndex } = item;
	const { fileName, mimeType } = binaryFile(item, binary, label);
	const bytes = await context.helpers.getBinaryDataBuffer(itemIndex, binary);
	const place = typeof binary === 'string' ? ` in "${binary}"` : '';
	return checkedImage(item, { bytes, mimeType, fileName }, `The file${place}`);
}

/**
 * The image at a web address, requested without any credential of this node.
 *
 * @throws NodeOperationError when it is not an image; TransferError when it cannot be read, or is larger than 50 MiB
 */
export async function urlImage(item: Item, url: string): Promise<ImageFile> {
	const { requestMs, responseMs: timeoutMs } = policiesOf(item.context).timeouts;
	const signal = anySignal(cancelSignal(item.context), AbortSignal.timeout(requestMs));
	const response = await requestFile(item.context, { url, timeoutMs, signal });
	const file = {
		bytes: await bytesOf(url, response, signal),
		mimeType: (response.header('content-type') ?? '').split(';', 1)[0]?.trim() ?? '',
		fileName: dispositionFileName(response.header('content-disposition')) ?? urlFileName(response.url),
	};
	return checkedImage(item, file, fileLabel(url));
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
	if (length > MOST_IMAGE_BYTES) throw fileError(url, 'is larger than 50 MiB', 'Choose a smaller image.');
	return Buffer.concat(chunks);
}

/** The image, if its MIME type is that of one. */
function checkedImage(item: Item, image: ImageFile, label: string): ImageFile {
	if (image.bytes.length === 0) throw item.error(`${label} is empty (0 bytes)`, 'Choose an image.');
	if (/^image\//i.test(image.mimeType)) return image;
	const type = image.mimeType === '' ? 'of an unknown type' : image.mimeType;
	throw item.error(
		`${label} is not an image but ${type}`,
		'Choose a file whose MIME type is that of an image.',
	);
}

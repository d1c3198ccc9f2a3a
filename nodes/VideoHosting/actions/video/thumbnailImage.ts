import { NodeOperationError } from 'n8n-workflow';

import { dispositionFileName, urlFileName } from '../../sources/fileNames';
import { fileLabel, requestFile } from '../../sources/fileRequest';
import { withIdleTimeout } from '../../sources/idleTimeout';
import { TransferError } from '../../sources/transferErrors';
import { anySignal } from '../../shared/pause';
import { requestPolicy } from '../../shared/retryPolicy';
import { toNodeError } from '../../transport/errors';
import { cancelSignal } from '../../transport/request';
import type { ImageFile } from '../../upload/finishVideo';
import { binaryFile } from '../binaryFile';
import type { BinaryReference, Item } from '../item';

/** Tests shorten it; nothing else changes it. */
export const imageDownload = {
	/** How long the server of an image may send nothing, in milliseconds. */
	idleTimeoutMs: 60_000,
};
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
 * @throws NodeOperationError when it cannot be read, is larger than 50 MiB, or is not an image
 */
export async function urlImage(item: Item, url: string): Promise<ImageFile> {
	const { context } = item;
	const label = fileLabel(url);
	try {
		const signal = anySignal(cancelSignal(context), AbortSignal.timeout(requestPolicy.deadlineMs));
		const response = await requestFile(context, { url, timeoutMs: imageDownload.idleTimeoutMs, signal });
		const chunks: Uint8Array[] = [];
		let length = 0;
		try {
			const limits = { ...imageDownload, cancelled: signal };
			await withIdleTimeout(response, limits, async (onRead) => {
				for await (const chunk of response.body) {
					onRead();
					chunks.push(chunk);
					length += chunk.length;
					if (length > MOST_IMAGE_BYTES) {
						throw item.error(`${label} is larger than 50 MiB: choose a smaller image`);
					}
				}
			});
		} finally {
			response.close();
		}
		const file = {
			bytes: Buffer.concat(chunks),
			mimeType: (response.header('content-type') ?? '').split(';', 1)[0]?.trim() ?? '',
			fileName: dispositionFileName(response.header('content-disposition')) ?? urlFileName(response.url),
		};
		return checkedImage(item, file, label);
	} catch (error) {
		const failure = toNodeError(context, error);
		if (!(error instanceof NodeOperationError || error instanceof TransferError)) {
			failure.message = `${label} could not be downloaded (${failure.message}). Try again later.`;
		}
		throw failure;
	}
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

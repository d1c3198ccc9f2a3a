import { toText } from '../../parameters/values';
import { policiesOf } from '../../shared/policies';
import { errorMessage } from '../../shared/text';
import { anySignal } from '../../shared/waiting';
import { binarySource } from '../../sources/binarySource';
import {
	dispositionFileName,
	urlFileName,
	fileError,
	fileLabel,
	requestFile,
	type FileResponse,
} from '../../sources/fileRequest';
import { closing } from '../../sources/source';
import { cancelSignal } from '../../transport/request';
import type { ImageFile } from '../../upload/finishVideo';
import { binaryFile } from '../binaryFile';
import type { BinaryReference, Item } from '../operation';

/** The node keeps the whole image in memory. */
const MOST_IMAGE_BYTES = 50 * 1024 * 1024;

/**
 * The image in a binary field of the input item. Type and size are checked before the image is read.
 *
 * @param label display name of the parameter; Input Binary Field by default
 * @throws NodeOperationError when the field contains no image, or one larger than 50 MiB
 */
export async function binaryImage(item: Item, binary: BinaryReference, label?: string): Promise<ImageFile> {
	const { context, itemIndex } = item;
	const file = binaryFile(item, binary, label);
	const { fileName } = file;
	// A Code node may leave it out.
	const mimeType = toText('The MIME type', file.mimeType);
	const what = typeof binary === 'string' ? `The file in "${binary}"` : 'The file';
	assertType(item, what, mimeType);
	assertSize(item, what, (await binarySource(context, file)).size);
	return { bytes: await context.helpers.getBinaryDataBuffer(itemIndex, binary), mimeType, fileName };
}

/**
 * The image at a web address, requested without the credential. Type and size are checked before the image is read.
 *
 * @throws NodeOperationError when it is not an image, or larger than 50 MiB; TransferError when it cannot be read
 */
export async function urlImage(item: Item, url: string): Promise<ImageFile> {
	const { requestMs, responseMs: timeoutMs } = policiesOf(item.context).timeouts;
	const signal = anySignal(cancelSignal(item.context), AbortSignal.timeout(requestMs));
	const response = await requestFile(item.context, { url, timeoutMs, signal });
	try {
		const [mimeType = ''] = (response.header('content-type') ?? '').split(';', 1);
		assertType(item, fileLabel(url), mimeType);
		assertSize(item, fileLabel(url), Number(response.header('content-length')));
		const bytes = await bytesOf(url, response, signal);
		assertSize(item, fileLabel(url), bytes.length);
		const fileName = dispositionFileName(response.header('content-disposition')) ?? urlFileName(response.url);
		return { bytes, mimeType, fileName };
	} finally {
		response.close();
	}
}

/** The bytes of a response, at most one chunk beyond {@link MOST_IMAGE_BYTES}. */
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
	return Buffer.concat(chunks);
}

/** @param what the file, as the subject of a sentence */
function assertType(item: Item, what: string, mimeType: string): void {
	if (mimeType.toLowerCase().startsWith('image/')) return;
	const type = mimeType === '' ? 'of an unknown type' : mimeType;
	throw item.error(
		`${what} is not an image but ${type}`,
		'Choose a file whose MIME type is that of an image.',
	);
}

/** @param bytes NaN when the size is not known yet */
function assertSize(item: Item, what: string, bytes: number): void {
	if (bytes > MOST_IMAGE_BYTES) throw item.error(`${what} is larger than 50 MiB`, 'Choose a smaller image.');
	if (bytes === 0) throw item.error(`${what} is empty (0 bytes)`, 'Choose an image.');
}

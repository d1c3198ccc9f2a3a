import { toText } from '../../parameters/values';
import { POLICIES } from '../../shared/policies';
import { byteCount, errorMessage, excerpt, shortened } from '../../shared/text';
import { anySignal } from '../../shared/waiting';
import { binarySource } from '../../sources/binarySource';
import { dispositionFileName, urlFileName } from '../../sources/fileNames';
import { fileError, fileLabel, requestFile } from '../../sources/fileRequest';
import { pictureType } from '../../sources/noVideo';
import { cancelSignal } from '../../transport/request';
import { OperationError } from '../../transport/serviceError';
import type { ImageFile } from '../../upload/job';
import { binaryFile } from '../binaryFile';
import type { BinaryReference, Item } from '../operation';

/** The node keeps the whole image in memory. */
const MOST_IMAGE_BYTES = 50 * 1024 * 1024;

/** As many bytes tell the type of an image. */
const TYPE_BYTES = 12;

/**
 * The image in a binary field of the input item. Type and size are checked before the image is read as a whole.
 *
 * @param label display name of the parameter; Input Binary Field by default
 * @throws OperationError when the field contains no image, or one larger than 50 MiB; TransferError when it cannot be read
 */
export async function binaryImage(item: Item, binary: BinaryReference, label?: string): Promise<ImageFile> {
	const file = binaryFile(item, binary, label);
	const what = typeof binary === 'string' ? `The file in "${shortened(binary, 100)}"` : 'The file';
	const source = await binarySource(item.context, file);
	assertSize(what, source.size);
	const signal = cancelSignal(item.context) ?? new AbortController().signal;
	// A Code node may leave it out.
	const statedType = toText('The MIME type', file.mimeType);
	const image = await readImage(what, statedType, source.bytes(0, signal));
	return { ...image, fileName: source.fileName };
}

/**
 * The image at a web address, requested without the credential. Type and size are checked before the image is read as a whole.
 *
 * @throws OperationError when it is not an image, or larger than 50 MiB; TransferError when it cannot be read
 */
export async function urlImage(item: Item, url: string): Promise<ImageFile> {
	const { requestMs: timeoutMs } = POLICIES;
	const signal = anySignal(cancelSignal(item.context), AbortSignal.timeout(timeoutMs));
	const response = await requestFile(item.context, { url, timeoutMs, signal });
	const { body, header } = response;
	async function* bytes() {
		try {
			yield* body;
		} catch (error) {
			const reason = excerpt(errorMessage(signal.aborted ? signal.reason : error));
			throw fileError(url, `could not be downloaded (${reason})`, 'Try again later.');
		}
	}
	try {
		assertSize(fileLabel(url), byteCount(header('content-length')));
		const [statedType = ''] = (header('content-type') ?? '').split(';', 1);
		const image = await readImage(fileLabel(url), statedType, bytes());
		return {
			...image,
			fileName: dispositionFileName(header('content-disposition')) ?? urlFileName(response.url),
		};
	} finally {
		response.close();
	}
}

/**
 * Reads an image, at most one chunk beyond {@link MOST_IMAGE_BYTES}. Its type is what its first bytes are, else what is stated.
 *
 * @param what the file, as the subject of a sentence
 */
async function readImage(what: string, statedType: string, bytes: AsyncIterable<Uint8Array>) {
	const chunks: Uint8Array[] = [];
	let length = 0;
	let mimeType: string | undefined;
	for await (const chunk of bytes) {
		chunks.push(chunk);
		length += chunk.length;
		if (length > MOST_IMAGE_BYTES) break;
		if (length >= TYPE_BYTES) mimeType ??= imageType(what, statedType, Buffer.concat(chunks));
	}
	assertSize(what, length);
	const image = Buffer.concat(chunks);
	return { bytes: image, mimeType: mimeType ?? imageType(what, statedType, image) };
}

/** @throws OperationError when neither the first bytes nor the stated type are of an image */
function imageType(what: string, statedType: string, bytes: Buffer): string {
	const known = pictureType(bytes.toString('latin1', 0, TYPE_BYTES));
	if (known !== undefined) return known;
	if (statedType.toLowerCase().startsWith('image/')) return statedType;
	const type = statedType === '' ? 'of an unknown type' : shortened(statedType, 100);
	throw new OperationError(
		`${what} is not an image but ${type}`,
		'Choose an image, such as a PNG or JPEG file.',
	);
}

/** @param bytes undefined when the size is not known yet */
function assertSize(what: string, bytes: number | undefined): void {
	if (bytes === undefined) return;
	if (bytes > MOST_IMAGE_BYTES)
		throw new OperationError(`${what} is larger than 50 MiB`, 'Choose a smaller image.');
	if (bytes === 0) throw new OperationError(`${what} is empty (0 bytes)`, 'Choose an image.');
}

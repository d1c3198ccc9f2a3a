import { isWebPage } from '../transport/failure';
import type { Source } from './source';
import { TransferError } from './transfer';

/** As many bytes tell what a file is. */
const HEAD_BYTES = 512;

/** How pictures begin, in Latin-1. Those of phones are boxes like those of MP4, of another brand (ISO/IEC 23008-12). */
const PICTURES: Record<string, RegExp> = {
	'image/png': /^\x89PNG\r\n\x1a\n/,
	'image/jpeg': /^\xff\xd8\xff/,
	'image/gif': /^GIF8/,
	'image/webp': /^RIFF[^]{4}WEBP/,
	'image/avif': /^[^]{4}ftypavif/,
	'image/heic': /^[^]{4}ftyp(heic|heix|mif1|msf1)/,
};

/** The name or the MIME type of a raw MJPEG video, which begins as a picture does. */
const MJPEG = /\.mjpe?g$|^video\/x-motion-jpeg\b/i;

/** The MIME type of a picture, by its first twelve bytes. */
export function pictureType(head: Buffer): string | undefined {
	const start = head.toString('latin1', 0, 12);
	return Object.keys(PICTURES).find((type) => PICTURES[type]?.test(start));
}

/** The first bytes of a file. */
interface Head {
	bytes: Buffer;
	/** In Latin-1. */
	latin1: string;
	/** In UTF-8, without white space in front. */
	text: string;
	/** Whether they are valid UTF-8 without control characters. */
	isText: boolean;
}

/** Something that is not a video. */
export interface NoVideo {
	what: string;
	isIn: (head: Head) => boolean;
	/** MIME types of a response that comes instead of a part of the file. */
	types?: RegExp;
	advice: string;
}

const OTHER_FIELD = 'Check which field of the item has the video, and which node wrote that field last.';

/** What is taken for a video by mistake. The first kind that is found counts. */
const NO_VIDEOS: NoVideo[] = [
	{
		what: 'a web page',
		isIn: ({ text }) => isWebPage(text),
		types: /^(text\/html|application\/xhtml\+xml)$/,
		advice:
			'A share link opens a page, and an expired link may. Enter the link that downloads the file itself.',
	},
	{
		what: 'a playlist',
		isIn: ({ text }) => text.startsWith('#EXTM3U'),
		types: /^(application|audio)\/(vnd\.apple\.|x-)?mpegurl$/,
		advice: 'A playlist only names the parts of a video. Enter the link of the video file itself.',
	},
	{
		what: 'JSON',
		// Subtitles may begin with [00:01] or {1}.
		isIn: ({ text, isText }) => isText && /^(\{\s*["}]|\[\s*[{["\]])/.test(text),
		types: /^application\/json$/,
		advice: 'It may be the error of another service. Check where the file comes from.',
	},
	{
		what: 'a picture',
		isIn: ({ bytes }) => pictureType(bytes) !== undefined,
		advice: `${OTHER_FIELD} A raw MJPEG video needs a File Name that ends in .mjpeg.`,
	},
	{ what: 'a PDF', isIn: ({ latin1 }) => latin1.startsWith('%PDF-'), advice: OTHER_FIELD },
	{
		what: 'an Office document',
		// OLE, or a ZIP archive whose first file is one of Office Open XML or OpenDocument.
		isIn: ({ latin1 }) =>
			/^(\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1|PK\x03\x04[^]{26}(\[Content_Types\]|_rels\/|mimetype))/.test(
				latin1,
			),
		advice: OTHER_FIELD,
	},
	{
		what: 'an archive',
		isIn: ({ latin1 }) => /^(PK(\x03\x04|\x05\x06)|\x1f\x8b\x08|Rar!|7z\xbc\xaf\x27\x1c)/.test(latin1),
		advice: 'Unpack it first, for example with the Compression node.',
	},
	{ what: 'text', isIn: ({ isText }) => isText, advice: OTHER_FIELD },
];

/** A file that is plainly something else than a video. */
export class NoVideoError extends TransferError {
	/** Such as `a picture`. */
	readonly what: string;

	/** @param label the file, as the subject of a sentence */
	constructor(label: string, { advice, what }: NoVideo) {
		super(`${label} is ${what}, not a video`, false, advice);
		this.what = what;
	}
}

/** What a header Content-Type states, if it is no video. Servers state wrong types, so the first bytes of a file count more. */
export function statedNoVideo(contentType = ''): NoVideo | undefined {
	const [type = ''] = contentType.toLowerCase().split(';', 1);
	return NO_VIDEOS.find(({ types }) => types?.test(type.trim()));
}

/**
 * Passes the chunks of a whole file on, none before its first bytes were judged. Meanwhile, an empty one stands for each.
 *
 * @param name of the new video
 * @throws NoVideoError when the first bytes are those of something else
 */
export async function* assertVideo(
	{ fileName, label, mimeType, size }: Omit<Source, 'bytes' | 'isImmutable'>,
	name: string,
	chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
	const wanted = Math.min(size, HEAD_BYTES);
	let missing = wanted;
	let head: Uint8Array[] = [];
	for await (const chunk of chunks) {
		if (missing > 0) {
			head.push(chunk);
			missing -= chunk.length;
			yield chunk.subarray(0, 0);
			if (missing > 0) continue;
			const bytes = Buffer.concat(head, wanted);
			const isMjpeg = [name, fileName, mimeType].some((called) => MJPEG.test(called ?? ''));
			const kind = isVideo(bytes, isMjpeg) ? undefined : noVideoIn(bytes, wanted === size);
			if (kind) throw new NoVideoError(label, kind);
			yield* head;
			head = [];
		} else yield chunk;
	}
}

/**
 * Whether a file is a video although it may begin like something else: raw frames after a line of text (YUV4MPEG2), JPEG frames
 * (MJPEG), or any timestamp in front of each packet of 188 bytes, which begins with 0x47 (M2TS of cameras and Blu-rays).
 */
function isVideo(bytes: Buffer, isMjpeg: boolean): boolean {
	return (
		bytes.toString('latin1').startsWith('YUV4MPEG2 ') ||
		(isMjpeg && pictureType(bytes) === 'image/jpeg') ||
		[4, 196, 388].every((offset) => bytes[offset] === 0x47)
	);
}

/** @param isWhole whether the file has no more bytes */
function noVideoIn(bytes: Buffer, isWhole: boolean): NoVideo | undefined {
	const latin1 = bytes.toString('latin1');
	const head = { bytes, latin1, text: bytes.toString().trimStart(), isText: isText(bytes, isWhole) };
	return NO_VIDEOS.find(({ isIn }) => isIn(head));
}

function isText(bytes: Buffer, isWhole: boolean): boolean {
	try {
		// Of more bytes, the last character may be cut.
		const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
		return !/(?![\t\r\n])\p{Cc}/u.test(text);
	} catch {
		return false;
	}
}

import { isText } from '../shared/text';
import { WEB_PAGE } from '../transport/failure';
import type { Source } from './source';
import { TransferError } from './transfer';

/** As many bytes tell what a file is. */
const HEAD_BYTES = 512;

/** How pictures begin, in Latin-1. Those of phones are boxes like those of MP4, of another brand (ISO/IEC 23008-12). */
const PICTURES: Record<string, RegExp> = {
	'image/png': /^\x89PNG\r\n\x1a\n/,
	'image/jpeg': /^\xff\xd8\xff/,
	'image/gif': /^GIF8/,
	'image/tiff': /^(II\*\0|MM\0\*)/,
	'image/bmp': /^BM[^]{4}\0{4}/,
	'image/webp': /^RIFF[^]{4}WEBP/,
	'image/avif': /^[^]{4}ftypavif/,
	'image/heic': /^[^]{4}ftyp(heic|heix|mif1|msf1)/,
};

/** The MIME type of a picture, by its first twelve bytes in Latin-1. */
export function pictureType(head: string): string | undefined {
	return Object.keys(PICTURES).find((type) => PICTURES[type]?.test(head));
}

/**
 * Videos that may begin like something else: raw frames after a line of text (YUV4MPEG2), or any timestamp in front of each packet of
 * 188 bytes, which begins with 0x47 (M2TS of cameras and Blu-rays).
 */
const VIDEO = /^(YUV4MPEG2 |[^]{4}G[^]{191}G[^]{191}G)/;

/** The name or the MIME type of a raw MJPEG video, which begins as a picture does. */
const MJPEG = /\.mjpe?g$|^video\/x-motion-jpeg\b/i;

/** Something that is not a video. */
interface NoVideo {
	what: string;
	/** How it begins, in Latin-1. */
	begins: RegExp;
	/** Whether it counts only in {@link isText}. */
	isText?: boolean;
	/** MIME types of a response that comes instead of a part of the file. */
	types?: RegExp;
	advice: string;
}

const CHECK_FIELD = 'Check which field of the item has the video, and which node wrote it last.';

/** What is taken for a video by mistake. The first kind that is found counts. */
const NO_VIDEOS: NoVideo[] = [
	{
		what: 'a web page',
		begins: WEB_PAGE,
		types: /^(text\/html|application\/xhtml\+xml)$/,
		advice:
			'A share link opens a page, and an expired link may. Enter the link that downloads the file itself.',
	},
	{
		what: 'a playlist',
		begins: /^\s*#EXTM3U/,
		types: /^(application|audio)\/(vnd\.apple\.|x-)?mpegurl$/,
		advice: 'A playlist only names the parts of a video. Enter the link of the video file itself.',
	},
	{
		what: 'JSON',
		// Subtitles may begin with [00:01] or {1}.
		begins: /^\s*(\{\s*["}]|\[\s*[{["\]])/,
		isText: true,
		types: /^application\/json$/,
		advice: 'It may be the error of another service. Check where the file comes from.',
	},
	{ what: 'a PDF', begins: /^%PDF-/, advice: CHECK_FIELD },
	{ what: 'text', begins: /^/, isText: true, advice: CHECK_FIELD },
	{
		what: 'a picture',
		begins: new RegExp(
			Object.values(PICTURES)
				.map(({ source }) => source)
				.join('|'),
		),
		advice: `${CHECK_FIELD} A raw MJPEG video needs a File Name that ends in .mjpeg.`,
	},
	{
		what: 'an archive or an Office document',
		begins: /^(PK(\x03\x04|\x05\x06)|\x1f\x8b\x08|Rar!|7z\xbc\xaf\x27\x1c|\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1)/,
		advice: 'Unpack an archive first, for example with the Compression node.',
	},
	{
		what: 'a part of an email',
		// smime.p7s of signed ones (RFC 5652, 3), winmail.dat of Outlook (MS-OXTNEF, TNEFSignature)
		begins: /^(0(\x80|\x82[^]{2})\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07|\x78\x9f\x3e\x22)/,
		advice: CHECK_FIELD,
	},
];

/** A file that is plainly something else than a video. */
export class NoVideoError extends TransferError {
	/** @param label the file, as the subject of a sentence */
	constructor(
		label: string,
		readonly kind: NoVideo,
	) {
		super(`${label} is ${kind.what}, not a video`, false, kind.advice);
	}
}

/** What a header Content-Type states, if it is no video. Servers state wrong types, so the first bytes of a file count more. */
export function statedNoVideo(contentType = ''): NoVideo | undefined {
	const [type = ''] = contentType.toLowerCase().split(';', 1);
	return NO_VIDEOS.find(({ types }) => types?.test(type.trim()));
}

/**
 * Passes the chunks of a whole file on, none before its first bytes were judged: a node that read a picture may have put it into the
 * field of the video. Meanwhile, an empty chunk stands for each.
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
			const isMjpeg = [name, fileName, mimeType].some((called) => MJPEG.test(called ?? ''));
			const kind = noVideoIn(Buffer.concat(head, wanted), wanted === size, isMjpeg);
			if (kind) throw new NoVideoError(label, kind);
			yield* head;
			head = [];
		} else yield chunk;
	}
}

function noVideoIn(bytes: Buffer, isWhole: boolean, isMjpeg: boolean): NoVideo | undefined {
	const [, head = ''] = /^(?:\xef\xbb\xbf)?([^]*)/.exec(bytes.toString('latin1')) ?? [];
	if (VIDEO.test(head) || (isMjpeg && pictureType(head) === 'image/jpeg')) return undefined;
	const isPlain = isText(bytes, isWhole);
	return NO_VIDEOS.find((kind) => kind.begins.test(head) && (isPlain || !kind.isText));
}

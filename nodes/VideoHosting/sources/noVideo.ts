import { isWebPage } from '../transport/failure';
import type { Source } from './source';
import { TransferError } from './transfer';

/** As many bytes tell a web page or a playlist. */
const HEAD_BYTES = 1024;

/** A larger file is not parsed as JSON. */
const MOST_JSON_BYTES = 64_000;

/**
 * What is often taken for a video, by its type or its first bytes. `text/plain` is n8n's word for a type that it does not know.
 */
const NO_VIDEOS = [
	{
		what: 'a web page',
		types: /^(text\/html|application\/xhtml\+xml)$/,
		isIn: isWebPage,
		advice:
			'A share link opens a page, and an expired link may. Enter the link that downloads the file itself.',
	},
	{
		what: 'a playlist',
		types: /^(application|audio)\/(vnd\.apple\.|x-)?mpegurl$/,
		isIn: (text: string) => text.startsWith('#EXTM3U'),
		advice: 'A playlist only names the parts of a video. Enter the link of the video file itself.',
	},
	{
		what: 'JSON',
		types: /^application\/json$/,
		isIn: isJson,
		advice: 'It may be the error of another service. Check where the file comes from.',
	},
];

/**
 * @param type MIME type as a header states it; a Code node may leave anything
 * @param label the file, as the subject of a sentence
 * @throws TransferError when the type is that of something else than a video
 */
export function assertVideoType(type: unknown, label: string): void {
	const [plain = ''] = String(type).toLowerCase().split(';', 1);
	throwIf(label, ({ types }) => types.test(plain.trim()));
}

/** Passes the chunks of a whole file on, none before its first bytes were judged. Meanwhile, an empty one stands for each. */
export async function* assertVideo(
	{ label, size }: Pick<Source, 'label' | 'size'>,
	chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
	const wanted = size < MOST_JSON_BYTES ? size : HEAD_BYTES;
	let missing = wanted;
	let head: Uint8Array[] = [];
	for await (const chunk of chunks) {
		if (missing > 0) {
			head.push(chunk);
			missing -= chunk.length;
			yield chunk.subarray(0, 0);
			if (missing > 0) continue;
			const text = Buffer.concat(head, wanted).toString().trimStart();
			throwIf(label, ({ isIn }) => isIn(text));
			yield* head;
			head = [];
		} else yield chunk;
	}
}

function throwIf(label: string, isFound: (kind: (typeof NO_VIDEOS)[number]) => boolean): void {
	const found = NO_VIDEOS.find(isFound);
	if (found) throw new TransferError(`${label} is ${found.what}, not a video`, false, found.advice);
}

/** Whether a text is an object or a list: any number is JSON, too. */
function isJson(text: string): boolean {
	try {
		return typeof JSON.parse(text) === 'object';
	} catch {
		return false;
	}
}

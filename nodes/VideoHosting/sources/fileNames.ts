import { parse } from 'content-disposition';

/**
 * The file name in a Content-Disposition header (RFC 6266), without the path that some servers put in front of it (§4.3). A name that
 * is percent-encoded as a whole is decoded, as n8n's HTTP Request node does, so that a file has one name whichever node reads it.
 *
 * @param header as Node.js returns it: one character per byte
 * @returns undefined when the header contains no usable name
 */
export function dispositionFileName(header = ''): string | undefined {
	const { filename = '' } = parse(header).parameters;
	// `filename*` is decoded already.
	return baseName(/filename\*\s*=/i.test(header) ? filename : percentDecoded(utf8Decoded(filename)));
}

/** The last segment of an address's path, decoded; undefined when the path ends in a slash. */
export function urlFileName(url: string): string | undefined {
	return baseName(percentDecoded(new URL(url).pathname.split('/').at(-1) ?? ''));
}

function percentDecoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** Many servers send names as UTF-8, although HTTP has one character per byte. */
export function utf8Decoded(text: string): string {
	if (/[^\0-\xff]/.test(text)) return text;
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
	} catch {
		return text;
	}
}

function baseName(path: string): string | undefined {
	const last = path.split(/[\\/]/).at(-1) ?? '';
	const name = last.replace(/\p{Cc}/gu, '').trim();
	return ['', '.', '..'].includes(name) ? undefined : name;
}

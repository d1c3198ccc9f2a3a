/**
 * The file name in a Content-Disposition header (RFC 6266): `filename*` before `filename`, without the path that some
 * servers put in front of it (RFC 6266 §4.3).
 *
 * @param header as Node.js returns it: one character per byte
 * @returns undefined when the header contains no usable name
 */
export function dispositionFileName(header: string | undefined): string | undefined {
	const parameters = new Map<string, string>();
	const pattern = /(?:^|;)\s*([^\s;="]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/g;
	for (const [, name = '', value = ''] of (header ?? '').matchAll(pattern)) {
		const key = name.toLowerCase();
		// A repeated parameter makes the header invalid (RFC 6266 §4.1); the first one wins, as in browsers.
		if (!parameters.has(key)) parameters.set(key, value.trim());
	}
	const extended = baseName(decodeExtended(parameters.get('filename*')));
	return extended ?? baseName(decodePlain(parameters.get('filename')));
}

/** The last segment of an address's path, decoded; undefined when the path ends in a slash. */
export function urlFileName(url: string): string | undefined {
	const last = new URL(url).pathname.split('/').at(-1) ?? '';
	return baseName(percentDecoded(last, 'utf-8') ?? last);
}

/** An extended value: charset, language and percent-encoded bytes (RFC 8187 §3.2). */
function decodeExtended(value: string | undefined): string | undefined {
	const [, charset, encoded] = /^"?([\w-]+)'[^']*'([^"]*)"?$/.exec(value ?? '') ?? [];
	if (charset === undefined || encoded === undefined) return undefined;
	const label = charset.toLowerCase();
	return label === 'utf-8' || label === 'iso-8859-1' ? percentDecoded(encoded, label) : undefined;
}

/** A token or quoted string (RFC 9110 §5.6.4). Bytes beyond ASCII are UTF-8 where they can be. */
function decodePlain(value: string | undefined): string | undefined {
	const quoted = /^"(.*)"$/s.exec(value ?? '')?.[1];
	// Only quotes and backslashes need escaping; any other backslash is part of a Windows path.
	const text = quoted?.replace(/\\(["\\])/g, '$1') ?? value;
	if (text === undefined) return undefined;
	return decodeBytes(Buffer.from(text, 'latin1'), 'utf-8') ?? text;
}

function percentDecoded(text: string, charset: string): string | undefined {
	if (/%(?![\da-f]{2})/i.test(text)) return undefined;
	const bytes = text.replace(/%([\da-f]{2})/gi, (_match, hex: string) =>
		String.fromCharCode(parseInt(hex, 16)),
	);
	return decodeBytes(Buffer.from(bytes, 'latin1'), charset);
}

function decodeBytes(bytes: Buffer, charset: string): string | undefined {
	try {
		return new TextDecoder(charset, { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

function baseName(path: string | undefined): string | undefined {
	const name = path
		?.split(/[\\/]/)
		.at(-1)
		?.replace(/\p{Cc}/gu, '')
		.trim();
	return name === undefined || ['', '.', '..'].includes(name) ? undefined : name;
}

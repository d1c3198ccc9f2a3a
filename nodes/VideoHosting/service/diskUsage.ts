import { isRecord, normalizedName } from '../shared/jsonFields';
import { formatBytes } from '../shared/text';
import type { ServiceContext } from '../transport/credential';
import { path, requestJson } from '../transport/request';

/** The disk usage of a folder and its videos, or of the application (docs/api-reference.md#disk-usage). */
export async function diskUsage(context: ServiceContext, folder?: string): Promise<unknown> {
	const address =
		folder === undefined
			? path('videos', 'diskusagebyapp')
			: path('videos', 'diskusagebyfolderandvideo', folder);
	const headers = { 'Content-Type': 'application/json' };
	return withReadableSizes(await requestJson(context, { method: 'GET', path: address, headers }));
}

/** Usual names of a number of bytes; the responses are not documented (docs/api-reference.md#disk-usage). */
const BYTE_NAME = /^(((disk)?usage|used|(total|file)?size)((in)?bytes)?|(total)?bytes)$/;

/** What this may be the name of, where no other field of an object is one: beside a size, it may count videos. */
const LONE_BYTE_NAME = /^total$/;

/**
 * Adds a readable form next to each number of bytes, at any depth: `diskUsageReadable` to `diskUsage`, `disk_usage_readable` to
 * `disk_usage`. All fields of the response stay as they are.
 */
function withReadableSizes(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withReadableSizes);
	if (!isRecord(value)) return value;
	if (typeof value.unit === 'string' && !/^b(ytes?)?$/i.test(value.unit)) return value;
	const readable: Record<string, unknown> = {};
	const hasSize = Object.keys(value).some((name) => BYTE_NAME.test(normalizedName(name)));
	const sizeName = hasSize ? BYTE_NAME : LONE_BYTE_NAME;
	for (const [name, inner] of Object.entries(value)) {
		readable[name] = withReadableSizes(inner);
		// Databases return sums as text.
		const isSize =
			sizeName.test(normalizedName(name)) &&
			(typeof inner === 'string' || typeof inner === 'number') &&
			/^\d+$/.test(String(inner)) &&
			Number.isSafeInteger(Number(inner));
		const readableName = `${name}${name.includes('_') ? '_readable' : 'Readable'}`;
		if (isSize && !(readableName in value)) readable[readableName] = formatBytes(Number(inner));
	}
	return readable;
}

import { DISK_USAGE } from '../shared/assumptions';
import { Fields, isRecord, normalizedName } from '../shared/jsonFields';
import { formatBytes } from '../shared/text';
import type { ServiceContext } from '../transport/credential';
import { path, requestJson } from '../transport/request';
import { withoutMarks } from './mark';

/** The disk usage of a folder and its videos, or of the application (docs/api-reference.md#disk-usage). */
export async function diskUsage(context: ServiceContext, folder?: string): Promise<unknown> {
	const address =
		folder === undefined
			? path('videos', 'diskusagebyapp')
			: path('videos', 'diskusagebyfolderandvideo', folder);
	const headers = { 'Content-Type': 'application/json' };
	// A recording may be named like its event.
	return withReadableSizes(
		withoutMarks(await requestJson(context, { method: 'GET', path: address, headers })),
	);
}

/**
 * Adds a readable form next to each number of bytes, at any depth: `diskUsageReadable` to `diskUsage`, `disk_usage_readable` to
 * `disk_usage`. All fields of the response stay as they are.
 */
function withReadableSizes(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withReadableSizes);
	if (!isRecord(value)) return value;
	if (typeof value.unit === 'string' && !/^b(ytes?)?$/i.test(value.unit)) return value;
	const readable: Record<string, unknown> = {};
	const { alone, bytes } = DISK_USAGE;
	const hasSize = new Fields(value).all(bytes.values).length > 0;
	const { values: names } = hasSize ? bytes : alone;
	for (const [name, inner] of Object.entries(value)) {
		readable[name] = withReadableSizes(inner);
		// Databases return sums as text.
		const isSize =
			names.includes(normalizedName(name)) &&
			(typeof inner === 'string' || typeof inner === 'number') &&
			/^\d+$/.test(String(inner)) &&
			Number.isSafeInteger(Number(inner));
		const readableName = `${name}${name.includes('_') ? '_readable' : 'Readable'}`;
		if (isSize && !(readableName in value)) readable[readableName] = formatBytes(Number(inner));
	}
	return readable;
}

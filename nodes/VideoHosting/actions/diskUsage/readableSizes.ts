import { formatBytes } from '../../shared/formatBytes';
import { isRecord, normalizedName } from '../../shared/jsonFields';

/**
 * Names of fields that contain a number of bytes, without case, underscores and hyphens: `diskUsage`, `totalSize`,
 * `usedBytes`. The body of the disk usage responses is not documented (docs/api-reference.md#disk-usage); a name with another
 * unit, such as `sizeMb`, is not among them.
 */
const BYTE_NAME = /^(total|used)?((disk)?(space|usage)|(file)?size|bytes)(used|(in)?bytes)?$/;

/**
 * Adds a readable form next to each number of bytes, at any depth: `diskUsageReadable` to `diskUsage`,
 * `disk_usage_readable` to `disk_usage`. All fields of the response stay as they are, and none is replaced. A fraction is not
 * a number of bytes, nor is a number next to or below a field that names another unit.
 */
export function withReadableSizes(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withReadableSizes);
	if (!isRecord(value) || Object.entries(value).some(namesOtherUnit)) return value;
	const fields = Object.entries(value).flatMap(([name, inner]): Array<[string, unknown]> => {
		const shown = /percent/.test(normalizedName(name)) ? inner : withReadableSizes(inner);
		const bytes = bytesOf(name, inner);
		const readableName = `${name}${name.includes('_') ? '_readable' : 'Readable'}`;
		if (bytes === undefined || readableName in value) return [[name, shown]];
		return [
			[name, shown],
			[readableName, formatBytes(bytes)],
		];
	});
	return Object.fromEntries(fields);
}

/** `unit: 'GB'`, `unit: '%'`, `type: 'percent'`, `inMegabytes: true`; not `unit: 'bytes'`. */
function namesOtherUnit([name, value]: [string, unknown]): boolean {
	const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
	if (/units?$/.test(normalizedName(name))) return text !== '' && !/^b(ytes?)?$/.test(text);
	if (/^(%|percent(age)?|([kmgtp]i?b|(kilo|mega|giga|tera|kibi|mebi|gibi)bytes?))$/.test(text)) return true;
	return value === true && /(percent|(kilo|mega|giga|tera)bytes)/.test(normalizedName(name));
}

function bytesOf(name: string, value: unknown): number | undefined {
	if (!BYTE_NAME.test(normalizedName(name))) return undefined;
	const isDigits = typeof value === 'string' && /^\d+$/.test(value);
	const bytes = isDigits ? Number(value) : value;
	return typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : undefined;
}

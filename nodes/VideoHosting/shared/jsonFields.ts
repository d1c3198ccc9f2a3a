import type { IDataObject } from 'n8n-workflow';

/**
 * Fields of JSON by their names. Names are compared without case, underscores and hyphens: `eventId`, `event_id` and
 * `EVENT-ID` are the same name.
 */

/** Whether a value is a plain JSON object: what JSON can contain is an {@link IDataObject}. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a JSON object by their normalized names, see {@link normalizedName}. Of two spellings of a name, the last one counts. */
export class Fields {
	private readonly values: ReadonlyMap<string, unknown>;

	constructor(record: object) {
		// The type of the values of any object is `any`.
		const entries = Object.entries(record) as Array<[string, unknown]>;
		this.values = new Map(entries.map(([name, value]) => [normalizedName(name), value]));
	}

	/** The value under a normalized name; undefined when no field has this name. */
	value(plainName: string): unknown {
		return this.values.get(plainName);
	}

	/** The first non-empty text or number under one of the normalized names, as text. */
	text(plainNames: readonly string[]): string | undefined {
		for (const plainName of plainNames) {
			const value = this.values.get(plainName);
			if (typeof value === 'string' && value !== '') return value;
			if (typeof value === 'number') return String(value);
		}
		return undefined;
	}
}

/** Every value in JSON that is not an object or array, with the path of keys that leads to it. */
export function* fieldEntries(
	value: unknown,
	path: string[] = [],
): Generator<{ path: string[]; value: unknown }, void, undefined> {
	if (typeof value !== 'object' || value === null) yield { path, value };
	else for (const [key, inner] of Object.entries(value)) yield* fieldEntries(inner, [...path, key]);
}

/** A field name without case, underscores and hyphens. */
export function normalizedName(name: string): string {
	return name.replace(/[_-]/g, '').toLowerCase();
}

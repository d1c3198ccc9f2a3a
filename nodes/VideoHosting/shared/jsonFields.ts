import type { IDataObject } from 'n8n-workflow';

/**
 * Fields of JSON by their names. Names are compared without case, underscores and hyphens: `eventId`, `event_id` and
 * `EVENT-ID` are the same name.
 */

/** Whether a value is a plain JSON object: what JSON can contain is an {@link IDataObject}. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The fields of a JSON object by their normalized names, see {@link normalizedName}. Of two spellings of a name, the last one that is not
 * empty counts: `{ eventId: 12, event_id: null }`.
 */
export class Fields {
	private readonly values = new Map<string, unknown>();

	constructor(record: object) {
		// The type of the values of any object is `any`.
		for (const [name, value] of Object.entries(record) as Array<[string, unknown]>) {
			const plainName = normalizedName(name);
			if ((value !== null && value !== '') || !this.values.has(plainName)) this.values.set(plainName, value);
		}
	}

	/** The value under a normalized name; undefined when no field has this name. */
	value(plainName: string): unknown {
		return this.values.get(plainName);
	}

	/** The values under normalized names. */
	all(plainNames: readonly string[]): unknown[] {
		return plainNames.map((plainName) => this.values.get(plainName)).filter((value) => value !== undefined);
	}

	/** The numbers under normalized names, which may be written as text. */
	numbers(plainNames: readonly string[]): number[] {
		return this.all(plainNames).filter(isTextOrNumber).map(Number);
	}

	/** The first non-empty text or number under one of the normalized names, as text. */
	text(plainNames: readonly string[]): string | undefined {
		const texts = this.all(plainNames).filter(isTextOrNumber).map(String);
		return texts.find((text) => text !== '');
	}
}

/** How many objects and arrays may be in each other. */
export const MOST_LEVELS = 100;

/** Whether JSON has more than {@link MOST_LEVELS} levels. */
export function isTooDeep(json: unknown): boolean {
	return fieldEntries(json).some(({ value }) => isContainer(value));
}

/** A value in JSON, the name of its field or of the array that it is in, and all names that lead to it. */
type Entry = Record<'name' | 'path', string> & { value: unknown };

/** Every value in JSON that is not an object or array, and those that are more than {@link MOST_LEVELS} deep, unopened. */
export function fieldEntries(value: unknown, name = '', path = '', levels = MOST_LEVELS): Entry[] {
	if (!isContainer(value) || levels === 0) return [{ name, path, value }];
	const isList = Array.isArray(value);
	return Object.entries(value).flatMap(([key, inner]) =>
		fieldEntries(inner, isList ? name : key, `${path}.${key}`, levels - 1),
	);
}

function isTextOrNumber(value: unknown): value is string | number {
	return typeof value === 'string' || typeof value === 'number';
}

function isContainer(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** A field name without case, underscores and hyphens. */
export function normalizedName(name: string): string {
	return name.replace(/[_-]/g, '').toLowerCase();
}

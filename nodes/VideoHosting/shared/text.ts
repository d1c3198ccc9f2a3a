import { isRecord } from './jsonFields';

/** The message of anything that was thrown. An error may come from another realm, where it is no instance of `Error`. */
export function errorMessage(error: unknown): string {
	return isRecord(error) && typeof error.message === 'string' ? error.message : String(error);
}

/** The beginning of a text of more than `most` characters, which is not cut within a character. */
export function shortened(text: string, most: number): string {
	return text.length > most ? `${text.slice(0, most - 1).replace(/\p{Surrogate}$/u, '')}…` : text;
}

/** A text from outside as an error, a hint or a line of the log quotes it: at most 300 characters. */
export function excerpt(text: string): string {
	return shortened(text, 300);
}

/**
 * Whether bytes are valid UTF-8 without control characters.
 *
 * @param isWhole whether no more bytes follow; else the last character may be cut
 */
export function isText(bytes: Buffer, isWhole: boolean): boolean {
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
		return !/(?![\t\r\n])\p{Cc}/u.test(text);
	} catch {
		return false;
	}
}

/**
 * A number of bytes from outside: a number, or decimal digits. Undefined for anything but a safe integer from 0: nothing else can be
 * counted with.
 */
export function byteCount(value: unknown): number | undefined {
	const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
	return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/**
 * A number of bytes for people, in units of 1000 and with three digits: 126 MB, 1.23 GB.
 *
 * @param bytes a number that {@link byteCount} returns: at most 9 PB
 */
export function formatBytes(bytes: number): string {
	// Rounded first: what would be written as 1000 is 1 of the next unit.
	const rounded = Number(bytes.toPrecision(3));
	const power = Math.max(0, Math.floor(Math.log10(rounded) / 3));
	return `${Number((rounded / 1000 ** power).toPrecision(3))} ${UNITS[power]}`;
}

import { createHash } from 'crypto';

/**
 * What Create or Update adds to the title of an event, in characters that nobody sees: for which entry and date the event is. A title is
 * the only text of ours that the service stores (docs/api-reference.md#create-an-event). No other file knows its form.
 */
export interface Mark {
	/** 40 bits of the SHA-256 of the External ID. */
	readonly entry: string;
	/** 20 bits of that of the date, as it was sent. */
	readonly date: string;
}

/** Two bits each. */
const DIGITS = '\u200B\u200C\u200D\u2060';

/** Zero width non-joiner: keeps what is before as it looks (emoji, Arabic, Indic scripts), and what is after from being trimmed. */
const EDGE = '\u200C';

/** A title may have been copied behind another one: the last mark counts. With any number, a long text would take quadratic time. */
const MARKS = new RegExp(`(?:${EDGE}([${DIGITS}]{20})([${DIGITS}]{10})${EDGE}){1,3}(?![${DIGITS}])`, 'g');

/** @param externalId as it was entered, trimmed */
export function entryOf(externalId: string): string {
	return digitsOf(externalId, 40);
}

/** @param dateScheduled `YYYY-MM-DD HH:mm:ss` */
export function markOf(externalId: string, dateScheduled: string): Mark {
	return { entry: entryOf(externalId), date: digitsOf(dateScheduled, 20) };
}

/** A title as it is sent; without a mark, as it is. */
export function markedTitle(title: string, mark: Mark | undefined): string {
	return mark ? `${title}${EDGE}${mark.entry}${mark.date}${EDGE}` : title;
}

/** The mark in a text; undefined without one. */
export function markIn(text: string): Mark | undefined {
	const [, entry, date] = [...text.matchAll(MARKS)].at(-1) ?? [];
	return entry !== undefined && date !== undefined ? { entry, date } : undefined;
}

/** JSON or a text without the marks in any of its texts. */
export function withoutMarks<Value>(value: Value): Value {
	const json = JSON.stringify(value) as string | undefined;
	// It is the same JSON, but for characters within its texts.
	return json?.includes(EDGE) ? (JSON.parse(json.replace(MARKS, '')) as Value) : value;
}

/** Whether a part of a mark is left behind a title, such as after a cut. */
export function hasMarkRemains(title: string): boolean {
	return new RegExp(`[${DIGITS}]$`).test(title);
}

function digitsOf(text: string, bits: number): string {
	const hex = createHash('sha256').update(text).digest('hex');
	const values = Array.from(hex.slice(0, bits / 4), (digit) => parseInt(digit, 16));
	return values.map((value) => DIGITS.charAt(value >> 2) + DIGITS.charAt(value & 3)).join('');
}

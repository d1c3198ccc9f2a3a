import { isRecord } from '../shared/jsonFields';
import { shortened } from '../shared/text';

/** How the value of a parameter was entered. */
export interface Entered {
	/** Of a resource locator; undefined when an expression is the whole locator. */
	mode: string | undefined;
	isExpression: boolean;
	/** Of the workflow. */
	timezone: string;
}

/**
 * Checks and converts what a parameter contains.
 *
 * @param label display name of the parameter, which the message of an error starts with
 * @param value of a resource locator, its value
 * @throws InvalidParameterError when the value cannot be used
 */
export type Conversion<Value> = (label: string, value: unknown, entered: Entered) => Value;

/**
 * A value that a parameter does not accept. The message starts with the parameter's display name; `toN8nError` makes
 * n8n's error of both texts.
 */
export class InvalidParameterError extends Error {
	/** @param description what to do, as a sentence; '' where the message makes it plain */
	constructor(
		message: string,
		readonly description = '',
	) {
		super(message);
	}
}

export const CHECK_EXPRESSION = 'Check the expression.';

/** The longest part of a value that an error message quotes, in characters. */
const LONGEST_QUOTE = 100;

/** Whether an expression resolved to nothing, or a person left the field empty. */
export function isEmpty(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/**
 * A text without surrounding white space, '' when empty. Numbers are texts, and so are dates, as ISO 8601: n8n itself
 * makes texts of the dates inside a collection (n8n-core 2.41.1
 * dist/execution-engine/node-execution-context/utils/cleanup-parameter-data.js).
 *
 * @param label display name of the parameter
 * @throws InvalidParameterError for anything else, and for a number that is not exact
 */
export function toText(label: string, value: unknown): string {
	if (isEmpty(value)) return '';
	// A Date or Luxon's DateTime, which an expression makes in another realm; of an invalid one it is null.
	const plain = hasJson(value) ? value.toJSON() : value;
	if (plain === null || plain === 'Invalid DateTime')
		throw new InvalidParameterError(`${label} is an invalid date`, CHECK_EXPRESSION);
	if (typeof plain === 'number' && Number.isFinite(plain)) {
		if (!Number.isInteger(plain) || Number.isSafeInteger(plain)) return String(plain);
		throw new InvalidParameterError(`${label} is a number too large to be exact`, 'Enter it as text.');
	}
	if (typeof plain !== 'string') throw unexpected(label, plain, 'text or a number');
	// Half of a surrogate pair, which UTF-8 cannot contain, becomes U+FFFD, as the service would store it.
	return Buffer.from(plain.trim()).toString();
}

/** Whether a value is a Date, or a DateTime of Luxon. */
export function hasJson(value: unknown): value is { toJSON(): unknown } {
	return isRecord(value) && typeof value.toJSON === 'function';
}

/**
 * A text that must be filled.
 *
 * @throws InvalidParameterError when it is empty or not a text
 */
export function toRequiredText(label: string, value: unknown): string {
	const text = toText(label, value);
	if (text !== '') return text;
	throw emptyError(label, 'Enter one.');
}

/** A web address. */
export function toWebAddress(label: string, value: unknown): string {
	const text = toRequiredText(label, value);
	if (URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)) return text;
	throw new InvalidParameterError(`${label} is not a web address`, 'It must start with https:// or http://.');
}

/** What a number parameter accepts: both ends are included. */
export interface NumberRange {
	min: number;
	/** Default: the largest whole number that is exact. */
	max?: number;
	/** Whether fractions are accepted; default: no. */
	fractions?: boolean;
}

/**
 * A number, or a text with one such as `"5"`.
 *
 * @throws InvalidParameterError for anything else, when it is empty, and outside the range
 */
export function toNumber({ min, max = Number.MAX_SAFE_INTEGER, fractions = false }: NumberRange) {
	const kind = fractions ? 'a number' : 'a whole number';
	const limits = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
	return (label: string, value: unknown): number => {
		if (isEmpty(value)) throw emptyError(label, 'Enter a number.');
		const isDecimal = typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value.trim());
		const number = isDecimal || typeof value === 'number' ? Number(value) : NaN;
		if (number >= min && number <= max && (fractions || Number.isSafeInteger(number))) return number;
		throw unexpected(label, value, `${kind} ${limits}`);
	};
}

/**
 * The value of a switch, true or false, also as a text.
 *
 * @throws InvalidParameterError for anything else
 */
export function toFlag(label: string, value: unknown): boolean {
	const plain = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (plain === true || plain === 'true') return true;
	if (plain === false || plain === 'false') return false;
	throw unexpected(label, value, 'true or false');
}

/**
 * One or several texts: a list, or one text with commas between them; an empty list when empty.
 *
 * @throws InvalidParameterError when an element is neither text nor number, or is empty
 */
export function toTexts(label: string, value: unknown): string[] {
	if (isEmpty(value)) return [];
	const parts: unknown[] = Array.isArray(value) ? value : toText(label, value).split(',');
	return parts.map((part, index) => {
		const text = toText(Array.isArray(value) ? `${label} (element ${index + 1})` : label, part);
		if (text !== '') return text;
		throw new InvalidParameterError(
			`${label} ${quoted(value)} has an empty element`,
			'Enter one value or several, separated by commas.',
		);
	});
}

/** @throws InvalidParameterError unless it is one of the choices */
export function toChoice<Choice extends string>(
	label: string,
	value: unknown,
	choices: readonly Choice[],
): Choice {
	const text = toText(label, value);
	const choice = choices.find((known) => known === text);
	if (choice !== undefined) return choice;
	throw unexpected(label, text, `one of ${choices.join(', ')}`);
}

/** The error for a parameter that must be filled; `advice` is one full sentence. */
export function emptyError(label: string, advice: string): InvalidParameterError {
	return new InvalidParameterError(`${label} is empty`, advice);
}

/** The error for a value, or a type of value, that the parameter does not accept. */
function unexpected(label: string, value: unknown, accepted: string): InvalidParameterError {
	if (typeof value === 'string' || typeof value === 'number')
		return new InvalidParameterError(`${label} ${quoted(value)} is not ${accepted}`);
	const type = typeof value === 'object' ? 'an object' : `a ${typeof value}`;
	const found = Array.isArray(value) ? 'a list' : type;
	return new InvalidParameterError(`${label} is ${found}, but must be ${accepted}`, CHECK_EXPRESSION);
}

/** A value as an error message quotes it. */
export function quoted(value: unknown): string {
	// JSON has no NaN and no Infinity.
	const plain = typeof value === 'string' || typeof value === 'number';
	const text = plain ? String(value) : JSON.stringify(value);
	return `"${shortened(text, LONGEST_QUOTE)}"`;
}

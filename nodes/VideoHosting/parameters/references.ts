import { InvalidParameterError, quoted, toText, toTexts, type Entered } from './values';

/** A UUID in text form (docs/api-reference.md#gallery). */
export const UUID_REGEX = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

/**
 * The hash of an event or a video. docs/api-reference.md#event does not show its form, so the rule rejects only what cannot be a
 * hash: white space, a comma, which separates the hashes of a list, and a web address. This is the only rule for hashes:
 * panel, operations and trigger use it.
 */
export const HASH_REGEX = '^(?!.*://)[^\\s,]+$';
export const HASH_RULE = 'a hash has no white space and no comma, and is not a web address';

/** A record as a user chooses it: by the hash of an event or a video, the UUID of a folder, or by its exact title or name. */
export type Reference = { id: string } | { name: string };

/**
 * The record of a picker; undefined when empty. Of an expression that is the whole picker, the value is a hash or UUID.
 *
 * @throws InvalidParameterError for what is neither text nor number, and what `toId` throws
 */
function toReference(
	label: string,
	value: unknown,
	mode: string | undefined,
	toId: (label: string, text: string) => string,
): Reference | undefined {
	const text = toText(label, value);
	if (text === '') return undefined;
	return mode === 'title' || mode === 'name' ? { name: text } : { id: toId(label, text) };
}

function emptyError(label: string, advice: string): InvalidParameterError {
	return new InvalidParameterError(`${label} is empty`, advice);
}

/** The folder of a picker; undefined when empty. */
export function toFolderReference(
	label: string,
	value: unknown,
	{ mode }: Pick<Entered, 'mode'>,
): Reference | undefined {
	return toReference(label, value, mode, toUuid);
}

/** A folder that must be chosen; `resolveFolder` looks a name up. */
export function toRequiredFolder(label: string, value: unknown, entered: Entered): Reference {
	const folder = toFolderReference(label, value, entered);
	if (folder !== undefined) return folder;
	throw emptyError(label, 'Choose one from the list, or enter its UUID or name.');
}

/**
 * A folder of an operation that can do without one; undefined when nothing is chosen From List. A blank name or UUID, and an
 * expression that returns an empty text, are errors: a file would go into no folder unnoticed, a list would not be narrowed.
 */
export function toOptionalFolder(label: string, value: unknown, entered: Entered): Reference | undefined {
	const folder = toFolderReference(label, value, entered);
	const isTyped = entered.isExpression || entered.mode === 'name' || entered.mode === 'uuid';
	if (folder !== undefined || !isTyped) return folder;
	throw emptyError(label, 'Check the expression, or select From List and choose none.');
}

/** The event or video of a picker. */
export function toRecordReference(label: string, value: unknown, { mode }: Pick<Entered, 'mode'>): Reference {
	const record = toReference(label, value, mode, toHash);
	if (record !== undefined) return record;
	throw emptyError(label, 'Choose one from the list, or enter its hash or exact name.');
}

/** Hashes as a list, or as a text with commas between them. */
export function toHashes(label: string, value: unknown): string[] {
	return toTexts(label, value).map((hash) => toHash(label, hash));
}

function toHash(label: string, hash: string): string {
	if (new RegExp(HASH_REGEX).test(hash)) return hash;
	throw new InvalidParameterError(
		`${label} ${quoted(hash)} is not a hash: ${HASH_RULE}`,
		'Choose from the list, or enter a hash.',
	);
}

function toUuid(label: string, text: string): string {
	if (new RegExp(UUID_REGEX).test(text)) return text;
	throw new InvalidParameterError(
		`${label} ${quoted(text)} is not a UUID`,
		'Choose from the list, or enter a UUID.',
	);
}

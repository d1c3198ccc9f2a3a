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
 * The folder of a picker; undefined when empty. Of an expression that is the whole picker, the value is a UUID.
 *
 * @throws InvalidParameterError for what is neither text nor number, and for what is not a UUID in any mode but `name`
 */
export function toFolderReference(
	label: string,
	value: unknown,
	{ mode }: Pick<Entered, 'mode'>,
): Reference | undefined {
	const text = toText(label, value);
	if (text === '') return undefined;
	if (mode === 'name') return { name: text };
	if (new RegExp(UUID_REGEX).test(text)) return { id: text };
	throw new InvalidParameterError(
		`${label} ${quoted(text)} is not a UUID`,
		'Choose from the list, or enter a UUID.',
	);
}

/** A folder that must be chosen; `resolveFolder` looks a name up. */
export function toRequiredFolder(label: string, value: unknown, entered: Entered): Reference {
	const folder = toFolderReference(label, value, entered);
	if (folder !== undefined) return folder;
	throw new InvalidParameterError(
		`${label} is empty`,
		'Choose one from the list, or enter its UUID or name.',
	);
}

/**
 * A folder of an operation that can do without one; undefined when nothing is chosen From List. A blank name or UUID, and an
 * expression that returns an empty text, are errors: a file would go into no folder unnoticed, a list would not be narrowed.
 */
export function toOptionalFolder(label: string, value: unknown, entered: Entered): Reference | undefined {
	const folder = toFolderReference(label, value, entered);
	if (folder === undefined && (entered.isExpression || entered.mode === 'name' || entered.mode === 'uuid')) {
		throw new InvalidParameterError(
			`${label} is empty`,
			'Check the expression, or select From List and choose none.',
		);
	}
	return folder;
}

/**
 * The event or video of a picker. Of an expression that is the whole picker, the value is a hash.
 *
 * @throws InvalidParameterError when it is empty, and for what is not a hash in any mode but `title` and `name`
 */
export function toRecordReference(label: string, value: unknown, { mode }: Pick<Entered, 'mode'>): Reference {
	const text = toText(label, value);
	const nameMode = mode === 'title' || mode === 'name';
	if (text === '') {
		throw new InvalidParameterError(
			`${label} is empty`,
			`Choose one from the list, or enter its ${nameMode ? mode : 'hash'}.`,
		);
	}
	if (nameMode) return { name: text };
	return { id: checkedHash(label, text, 'Choose one from the list, or enter its hash.') };
}

/**
 * Hashes as a list, or as a text with commas between them.
 *
 * @throws InvalidParameterError when one of them is not a hash
 */
export function toHashes(label: string, value: unknown): string[] {
	return toTexts(label, value).map((hash) => checkedHash(label, hash, 'Enter one hash or several.'));
}

function checkedHash(label: string, hash: string, advice: string): string {
	if (new RegExp(HASH_REGEX).test(hash)) return hash;
	throw new InvalidParameterError(`${label} ${quoted(hash)} is not a hash: ${HASH_RULE}`, advice);
}

import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { text } from './parameter';
import {
	emptyError,
	InvalidParameterError,
	quoted,
	toRequiredText,
	toText,
	toTexts,
	type Conversion,
	type Entered,
} from './values';

/** A UUID in text form (docs/api-reference.md#gallery). */
export const UUID_REGEX = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

/**
 * The hash of an event or a video. docs/api-reference.md#event does not show its form. So the rule rejects only white space, a web
 * address, and a comma, which separates the hashes of a list. Panel, operations and trigger use this rule.
 */
const HASH_REGEX = '^(?!.*://)[^\\s,]+$';
const HASH_RULE = 'a hash has no white space and no comma, and is not a web address';

/** A record as a user chooses it: by the hash of an event or a video, the UUID of a folder, or by its exact title or name. */
export type Reference = { id: string } | { name: string };

/** An event: also by the External ID of Create or Update. */
export type EventReference = Reference | { externalId: string };

/** What identifies a record. */
const ID_PATTERNS = { hash: new RegExp(HASH_REGEX), UUID: new RegExp(UUID_REGEX) };
type IdKind = keyof typeof ID_PATTERNS;

/** The event or video of a picker. */
export const toRecordReference = required('hash');

export const toEventReference: Conversion<EventReference> = (label, value, entered) =>
	entered.mode === 'externalId'
		? { externalId: toRequiredText(label, value) }
		: toRecordReference(label, value, entered);

/** A folder that must be chosen; `resolveFolder` looks a name up. */
export const toRequiredFolder = required('UUID');

function required(kind: IdKind): Conversion<Reference> {
	return (label, value, { mode }) => {
		const reference = toReference(kind, label, value, mode);
		if (reference) return reference;
		throw emptyError(label, `Choose one from the list, or enter its ${kind} or exact name.`);
	};
}

/**
 * A folder of an operation that can do without one; undefined when nothing is chosen From List. A blank name or UUID, and an
 * expression that returns an empty text, are errors: a file would go into no folder unnoticed, a list would not be narrowed.
 */
export function toOptionalFolder(label: string, value: unknown, entered: Entered): Reference | undefined {
	const folder = toReference('UUID', label, value, entered.mode);
	const isTyped = entered.isExpression || entered.mode === 'name' || entered.mode === 'uuid';
	if (folder || !isTyped) return folder;
	throw emptyError(label, 'Check the expression, or select From List and choose none.');
}

/**
 * The record of a picker; undefined when empty. When an expression is the whole picker, its value is a hash or UUID.
 *
 * @throws InvalidParameterError for what is neither text nor number, and what cannot be a hash or UUID
 */
function toReference(kind: IdKind, label: string, value: unknown, mode?: string): Reference | undefined {
	const text = toText(label, value);
	if (text === '') return undefined;
	return mode === 'title' || mode === 'name' ? { name: text } : { id: toId(kind, label, text) };
}

/** Hashes as a list, or as a text with commas between them. */
export function toHashes(label: string, value: unknown): string[] {
	return toTexts(label, value).map((hash) => toId('hash', label, hash));
}

function toId(kind: IdKind, label: string, text: string): string {
	if (ID_PATTERNS[kind].test(text)) return text;
	const rule = kind === 'hash' ? `: ${HASH_RULE}` : '';
	throw new InvalidParameterError(
		`${label} ${quoted(text)} is not a ${kind}${rule}`,
		`Choose from the list, or enter a ${kind}.`,
	);
}

/** Of each operation and kind of trigger that is about one plan; empty for that of the credential. */
export const planIdOption = text({
	displayName: 'Plan ID',
	name: 'planId',
	collection: 'options',
	placeholder: 'e.g. plan-1001',
	description: 'Plan to use instead of the Plan ID of the credential',
});

/** A record that users pick from a list or name by hand. */
interface Locator extends Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'typeOptions'> {
	/** Example: `an event`. */
	what: string;
	/** Name of the list search method in `methods/`. */
	searchListMethod: string;
	/** The modes besides the list. */
	typed: INodePropertyMode[];
}

export function locator({ what, searchListMethod, typed, ...field }: Locator): INodeProperties {
	return {
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${what}…`,
				typeOptions: { searchListMethod, searchable: true },
			},
			...typed,
		],
	};
}

/** A mode in which the value is typed in. */
export function typedMode(
	mode: Pick<INodePropertyMode, 'displayName' | 'name' | 'placeholder'>,
	regex: string,
	errorMessage: string,
): INodePropertyMode {
	return { ...mode, type: 'string', validation: [{ type: 'regex', properties: { regex, errorMessage } }] };
}

export function hashMode(placeholder: string, what: string): INodePropertyMode {
	const mode = { displayName: 'By Hash', name: 'hash', placeholder };
	return typedMode(mode, HASH_REGEX, `Not ${what} hash: ${HASH_RULE}`);
}

/** A mode in which exactly one record must have the text that is typed in. */
export function nameMode(name: 'name' | 'title', placeholder: string, what: string): INodePropertyMode {
	const displayName = name === 'title' ? 'By Title' : 'By Name';
	return typedMode({ displayName, name, placeholder }, '\\s*\\S[\\s\\S]*', `Enter the ${name} of ${what}`);
}

const folder = {
	displayName: 'Folder',
	name: 'folder',
	description: 'Folder, from the list or by its UUID or exact name. Create and Get Many return the UUID.',
	what: 'a folder',
	typed: [
		typedMode(
			{ displayName: 'By UUID', name: 'uuid', placeholder: 'e.g. 6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b' },
			UUID_REGEX,
			'Not a UUID: a UUID has 32 hexadecimal digits in five groups',
		),
		nameMode('name', 'e.g. Webinars 2026', 'a folder'),
	],
};

export const folderLocator = locator({ ...folder, searchListMethod: 'searchFolders' });

export const optionalFolderField = locator({ ...folder, searchListMethod: 'searchOptionalFolders' });

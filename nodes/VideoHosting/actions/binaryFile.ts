import type { IBinaryData } from 'n8n-workflow';

import type { Parameter } from '../parameters/parameter';
import { emptyError, toRequiredText, toTexts } from '../parameters/values';
import { isRecord } from '../shared/jsonFields';
import type { BinaryReference, Item } from './operation';

/** Selects all files of the item. */
const ALL_FILES = '*';
const INPUT_FIELD = 'Input Binary Field';

const EARLIER_FILE =
	"for a file of an earlier node, an expression such as {{ $('Read File').item.binary.data }}";

/**
 * The selected files, each once: one name, or several in a list or separated by commas. An expression may return a file itself.
 *
 * @throws InvalidParameterError when none is selected
 */
export function toBinaryFiles(label: string, value: unknown): BinaryReference[] {
	const parts: unknown[] = Array.isArray(value)
		? value
		: isBinaryData(value)
			? [value]
			: toTexts(label, value);
	if (parts.length === 0) throw emptyError(label, 'Enter one.');
	const files = parts.map((part, index) =>
		isBinaryData(part) ? part : toRequiredText(`${label} (element ${index + 1})`, part),
	);
	// An expression returns a new object each time.
	return [...new Map(files.map((file) => [JSON.stringify(file), file])).values()];
}

/** As `isBinaryValue` of n8n-workflow 2.41.0 (dist/cjs/type-guards.js), which n8n 1.x does not have. */
function isBinaryData(value: unknown): value is IBinaryData {
	return isRecord(value) && 'mimeType' in value && hasContent(value);
}

/** A Code node may make a file without content. */
function hasContent({ data, id }: { data?: unknown; id?: unknown }): boolean {
	return typeof data === 'string' || (typeof id === 'string' && id !== '');
}

/**
 * The files that a parameter selects, with `*` for all files of the item in n8n's binary mode `separate`.
 *
 * @param except a binary field that `*` does not select; '' for none
 * @throws NodeOperationError when none is selected
 */
export function binaryFilesOf(
	item: Item,
	field: Parameter<BinaryReference[]>,
	except = '',
): BinaryReference[] {
	const files = item.read(field);
	if (files.length > 1 || files[0] !== ALL_FILES) return files;
	const names = binaryFieldsOf(item);
	const selected = names.filter((name) => name !== except);
	if (selected.length > 0) return selected;
	throw names.length > 0 ? item.error(`The item has no file besides "${except}"`) : noFileError(item);
}

/**
 * The one file that a parameter selects, as {@link binaryFilesOf} reads it.
 *
 * @throws NodeOperationError when several are selected, or none
 */
export function binaryFileOf(item: Item, field: Parameter<BinaryReference[]>): BinaryReference {
	const [file, ...others] = binaryFilesOf(item, field);
	if (file !== undefined && others.length === 0) return file;
	throw item.error(`${field.displayName} selects ${others.length + 1} files`, 'Enter the name of one.');
}

/**
 * The file that a parameter refers to.
 *
 * @param label display name of the parameter
 * @throws NodeOperationError that lists the binary fields of the item when it has none of this name
 */
export function binaryFile(item: Item, file: BinaryReference, label = INPUT_FIELD): IBinaryData {
	const missing = typeof file === 'string' ? ` "${file}"` : '';
	try {
		const binary = item.context.helpers.assertBinaryData(item.itemIndex, file);
		if (hasContent(binary)) return binary;
	} catch {
		// n8n's error names neither the parameter nor the fields that the item has.
		const names = binaryFieldsOf(item).map((name) => `"${name}"`);
		if (names.length === 0) throw noFileError(item, label);
		throw item.error(
			`The item has no binary field${missing}. It has ${names.join(', ')}`,
			`Enter one of these in ${label}${label === INPUT_FIELD ? ` or, ${EARLIER_FILE}` : ''}.`,
		);
	}
	throw item.error(`The binary field${missing} has no content`, 'Check the node that creates the file.');
}

function noFileError(item: Item, label = INPUT_FIELD) {
	return label === INPUT_FIELD
		? item.error(
				'The item has no binary data',
				`Connect a node that outputs a file or enter, ${EARLIER_FILE}.`,
			)
		: item.error(`The item has no binary data for ${label}`, 'Connect a node that outputs a file.');
}

/** The binary fields of an item. n8n's binary mode `combined` stores files inside the JSON instead. */
function binaryFieldsOf({ context, itemIndex }: Item): string[] {
	return Object.keys(context.getInputData()[itemIndex]?.binary ?? {});
}

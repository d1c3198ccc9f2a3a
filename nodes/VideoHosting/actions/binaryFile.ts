import type { IBinaryData } from 'n8n-workflow';

import type { Parameter } from '../parameters/field';
import { InvalidParameterError, toRequiredText, toTexts } from '../parameters/values';
import { isRecord } from '../shared/jsonFields';
import type { BinaryReference, Item } from './item';

/** Selects all files of the item. */
const ALL_FILES = '*';

/**
 * The files that a parameter selects, each once: one name, several in a list or separated by commas, or `*` for all. A name
 * that an item has may itself contain commas. Instead of a name, an expression may return the file itself.
 *
 * @param except a binary field that `*` does not select; '' for none
 * @throws NodeOperationError when none is selected
 */
export function binaryFilesOf(item: Item, field: Parameter<unknown>, except = ''): BinaryReference[] {
	const convert = (label: string, value: unknown) => {
		const files = Array.isArray(value)
			? value.map((part, index) => toFile(`${label} (element ${index + 1})`, part))
			: [toFile(label, value)];
		const [file] = files;
		if (file === undefined) throw new InvalidParameterError(`${label} is empty`, 'Enter one.');
		// An expression returns a new object each time.
		const keyOf = (each: BinaryReference) => (typeof each === 'string' ? each : JSON.stringify(each));
		if (files.length > 1 || typeof file !== 'string')
			return [...new Map(files.map((each) => [keyOf(each), each])).values()];
		const names = binaryFieldsOf(item);
		if (file !== ALL_FILES) return names.includes(file) ? [file] : [...new Set(toTexts(label, file))];
		const selected = names.filter((name) => name !== except);
		if (selected.length > 0) return selected;
		throw names.length > 0
			? new InvalidParameterError(`The item has no file besides "${except}"`)
			: new InvalidParameterError(...NO_FILES);
	};
	return item.read({ ...field, convert });
}

/**
 * The one file that a parameter selects, as {@link binaryFilesOf} reads it.
 *
 * @throws NodeOperationError when several are selected, or none
 */
export function binaryFileOf(item: Item, field: Parameter<unknown>): BinaryReference {
	const files = binaryFilesOf(item, field);
	const [file] = files;
	if (file !== undefined && files.length === 1) return file;
	throw item.error(`${field.displayName} selects ${files.length} files`, 'Enter the name of one.');
}

function toFile(label: string, value: unknown): BinaryReference {
	return isBinaryData(value) ? value : toRequiredText(label, value);
}

/** As `isBinaryValue` of n8n-workflow 2.41.0 (dist/cjs/type-guards.js), which n8n 1.x does not have. */
function isBinaryData(value: unknown): value is IBinaryData {
	return isRecord(value) && 'mimeType' in value && ('data' in value || 'id' in value);
}

const NO_FILES = ['The item has no binary data', 'Connect a node that outputs a file.'] as const;

/**
 * The file that a reference of a parameter is for.
 *
 * @param label display name of the parameter
 * @throws NodeOperationError that lists the binary fields of the item when it has none of this name
 */
export function binaryFile(item: Item, file: BinaryReference, label = 'Input Binary Field'): IBinaryData {
	const { context, itemIndex } = item;
	try {
		return context.helpers.assertBinaryData(itemIndex, file);
	} catch {
		// n8n's error names neither the parameter nor the fields that the item has.
		const names = binaryFieldsOf(item).map((name) => `"${name}"`);
		const name = typeof file === 'string' ? ` "${file}"` : '';
		if (names.length === 0) throw item.error(...NO_FILES);
		throw item.error(
			`The item has no binary field${name}. It has ${names.join(', ')}`,
			`Enter one of these in ${label}.`,
		);
	}
}

/**
 * The names of the binary fields of an item. In n8n's binary mode `combined` files are inside the JSON, and a name is the
 * path to one (n8n-core 2.41.1 dist/execution-engine/node-execution-context/utils/binary-helper-functions.js,
 * assertBinaryData).
 */
function binaryFieldsOf({ context, itemIndex }: Item): string[] {
	const item = context.getInputData()[itemIndex];
	const names = Object.keys(item?.binary ?? {});
	return names.length > 0 ? names : binaryPaths(item?.json, '');
}

function binaryPaths(value: unknown, path: string): string[] {
	if (isBinaryData(value)) return [path];
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([name, inner]) =>
		binaryPaths(inner, path === '' ? name : `${path}.${name}`),
	);
}

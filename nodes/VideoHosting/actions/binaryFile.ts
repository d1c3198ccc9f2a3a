import type { IBinaryData } from 'n8n-workflow';

import type { Parameter } from '../parameters/parameter';
import { emptyError, InvalidParameterError, quoted, toTexts } from '../parameters/values';
import { isRecord } from '../shared/jsonFields';
import { excerpt } from '../shared/text';
import { serviceText } from '../transport/failure';
import { OperationError } from '../transport/serviceError';
import { isTool, type BinaryReference, type Item } from './operation';

/** Selects all files of the item. */
export const ALL_FILES = '*';
const INPUT_FIELD = 'Input Binary Field';
/** What n8n has in `data` of a file with an ID, whose content it stores elsewhere (n8n-core 2.41.1 dist/binary-data/utils.js). */
const STORED_ELSEWHERE = /^(filesystem(-v2)?|s3|azure|database)$/;

/** A data URI (RFC 2397), whose content is base64. */
const DATA_URI = /^data:[^,]*;base64,/i;

/** Base64 also with the letters of URLs, with line breaks, and without padding. */
const NOT_BASE64 = /[^\w+/=\s-]|=\s*[^=\s]/;

/**
 * The selected files, each once: one name, or several in a list or separated by commas. An expression may return a file itself, or
 * `$binary`: the files of the item by their fields, of which n8n shows no content (n8n-workflow 2.41.0 dist/cjs/workflow-data-proxy.js).
 *
 * @throws InvalidParameterError when none is selected
 */
export function toBinaryFiles(label: string, value: unknown): BinaryReference[] {
	if (isRecord(value) && Object.values(value).every(isFile)) return [ALL_FILES];
	if (isFile(value)) {
		if ('data' in value || 'id' in value) return [value];
		throw new InvalidParameterError(
			`${label} is a file without its content`,
			'n8n shows no content of a file in memory: enter the name of its field, such as data.',
		);
	}
	const names = toTexts(label, value);
	if (names.length === 0) throw emptyError(label, 'Enter one.');
	return [...new Set(names)];
}

/** As `isBinaryValue` of n8n-workflow 2.41.0 (dist/cjs/type-guards.js), which n8n 1.x does not have; also of a file without its content. */
function isFile(value: unknown): value is IBinaryData {
	return isRecord(value) && 'mimeType' in value;
}

/**
 * The files that a parameter selects, with `*` for all files of the item in n8n's binary mode `separate`.
 *
 * @param except a binary field that `*` does not select; '' for none
 * @throws OperationError when none is selected
 */
export function binaryFilesOf(
	item: Item,
	field: Parameter<BinaryReference[]>,
	except = '',
): BinaryReference[] {
	const files = item.read(field);
	if (files.length > 1 || files[0] !== ALL_FILES) return files;
	const selected = binaryFieldsOf(item).filter((name) => name !== except);
	if (selected.length > 0) return selected;
	throw noFileError(item, `file besides ${quoted(except)}`, field.displayName);
}

/**
 * The one file that a parameter selects, as {@link binaryFilesOf} reads it.
 *
 * @throws OperationError when several are selected, or none
 */
export function binaryFileOf(item: Item, field: Parameter<BinaryReference[]>): BinaryReference {
	const [file, ...others] = binaryFilesOf(item, field);
	if (file !== undefined && others.length === 0) return file;
	throw new OperationError(
		`${field.displayName} selects ${others.length + 1} files`,
		'Enter the name of one.',
	);
}

/**
 * The file that a parameter refers to.
 *
 * @param label display name of the parameter
 * @throws OperationError that lists the binary fields of the item when it has none of this name; and for a file without content
 */
export function binaryFile(item: Item, file: BinaryReference, label = INPUT_FIELD): IBinaryData {
	if (typeof file === 'string' && /^https?:/i.test(file))
		throw new OperationError(
			`${label} is a URL, but takes the name of a binary field`,
			`Fetch the file with HTTP Request first, and enter the field where that node puts it, such as data.`,
		);
	const named = typeof file === 'string' ? `binary field ${quoted(file)}` : 'binary field';
	let binary: IBinaryData;
	try {
		binary = item.context.helpers.assertBinaryData(item.itemIndex, file);
	} catch {
		throw noFileError(item, named, label);
	}
	if (binary.id) return binary;
	// A Code node may make a file without content, or leave out the ID of one.
	if (typeof binary.data !== 'string' || STORED_ELSEWHERE.test(binary.data))
		throw new OperationError(`The ${named} has no content`, 'Check the node that creates the file.');
	const data = binary.data.replace(DATA_URI, '');
	if (!NOT_BASE64.test(data)) return { ...binary, data };
	throw new OperationError(
		`The ${named} contains no base64`,
		'n8n keeps the bytes of a file as base64: check the node that creates the file.',
	);
}

/** n8n's own error names neither the parameter nor the fields that the item has. */
function noFileError(item: Item, wanted: string, label: string) {
	if (isTool(item.context))
		return new OperationError('The tool of an AI agent receives no files', 'Choose Source: URL in the node.');
	const names = excerpt(binaryFieldsOf(item).map(quoted).join(', '));
	const isNone = names === '';
	const { error } = item.context.getInputData()[item.itemIndex]?.json ?? {};
	// S3, FTP and others leave it when they continue on an error: "No such file or directory."
	const reason = isNone ? serviceText({ error }) : undefined;
	if (reason !== undefined)
		return new OperationError(
			`The node before this one failed: ${excerpt(reason)}.`,
			'Check that node. With On Error: Continue (using error output), items without a file do not get here.',
		);
	const pinned = isNone ? ' Pinned data has no files: unpin the node before this one, and run it.' : '';
	return new OperationError(
		isNone ? 'The item has no binary data' : `The item has no ${wanted}. It has ${names}`,
		`Connect a node that outputs a file, and enter its field in ${label}.${pinned} ${INPUT_FIELD} also takes a file of an earlier node: {{ $('Read File').item.binary.data }}.`,
	);
}

/** The binary fields of an item. n8n's binary mode `combined` stores files inside the JSON instead. */
function binaryFieldsOf({ context, itemIndex }: Item): string[] {
	return Object.keys(context.getInputData()[itemIndex]?.binary ?? {});
}

import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../shared/jsonFields';
import { invalidParameter, isBinaryData } from './parameters';

/**
 * The file that a parameter refers to.
 *
 * @param binary the name of a field of the item, or the file itself; see `binaryParameter`
 * @param label display name of the parameter
 * @throws NodeOperationError that lists the binary fields of the item when it has none of this name
 */
export function binaryFile(
	context: IExecuteFunctions,
	itemIndex: number,
	binary: string | IBinaryData,
	label = 'Input Binary Field',
): IBinaryData {
	try {
		return context.helpers.assertBinaryData(itemIndex, binary);
	} catch {
		// n8n's error names neither the parameter nor the fields that the item has.
		const names = binaryFieldsOf(context, itemIndex).map((name) => `"${name}"`);
		const name = typeof binary === 'string' ? ` "${binary}"` : '';
		const message =
			names.length > 0
				? `The item has no binary field${name}. It has ${names.join(', ')}: enter one of these in ${label}`
				: 'The item has no binary data. Connect a node that outputs a file';
		throw invalidParameter(context, itemIndex, message);
	}
}

/**
 * The names of the binary fields of an item. In n8n's binary mode `combined` files are inside the JSON, and a name is the
 * path to one (n8n-core 2.41.1 dist/execution-engine/node-execution-context/utils/binary-helper-functions.js,
 * assertBinaryData).
 */
function binaryFieldsOf(context: IExecuteFunctions, itemIndex: number): string[] {
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

/**
 * How an operation reads its parameters: one function per kind of value. `label` is the parameter's display name, which every
 * error message starts with; a field of a collection is named `options.secret`. Each throws a NodeOperationError that names
 * the parameter and the item when the value cannot be used.
 */
import { NodeOperationError, type IBinaryData, type IExecuteFunctions } from 'n8n-workflow';

import { toDate, toTime } from '../parameters/dates';
import { toFolderReference, toHash, type FolderReference } from '../parameters/identifiers';
import { readLocator, readParameter } from '../parameters/readParameter';
import {
	InvalidParameterError,
	toBoolean,
	toChoice,
	toNumber,
	toRequiredText,
	toText,
	toTexts,
	type NumberRange,
} from '../parameters/values';
import { planOrDefault } from '../service/plan';
import { isRecord } from '../shared/jsonFields';

/** A text without surrounding white space, or the value of a resource locator; '' when empty. */
export function textParameter(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	label: string,
): string {
	return readParameter(context, itemIndex, name, (value) => toText(label, value));
}

/** A text that must be filled. */
export function requiredTextParameter(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	label: string,
): string {
	return readParameter(context, itemIndex, name, (value) => toRequiredText(label, value));
}

/** One or several texts, as a list or separated by commas. */
export function textsParameter(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	label: string,
): string[] {
	return readParameter(context, itemIndex, name, (value) => toTexts(label, value));
}

/** A number, or a text with one; undefined when empty. */
export function numberParameter(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	label: string,
	range: NumberRange,
): number | undefined {
	return readParameter(context, itemIndex, name, (value) => toNumber(label, value, range));
}

/** A number that must be filled. */
export function requiredNumberParameter(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	label: string,
	range: NumberRange,
): number {
	return readParameter(context, itemIndex, name, (value) => {
		const number = toNumber(label, value, range);
		if (number !== undefined) return number;
		throw new InvalidParameterError(`${label} is empty: enter a number`);
	});
}

/** True or false, also as a text; `whenEmpty` when empty. */
export function booleanParameter(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	label: string,
	whenEmpty = false,
): boolean {
	return readParameter(context, itemIndex, name, (value) => toBoolean(label, value) ?? whenEmpty);
}

/** One of a list of choices; undefined when empty. */
export function choiceParameter<Choice extends string>(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	label: string,
	choices: readonly Choice[],
): Choice | undefined {
	return readParameter(context, itemIndex, name, (value) => toChoice(label, value, choices));
}

/**
 * A date as a moment in milliseconds since the epoch; undefined when empty. Without an offset it is interpreted in the zone
 * of the workflow, and a date alone is the beginning of that day.
 */
export function timeParameter(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	label: string,
): number | undefined {
	return readParameter(context, itemIndex, name, (value) => {
		const date = toDate(label, value);
		return date && toTime(label, date, context.getTimezone());
	});
}

/**
 * Input Binary Field: the name of a field of the item, or the file itself, which an expression such as
 * `{{ $('Read File').item.binary.data }}` returns. n8n's binary helpers accept both.
 */
export function binaryParameter(context: IExecuteFunctions, itemIndex: number): string | IBinaryData {
	return readParameter(context, itemIndex, 'binaryPropertyName', (value) =>
		isBinaryData(value) ? value : toRequiredText('Input Binary Field', value),
	);
}

/**
 * The parameter `url`: a web address.
 *
 * @throws NodeOperationError for anything else
 */
export function urlParameter(context: IExecuteFunctions, itemIndex: number): string {
	const text = requiredTextParameter(context, itemIndex, 'url', 'URL');
	if (URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)) return text;
	throw invalidParameter(context, itemIndex, 'URL is not valid: it must start with https:// or http://');
}

/** As `isBinaryValue` of n8n-workflow 2.41.0 (dist/cjs/type-guards.js), which n8n 1.x does not have. */
export function isBinaryData(value: unknown): value is IBinaryData {
	return isRecord(value) && 'mimeType' in value && ('data' in value || 'id' in value);
}

/** The operation's own Plan ID; '' when empty. */
export function ownPlanIdParameter(context: IExecuteFunctions, itemIndex: number): string {
	return textParameter(context, itemIndex, 'planId', 'Plan ID');
}

/** The plan of an operation: its own Plan ID, else the credential's. Throws when both are empty. */
export async function planIdParameter(context: IExecuteFunctions, itemIndex: number): Promise<string> {
	return await planOrDefault(context, ownPlanIdParameter(context, itemIndex), itemIndex);
}

/** The hash in the parameter `event`. */
export function eventHashParameter(context: IExecuteFunctions, itemIndex: number): string {
	return readParameter(context, itemIndex, 'event', (value) => toHash('Event', value));
}

/** The hash in the parameter `video`. */
export function videoHashParameter(context: IExecuteFunctions, itemIndex: number): string {
	return readParameter(context, itemIndex, 'video', (value) => toHash('Video', value));
}

/** The parameter `folder`, which must be filled; `resolveFolder` looks a name up. */
export function folderParameter(context: IExecuteFunctions, itemIndex: number): FolderReference {
	const folder = readLocator(context, itemIndex, 'folder', ({ value, mode }) =>
		toFolderReference('Folder', value, mode),
	);
	if (folder !== undefined) return folder;
	throw invalidParameter(
		context,
		itemIndex,
		'Folder is empty: choose one from the list, or enter its UUID or name',
	);
}

/**
 * The parameter `folder` of an operation that can do without one; undefined when nothing is chosen From List. A blank name or
 * UUID, and an expression that returns nothing, are errors: the file would go into no folder unnoticed.
 */
export function optionalFolderParameter(
	context: IExecuteFunctions,
	itemIndex: number,
): FolderReference | undefined {
	return readLocator(context, itemIndex, 'folder', ({ value, mode, isExpression }) => {
		const folder = toFolderReference('Folder', value, mode);
		if (folder === undefined && (isExpression || mode === 'name' || mode === 'uuid')) {
			throw new InvalidParameterError(
				'Folder is empty: check the expression, or select From List and choose none to upload without a folder',
			);
		}
		return folder;
	});
}

/** How many records Get Many returns: all of them (Infinity) or up to Limit. */
export function limitParameter(context: IExecuteFunctions, itemIndex: number): number {
	if (booleanParameter(context, itemIndex, 'returnAll', 'Return All')) return Infinity;
	return requiredNumberParameter(context, itemIndex, 'limit', 'Limit', { min: 1 });
}

/** The error for parameters that cannot be used together, or for what they refer to: one sentence with the fix. */
export function invalidParameter(
	context: IExecuteFunctions,
	itemIndex: number,
	message: string,
): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, { itemIndex });
}

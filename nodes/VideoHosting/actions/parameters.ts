/**
 * How an operation reads its parameters: by their definitions, whose display names every error message starts with.
 */
import { NodeOperationError, type IBinaryData, type IExecuteFunctions } from 'n8n-workflow';

import { toDate, toTime } from '../parameters/dates';
import type { Conversion, Entered, Field } from '../parameters/field';
import { toFolderReference, type FolderReference } from '../parameters/identifiers';
import { readParameter, type Collection } from '../parameters/readParameter';
import {
	InvalidParameterError,
	toFlag,
	toNumber,
	toRequiredText,
	toText,
	type NumberRange,
} from '../parameters/values';
import { planOrDefault } from '../service/plan';
import { limitField, planIdOption, returnAllField } from './fields';

/**
 * Reads a parameter of one item.
 *
 * @throws NodeOperationError that names the parameter and the item when the value cannot be used
 */
type Read = <Value>(field: Field, convert: Conversion<Value>) => Value;

/**
 * The name of a binary field of the item, or the file itself, which an expression such as
 * `{{ $('Read File').item.binary.data }}` returns. n8n's binary helpers accept both.
 */
export type BinaryReference = string | IBinaryData;

/**
 * What an operation is carried out for: an input item or, of an item with several files, one of them. Reads the parameters of
 * the panel, and those of each collection.
 */
export class ItemParameters {
	/** @param file that the part of the item is about; undefined for the whole item */
	constructor(
		readonly context: IExecuteFunctions,
		readonly itemIndex: number,
		readonly file?: BinaryReference,
	) {}

	readonly read = this.readIn();

	readonly filter = this.readIn('filters');

	readonly option = this.readIn('options');

	readonly updateField = this.readIn('updateFields');

	/** The part of the item that is about one of its files. */
	partOf(file: BinaryReference): ItemParameters {
		return new ItemParameters(this.context, this.itemIndex, file);
	}

	private readIn(collection?: Collection): Read {
		return (field, convert) => readParameter(this.context, this.itemIndex, field, convert, collection);
	}
}

/** A number that must be filled. */
export function toRequiredNumber(range: NumberRange): Conversion<number> {
	return (label, value) => {
		const number = toNumber(label, value, range);
		if (number !== undefined) return number;
		throw new InvalidParameterError(`${label} is empty`, 'Enter a number.');
	};
}

/**
 * A date as milliseconds since the epoch; undefined when empty. Without an offset it is interpreted in the time zone, and a
 * date alone is the beginning of that day.
 */
export function toTimeIn(timeZone: string): Conversion<number | undefined> {
	return (label, value) => {
		const date = toDate(label, value);
		return date && toTime(label, date, timeZone);
	};
}

/** A web address. */
export function toWebAddress(label: string, value: unknown): string {
	const text = toRequiredText(label, value);
	if (URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)) return text;
	throw new InvalidParameterError(`${label} is not a web address`, 'It must start with https:// or http://.');
}

/** A folder that must be chosen; `resolveFolder` looks a name up. */
export function toRequiredFolder(label: string, value: unknown, entered: Entered): FolderReference {
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
export function toOptionalFolder(
	label: string,
	value: unknown,
	entered: Entered,
): FolderReference | undefined {
	const folder = toFolderReference(label, value, entered);
	if (folder === undefined && (entered.isExpression || entered.mode === 'name' || entered.mode === 'uuid')) {
		throw new InvalidParameterError(
			`${label} is empty`,
			'Check the expression, or select From List and choose none.',
		);
	}
	return folder;
}

/** How many records an operation returns: all of them (Infinity) or up to Limit. */
export function limitOf({ read }: ItemParameters): number {
	return read(returnAllField, toFlag) ? Infinity : read(limitField, toRequiredNumber({ min: 1 }));
}

/**
 * The plan of an operation: its own Plan ID, else the credential's.
 *
 * @throws NodeOperationError when both are empty
 */
export async function planIdOf({ context, itemIndex, option }: ItemParameters): Promise<string> {
	return await planOrDefault(context, option(planIdOption, toText), itemIndex);
}

/** The error for parameters that cannot be used together, or for what they refer to: what happened, and what to do. */
export function invalidParameter(
	context: IExecuteFunctions,
	itemIndex: number,
	message: string,
	description = '',
): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, { itemIndex, description });
}

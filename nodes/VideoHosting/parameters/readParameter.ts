import { NodeOperationError, type IExecuteFunctions, type IPollFunctions } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { toObject } from './values';

/** The collections of both nodes and their display names. */
const COLLECTIONS: Record<string, string> = {
	filters: 'Filters',
	options: 'Options',
	updateFields: 'Update Fields',
};

/** An operation reads a parameter for an item, the trigger for none. */
export type ParameterContext = IExecuteFunctions | IPollFunctions;

/**
 * Reads one parameter and converts its value. This is the only place that reads parameters: what an expression resolves to
 * is not checked by n8n, so every value passes a conversion of `values.ts`, `identifiers.ts` or `dates.ts`.
 *
 * @param name as in the node's description; a field of a collection as `options.secret`. Of a resource locator, the value.
 * @param itemIndex of the input item; undefined in the trigger
 * @throws NodeOperationError with the message of the conversion's InvalidParameterError, and the item
 */
export function readParameter<Value>(
	context: ParameterContext,
	itemIndex: number | undefined,
	name: string,
	convert: (value: unknown) => Value,
): Value {
	const [topLevelName = '', field] = name.split('.');
	const value = rawValue(context, itemIndex, topLevelName);
	return checked(context, itemIndex, () =>
		convert(field === undefined ? value : toObject(COLLECTIONS[topLevelName] ?? topLevelName, value)[field]),
	);
}

/** A resource locator as an item has it. */
export interface LocatorValue {
	value: unknown;
	/** Undefined when an expression is the whole parameter, whose result is then `value`. */
	mode: string | undefined;
	/** Whether the value is entered as an expression. */
	isExpression: boolean;
}

/**
 * Reads a resource locator for an operation whose modes mean different things, and converts its value.
 *
 * @throws NodeOperationError as {@link readParameter}
 */
export function readLocator<Value>(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	convert: (locator: LocatorValue) => Value,
): Value {
	const stored: unknown = context.getNodeParameter(name, itemIndex, '');
	const entered = context.getNode().parameters[name];
	const enteredValue = isLocator(entered) ? entered.value : entered;
	const isExpression = typeof enteredValue === 'string' && enteredValue.startsWith('=');
	const locator = isLocator(stored)
		? { value: stored.value, mode: String(stored.mode), isExpression }
		: { value: stored, mode: undefined, isExpression };
	return checked(context, itemIndex, () => convert(locator));
}

function isLocator(value: unknown): value is { mode: unknown; value: unknown } {
	return typeof value === 'object' && value !== null && 'mode' in value && 'value' in value;
}

/**
 * Runs a conversion of a value that is read.
 *
 * @throws NodeOperationError with the message of the conversion's error
 */
export function checked<Value>(
	context: Pick<ParameterContext, 'getNode'>,
	itemIndex: number | undefined,
	convert: () => Value,
): Value {
	try {
		return convert();
	} catch (error) {
		const message = errorMessage(error);
		const failure = new NodeOperationError(context.getNode(), message, { itemIndex });
		// The constructor replaces a message that contains the name of a network error, which a quoted value may.
		failure.message = message;
		throw failure;
	}
}

function rawValue(context: ParameterContext, itemIndex: number | undefined, name: string): unknown {
	// n8n returns the fallback only for a parameter that is not stored; an expression may still return undefined.
	return 'getInputData' in context
		? context.getNodeParameter(name, itemIndex ?? 0, '', { extractValue: true })
		: context.getNodeParameter(name, '');
}

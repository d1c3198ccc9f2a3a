import { NodeOperationError, type IExecuteFunctions, type IPollFunctions } from 'n8n-workflow';

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

/**
 * Reads a resource locator for an operation whose modes mean different things, and converts its value.
 *
 * @param convert receives the value and the mode; of an expression that is the whole parameter, its result and no mode
 * @throws NodeOperationError as {@link readParameter}
 */
export function readLocator<Value>(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	convert: (value: unknown, mode: string | undefined) => Value,
): Value {
	const stored: unknown = context.getNodeParameter(name, itemIndex, '');
	const isLocator = typeof stored === 'object' && stored !== null && 'mode' in stored && 'value' in stored;
	return checked(context, itemIndex, () =>
		isLocator ? convert(stored.value, String(stored.mode)) : convert(stored, undefined),
	);
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
		const message = error instanceof Error ? error.message : String(error);
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

import { NodeOperationError, type IExecuteFunctions, type IPollFunctions } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { isRecord } from '../shared/jsonFields';
import type { Parameter } from './field';
import { CHECK_EXPRESSION, InvalidParameterError, isEmpty } from './values';

/** An operation reads a parameter for an item, the trigger for none. */
type ParameterContext = IExecuteFunctions | IPollFunctions;

/**
 * Reads one parameter and converts its value. This is the only place that reads parameters: what an expression resolves to
 * is not checked by n8n, so every value passes a conversion of `values.ts`, `identifiers.ts` or `dates.ts`.
 *
 * @param itemIndex of the input item; undefined in the trigger
 * @throws NodeOperationError with the message of the conversion's InvalidParameterError and the item; also when an expression
 * resolves to undefined or null, unless the field is content, or to what is empty where the field is a filter
 */
export function readParameter<Value>(
	context: ParameterContext,
	itemIndex: number | undefined,
	parameter: Parameter<Value>,
): Value {
	return checked(context, itemIndex, () => {
		const { collection, displayName: label, isContent, name } = parameter;
		// As a whole, a collection is always an object of its own: n8n replaces an expression (n8n-workflow 2.41.0
		// dist/cjs/node-helpers.js, getNodeParameters).
		const own = (value: unknown) => (!collection ? value : isRecord(value) ? value[name] : undefined);
		const stored = own(storedValue(context, itemIndex, collection ?? name));
		const entered = own(context.getNode().parameters[collection ?? name]);
		const expression = isLocator(entered) ? entered.value : entered;
		const isExpression = typeof expression === 'string' && expression.startsWith('=');
		const [value, mode] = isLocator(stored) ? [stored.value, String(stored.mode)] : [stored, undefined];
		const isFilter = parameter.isFilter === true || collection === 'filters';
		if (isExpression && (isFilter ? isEmptyFilter(value) : isNothing(value) && !isContent))
			throw new InvalidParameterError(`${label} resolves to nothing`, CHECK_EXPRESSION);
		return parameter.convert(label, value, {
			parameter,
			mode,
			isExpression,
			timezone: context.getTimezone(),
		});
	});
}

function storedValue(context: ParameterContext, itemIndex: number | undefined, name: string): unknown {
	// n8n returns the fallback only for a parameter that is not stored; an expression may still return undefined.
	return 'getInputData' in context
		? context.getNodeParameter(name, itemIndex ?? 0, '')
		: context.getNodeParameter(name, '');
}

/** An empty text can be meant; one of white space is left over from an expression within a text. */
function isNothing(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && /^\s+$/.test(value));
}

/** A field that a person leaves empty is no filter; an expression in a field means one. */
function isEmptyFilter(value: unknown): boolean {
	return isEmpty(value) || (Array.isArray(value) && value.length === 0);
}

function isLocator(value: unknown): value is { mode: unknown; value: unknown } {
	return isRecord(value) && 'mode' in value && 'value' in value;
}

/**
 * Runs a conversion of a value that is read.
 *
 * @throws NodeOperationError with message and advice of the conversion's error
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
		const description = error instanceof InvalidParameterError ? error.advice : '';
		const failure = new NodeOperationError(context.getNode(), message, { itemIndex, description });
		// The constructor replaces a message that contains the name of a network error, which a quoted value may.
		failure.message = message;
		throw failure;
	}
}

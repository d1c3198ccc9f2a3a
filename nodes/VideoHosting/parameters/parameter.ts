import type { IExecuteFunctions, INodeProperties, IPollFunctions } from 'n8n-workflow';

import { isRecord } from '../shared/jsonFields';
import { errorMessage, excerpt } from '../shared/text';
import { workflowTimeZone } from './timeZone';
import {
	CHECK_EXPRESSION,
	emptyError,
	InvalidParameterError,
	isEmpty,
	toFlag,
	toNumber,
	toRequiredText,
	toText,
	type Conversion,
	type NumberRange,
} from './values';

/** The collections of both nodes. */
const COLLECTIONS = {
	updateFields: { displayName: 'Update Fields', placeholder: 'Add field' },
	filters: { displayName: 'Filters', placeholder: 'Add filter' },
	options: { displayName: 'Options', placeholder: 'Add option' },
};

/** A parameter of the panel with how its value is read. */
export interface Parameter<Value> extends INodeProperties {
	/**
	 * The collection that the field is in; undefined for one of its own. A field of Filters that was added must not be empty: all
	 * records would match.
	 */
	collection?: keyof typeof COLLECTIONS;
	/**
	 * Whether an expression may resolve to nothing, because the value is only stored. Other fields select or narrow: there,
	 * nothing would mean other records than the user chose.
	 */
	isContent?: boolean;
	/** What to do when an expression resolves to nothing; by default, to check it. */
	adviceForNothing?: string;
	convert: Conversion<Value>;
}

type Definition = Partial<Parameter<unknown>> & Pick<INodeProperties, 'displayName' | 'name'>;

/** A parameter with how its value is read; by default an empty text. */
export function parameter<Value>(convert: Conversion<Value>, definition: Definition): Parameter<Value> {
	return { type: 'string', default: '', ...definition, convert };
}

export function text(definition: Definition): Parameter<string> {
	return parameter(toText, definition);
}

export function requiredText(definition: Definition): Parameter<string> {
	return parameter(toRequiredText, { required: true, ...definition });
}

/**
 * A switch, off by default.
 *
 * @param whenMissing its value while it is empty or, in a collection, not added
 */
export function flag(definition: Definition, whenMissing = definition.default === true): Parameter<boolean> {
	return parameter(orDefault(toFlag, whenMissing), { type: 'boolean', default: false, ...definition });
}

/** A switch in a collection that is off until it is added. Then it is on, because n8n shows and stores its default. */
export function optIn(definition: Definition): Parameter<boolean> {
	return flag({ default: true, ...definition }, false);
}

/** A number with or without fractions; its default when empty. */
export function number(range: NumberRange, definition: Definition & { default: number }): Parameter<number> {
	const convert = orDefault(toNumber({ fractions: true, ...range }), definition.default);
	return parameter(convert, { type: 'number', ...definition });
}

function orDefault<Value>(convert: Conversion<Value>, fallback: Value): Conversion<Value> {
	return (label, value, entered) => (isEmpty(value) ? fallback : convert(label, value, entered));
}

/** @param convert one of dates.ts */
export function date<Value>(convert: Conversion<Value>, definition: Definition): Parameter<Value> {
	return parameter(convert, { type: 'dateTime', ...definition });
}

/** Parameters as n8n's panel shows them: one after the other, and those of a collection in it, in alphabetical order. */
export function propertiesOf(parameters: ReadonlyArray<Parameter<unknown>>): INodeProperties[] {
	const inCollection = (name: Parameter<unknown>['collection']) =>
		parameters.filter(({ collection }) => collection === name).map(propertyOf);
	const collections = Object.entries(COLLECTIONS).map(([name, texts]): INodeProperties => {
		const options = inCollection(name as keyof typeof COLLECTIONS);
		options.sort((one, other) => one.displayName.localeCompare(other.displayName));
		return { ...texts, name, type: 'collection', default: {}, options };
	});
	return [...inCollection(undefined), ...collections.filter(({ options }) => options?.length !== 0)];
}

/** The part of a parameter that n8n knows. */
function propertyOf(parameter: Parameter<unknown>): INodeProperties {
	const property: INodeProperties & Partial<Parameter<unknown>> = { ...parameter };
	delete property.collection;
	delete property.isContent;
	delete property.adviceForNothing;
	delete property.convert;
	return property;
}

/**
 * Reads one parameter and converts its value. This is the only place that reads parameters: n8n does not check what an
 * expression resolves to, so every value passes a conversion.
 *
 * @param context of an operation, which reads a parameter for an item, or of the trigger
 * @param itemIndex of the input item; undefined in the trigger
 * @throws InvalidParameterError of the conversion; also when a filter was added and is empty, and when an expression resolves to
 * undefined or null, unless the field is content. An empty filter that `$fromAI` fills in counts as not added.
 */
export function readParameter<Value>(
	context: IExecuteFunctions | IPollFunctions,
	itemIndex: number | undefined,
	parameter: Parameter<Value>,
): Value {
	const { adviceForNothing = CHECK_EXPRESSION, collection, displayName: label, isContent, name } = parameter;
	const read = (options?: { rawExpressions: boolean }): unknown => {
		const place = collection ?? name;
		let stored: unknown;
		try {
			// n8n returns the fallback only for a parameter that is not stored; an expression may still return undefined.
			stored =
				'getInputData' in context
					? context.getNodeParameter(place, itemIndex ?? 0, '', options)
					: context.getNodeParameter(place, '', options);
		} catch (error) {
			// A collection is resolved as a whole.
			throw expressionError(collection ? COLLECTIONS[collection].displayName : label, error);
		}
		if (!collection) return stored;
		// As a whole, a collection is always an object of its own: n8n replaces an expression (n8n-workflow 2.41.0
		// dist/cjs/node-helpers.js, getNodeParameters).
		return isRecord(stored) ? stored[name] : undefined;
	};
	const entered = read({ rawExpressions: true });
	// n8n resolves also a value without an expression, which takes time and changes nothing.
	const stored = JSON.stringify(entered ?? '').includes('"=') ? read() : entered;
	const isChosen = parameter.type === 'resourceLocator';
	const expression = isChosen && isLocator(entered) ? entered.value : entered;
	const isExpression = typeof expression === 'string' && expression.startsWith('=');
	const timezone = workflowTimeZone(context);
	const [value, mode] =
		isChosen && isLocator(stored) ? [stored.value, String(stored.mode)] : [stored, undefined];
	const isNothing = isEmpty(value) || (Array.isArray(value) && value.length === 0);
	const isFilter = collection === 'filters' && entered !== undefined;
	// An AI model fills in every parameter that it is shown, and cannot remove a filter.
	if (isFilter && isNothing && /\$fromAI\(/i.test(JSON.stringify(entered)))
		return parameter.convert(label, undefined, { mode: undefined, isExpression: false, timezone });
	// An empty text can be meant; one of white space is left over from an expression within a text.
	if (isExpression && isEmpty(value) && value !== '' && !isContent)
		throw new InvalidParameterError(`${label} resolves to nothing`, adviceForNothing);
	if (isFilter && isNothing) throw emptyError(label, 'Enter one, or remove the filter.');
	return parameter.convert(label, value, { mode, isExpression, timezone });
}

/** n8n's own message does not name the parameter. */
function expressionError(label: string, error: unknown): InvalidParameterError {
	const advice =
		isRecord(error) && typeof error.description === 'string' ? error.description : CHECK_EXPRESSION;
	return new InvalidParameterError(`${label}: ${excerpt(errorMessage(error))}`, advice);
}

function isLocator(value: unknown): value is { mode: unknown; value: unknown } {
	return isRecord(value) && 'mode' in value && 'value' in value;
}

import type { INodeProperties } from 'n8n-workflow';

import { COLLECTIONS, type Conversion, type Parameter } from './field';
import { toFlag, toNumber, toRequiredText, toText, type NumberRange } from './values';

type Definition = Omit<INodeProperties, 'type' | 'default'> &
	Partial<Pick<INodeProperties, 'type' | 'default'>> &
	Pick<Parameter<unknown>, 'collection' | 'isContent' | 'isFilter'>;

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

/** A switch, off by default. */
export function flag(definition: Definition): Parameter<boolean> {
	return parameter(toFlag, { type: 'boolean', default: false, ...definition });
}

/** A number with or without fractions; its default when empty. */
export function number(range: NumberRange, definition: Definition & { default: number }): Parameter<number> {
	const convert = (label: string, value: unknown) =>
		toNumber(label, value, { fractions: true, ...range }) ?? definition.default;
	return parameter(convert, { type: 'number', ...definition });
}

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
	const own = { collection: undefined, isFilter: undefined, convert: undefined };
	return { ...parameter, ...own };
}

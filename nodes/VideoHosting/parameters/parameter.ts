import type { INodeProperties } from 'n8n-workflow';

import type { Conversion, Field, Parameter } from './field';
import { toFlag, toNumber, toRequiredText, toText, type NumberRange } from './values';

type Definition = Omit<INodeProperties, 'type' | 'default'> &
	Partial<Pick<INodeProperties, 'type' | 'default'>> &
	Pick<Field, 'collection' | 'isContent' | 'isFilter'>;

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

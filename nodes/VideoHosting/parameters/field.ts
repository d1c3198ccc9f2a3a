import type { INodeProperties } from 'n8n-workflow';

/** The collections of both nodes. */
export const COLLECTIONS = {
	updateFields: { displayName: 'Update Fields', placeholder: 'Add field' },
	filters: { displayName: 'Filters', placeholder: 'Add filter' },
	options: { displayName: 'Options', placeholder: 'Add option' },
};

/** How the value of a parameter was entered. */
export interface Entered {
	parameter: Parameter<unknown>;
	/** Of a resource locator; undefined when an expression is the whole locator. */
	mode: string | undefined;
	isExpression: boolean;
	/** Of the workflow. */
	timezone: string;
}

/**
 * Makes a checked value of what a parameter has.
 *
 * @param label display name of the parameter, which the message of an error starts with
 * @param value of a resource locator, its value
 * @throws InvalidParameterError when the value cannot be used
 */
export type Conversion<Value> = (label: string, value: unknown, entered: Entered) => Value;

/** A parameter of the panel with how its value is read. */
export interface Parameter<Value> extends INodeProperties {
	/** The collection that the field is in; undefined for one of its own. */
	collection?: keyof typeof COLLECTIONS;
	/**
	 * Whether an expression may resolve to nothing, because the value is only stored. Of any other field, which selects or
	 * narrows what an operation is about, nothing would mean other records than the user chose.
	 */
	isContent?: boolean;
	/**
	 * Whether an expression must not resolve to an empty text or list either, because the field narrows which records are meant,
	 * and they would be all. The fields of the collection Filters are such fields.
	 */
	isFilter?: boolean;
	convert: Conversion<Value>;
}

import type { INodeProperties } from 'n8n-workflow';

import { COLLECTIONS, type Field, type Parameter } from '../parameters/field';

/** Parameters as n8n's panel shows them: one after the other, and those of a collection in it, in alphabetical order. */
export function panelOf(parameters: ReadonlyArray<Parameter<unknown>>): INodeProperties[] {
	const inCollection = (name: Field['collection']) =>
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
	const property = { ...parameter, collection: undefined, convert: undefined };
	return property;
}

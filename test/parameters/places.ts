import { NodeHelpers, type INodeParameters, type INodeProperties, type INodeType } from 'n8n-workflow';

export interface Place {
	/** Where the value goes: `planId`, or `options.secret`. */
	path: string;
	property: INodeProperties;
	parameters: INodeParameters;
}

const isField = (option: object): option is INodeProperties => 'type' in option;

/** Every parameter that the panel shows for these parameters, and every field of a collection. */
export function places(
	{ description }: Pick<INodeType, 'description'>,
	parameters: INodeParameters,
): Place[] {
	const { properties } = description;
	const complete = NodeHelpers.getNodeParameters(properties, parameters, true, false, null, description);
	const isShown = (property: INodeProperties) =>
		// Lists without expressions: the editor offers nothing else.
		property.noDataExpression !== true &&
		NodeHelpers.displayParameter(complete ?? {}, property, null, description);
	// A collection as a whole is always an object: n8n replaces any other value (n8n-workflow 2.41.0, getNodeParameters).
	return properties.filter(isShown).flatMap((property) => {
		if (property.type !== 'collection') return [{ path: property.name, property, parameters }];
		const fields = (property.options ?? []).filter(isField).filter(isShown);
		return fields.map((field) => ({ path: `${property.name}.${field.name}`, property: field, parameters }));
	});
}

import type { INodeProperties } from 'n8n-workflow';

/**
 * An expression for the line under a node's name on the canvas: resource and operation by their display names.
 *
 * @param properties the node's properties, with the lists `resource` and `operation`
 */
export function subtitleOf(properties: INodeProperties[]): string {
	const resources = entriesOf(properties.find(({ name }) => name === 'resource'));
	const lists = properties.filter(({ name }) => name === 'operation');
	const texts = resources.flatMap(([resource, resourceName]) =>
		lists
			.filter(({ displayOptions }) => displayOptions?.show?.resource?.includes(resource))
			.flatMap(entriesOf)
			.map(([operation, operationName]) => [`${resource}:${operation}`, `${resourceName}: ${operationName}`]),
	);
	// One flat object: "}}" would end the expression.
	return `={{ (${JSON.stringify(Object.fromEntries(texts))})[$parameter["resource"] + ":" + $parameter["operation"]] }}`;
}

/** Value and display name of each entry of a list. */
function entriesOf(property: INodeProperties | undefined): Array<[string, string]> {
	return (property?.options ?? []).flatMap((option) =>
		'value' in option ? [[String(option.value), option.name] satisfies [string, string]] : [],
	);
}

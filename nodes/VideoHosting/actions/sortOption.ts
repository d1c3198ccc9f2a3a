import type { INodeProperties } from 'n8n-workflow';

import { text, type Parameter } from '../parameters/parameter';

/**
 * An option by which the service sorts a list. It is sent as it is: an expression may return another value.
 *
 * @param values by their names in the panel
 */
export function sortOption({
	values,
	...definition
}: Pick<INodeProperties, 'displayName' | 'name' | 'default' | 'description'> & {
	values: Record<string, string>;
}): Parameter<string> {
	const options = Object.entries(values).map(([name, value]) => ({ name, value }));
	return text({ ...definition, collection: 'options', type: 'options', options });
}

export const SORT_DIRECTIONS = { Ascending: 'ASC', Descending: 'DESC' };

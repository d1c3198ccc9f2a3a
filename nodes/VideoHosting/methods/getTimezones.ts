import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

/** The names of all time zones that this n8n knows. */
export async function getTimezones(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return Intl.supportedValuesOf('timeZone').map((zone) => ({ name: zone, value: zone }));
}

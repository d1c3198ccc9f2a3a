import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

/** The names of all time zones that this n8n knows. */
export function getTimezones(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const zones = Intl.supportedValuesOf('timeZone').map((zone) => ({ name: zone, value: zone }));
	return Promise.resolve(zones);
}

import type { INodePropertyOptions } from 'n8n-workflow';

/** The names of all time zones that this n8n knows; UTC, which Node leaves out of its list, in front. */
export function getTimezones(): Promise<INodePropertyOptions[]> {
	const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC');
	return Promise.resolve(['UTC', ...zones].map((zone) => ({ name: zone, value: zone })));
}

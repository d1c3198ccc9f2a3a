import type { INodePropertyOptions } from 'n8n-workflow';

import { WORKFLOW_TIME_ZONE } from '../parameters/timeZones';

/**
 * The time zone of the workflow, UTC, which Node.js leaves out of its list, and all other zones that this n8n knows. n8n
 * does not pass the settings of the workflow to this method (n8n 2.41.1 dist/services/dynamic-node-parameters.service.js,
 * getWorkflow), so the first entry cannot name the zone.
 */
export function getTimezones(): Promise<INodePropertyOptions[]> {
	const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC');
	return Promise.resolve([
		{ name: 'Workflow Time Zone', value: WORKFLOW_TIME_ZONE },
		...['UTC', ...zones].map((zone) => ({ name: zone, value: zone })),
	]);
}

import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { WORKFLOW_TIME_ZONE } from '../parameters/timeZones';
import { eventList } from '../service/events';
import { firstRecords } from '../service/paging';
import { eventHashOf } from '../service/recordFields';
import { newestFirstIfSupported } from '../service/timeSortedList';
import { withListErrors } from './listError';
import { eventEntryName, planIdOfEditor } from './pickerPage';

/** The options of the multi-selects and drop-down lists that are loaded. */

/** n8n loads the options of a multi-select at once: a longer list would be slow to load and to scroll. */
const MAX_EVENTS = 1000;

/**
 * Events of the plan for a multi-select, the latest scheduled first: title and local time as the name, the hash as the
 * value. At most {@link MAX_EVENTS}; others can be entered in an expression.
 *
 * @throws NodeOperationError without a plan, NodeApiError when the list cannot be read
 */
export const getEvents = withListErrors(async function (
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const planId = await planIdOfEditor(this);
	const timezone = this.getTimezone();
	return (await firstRecords(newestFirstIfSupported(eventList(this, planId)), MAX_EVENTS)).flatMap(
		(event) => {
			const value = eventHashOf(event);
			return value === undefined ? [] : [{ name: eventEntryName(event, timezone), value }];
		},
	);
});

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

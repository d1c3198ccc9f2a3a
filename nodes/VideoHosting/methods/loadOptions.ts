import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { eventList } from '../service/events';
import { firstRecords } from '../service/paging';
import { eventHashOf } from '../service/recordFields';
import { newestFirstIfSupported } from '../service/timeSortedList';
import { withListErrors } from './listError';
import { eventEntryName, planIdOfEditor } from './pickerPage';

/** n8n loads the options of a multi-select at once: a longer list would be slow to load and to scroll. */
export const MAX_EVENTS = 1000;

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

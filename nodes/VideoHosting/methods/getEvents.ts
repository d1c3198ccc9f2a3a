import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { eventPages } from '../service/events';
import { firstRecords } from '../service/paging';
import { dateScheduledOf, eventHashOf, eventTitleOf } from '../service/responseParsing';
import { newestFirstIfSupported } from '../service/timeSortedList';
import { planIdOfEditor } from './planIdOfEditor';

/** n8n loads the options of a multi-select at once: a longer list would be slow to load and to scroll. */
const MAX_EVENTS = 1000;

/**
 * Events of the plan for a multi-select, the latest scheduled first: title and local time as the name, the hash as the
 * value. At most {@link MAX_EVENTS}; others can be entered in an expression.
 *
 * @throws NodeOperationError without a plan, NodeApiError when the list cannot be read
 */
export async function getEvents(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const planId = await planIdOfEditor(this);
	const readPage = newestFirstIfSupported({
		newestFirst: eventPages(this, { planId, orderType: 'DESC' }),
		defaultOrder: eventPages(this, { planId }),
	});
	const timezone = this.getTimezone();
	return (await firstRecords(readPage, MAX_EVENTS)).flatMap((event) => {
		const value = eventHashOf(event);
		return value === undefined ? [] : [{ name: labelOf(event, value, timezone), value }];
	});
}

function labelOf(event: IDataObject, hash: string, timezone: string): string {
	const title = eventTitleOf(event) ?? hash;
	const date = dateScheduledOf(event);
	return date === undefined ? title : `${title} (${localTime(date, timezone)})`;
}

/** A date of the service as `YYYY-MM-DD HH:mm`; one with an offset is converted to the time zone. */
function localTime(date: string, timezone: string): string {
	const local = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2}(\.\d+)?)?$/.exec(date.trim());
	if (local) return `${local[1]} ${local[2]}`;
	const moment = Date.parse(date);
	if (Number.isNaN(moment)) return date;
	// The Swedish form of a date and time is YYYY-MM-DD HH:mm.
	return new Date(moment).toLocaleString('sv-SE', {
		timeZone: timezone,
		dateStyle: 'short',
		timeStyle: 'short',
	});
}

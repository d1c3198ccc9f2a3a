import type { ServiceContext } from './credential';
import { eventPages } from './events';
import { dateScheduledOf } from './recordFields';
import { parseServiceDate } from './serviceDate';
import type { TimeSortedList } from './timeSortedList';
import { zoneClock, type ZoneClock } from './zoneTime';

/**
 * The events of a plan, sorted by their schedule.
 *
 * @param timeZone of dates without an offset; by default the workflow's, in which Event → Create writes them by default
 */
export function eventList(
	context: ServiceContext,
	planId: string,
	itemIndex?: number,
	timeZone = context.getTimezone(),
): TimeSortedList {
	return {
		newestFirst: eventPages(context, { planId, orderType: 'DESC', itemIndex }),
		defaultOrder: eventPages(context, { planId, itemIndex }),
		timeOf: scheduledTimeIn(timeZone),
	};
}

/**
 * A function that returns when an event takes place, in milliseconds since the epoch; undefined when its record has no date
 * or one that {@link parseServiceDate} cannot read.
 *
 * @param timeZone of dates without an offset
 */
export function scheduledTimeIn(timeZone: string): TimeSortedList['timeOf'] {
	const clock = zoneClock(timeZone);
	return (event) => scheduledTime(dateScheduledOf(event), clock);
}

function scheduledTime(text: string | undefined, clock: ZoneClock): number | undefined {
	if (text === undefined) return undefined;
	const time = clock(text);
	if (time !== undefined) return time;
	const date = parseServiceDate(text);
	return date?.kind === 'clock' ? clock(new Date(date.clock).toISOString().slice(0, 19)) : date?.time;
}

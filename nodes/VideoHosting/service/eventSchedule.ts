import type { ServiceContext } from '../transport/credential';
import { eventPages } from './eventPages';
import { dateScheduledOf, eventIdOf } from './recordFields';
import { serviceTime } from './serviceDate';
import type { TimeSortedList } from './timeSortedList';

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
		idOf: eventIdOf,
	};
}

/**
 * A function that returns when an event takes place, in milliseconds since the epoch; undefined when its record has no date
 * or one that {@link serviceTime} cannot read.
 *
 * @param timeZone of dates without an offset
 */
export function scheduledTimeIn(timeZone: string): TimeSortedList['timeOf'] {
	return (event) => serviceTime(dateScheduledOf(event), timeZone);
}

import { toTimeInWorkflow } from '../../parameters/dates';
import { date } from '../../parameters/parameter';
import type { ScheduleRange } from '../../service/event';
import type { Item } from '../item';

export const scheduledAfterFilter = date(toTimeInWorkflow, {
	displayName: 'Scheduled After',
	name: 'scheduledAfter',
	collection: 'filters',
	placeholder: 'e.g. 2026-12-24 00:00:00',
	description:
		'Return only events scheduled at this time or later. A date without an offset is interpreted in the time zone of the workflow.',
});

export const scheduledBeforeFilter = date(toTimeInWorkflow, {
	displayName: 'Scheduled Before',
	name: 'scheduledBefore',
	collection: 'filters',
	placeholder: 'e.g. 2026-12-31 00:00:00',
	description:
		'Return only events scheduled before this time; a date alone is the beginning of that day. A date without an offset is interpreted in the time zone of the workflow.',
});

/**
 * The filters Scheduled After and Scheduled Before; undefined when both are empty.
 *
 * @throws NodeOperationError when one is not a date, or no time is between them
 */
export function scheduleRange(item: Item): ScheduleRange | undefined {
	const from = item.read(scheduledAfterFilter) ?? -Infinity;
	const before = item.read(scheduledBeforeFilter) ?? Infinity;
	if (from >= before) throw item.error('Scheduled After must be earlier than Scheduled Before');
	if (from === -Infinity && before === Infinity) return undefined;
	return { from, before, label: 'Scheduled After and Scheduled Before' };
}

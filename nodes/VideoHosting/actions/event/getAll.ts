import { toTimeInWorkflow } from '../../parameters/dates';
import { date, parameter, text } from '../../parameters/parameter';
import { workflowTimeZone } from '../../parameters/timeZone';
import { checkDates, checkStatuses, eventStatusOptions, toStatuses, type Event } from '../../service/event';
import { eventPages, PAGE_SIZE } from '../../service/events';
import { firstRecords } from '../../service/paging';
import { serviceTime } from '../../service/record';
import { OperationError } from '../../transport/serviceError';
import {
	includeSecretOption,
	limitFields,
	limitOf,
	planIdOf,
	planIdOption,
	sortDirectionOption,
} from '../fields';
import type { Item, Operation } from '../operation';

const scheduledAfterFilter = scheduledFilter('Scheduled After', 'scheduledAfter', 'at this time or later');

const scheduledBeforeFilter = scheduledFilter('Scheduled Before', 'scheduledBefore', 'before this time');

function scheduledFilter(displayName: string, name: string, when: string) {
	return date(toTimeInWorkflow, {
		displayName,
		name,
		collection: 'filters',
		placeholder: 'e.g. 2026-12-24 00:00:00',
		description: `Return only events scheduled ${when}. A date alone is the beginning of that day, and one without an offset is interpreted in the time zone of the workflow.`,
	});
}

const statusFilter = parameter(toStatuses, {
	displayName: 'Status',
	name: 'status',
	collection: 'filters',
	type: 'multiOptions',
	options: eventStatusOptions,
	default: [],
	description: 'Statuses of the events to return',
});

const orderByOption = text({
	displayName: 'Order By',
	name: 'orderBy',
	collection: 'options',
	type: 'options',
	options: [{ name: 'Date', value: 'date' }],
	default: 'date',
	description:
		'Field by which the service sorts the events. Only the date is documented; enter another field as an expression.',
});

const orderTypeOption = { ...sortDirectionOption, name: 'orderType', default: 'ASC' };

/**
 * See docs/api-reference.md#search-all-events. The service has no filter by status or date, so the node reads events until enough
 * match.
 */
export const getAll: Operation = {
	name: 'Get Many',
	description: 'Get many events of a plan',
	action: 'Get many live events',
	parameters: [
		...limitFields,
		scheduledAfterFilter,
		scheduledBeforeFilter,
		statusFilter,
		includeSecretOption,
		orderByOption,
		planIdOption,
		orderTypeOption,
	],
	returnsList: true,
	async execute(item) {
		const { context } = item;
		const limit = limitOf(item);
		item.showsSecrets = item.read(includeSecretOption);
		const orderBy = item.read(orderByOption) || 'date';
		const orderType = item.read(orderTypeOption) || 'ASC';
		const statuses = item.read(statusFilter);
		const range = scheduleRange(item);
		const planId = await planIdOf(item);
		const isFiltered = range !== undefined || statuses.length > 0;
		const quantity = isFiltered ? PAGE_SIZE : Math.min(limit, PAGE_SIZE);
		const pages = eventPages(context, planId, { orderBy, orderType, quantity });
		const read: Event[] = [];
		const found = await firstRecords(pages, range ? Infinity : limit, (event) => {
			read.push(event);
			return statuses.length === 0 || statuses.includes(event.status ?? '');
		});
		if (statuses.length > 0) checkStatuses(read);
		if (!range) return found.map(({ record }) => record);
		checkDates(read, 'Scheduled After and Scheduled Before');
		const timezone = workflowTimeZone(context);
		const inRange = found
			.map((event) => ({ event, time: serviceTime(event.dateScheduled, timezone) ?? NaN }))
			.filter(({ time }) => time >= range.from && time < range.before);
		const sign = /^desc/i.test(orderType) ? -1 : 1;
		if (orderBy === 'date') inRange.sort((one, other) => sign * (one.time - other.time));
		return inRange.slice(0, limit).map(({ event }) => event.record);
	},
};

/**
 * The filters Scheduled After (included) and Scheduled Before (not included), in milliseconds since 1970; undefined when both are empty.
 *
 * @throws OperationError when one is not a date, or no time is between them
 */
function scheduleRange(item: Item): { from: number; before: number } | undefined {
	const from = item.read(scheduledAfterFilter);
	const before = item.read(scheduledBeforeFilter);
	if (from === undefined && before === undefined) return undefined;
	const range = { from: from ?? -Infinity, before: before ?? Infinity };
	if (range.from < range.before) return range;
	throw new OperationError(
		'Scheduled After must be earlier than Scheduled Before',
		'Scheduled Before is not included: for the events of one day, enter the next day there.',
	);
}

import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { toFilterText } from '../parameters/dates';
import { perRun } from '../shared/perRun';
import { eventList } from './events';
import { dateScheduledOf, eventTitleOf } from './recordFields';
import { parseServiceDate } from './serviceDate';
import { readTimeRange } from './timeSortedList';

/** What identifies an event for a user: its title, and its date as the service receives it. */
export interface ScheduledEvent {
	planId: string;
	title: string;
	/** `YYYY-MM-DD HH:mm:ss` (docs/api-reference.md#event) */
	dateScheduled: string;
	/** Zone of `dateScheduled`; a date with an offset in a response is converted to it. */
	timezone: string;
}

/** Zones are at most 26 hours apart; whole days on both sides include every reading of a date. */
const MARGIN_MS = 2 * 24 * 60 * 60 * 1000;

/** The events of one plan that this run has read or created. */
interface PlanEvents {
	listed?: IDataObject[];
	created: Array<ScheduledEvent & { record: IDataObject }>;
}

/** By plan. */
const plansOfRun = perRun(() => new Map<string, PlanEvents>());

/**
 * An event of the plan with the same title and date, also one that this run created ({@link rememberEvent}). The part of the
 * list that can contain it is read once for each plan and run.
 *
 * @param datesOfRun returns the dates that the items of this run look for, as `dateScheduled`; called only to read the list
 * @throws NodeApiError when a page cannot be read; NodeOperationError when an event may be the same, but its title or date
 * is missing or cannot be read
 */
export async function findScheduledEvent(
	context: IExecuteFunctions,
	wanted: ScheduledEvent,
	datesOfRun: () => string[],
	itemIndex: number,
): Promise<IDataObject | undefined> {
	const events = planEvents(context, wanted.planId);
	const created = events.created.find(
		({ title, dateScheduled }) => title === wanted.title && dateScheduled === wanted.dateScheduled,
	);
	if (created) return created.record;
	events.listed ??= await listEvents(context, wanted, datesOfRun(), itemIndex);
	const compared = events.listed.map((event) => ({ event, result: comparison(event, wanted) }));
	const same = compared.find(({ result }) => result === 'same');
	const unclear = compared.find(({ result }) => result !== 'other');
	if (same || !unclear) return same?.event;
	throw new NodeOperationError(context.getNode(), `${unclear.result}, so Skip If Exists cannot compare it`, {
		itemIndex,
		description: 'Switch Skip If Exists off to create the event anyway.',
	});
}

/** Adds a new event to what {@link findScheduledEvent} searches; the response may contain only a part of it. */
export function rememberEvent(
	context: IExecuteFunctions,
	event: ScheduledEvent,
	response: IDataObject,
): void {
	const { planId, title, dateScheduled } = event;
	const record = { ...response, title, dateScheduled };
	planEvents(context, planId).created.push({ ...event, record });
}

/** Makes the next call of {@link findScheduledEvent} read the list again: an event may exist after a request that failed. */
export function forgetListedEvents(context: IExecuteFunctions, planId: string): void {
	planEvents(context, planId).listed = undefined;
}

function planEvents(context: IExecuteFunctions, planId: string): PlanEvents {
	const plans = plansOfRun(context);
	const events = plans.get(planId) ?? { created: [] };
	plans.set(planId, events);
	return events;
}

async function listEvents(
	context: IExecuteFunctions,
	{ planId, dateScheduled }: ScheduledEvent,
	dates: string[],
	itemIndex: number,
): Promise<IDataObject[]> {
	const times = [dateScheduled, ...dates].map((date) => Date.parse(`${date.replace(' ', 'T')}Z`));
	const { records } = await readTimeRange(eventList(context, planId, itemIndex), {
		from: () => Math.min(...times) - MARGIN_MS,
	});
	return records;
}

/** Whether an event is the `same` or an `other` one, or why that is not clear: a title or a date that would decide cannot be read. */
function comparison(event: IDataObject, { title, dateScheduled, timezone }: ScheduledEvent): string {
	const listedTitle = eventTitleOf(event);
	const listedText = dateScheduledOf(event);
	const listedDate = parseServiceDate(listedText ?? '');
	const isOtherDate =
		listedDate && toFilterText(listedDate, timezone).padEnd(19, ' 00:00:00') !== dateScheduled;
	if (isOtherDate || (listedTitle !== undefined && listedTitle.trim() !== title)) return 'other';
	if (listedTitle === undefined) return 'An event of the plan is listed without a title';
	if (listedText === undefined) return `The event "${listedTitle}" is listed without a date`;
	return listedDate
		? 'same'
		: `The event "${listedTitle}" has the date "${listedText}", which cannot be read`;
}

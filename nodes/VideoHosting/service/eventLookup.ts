import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toDate, toFilterText } from '../parameters/dates';
import { toNodeError } from './errors';
import { eventList } from './eventSchedule';
import { dateScheduledOf, eventTitleOf } from './recordFields';
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
	listing?: Promise<IDataObject[]>;
	created: IDataObject[];
}

/** n8n makes one context for each run of a node. */
const plans = new WeakMap<IExecuteFunctions, Map<string, PlanEvents>>();

/**
 * An event of the plan with the same title and date, also one that this run created ({@link rememberEvent}). The part of the
 * list that can contain it is read once for each plan and run.
 *
 * @param datesOfRun returns the dates that the items of this run look for, as `dateScheduled`; called only to read the list
 * @throws NodeApiError when a page cannot be read
 */
export async function findScheduledEvent(
	context: IExecuteFunctions,
	wanted: ScheduledEvent,
	datesOfRun: () => string[],
	itemIndex: number,
): Promise<IDataObject | undefined> {
	const events = planEvents(context, wanted.planId);
	const { listing = listEvents(context, wanted, datesOfRun(), itemIndex) } = events;
	events.listing = listing;
	try {
		return [...(await listing), ...events.created].find((event) => isSameEvent(event, wanted));
	} catch (error) {
		// The next item reads the list again.
		events.listing = undefined;
		throw toNodeError(context, error);
	}
}

/** Adds a new event to what {@link findScheduledEvent} searches; the response may contain only a part of it. */
export function rememberEvent(
	context: IExecuteFunctions,
	{ planId, title, dateScheduled }: ScheduledEvent,
	record: IDataObject,
): void {
	planEvents(context, planId).created.push({ ...record, title, dateScheduled });
}

/** Makes the next call of {@link findScheduledEvent} read the list again: an event may exist after a request that failed. */
export function forgetListedEvents(context: IExecuteFunctions, planId: string): void {
	planEvents(context, planId).listing = undefined;
}

function planEvents(context: IExecuteFunctions, planId: string): PlanEvents {
	const ofRun = plans.get(context) ?? new Map<string, PlanEvents>();
	plans.set(context, ofRun);
	const events = ofRun.get(planId) ?? { created: [] };
	ofRun.set(planId, events);
	return events;
}

async function listEvents(
	context: IExecuteFunctions,
	{ planId, dateScheduled }: ScheduledEvent,
	dates: string[],
	itemIndex: number,
): Promise<IDataObject[]> {
	const times = [dateScheduled, ...dates].map((date) => Date.parse(`${date.replace(' ', 'T')}Z`));
	const { records } = await readTimeRange(
		eventList(context, planId, itemIndex),
		{ from: () => Math.min(...times) - MARGIN_MS, to: Math.max(...times) + MARGIN_MS },
		{ firstPage: 1, hasTimeLeft: () => true },
	);
	return records;
}

function isSameEvent(event: IDataObject, { title, dateScheduled, timezone }: ScheduledEvent): boolean {
	return (
		eventTitleOf(event)?.trim() === title && clockText(dateScheduledOf(event), timezone) === dateScheduled
	);
}

/** A date of a response as `YYYY-MM-DD HH:mm:ss`, in the zone if it has an offset; undefined when it is not a date. */
function clockText(text: string | undefined, timezone: string): string | undefined {
	try {
		const date = toDate('Date', text);
		return date && toFilterText(date, timezone).padEnd(19, ' 00:00:00');
	} catch {
		return undefined;
	}
}

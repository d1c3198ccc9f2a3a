import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toFilterText } from '../parameters/dates';
import { perRun } from '../shared/perRun';
import { operationError, toNodeError } from '../transport/errors';
import { Creation } from './creation';
import { eventList, findEvent } from './events';
import { comparableName, dateScheduledOf, eventHashOf, eventTitleOf, isSameName } from './recordFields';
import { mayMeanUnknownRecord } from './responseParsing';
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

/** By plan: the part of its list that can contain what this run looks for, and when that was read. */
const listsOfRun = perRun(() => new Map<string, { events: IDataObject[]; readAt: number }>());

/**
 * The event of the plan with this title and date, or a new one: one for all executions of this process, also while the list does
 * not show it yet. The part of the list that can contain it is read once for each plan and run.
 *
 * @param datesOfRun returns the dates that the items of this run look for, as `dateScheduled`; called only to read the list
 * @param create creates the event and returns the response, which may contain only a part of it
 * @throws NodeApiError when a page cannot be read, or what `create` throws; NodeOperationError when an event may be the same,
 * but its title or date is missing or cannot be read, or when it may have been created before and is not listed
 */
export async function findOrCreateEvent(
	context: IExecuteFunctions,
	wanted: ScheduledEvent,
	datesOfRun: () => string[],
	create: () => Promise<IDataObject>,
): Promise<IDataObject> {
	const creation = await creationOf(context, wanted);
	const { record } = await creation.findOrCreate({
		findListed: async (since) => await findListed(context, wanted, datesOfRun, since),
		identityOf: eventHashOf,
		isThere: async (event) => await isStillThere(context, wanted, eventHashOf(event) ?? ''),
		create: async () => await send(context, creation, wanted, create),
		unlistedError: (isUncertain) =>
			operationError(
				context,
				`The event "${wanted.title}" at ${wanted.dateScheduled} ${isUncertain ? 'may have been' : 'was'} created, but the service does not list it yet`,
				'Run this again in a few minutes.',
			),
	});
	return record;
}

/**
 * Creates an event that {@link findOrCreateEvent} is to find.
 *
 * @param create as there
 * @throws what `create` throws
 */
export async function createEvent(
	context: IExecuteFunctions,
	wanted: ScheduledEvent,
	create: () => Promise<IDataObject>,
): Promise<IDataObject> {
	const creation = await creationOf(context, wanted);
	return await creation.inTurn(async () => await send(context, creation, wanted, create));
}

async function send(
	context: IExecuteFunctions,
	creation: Creation,
	{ planId, title, dateScheduled }: ScheduledEvent,
	create: () => Promise<IDataObject>,
): Promise<IDataObject> {
	const asWanted = (event: IDataObject) => ({ ...event, title, dateScheduled });
	const event = await creation.send(create, (response) =>
		eventHashOf(response) === undefined ? undefined : asWanted(response),
	);
	listsOfRun(context).get(planId)?.events.push(asWanted(event));
	return event;
}

async function creationOf(
	context: IExecuteFunctions,
	{ planId, title, dateScheduled }: ScheduledEvent,
): Promise<Creation> {
	return await Creation.of(context, 'event', planId, comparableName(title), dateScheduled);
}

/** Whether an event that the list does not show was neither deleted nor renamed. Its response may contain only a part of it. */
async function isStillThere(
	context: IExecuteFunctions,
	wanted: ScheduledEvent,
	hash: string,
): Promise<boolean> {
	const { event } = await findEvent(context, wanted.planId, hash).catch((error: unknown) => {
		if (mayMeanUnknownRecord(error)) return { event: undefined };
		throw toNodeError(context, error);
	});
	const { title = wanted.title, dateScheduled = wanted.dateScheduled } = event
		? { title: eventTitleOf(event), dateScheduled: dateScheduledOf(event) }
		: {};
	return event !== undefined && comparison({ title, dateScheduled }, wanted) !== 'other';
}

async function findListed(
	context: IExecuteFunctions,
	wanted: ScheduledEvent,
	datesOfRun: () => string[],
	since: number,
): Promise<{ record: IDataObject; readAt: number } | undefined> {
	const lists = listsOfRun(context);
	const cached = lists.get(wanted.planId);
	const known = cached && findSame(context, cached.events, wanted);
	if (cached && (known || cached.readAt > since)) return known && { record: known, readAt: cached.readAt };
	const readAt = Date.now();
	const events = await listEvents(context, wanted, datesOfRun());
	lists.set(wanted.planId, { events, readAt });
	const record = findSame(context, events, wanted);
	return record && { record, readAt };
}

function findSame(
	context: IExecuteFunctions,
	events: readonly IDataObject[],
	wanted: ScheduledEvent,
): IDataObject | undefined {
	const compared = events.map((event) => ({ event, result: comparison(event, wanted) }));
	const same = compared.find(({ result }) => result === 'same');
	const unclear = compared.find(({ result }) => result !== 'other');
	if (same || !unclear) return same?.event;
	throw operationError(
		context,
		`${unclear.result}, so Skip If Exists cannot compare it`,
		'Switch Skip If Exists off to create the event anyway.',
	);
}

async function listEvents(
	context: IExecuteFunctions,
	{ planId, dateScheduled }: ScheduledEvent,
	dates: string[],
): Promise<IDataObject[]> {
	const times = [dateScheduled, ...dates].map((date) => Date.parse(`${date.replace(' ', 'T')}Z`));
	const { records } = await readTimeRange(eventList(context, planId), {
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
	if (isOtherDate || (listedTitle !== undefined && !isSameName(listedTitle, title))) return 'other';
	if (listedTitle === undefined) return 'An event of the plan is listed without a title';
	if (listedText === undefined) return `The event "${listedTitle}" is listed without a date`;
	return listedDate
		? 'same'
		: `The event "${listedTitle}" has the date "${listedText}", which cannot be read`;
}

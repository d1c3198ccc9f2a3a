import type { IExecuteFunctions } from 'n8n-workflow';

import type { Reference } from '../parameters/references';
import { quoted } from '../parameters/values';
import { isRecord } from '../shared/jsonFields';
import type { ServiceContext } from '../transport/credential';
import { operationError, saysNoSuchRecord, unreadableResponseError } from '../transport/errors';
import { path, requestJson } from '../transport/request';
import { isNothing, recordIn } from '../transport/response';
import { localDateOf, toEvent, type Event } from './event';
import { latestEventPages } from './eventPages';
import { findOrCreate } from './findOrCreate';
import { keyOf, ListsOfRun, type RecordId } from './lists';
import { EVENTS, requiredMatch } from './onlyMatch';
import { comparableName, isSameName } from './record';

/** The list of each plan for the look-ups of a run. */
const lists = new ListsOfRun<Event>({
	open: latestEventPages,
	idsOf: ({ hash, id }) => [hash, id].filter((each) => each !== undefined),
	nameOf: ({ title }) => title,
});

/**
 * The hash of an event that a user chose; a title is looked up among all events of the plan.
 *
 * @throws NodeOperationError when no event or more than one has exactly this title; NodeApiError when the list cannot be read
 */
export async function resolveEvent(
	context: IExecuteFunctions,
	event: Reference,
	planId: string,
): Promise<string> {
	if ('id' in event) return event.id;
	const events = await lists.withCreated(context, planId);
	return requiredMatch(context, events, EVENTS, event.name, planId).hash ?? '';
}

/**
 * Like {@link findEvent} for an event that must exist.
 *
 * @param field of the panel that has the hash, for the message
 * @throws NodeOperationError with the service's message when the event does not exist
 */
export async function existingEvent(
	context: ServiceContext,
	planId: string,
	hash: string,
	field = 'Event',
): Promise<Event> {
	const { event, answer } = await findEvent(context, planId, hash);
	if (event) return event;
	const said = answer === undefined ? '' : `The service says: ${answer} `;
	const message = `The plan ${planId} has no event with the hash ${quoted(hash)}`;
	throw operationError(context, message, `${said}Check ${field} and Plan ID.`);
}

/**
 * One event by its hash (docs/api-reference.md#search-an-event-by-hash).
 *
 * @returns `event`: undefined when the service itself says that it does not exist; `answer`: what the service says then
 * @throws NodeApiError when the request fails, or when the response is neither an event nor nothing
 */
export async function findEvent(
	context: ServiceContext,
	planId: string,
	hash: string,
): Promise<{ event?: Event; answer?: string }> {
	const request = {
		method: 'GET',
		path: path('events', 'searchByHash'),
		query: { planId, hash },
		headers: { 'Content-Type': 'application/json' },
	} as const;
	let answer: string | undefined;
	const response = await requestJson(context, request).catch((error: unknown) => {
		if (!saysNoSuchRecord(error)) throw error;
		answer = error.message;
	});
	if (isNothing(response, 'event')) return { answer };
	const record = recordIn(response, 'event');
	const event = toEvent(isRecord(record) ? record : {});
	if ([event.hash, event.id, event.title, event.dateScheduled].some((field) => field !== undefined))
		return { event };
	throw unreadableResponseError(context, request, 'The service returned something else instead of an event.');
}

/**
 * The plan secret, which each event of the plan contains in the list of all events (docs/api-reference.md#search-all-events). At most
 * two pages are searched, one of which may be page 0.
 *
 * @throws NodeApiError when a page cannot be read
 */
export async function findPlanSecret(context: ServiceContext, planId: string): Promise<string | undefined> {
	return (await lists.of(context, planId).find(({ secret }) => secret !== undefined, 2))?.secret;
}

/**
 * The event with this hash, with its numeric ID if a record contains one. Reads at most one more page of an open list before it asks by
 * hash, which bounds the requests for one event and for many.
 *
 * @throws NodeOperationError when the service says that the event does not exist; NodeApiError when a request fails
 */
export async function eventWithId(context: ServiceContext, planId: string, hash: string): Promise<Event> {
	const events = lists.of(context, planId);
	const isIt = (event: Event) => event.hash === hash;
	const listed = events.pagesRead > 0 ? await events.find(isIt, events.pagesRead + 1) : undefined;
	if (listed?.id !== undefined) return listed;
	const found = await existingEvent(context, planId, hash);
	if (found.id !== undefined) return found;
	return (await events.find(isIt)) ?? found;
}

/**
 * Notes a change of events in the lists of the run, see {@link ListsOfRun}.
 *
 * @param ids a hash, or numeric IDs
 * @param newTitle undefined for deleted events
 * @param oldTitle if known
 */
export async function noteEventChange(
	context: IExecuteFunctions,
	ids: readonly RecordId[],
	{ newTitle, oldTitle }: { newTitle?: string; oldTitle?: string },
): Promise<void> {
	const changed = { ids, name: oldTitle };
	if (newTitle === undefined) await lists.remove(context, changed);
	else await lists.replace(context, changed, ({ record }) => toEvent({ ...record, title: newTitle }));
}

/** Title and date of an event to create. */
interface ScheduledEvent {
	planId: string;
	title: string;
	/** `YYYY-MM-DD HH:mm:ss` (docs/api-reference.md#event) */
	dateScheduled: string;
	/** Zone of `dateScheduled`; a date with an offset in a response is converted to it. */
	timezone: string;
}

/**
 * Creates an event, or returns the plan's event of the same title and date; see {@link findOrCreate}.
 *
 * @param create sends the request; its response may contain only a part of the event
 * @param skipIfExists whether to look for the event first
 * @throws NodeApiError when a page cannot be read, or what `create` throws; NodeOperationError when an event cannot be compared
 */
export async function createEvent(
	context: IExecuteFunctions,
	wanted: ScheduledEvent,
	create: () => Promise<Event>,
	skipIfExists: boolean,
): Promise<{ item: Event; isNew: boolean }> {
	const { planId, title, dateScheduled } = wanted;
	const key = await keyOf(context, planId, comparableName(title), dateScheduled);
	const find = async (notBefore: number): Promise<Event | undefined> => {
		const list = lists.of(context, planId, notBefore);
		const listed = findSame(context, await list.all(), wanted);
		if (listed) return listed;
		const created = lists.createdAs(key, list);
		// Without its hash, the whole event is looked for in a later list.
		const isWhole = created?.item.hash !== undefined || list.openedAt > (created?.at ?? 0);
		return created && !isWhole ? await find(created.at + 1) : created?.item;
	};
	return await findOrCreate(context, key, skipIfExists ? find : undefined, async () => {
		const event = await create();
		const item = { ...event, title: event.title ?? title };
		await lists.add(context, planId, key, item);
		return item;
	});
}

/** @throws NodeOperationError when an event may be the same, but its title or date is missing or cannot be read */
function findSame(
	context: IExecuteFunctions,
	events: readonly Event[],
	{ title, dateScheduled, timezone }: ScheduledEvent,
): Event | undefined {
	let problem: string | undefined;
	for (const event of events) {
		const { title: listedTitle, dateScheduled: listedDate = '' } = event;
		if (listedTitle !== undefined && !isSameName(listedTitle, title)) continue;
		const date = localDateOf(event, timezone);
		if (date && date !== dateScheduled) continue;
		if (date && listedTitle !== undefined) return event;
		problem ??=
			listedTitle === undefined
				? 'An event of the plan is listed without a title'
				: `The event "${listedTitle}" is listed without a date that can be read (${listedDate || 'none'})`;
	}
	if (problem === undefined) return undefined;
	throw operationError(
		context,
		`${problem}, so Skip If Exists cannot compare it`,
		'Switch Skip If Exists off to create the event anyway.',
	);
}

/**
 * The events of a plan with this title: the listed ones, and what this process created just now.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function eventsOfTitle(
	context: IExecuteFunctions,
	planId: string,
	title: string,
): Promise<Event[]> {
	const events = await lists.withCreated(context, planId);
	return events.filter((event) => isSameName(event.title, title));
}

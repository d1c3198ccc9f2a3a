import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Reference } from '../parameters/references';
import { isRecord } from '../shared/jsonFields';
import { perRun } from '../shared/perRun';
import type { ServiceContext } from '../transport/credential';
import { isServiceError, unreadableResponseError } from '../transport/errors';
import { path, requestJson } from '../transport/request';
import type { ServiceRequest } from '../transport/serviceRequest';
import { forgetCreated } from './once';
import { idOfOnlyMatch } from './onlyMatch';
import { LazyList, NO_SUCH_PAGE, PAGE_SIZE, pagesOf, readList, type PageReader, type Pages } from './paging';
import { planOrDefault } from './plan';
import { dateScheduledOf, eventHashOf, eventIdOf, eventTitleOf, planSecretOf, EVENTS } from './recordFields';
import { containsNoRecord, extractRecord } from './responseParsing';

/** The query of docs/api-reference.md#search-all-events. */
interface EventListQuery {
	planId: string;
	orderBy: string;
	orderType: string;
	/** Records per page; the service may return fewer. */
	quantity: number;
}

/** For a service that rejects a larger page; its bounds are not documented (docs/api-reference.md#limits). */
const SMALL_PAGE = 50;

/** Whether there may be a page 0: the reference does not show the number of the first page. */
const pageZeroOfRun = perRun(() => ({ mayExist: true }));

/** Reads page 0, if there is one, together with page 1. */
function eventReader(context: ServiceContext, query: EventListQuery): PageReader {
	const pageZero = pageZeroOfRun(context);
	const readPage: PageReader = async (page) => {
		const request = { path: path('events', 'searchAll'), query: { ...query, actualPage: page } };
		return await readList(context, { method: 'GET', ...request }, 'events');
	};
	return async (page) => {
		if (page > 1 || !pageZero.mayExist) return await readPage(page);
		const zero = await readPage(0).catch((error: unknown) => {
			if (isServiceError(error, NO_SUCH_PAGE)) return undefined;
			throw error;
		});
		const one = await readPage(1).catch((error: unknown) => {
			if (zero && isServiceError(error, NO_SUCH_PAGE)) return [];
			throw error;
		});
		if (one.length > 0 && !zero?.length) pageZero.mayExist = false;
		return [...(zero ?? []), ...one];
	};
}

/**
 * A plan's events page by page, in the requested order; each contains the plan secret.
 *
 * @throws NodeApiError when a page cannot be read
 */
export function eventPages(
	context: ServiceContext,
	planId: string,
	{ orderBy = 'date', orderType = 'ASC', quantity = PAGE_SIZE }: Partial<EventListQuery> = {},
): Pages {
	const reader = (size: number) => eventReader(context, { planId, orderBy, orderType, quantity: size });
	return pagesOf(reader(quantity), ...(quantity > SMALL_PAGE ? [reader(SMALL_PAGE)] : []));
}

/** A plan's events with the latest scheduled ones first, if the service supports that. */
export function latestEventPages(context: ServiceContext, planId: string): Pages {
	const reader = (orderType: string, quantity: number) =>
		eventReader(context, { planId, orderBy: 'date', orderType, quantity });
	return pagesOf(reader('DESC', PAGE_SIZE), reader('DESC', SMALL_PAGE), reader('ASC', SMALL_PAGE));
}

/** How old the list of a run may become, in milliseconds: less than what `once` remembers. */
const LONGEST_KEPT_MS = 5 * 60 * 1000;

/** By plan. */
const listsOfRun = perRun(() => new Map<string, LazyList>());

/**
 * The events of a plan for the look-ups of a run, which read only as much of the list as they need.
 *
 * @param notBefore since when a list shows what is looked for; milliseconds since 1970
 */
export function eventsOfRun(context: ServiceContext, planId: string, notBefore = 0): LazyList {
	const lists = listsOfRun(context);
	const known = lists.get(planId);
	if (known && known.openedAt >= Math.max(notBefore, Date.now() - LONGEST_KEPT_MS)) return known;
	const list = new LazyList(() => latestEventPages(context, planId));
	lists.set(planId, list);
	return list;
}

/**
 * The hash of an event that a user chose; a title is looked up among all events of the plan.
 *
 * @param ownPlanId the node's Plan ID, see {@link planOrDefault}; used only for a title
 * @throws NodeOperationError when no event or more than one has exactly this title; NodeApiError when the list cannot be read
 */
export async function resolveEvent(
	context: IExecuteFunctions,
	event: Reference,
	ownPlanId: string,
): Promise<string> {
	if ('id' in event) return event.id;
	const planId = await planOrDefault(context, ownPlanId);
	const events = await eventsOfRun(context, planId).all();
	return idOfOnlyMatch(context, events, EVENTS, event.name, { planId });
}

const SEARCH: ServiceRequest = {
	method: 'GET',
	path: path('events', 'searchByHash'),
	headers: { 'Content-Type': 'application/json' },
};

/**
 * One event by its hash (docs/api-reference.md#search-an-event-by-hash).
 *
 * @returns undefined when the service itself says that it does not exist
 * @throws NodeApiError when the request fails, or when the response is neither an event nor an empty record
 */
export async function findEvent(
	context: ServiceContext,
	planId: string,
	hash: string,
): Promise<IDataObject | undefined> {
	const request = { ...SEARCH, query: { planId, hash } };
	const response = await requestJson(context, request).catch((error: unknown) => {
		if (isServiceError(error, /^404$/)) return null;
		throw error;
	});
	const event = extractRecord(response, 'event');
	if (containsNoRecord(event, 'event')) return undefined;
	if (isRecord(event) && EVENT_FIELDS.some((valueOf) => valueOf(event) !== undefined)) return event;
	throw unreadableResponseError(context, SEARCH, 'The service returned something else instead of an event.');
}

const EVENT_FIELDS = [eventHashOf, eventIdOf, eventTitleOf, dateScheduledOf];

/**
 * The plan secret, which any event of the plan contains in the list of all events (docs/api-reference.md#search-all-events), so that
 * usually one page is read.
 *
 * @returns `record`: the event itself if it is on a page that was read; `secret`: its own, else that of another event
 * @throws NodeApiError when a page cannot be read
 */
export async function findPlanSecret(
	context: ServiceContext,
	planId: string,
	hash: string,
): Promise<{ record?: IDataObject; secret?: string }> {
	const events = eventsOfRun(context, planId);
	const other = await events.find((event) => planSecretOf(event) !== undefined);
	const record = events.known((event) => eventHashOf(event) === hash);
	return { record, secret: (record && planSecretOf(record)) ?? (other && planSecretOf(other)) };
}

/**
 * A record of the event with this hash that contains its numeric ID, if there is one. Once the list is open, each call reads at most
 * one more page of it before it asks for the event itself, whose response is not documented: one event needs few requests in a
 * plan of many events, and many events need few requests each.
 *
 * @returns undefined when the service says that the event does not exist
 * @throws NodeApiError when a request fails
 */
export async function findEventWithId(
	context: ServiceContext,
	planId: string,
	hash: string,
): Promise<IDataObject | undefined> {
	const events = eventsOfRun(context, planId);
	const isIt = (event: IDataObject) => eventHashOf(event) === hash;
	const listed = events.isOpen ? await events.find(isIt, 1) : undefined;
	if (listed && eventIdOf(listed) !== undefined) return listed;
	const found = await findEvent(context, planId, hash);
	if (!found || eventIdOf(found) !== undefined) return found;
	return (await events.find(isIt)) ?? found;
}

/**
 * Applies the change of events to the lists of this run, and forgets that this process created what is renamed or deleted.
 *
 * @param change what changed; undefined for deleted events
 */
export function noteEventChange(
	context: IExecuteFunctions,
	isIt: (event: IDataObject) => boolean,
	change: IDataObject | undefined,
): void {
	if (!change || 'title' in change) forgetCreated('event', isIt, change && eventTitleOf(change));
	for (const list of listsOfRun(context).values())
		list.update(isIt, (event) => change && { ...event, ...change });
}

/** Makes the next look-up of this run read the list anew: an event may have been created without a response. */
export function forgetList(context: ServiceContext, planId: string): void {
	listsOfRun(context).delete(planId);
}

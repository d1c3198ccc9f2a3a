import type { IExecuteFunctions } from 'n8n-workflow';

import type { EventReference } from '../parameters/references';
import { quoted } from '../parameters/values';
import { LISTS } from '../shared/assumptions';
import { excerpt } from '../shared/text';
import type { ServiceContext } from '../transport/credential';
import { saysNoSuchRecord } from '../transport/errorMeaning';
import { path, requestJson } from '../transport/request';
import { unreadableResponseError } from '../transport/requestError';
import { isNothing } from '../transport/response';
import { OperationError } from '../transport/serviceError';
import { stageOf, toEvent, type Event, type Stage } from './event';
import { ListsOfRun } from './lists';
import { entryOf } from './mark';
import { checkNamed, EVENTS, onlyMatch, requiredMatch, type Naming } from './onlyMatch';
import { pagesOf, type Pages } from './paging';
import { recordOf, serviceTime } from './record';

const { firstPage, direction, quantity: sizes } = LISTS.event;
const [ASC, DESC]: Readonly<[string, string]> = direction.values;
/** Records requested at once, and those for a service that rejects that number. */
export const [PAGE_SIZE, SMALL_PAGE, SMALLEST_PAGE]: Readonly<[number, number, number]> = sizes.values;

/**
 * A plan's events page by page, in the requested order (docs/api-reference.md#search-all-events); each contains the plan secret.
 *
 * @param substitutes 1 for smaller pages, 2 also for the other direction, when the service rejects the request
 * @throws ServiceError when a page cannot be read
 */
export function eventPages(
	context: ServiceContext,
	planId: string,
	{ quantity = PAGE_SIZE, orderBy = 'date', orderType = ASC } = {},
	substitutes = 1,
): Pages<Event> {
	const opposite = /^desc/i.test(orderType) ? ASC : DESC;
	return pagesOf(context, {
		kind: 'event',
		request: (actualPage, order) => ({
			method: 'GET',
			path: path('events', 'searchAll'),
			query: { planId, actualPage, ...order },
		}),
		toItem: toEvent,
		orders: [
			{ quantity, orderBy, orderType },
			{ quantity: SMALL_PAGE, orderBy, orderType },
			{ quantity: SMALL_PAGE, orderBy, orderType: opposite },
			{ quantity: PAGE_SIZE, orderBy, orderType: opposite },
			{ quantity: SMALLEST_PAGE, orderBy, orderType },
		],
		substitutes,
		firstPages: firstPage.values,
	});
}

/** A plan's events with the latest scheduled ones first, if the service supports that. */
export function latestEventPages(context: ServiceContext, planId: string): Pages<Event> {
	return eventPages(context, planId, { orderType: DESC }, 2);
}

/** The list of each plan for the look-ups of a run. */
export const eventLists = new ListsOfRun(EVENTS, {
	open: latestEventPages,
	rename: ({ record }, title) => toEvent({ ...record, title }),
});

/** The order in which By External ID takes the events of an entry: those of the first stage that has one. */
export const STAGES: readonly Stage[] = ['live', 'waiting', 'over'];

/**
 * The hash of an event that a user chose; a title and an external ID are looked up among all events of the plan.
 *
 * @throws OperationError when no event or more than one is meant; ServiceError when the list cannot be read
 */
export async function resolveEvent(
	context: IExecuteFunctions,
	chosen: EventReference,
	planId: string,
	stages = STAGES,
): Promise<string> {
	if ('id' in chosen) return chosen.id;
	const { events, naming, wanted } = await candidates(context, chosen, planId, stages);
	const isOneStage = naming !== EVENTS && stages.length === 1;
	const advice = isOneStage ? `Only an event that is ${stages.join()} counts.` : '';
	return requiredMatch(events, naming, wanted, planId, advice).hash ?? '';
}

/** Like {@link resolveEvent}; undefined when the plan has no such event. */
export async function findChosenEvent(
	context: IExecuteFunctions,
	chosen: EventReference,
	planId: string,
	stages = STAGES,
): Promise<Event | undefined> {
	if ('id' in chosen) return (await findEvent(context, planId, chosen.id)).event;
	const { events, naming, wanted } = await candidates(context, chosen, planId, stages);
	return onlyMatch(events, naming, wanted);
}

/** Among which events a title or an external ID is looked up, and the words for it. */
async function candidates(
	context: IExecuteFunctions,
	chosen: Exclude<EventReference, { id: string }>,
	planId: string,
	stages: readonly Stage[],
) {
	const events = await eventLists.all(context, planId);
	if ('name' in chosen) return { events, naming: EVENTS, wanted: chosen.name };
	const wanted = chosen.externalId;
	checkNamed(events, EVENTS, wanted);
	const entry = entryOf(wanted);
	const own = events.filter(({ mark }) => mark?.entry === entry);
	const stage = stages.find((each) => own.some((event) => stageOf(event) === each));
	const ofStage = own.filter((event) => stageOf(event) === stage);
	const time = ({ dateScheduled }: Event) => serviceTime(dateScheduled, 'UTC') ?? 0;
	const latest = Math.max(...ofStage.map(time));
	const naming: Naming<Event> = {
		...EVENTS,
		nameLabel: 'external ID',
		otherwise: 'delete the others',
		shown: (event) => ({ ...EVENTS.shown(event), name: wanted }),
	};
	return {
		events: stage === 'over' ? ofStage.filter((event) => time(event) === latest) : ofStage,
		naming,
		wanted,
	};
}

/**
 * Like {@link findEvent} for an event that must exist.
 *
 * @param field of the panel that has the hash, for the message
 * @throws OperationError with the service's message when the event does not exist
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
	const message = `The plan ${excerpt(planId)} has no event with the hash ${quoted(hash)}`;
	throw new OperationError(message, `${said}Check ${field} and Plan ID.`);
}

/**
 * One event by its hash (docs/api-reference.md#search-an-event-by-hash).
 *
 * @returns `event`: undefined when the service itself says that it does not exist; `answer`: what the service says then
 * @throws ServiceError when the request fails, or when the response is neither an event nor nothing
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
	const event = toEvent(recordOf(response, 'event'));
	if (event.ids.length > 0 || (event.title ?? event.dateScheduled) !== undefined) return { event };
	throw unreadableResponseError(context, request, 'The service returned something else instead of an event.');
}

/** Whether an event waits at this moment. */
export async function isWaiting(context: ServiceContext, planId: string, hash: string): Promise<boolean> {
	const { event } = await findEvent(context, planId, hash);
	return event !== undefined && stageOf(event) === 'waiting';
}

/**
 * The plan secret, which each event of the plan contains in the list of all events (docs/api-reference.md#search-all-events). At most
 * two pages are searched, one of which may be page 0.
 *
 * @throws ServiceError when a page cannot be read
 */
export async function findPlanSecret(context: ServiceContext, planId: string): Promise<string | undefined> {
	return (await eventLists.of(context, planId).find(({ secret }) => secret !== undefined, 2))?.secret;
}

/**
 * The event with this hash, with its numeric ID if a record contains one. Reads at most one more page of an open list before it asks by
 * hash. So one event of 3,000 costs one request or two, and so does each of 500.
 *
 * @throws OperationError when the service says that the event does not exist; ServiceError when a request fails
 */
export async function eventWithId(context: ServiceContext, planId: string, hash: string): Promise<Event> {
	const events = eventLists.of(context, planId);
	const isIt = (event: Event) => event.hash === hash;
	const listed = events.pagesRead > 0 ? await events.find(isIt, events.pagesRead + 1) : undefined;
	if (listed?.id !== undefined) return listed;
	const found = await existingEvent(context, planId, hash);
	if (found.id !== undefined) return found;
	return (await events.find(isIt)) ?? found;
}

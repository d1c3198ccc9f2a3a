import { quoted } from '../../parameters/values';
import { localDateOf, toEvent, type Event } from '../../service/event';
import { eventLists, findEvent } from '../../service/events';
import { hasMarkRemains, markedTitle, type Mark } from '../../service/mark';
import { comparableName, isSameName, recordOf } from '../../service/record';
import { excerpt } from '../../shared/text';
import { hasOwnAdvice, rejectsValue } from '../../transport/errorMeaning';
import { around, OperationError, rethrow } from '../../transport/serviceError';
import type { Item } from '../operation';
import { deleteEvents } from './delete';
import { identifiedEvent, secretFor } from './eventForChange';

const BY_HAND = 'Change the event in the customer hub.';
const SHORTEN = 'Create or Update adds 32 invisible characters to titles: shorten a long one.';

/** What an event is to be like. */
export interface Wanted extends Record<'planId' | 'title' | 'dateScheduled' | 'timezone', string> {
	mark: Mark;
	/** Whether its date is over. */
	isPast: boolean;
}

/** Whether an event has the title and the date. */
export function isAsWanted(event: Event, wanted: Wanted): boolean {
	return isSameName(event.title, wanted.title) && isFor(event, wanted);
}

/** Whether an event has the date. A service may return the time that it was sent as one in UTC. */
function isFor(event: Event, { dateScheduled, timezone }: Wanted): boolean {
	const written = event.dateScheduled?.slice(0, 19).replace('T', ' ');
	return [written, localDateOf(event, timezone)].includes(dateScheduled);
}

/**
 * Creates the event, and compares what the service has stored.
 *
 * @throws OperationError when the next run would not find the event, which is then deleted again
 */
export async function createMarked(item: Item, wanted: Wanted, before: readonly Event[]): Promise<Event> {
	const { planId, title, dateScheduled, mark } = wanted;
	const body = { planId, title: markedTitle(title, mark), dateScheduled };
	const inserted = await item.request('POST', ['events', 'insert'], body).catch(rejectedTitle);
	const response = toEvent(recordOf(inserted, 'event'));
	// A try must not create it again.
	const carriedOut = rethrow({ mayBeCarriedOut: true });
	const event = await storedEvent(item, wanted, response, before).catch(carriedOut);
	if (isFound(event, wanted)) return event;
	const { hash = '' } = event;
	const problem = storedOtherwise(title, event);
	await deleteKnown(item, planId, event)
		.catch(rethrow({ before: `${problem}. It could not be deleted again (hash ${hash}):` }))
		.catch(carriedOut);
	throw new OperationError(
		`${problem}, so it was deleted again`,
		`${SHORTEN} If that does not help, use Create.`,
	);
}

function storedOtherwise(title: string, { dateScheduled = 'no date', title: stored = '' }: Event): string {
	return `The service stored the event ${quoted(title)} as "${excerpt(stored)}" (${dateScheduled})`;
}

/**
 * A new event as the response shows it, else its record by its hash, else that in a new list.
 *
 * @param before the events before it was created
 * @throws OperationError when it is not listed
 */
async function storedEvent(
	item: Item,
	wanted: Wanted,
	response: Event,
	before: readonly Event[],
): Promise<Event> {
	const { hash, title } = response;
	if (hash !== undefined && title !== undefined) return response;
	const { event } = hash === undefined ? {} : await findEvent(item.context, wanted.planId, hash);
	if (event) return event;
	const all = await eventLists.all(item.context, wanted.planId, Infinity);
	const known = new Set(before.map(({ identity }) => identity));
	// Such as one whose title was cut.
	const similar = all.filter(
		(each) => !known.has(each.identity) && !each.mark && isFor(each, wanted) && isSimilar(each, wanted),
	);
	const listed = all.find((each) => isFound(each, wanted)) ?? (similar.length === 1 ? similar[0] : undefined);
	if (listed) return listed;
	throw new OperationError(
		'The event was created, but cannot be found.',
		'Look for it in a few minutes before you run this again.',
	);
}

/** Whether one title begins like the other. */
function isSimilar({ title: stored = '' }: Event, { title }: Wanted): boolean {
	const [one, other] = [comparableName(stored), comparableName(title)];
	return one !== '' && (one.startsWith(other) || other.startsWith(one));
}

/** Whether the next run finds an event: by its mark, or, where the service drops marks, by title and date. */
function isFound(event: Event, wanted: Wanted): boolean {
	const dated = { ...event, dateScheduled: event.dateScheduled ?? wanted.dateScheduled };
	return isStored(event, wanted.title, wanted.mark) && (event.mark !== undefined || isFor(dated, wanted));
}

/** Whether a title was stored with its mark, or without a trace of it. */
function isStored({ mark, title = '' }: Event, sent: string, sentMark?: Mark): boolean {
	if (mark) return mark.entry === sentMark?.entry && mark.date === sentMark.date;
	return isSameName(title, sent) && (!hasMarkRemains(title) || hasMarkRemains(sent));
}

/** Gives an event that is not over the title of its entry, as {@link retitled}; undefined when it has that title. */
export async function renamed(
	item: Item,
	{ planId, title }: Wanted,
	event: Event,
): Promise<Event | undefined> {
	if (isSameName(event.title, title) || event.status === 'ON_DEMAND') return undefined;
	const stored = await retitled(item, planId, event, title);
	// A service that writes titles in its own way does so each time.
	return isSameName(stored.title, event.title) ? undefined : stored;
}

/**
 * Gives an event another title, so that it stays that of its entry.
 *
 * @returns the event as it is stored
 * @throws OperationError when the service stores another title, such as without the end; then the event gets its old one again
 */
export async function retitled(item: Item, planId: string, event: Event, title: string): Promise<Event> {
	const stored = await setTitle(item, planId, event, title);
	if (isStored(stored, title, event.mark)) return stored;
	await setTitle(item, planId, event, event.title ?? title);
	throw new OperationError(`${storedOtherwise(title, stored)}, so it got its old title again`, SHORTEN);
}

/** @returns the event as it is stored */
async function setTitle(item: Item, planId: string, event: Event, title: string): Promise<Event> {
	const { context } = item;
	const { hash = '', mark } = event;
	const secret = await secretFor(item, planId, hash);
	const eventId = event.id ?? (await identifiedEvent(item, planId, hash, BY_HAND)).id;
	const sent = markedTitle(title, mark);
	const body = { title: sent, eventId, secret, hash };
	const response = await item.request('PUT', ['events', 'update'], body).catch(rejectedTitle);
	await eventLists.change(context, { ids: [hash, eventId], newName: sent });
	const shown = toEvent(recordOf(response, 'event'));
	const stored = shown.title === undefined ? (await findEvent(context, planId, hash)).event : shown;
	const { record, ...rest } = stored ?? toEvent({ ...event.record, title: sent });
	return { ...rest, record: { ...event.record, ...record } };
}

/** Where the service rejects a title with a mark, it may count what nobody sees. */
function rejectedTitle(error: unknown): never {
	if (!rejectsValue(error) || hasOwnAdvice(error)) throw error;
	throw around(error, { advice: `Check the values that were entered. ${SHORTEN}` });
}

/** Deletes an event that was read. */
export async function deleteKnown(
	item: Item,
	planId: string,
	{ hash = '', id, title }: Event,
): Promise<void> {
	const eventId = id ?? (await identifiedEvent(item, planId, hash, BY_HAND)).id;
	await deleteEvents(item, { eventIds: [eventId], hash, title });
}

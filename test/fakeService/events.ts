import { DateTime } from 'luxon';
import { z } from 'zod';

import { ErrorResponse, nonEmpty, required, singleResponse, writeResponse, type Call } from './call';
import { pageResponse, sorted } from './lists';
import type { ServiceSettings } from './settings';
import { addEvent, storedName, type LiveEvent } from './state';

const wholeNumber = z.string().regex(/^\d+$/, 'is not a whole number').transform(Number);

const isDateTime = (value: string) => DateTime.fromFormat(value, 'yyyy-MM-dd HH:mm:ss').isValid;

/** When lists contain an event that was created, in milliseconds since the epoch. */
const appearsAt = new WeakMap<LiveEvent, number>();

const insertBody = z.object({
	planId: nonEmpty,
	title: nonEmpty,
	dateScheduled: z.string().refine(isDateTime, 'is not a date YYYY-MM-DD HH:mm:ss'),
});

/** See docs/api-reference.md#create-an-event. */
export function eventInsert({ request: { body }, state, settings }: Call) {
	const given = required(insertBody, body, 'body');
	requirePlan(given.planId, settings);
	const event = addEvent(state, settings, { ...given, title: storedTitle(given.title, settings) });
	appearsAt.set(event, Date.now() + settings.eventAppearsAfterMs);
	return writeResponse(eventRecord(event, false, settings), 'Event created', settings);
}

const updateBody = z.object({ title: nonEmpty, eventId: z.number().int(), secret: nonEmpty, hash: nonEmpty });

/** See docs/api-reference.md#update-an-event. */
export function eventUpdate({ request: { body }, state, settings }: Call) {
	const { title, eventId, secret, hash } = required(updateBody, body, 'body');
	const event = requireEvent(state.events, (each) => each.eventId === eventId && each.hash === hash);
	requireSecret(event, secret, settings);
	event.title = storedTitle(title, settings);
	return writeResponse(eventRecord(event, false, settings), 'Event updated', settings);
}

/** The body is not shown: plan secret and event hash by their names in the reference; other fields are let be. */
const startOrEndBody = z.object({
	secret: nonEmpty,
	hash: nonEmpty,
	planId: nonEmpty.optional(),
	status: z.enum(['LIVE', 'END']),
});

/** See docs/api-reference.md#start-or-end-an-event. */
export function eventStartOrEnd({ request: { body }, state, settings }: Call) {
	const { hash, planId, secret, status } = required(startOrEndBody, body, 'body');
	const inPlan = ({ planId: own }: LiveEvent) => planId === undefined || own === planId;
	const event = requireEvent(state.events, (each) => each.hash === hash && inPlan(each));
	requireSecret(event, secret, settings);
	event.status = status === 'LIVE' ? 'LIVE' : 'ON_DEMAND';
	return writeResponse(eventRecord(event, false, settings), `Event is ${event.status}`, settings);
}

const deleteBody = z.object({ eventIds: z.array(z.number().int()).min(1) });

/** See docs/api-reference.md#delete-events: all or nothing. */
export function eventDelete({ request: { body }, state }: Call) {
	const { eventIds } = required(deleteBody, body, 'body');
	for (const eventId of eventIds) requireEvent(state.events, (event) => event.eventId === eventId);
	state.events = state.events.filter((event) => !eventIds.includes(event.eventId));
	return { status: 200, json: { success: 'Event deleted successfully' } };
}

const byHashQuery = z.object({ planId: nonEmpty, hash: nonEmpty });

/** See docs/api-reference.md#search-an-event-by-hash. */
export function eventSearchByHash({ request: { query }, state, settings }: Call) {
	const { planId, hash } = required(byHashQuery, query, 'query');
	requirePlan(planId, settings);
	const event = requireEvent(state.events, (each) => each.planId === planId && each.hash === hash);
	return singleResponse(eventRecord(event, false, settings), settings);
}

/** The reference calls none of its query parameters optional, so each is required. */
const searchAllQuery = z.object({
	planId: nonEmpty,
	actualPage: wholeNumber,
	quantity: wholeNumber.refine((quantity) => quantity > 0, 'is 0'),
	orderBy: nonEmpty,
	orderType: nonEmpty,
});

/** See docs/api-reference.md#search-all-events. */
export function eventSearchAll({ request: { query }, state, settings }: Call) {
	const { planId, actualPage, quantity, orderBy, orderType } = required(searchAllQuery, query, 'query');
	requirePlan(planId, settings);
	const { firstEventPage: firstPage, pageBeforeFirst, pageSizeLimit } = settings;
	if (pageSizeLimit > 0 && quantity > pageSizeLimit) {
		throw new ErrorResponse(400, `quantity must not exceed ${pageSizeLimit}`);
	}
	if (actualPage < firstPage && pageBeforeFirst !== 'empty') {
		throw new ErrorResponse(Number(pageBeforeFirst), `actualPage ${actualPage} is before the first page`);
	}
	const ofPlan = state.events.filter(
		(event) => event.planId === planId && (appearsAt.get(event) ?? 0) <= Date.now(),
	);
	const key = ({ title, dateScheduled }: LiveEvent) => (orderBy === 'title' ? title : dateScheduled);
	const ordered = sorted(ofPlan, key, orderType, settings, query);
	const records = ordered.map((event) => eventRecord(event, true, settings));
	return pageResponse(records, { page: actualPage, size: quantity, firstPage }, settings);
}

/** A title as `settings.titles` and the settings of all names say. */
function storedTitle(title: string, settings: ServiceSettings): string {
	const zeroWidth = /[\u200B-\u200D\u2060]/g;
	const stored = {
		kept: title,
		stripped: title.replace(zeroWidth, ''),
		'question marks': title.replace(zeroWidth, '?'),
		escaped: title.replace(/[\u200B-\u200D\u2060&<>]/g, (character) => `&#${character.charCodeAt(0)};`),
	}[settings.titles];
	return storedName(stored, settings);
}

/** An event record under the field names of `settings.recordNames`. */
function eventRecord(event: LiveEvent, withSecret: boolean, settings: ServiceSettings): object {
	const { eventId, hash, title, status, planId } = event;
	const isUtc = settings.eventDates === 'Z';
	const dateScheduled = isUtc ? `${event.dateScheduled.replace(' ', 'T')}Z` : event.dateScheduled;
	const secret = withSecret || settings.secretInEveryResponse ? settings.plans[planId] : undefined;
	const isElsewhere = secret !== undefined && settings.secretElsewhere;
	const embedUrl = `https://player.example/embed?secret=${secret}`;
	const elsewhere = isElsewhere ? { eventSecret: secret, embedUrl } : {};
	if (settings.recordNames === 'camelCase') return { ...event, dateScheduled, secret, ...elsewhere };
	const ids = { event_id: eventId, event_hash: hash, plan_id: planId, plan_secret: secret };
	return { ...elsewhere, ...ids, title, date_scheduled: dateScheduled, status };
}

/** Throws 404 when no such plan exists. */
export function requirePlan(planId: string, settings: ServiceSettings): void {
	if (settings.plans[planId] === undefined) throw new ErrorResponse(404, 'Plan not found');
}

function requireEvent(events: readonly LiveEvent[], wanted: (event: LiveEvent) => boolean): LiveEvent {
	const event = events.find(wanted);
	if (event === undefined) throw new ErrorResponse(404, 'Event not found');
	return event;
}

function requireSecret(event: LiveEvent, secret: string, settings: ServiceSettings): void {
	if (settings.plans[event.planId] !== secret) throw new ErrorResponse(403, 'Invalid plan secret');
}

import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { inZone } from '../parameters/dates';
import { scheduledTime, type Event } from '../service/event';
import { findEvent } from '../service/events';
import { isTransient, toNodeError } from '../transport/errors';
import {
	comparable,
	compare,
	FORGOTTEN_AFTER_MS,
	withoutForgotten,
	type Change,
	type Listed,
	type PollState,
	type Source,
} from './changes';
import type { TriggerOn } from './fields';
import type { TriggerSettings } from './settings';
import { videoAdded } from './videoAdded';
import { watchedEvents } from './watchedEvents';

/** How a value of Trigger On compares and reports events. */
interface EventChanges {
	/** What is compared; undefined for an event that does not contain it. */
	valueOf: (event: Event, settings: TriggerSettings) => string | undefined;
	/** What an event must contain, for a message. */
	needs: string;
	isReported: (change: Change<Event>, settings: TriggerSettings) => boolean;
	toItem: (change: Change<Event>, settings: TriggerSettings) => IDataObject;
}

/** The hash identifies an event, or the ID where the record has no hash. */
function keyOf({ hash, id }: Event): string | undefined {
	return hash ?? id?.toString();
}

function comparableEvents(
	context: IPollFunctions,
	settings: TriggerSettings,
	events: readonly Event[],
	{ valueOf, needs }: EventChanges,
): Array<Listed<Event>> {
	return comparable(context, 'Event', events, { keyOf, valueOf: (event) => valueOf(event, settings), needs });
}

async function changesOf(
	context: IPollFunctions,
	settings: TriggerSettings,
	before: PollState | undefined,
	kind: EventChanges,
) {
	const { all, watched } = await watchedEvents(context, settings, { isFirst: before === undefined });
	const listed = comparableEvents(context, settings, watched, kind);
	return { all, ...compare(before, listed, { scope: settings.scope, isEmpty: all.length === 0 }) };
}

function eventSource(kind: EventChanges): Source {
	return {
		async poll(context, settings, before) {
			const { changes, state } = await changesOf(context, settings, before, kind);
			const reported = changes.filter((each) => kind.isReported(each, settings));
			const items = reported.map((each) => kind.toItem(each, settings));
			return { items, state: withoutForgotten(state) };
		},

		/** The latest scheduled event that matches. How soon it starts does not matter. */
		async sample(context, settings) {
			const anyTime = { ...settings, minutesBefore: undefined };
			const { watched } = await watchedEvents(context, anyTime, { isFirst: true });
			const timeOf = (event: Event) => scheduledTime(event, settings.timezone) ?? 0;
			watched.sort((one, other) => timeOf(other) - timeOf(one));
			const { to } = settings.statuses;
			const listed = comparableEvents(context, settings, watched, kind);
			const found = listed.find(({ value }) => to.length === 0 || to.includes(value));
			return found && kind.toItem({ ...found, previous: undefined }, settings);
		},
	};
}

const eventCreated = eventSource({
	valueOf: () => '',
	needs: 'a hash or an ID',
	isReported: ({ previous }) => previous === undefined,
	toItem: ({ item }) => ({ ...item.record }),
});

/** An event that is listed for the first time is reported only if it is live: it was created and started since the last poll. */
const eventStatusChanged = eventSource({
	valueOf: ({ status }) => status,
	needs: 'a hash and a status',
	isReported({ previous, value }, { statuses: { from, to } }) {
		if (previous === undefined && value !== 'LIVE') return false;
		const passesFrom = from.length === 0 || from.includes(previous ?? 'WAITING_LIVE');
		return passesFrom && (to.length === 0 || to.includes(value));
	},
	toItem: ({ item, previous, value }) => ({
		...item.record,
		previousStatus: previous ?? null,
		status: value,
		changedAt: new Date().toISOString(),
	}),
});

const eventUpdated = eventSource({
	valueOf({ title, dateScheduled }) {
		const content = [title, dateScheduled];
		return content.every((text) => text === undefined) ? undefined : JSON.stringify(content);
	},
	needs: 'a hash and a title or a date',
	isReported: ({ previous }) => previous !== undefined,
	toItem({ item, previous, value }) {
		// Written by valueOf().
		const [title, dateScheduled] = JSON.parse(previous ?? value) as Array<string | null>;
		return { ...item.record, previous: { title, dateScheduled }, changedAt: new Date().toISOString() };
	},
});

const deletions: EventChanges = {
	valueOf: ({ id, title, dateScheduled }) => JSON.stringify([id, title, dateScheduled]),
	needs: 'a hash or an ID',
	isReported: () => false,
	toItem: deletedEvent,
};

function deletedEvent({ key, value }: Pick<Change<Event>, 'key' | 'value'>) {
	// Written by valueOf().
	const [eventId, title, dateScheduled] = JSON.parse(value) as [number | null, string | null, string | null];
	const hash = key === String(eventId) ? null : key;
	return { deleted: true, hash, eventId, title, dateScheduled, deletedAt: new Date().toISOString() };
}

const eventDeleted: Source = {
	...eventSource(deletions),

	async poll(context, settings, before) {
		const { all, state } = await changesOf(context, settings, before, deletions);
		const listed = new Set(all.map(keyOf));
		const items: IDataObject[] = [];
		for (const [key, since] of state.missing) {
			if (!before?.missing.has(key)) continue;
			const item = deletedEvent({ key, value: state.known.get(key) ?? '' });
			const fate = listed.has(key) ? 'unwatched' : await fateOf(context, settings.planId, item.hash);
			if (fate === 'not asked') break;
			if (fate === 'undecided' && state.at - since <= FORGOTTEN_AFTER_MS) continue;
			state.missing.delete(key);
			if (fate !== 'exists') state.known.delete(key);
			if (fate === 'deleted') items.push(item);
		}
		return { items, state };
	},
};

/** What became of an event that two lists in a row do not contain. The next poll asks again when the service does not say. */
async function fateOf(context: IPollFunctions, planId: string, hash: string | null) {
	try {
		return hash !== null && (await findEvent(context, planId, hash)) ? 'exists' : 'deleted';
	} catch (error) {
		const { message } = toNodeError(context, error);
		context.logger.warn(`The service does not say whether event ${hash} was deleted: ${message}`);
		return isTransient(error) ? 'not asked' : 'undecided';
	}
}

const starts: EventChanges = {
	valueOf: (event, { timezone }) => scheduledTime(event, timezone)?.toString(),
	needs: 'a hash or an ID, and a readable date',
	isReported: () => true,
	toItem({ item, value }, { timezone }) {
		const time = Number(value);
		const zoned = inZone({ iso: new Date(time).toISOString() }, timezone);
		const startsAt = zoned.toISO({ suppressMilliseconds: true })?.replace('Z', '+00:00');
		return { ...item.record, startsAt, minutesLeft: Math.round((time - Date.now()) / 60_000) };
	},
};

/** An event with its date: another date is another start. The same date in another zone is not, as all are read in one zone. */
function startOf({ key, item }: Listed<Event>): string {
	return `${key} at ${scheduledTime(item, 'UTC')}`;
}

const eventStartsSoon: Source = {
	...eventSource(starts),

	/** Known are the starts that were reported, until they are past. Here the first poll is not silent. */
	async poll(context, settings, before) {
		const { watched } = await watchedEvents(context, settings, { isFirst: before === undefined });
		const listed = comparableEvents(context, settings, watched, starts);
		const at = Date.now();
		const known = new Map([...(before?.known ?? [])].filter(([, startsAt]) => Number(startsAt) >= at));
		const reported = listed.filter((each) => !known.has(startOf(each)));
		for (const each of listed) known.set(startOf(each), each.value);
		const items = reported.map((each) => starts.toItem({ ...each, previous: undefined }, settings));
		const { scope } = settings;
		return { items, state: { scope, at, known, missing: new Map(), isUnconfirmed: false } };
	},
};

export const SOURCES: Record<TriggerOn, Source> = {
	eventCreated,
	eventDeleted,
	eventStartsSoon,
	eventStatusChanged,
	eventUpdated,
	videoAdded,
};

import type { IDataObject } from 'n8n-workflow';

import { KINDS } from '../../nodes/VideoHosting/trigger/kinds';
import { dateIn, HOUR_MS, MINUTE_MS } from '../execution/clock';
import type { LiveEvent, OperationName, RunningService } from '../fakeService';

/** What the tests must know of a kind of trigger to prove that it works. */
interface Scene {
	/** Its parameters besides Trigger On. Saved workflows depend on these names. */
	parameters: string[];
	/** What the test event of {@link seedLatest} contains. */
	sample: object;
	/** Changes one thing of a service with {@link seedLatest} that is reported once, by this kind alone; returns what the item contains. */
	change(service: RunningService): IDataObject;
}

export const isoTime = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/);
const EVENT_OPTIONS = ['options.events', 'options.planId', 'options.scheduledWithinDays'];
const latest = { title: 'latest', hash: expect.any(String) };

const SCENES: Record<string, Scene> = {
	eventCreated: {
		parameters: ['options.planId', 'options.scheduledWithinDays'],
		sample: latest,
		change: (service) => ({ ...service.seedEvents([{ title: 'Created' }])[0] }),
	},
	eventDeleted: {
		parameters: EVENT_OPTIONS,
		sample: { ...latest, deleted: true, deletedAt: isoTime },
		change(service) {
			const event = unchangedEvent(service);
			service.state.events = service.state.events.filter((each) => each !== event);
			const { eventId, hash, title } = event;
			return { deleted: true, hash, eventId, title };
		},
	},
	eventStartsSoon: {
		parameters: ['minutesBefore', 'options.events', 'options.planId', 'options.timezone'],
		sample: { title: 'next', startsAt: '2040-01-01T10:00:00+00:00', minutesLeft: expect.any(Number) },
		change(service) {
			const event = unchangedEvent(service);
			event.dateScheduled = dateIn(20 * MINUTE_MS);
			return { ...event, minutesLeft: 20 };
		},
	},
	eventStatusChanged: {
		parameters: ['fromStatus', ...EVENT_OPTIONS, 'toStatus'],
		sample: { ...latest, status: 'WAITING_LIVE', previousStatus: null, changedAt: isoTime },
		change(service) {
			const event = unchangedEvent(service);
			const previousStatus = event.status;
			event.status = 'LIVE';
			return { ...event, previousStatus, changedAt: isoTime };
		},
	},
	eventUpdated: {
		parameters: EVENT_OPTIONS,
		sample: {
			...latest,
			previous: { title: 'latest', dateScheduled: '2041-01-01 10:00:00' },
			changedAt: isoTime,
		},
		change(service) {
			const event = unchangedEvent(service);
			const { title, dateScheduled } = event;
			event.title = `Renamed ${title}`;
			return { ...event, previous: { title, dateScheduled }, changedAt: isoTime };
		},
	},
	videoAdded: {
		parameters: ['options.folder', 'options.planId'],
		sample: { name: 'latest' },
		change: (service) => ({ hash: service.seedVideos([{ name: 'Added' }])[0]?.hash }),
	},
};

/** Of a video that was created so many hours ago. */
export const hoursAgo = (hours: number) => ({
	createdDate: new Date(Date.now() - hours * HOUR_MS).toISOString(),
});

/** The operation of the fake service that returns the list of a kind. */
export const listOf = (triggerOn: string): OperationName =>
	KINDS[triggerOn]?.record === 'video' ? 'videoList' : 'eventSearchAll';

export const TRIGGER_ON = Object.keys(KINDS);

/** The kinds whose first poll is silent. */
export const SILENT = TRIGGER_ON.filter((triggerOn) => KINDS[triggerOn]?.hasNoBaseline !== true);

/** Fails for a kind of trigger without a scene, so that no test passes without proving anything. */
export function sceneOf(triggerOn: string): Scene {
	const scene = SCENES[triggerOn];
	if (scene) return scene;
	throw new Error(`Add a scene for ${triggerOn} to SCENES in test/trigger/scenes.ts`);
}

/** What the first record of an empty plan is reported as; nothing by a kind that needs a record to change. */
export function firstRecord(triggerOn: string, service: RunningService): IDataObject[] {
	try {
		return [sceneOf(triggerOn).change(service)];
	} catch {
		return [];
	}
}

/** Adds records of each sort. The one that is scheduled or was created last is neither the first nor the last of its list, nor is the next. */
export function seedLatest(service: RunningService): void {
	const onDay = (day: string) => ({ dateScheduled: `${day} 10:00:00` });
	const latestEvent = { ...onDay('2041-01-01'), title: 'latest' };
	const nextEvent = { ...onDay('2040-01-01'), title: 'next' };
	service.seedEvents([onDay('2040-06-01'), latestEvent, nextEvent, onDay('2020-01-01')]);
	service.seedEvents([{ title: 'without a date', dateScheduled: '' }]);
	service.seedVideos([hoursAgo(3), { ...hoursAgo(1), name: 'latest' }, hoursAgo(2)]);
}

/** The next of the events that were there at first and did not change since. */
function unchangedEvent({ state }: RunningService): LiveEvent {
	const event = state.events.find(({ title, status }) => title.startsWith('Event ') && status !== 'LIVE');
	if (event) return event;
	throw new Error('Every event of the fake service was changed');
}

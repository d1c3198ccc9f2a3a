import { clockAhead, DAY_MS, dateIn, HOUR_MS } from '../execution/clock';
import type { LiveEvent } from '../fakeService';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { polls, watching } from './polling';

serviceForEachTest({ pageSizeCap: 10 });

/** A trigger that knows all events. */
const deletions = async (options = {}) => await watching({ triggerOn: 'eventDeleted', options });

function remove(...events: Array<LiveEvent | undefined>): void {
	service.state.events = service.state.events.filter((event) => !events.includes(event));
}

const item = ({ hash, eventId, title, dateScheduled }: Partial<LiveEvent> = {}) => ({
	...{ deleted: true, hash, eventId, title, dateScheduled },
	deletedAt: expect.any(String),
});

describe('an event that is deleted', () => {
	it('is reported once, as it was last seen, when two lists and the search by its hash do not show it, whatever the clock does', async () => {
		const events = service.seedEvents(35);
		const trigger = await deletions();
		if (events[20]) events[20].title = 'Renamed since';
		await trigger.poll();
		remove(events[20]);
		await clockAhead(HOUR_MS, async () => expect(await trigger.poll()).toBeNull());
		expect(service.requestsOf('eventSearchByHash')).toHaveLength(0);
		expect(await trigger.poll()).toEqual([item(events[20])]);
		expect(service.requestsOf('eventSearchByHash')).toHaveLength(1);
		expect(await polls(trigger, 3)).toEqual([]);
	});

	it.each([
		['limits requests', { status: 429, headers: { 'Retry-After': '999' } }],
		['answers the search with its own 500', { status: 500, error: 'Internal error' }],
		['answers the search with a message', { status: 200, body: '{"message":"OK"}' }],
	])('is reported with the others once the service no longer %s; until then polls fail', async (...given) => {
		const [, fault] = given;
		const events = service.seedEvents(15);
		const trigger = await deletions();
		remove(events[3], events[7]);
		expect(await trigger.poll()).toBeNull();
		service.injectFault({ kind: 'status', on: 'eventSearchByHash', times: 1000, skip: 1, ...fault });
		for (let poll = 1; poll <= 2; poll++) await expect(trigger.poll()).rejects.toThrow();
		service.clearFaults();
		expect(await polls(trigger, 3)).toEqual([item(events[3]), item(events[7])]);
	});
});

describe('an event that exists', () => {
	it('is not reported although lists leave it out', async () => {
		service.seedEvents(15);
		const trigger = await deletions();
		service.injectFault({ kind: 'status', on: 'eventSearchAll', status: 200, body: '[]', times: 99 });
		expect(await polls(trigger, 5)).toEqual([]);
	});

	it('is not reported when it leaves the range of Scheduled Within Days, also if it is deleted then', async () => {
		const [gone, moved] = service.seedEvents(
			[1, 2, -2.9].map((days) => ({ dateScheduled: dateIn(days * DAY_MS) })),
		);
		const trigger = await deletions({ scheduledWithinDays: 3 });
		if (moved) moved.dateScheduled = dateIn(50 * DAY_MS);
		expect(await polls(trigger, 3)).toEqual([]);
		expect(service.requestsOf('eventSearchByHash')).toHaveLength(0);
		remove(gone, moved);
		expect(await polls(trigger, 3)).toEqual([item(gone)]);
		expect(trigger.staticData()).not.toContain(moved?.hash);
		expect(await clockAhead(12 * HOUR_MS, async () => await polls(trigger, 3))).toEqual([]);
	});
});

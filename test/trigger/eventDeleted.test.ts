import { clockAhead, DAY_MS, dateIn, HOUR_MS } from '../execution/clock';
import type { Fault, LiveEvent } from '../fakeService';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { hashesOf, polls, watching } from './polling';

serviceForEachTest({ pageSizeCap: 10 });

const inDays = (days: number) => ({ dateScheduled: dateIn(days * DAY_MS) });

/** A trigger that knows all events. */
const deletions = async (options = {}) => await watching({ triggerOn: 'eventDeleted', options });

function remove(...events: Array<LiveEvent | undefined>): void {
	service.state.events = service.state.events.filter((event) => !events.includes(event));
}

const searchByHash = (answer: Omit<Extract<Fault, { kind: 'status' }>, 'kind' | 'on'>) =>
	service.injectFault({ kind: 'status', on: 'eventSearchByHash', times: 1000, ...answer });

const item = ({ hash, eventId, title, dateScheduled }: Partial<LiveEvent> = {}) => ({
	...{ deleted: true, hash, eventId, title, dateScheduled },
	deletedAt: expect.any(String),
});

it('A deleted event is reported once, as it was last seen, when neither the list nor the search by its hash shows it, whatever the clock does', async () => {
	const events = service.seedEvents(35);
	const trigger = await deletions();
	if (events[20]) events[20].title = 'Renamed since';
	await trigger.poll();
	remove(events[20]);
	await clockAhead(HOUR_MS, async () => expect(await trigger.poll()).toEqual([item(events[20])]));
	expect(service.requestsOf('eventSearchByHash')).toHaveLength(1);
	expect(await polls(trigger, 3)).toEqual([]);
});

it('A deleted event is asked for again by the next poll where the service limits requests', async () => {
	const events = service.seedEvents(15);
	const trigger = await deletions();
	remove(events[3], events[7]);
	searchByHash({ status: 429, headers: { 'Retry-After': '60' } });
	expect(await polls(trigger, 4)).toEqual([]);
	expect(trigger.log.join()).toContain('does not say whether event');
	// The limit is for all requests: one a poll.
	expect(service.requestsOf('eventSearchByHash')).toHaveLength(4);
	service.clearFaults();
	expect(hashesOf(await polls(trigger, 1))?.sort()).toEqual([events[3]?.hash, events[7]?.hash].sort());
});

it.each([
	['its own 500', { status: 500, error: 'Internal error' }],
	['a message', { status: 200, body: '{"message":"OK"}' }],
	['a failure', { status: 200, body: { status: 'error', message: 'Maintenance', data: null } }],
])('A deleted event does not hold up others, with %s for it for days', async (_answer, fault) => {
	const events = service.seedEvents(15);
	const trigger = await deletions();
	remove(events[3]);
	searchByHash({ ...fault, query: { hash: events[3]?.hash ?? '' } });
	await clockAhead(2 * DAY_MS, async () => expect(await polls(trigger, 2)).toEqual([]));
	remove(events[7]);
	expect(await polls(trigger, 2)).toEqual([item(events[7])]);
	service.clearFaults();
	expect(await trigger.poll()).toEqual([item(events[3])]);
});

it('A deleted event is found within a few polls among events that exist and that no list shows: 100 of them are asked for in each', async () => {
	const events = service.seedEvents(250);
	const trigger = await deletions();
	answer('eventSearchAll', []);
	remove(events[220]);
	const reported: unknown[] = [];
	for (const asked of [100, 200, 300]) {
		reported.push(await trigger.poll());
		expect(service.requestsOf('eventSearchByHash')).toHaveLength(asked);
	}
	expect(reported).toEqual([null, null, [item(events[220])]]);
	const hashes = service.requestsOf('eventSearchByHash').map(({ query }) => query.hash);
	expect(new Set(hashes)).toEqual(new Set(events.map(({ hash }) => hash)));
});

it('An event that exists is not reported when it leaves the range of Scheduled Within Days, also if it is deleted then, and the search for another one fails', async () => {
	const [gone, moved, leaving] = service.seedEvents([1, 2, -2.9, -2.9].map(inDays));
	const trigger = await deletions({ scheduledWithinDays: 3 });
	Object.assign(moved ?? {}, inDays(50));
	expect(await polls(trigger, 3)).toEqual([]);
	expect(service.requestsOf('eventSearchByHash')).toHaveLength(0);
	remove(gone, moved, leaving);
	// One search of each of two polls, in three tries.
	service.injectFault({ on: 'eventSearchByHash', kind: 'reset', times: 6 });
	expect(await trigger.poll()).toBeNull();
	expect(trigger.staticData()).not.toContain(moved?.hash);
	// What counts is when it was first missing.
	const reported = await clockAhead(12 * HOUR_MS, async () => await polls(trigger, 3));
	expect(hashesOf(reported)?.sort()).toEqual([gone?.hash, leaving?.hash].sort());
});

import { activeTrigger, fetchTestEvent } from '../execution/pollNode';
import type { LiveEvent, RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started), { pageSizeCap: 10 });

const parameters = { triggerOn: 'eventDeleted' };
const inDays = (days: number) =>
	new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ');

function remove(...events: Array<LiveEvent | undefined>): void {
	service.state.events = service.state.events.filter((event) => !events.includes(event));
}

async function polls(trigger: { poll(): Promise<unknown[] | null> }, times: number): Promise<unknown[]> {
	const items: unknown[] = [];
	for (let poll = 0; poll < times; poll++) items.push(...((await trigger.poll()) ?? []));
	return items;
}

const shape = (event: LiveEvent | undefined) => ({
	deleted: true,
	hash: event?.hash,
	eventId: event?.eventId,
	title: event?.title,
	dateScheduled: event?.dateScheduled,
	deletedAt: expect.any(String),
});

describe('an event that is deleted', () => {
	it('is reported as it was last seen, when a second poll does not list it either', async () => {
		const events = service.seedEvents(35);
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		if (events[20]) events[20].title = 'Renamed since';
		await trigger.poll();
		remove(events[20]);
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.poll()).toEqual([shape(events[20])]);
		expect(await polls(trigger, 3)).toEqual([]);
	});

	it('is reported when it was the last one of the plan', async () => {
		const [event] = service.seedEvents(1);
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		remove(event);
		expect(await polls(trigger, 3)).toEqual([shape(event)]);
	});

	it('is not one of many that are missing from an empty list, unless they stay away for a day', async () => {
		const events = service.seedEvents(35);
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		service.state.events = [];
		expect(await polls(trigger, 10)).toEqual([]);
		service.state.events = events;
		expect(await polls(trigger, 3)).toEqual([]);
		service.state.events = [];
		expect(await polls(trigger, 10)).toEqual([]);
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 25 * 3_600_000);
		try {
			expect(await polls(trigger, 2)).toHaveLength(35);
		} finally {
			now.mockRestore();
		}
	});

	it('of those under Event Names or IDs is reported when the service does not find it, twice', async () => {
		const [first, second] = service.seedEvents(5);
		const options = { events: [first?.hash ?? '', second?.hash ?? ''] };
		const trigger = await activeTrigger({ service, parameters: { ...parameters, options } });
		await trigger.poll();
		remove(first, second);
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.poll()).toEqual([shape(first), shape(second)]);
		expect(await polls(trigger, 2)).toEqual([]);
	});

	it.each([
		...['null', '[]', '{}', '{"data":null}', '{"success":true,"event":{}}', '{"data":[]}'],
		...['{"error":"Event not found"}', '{"success":false,"message":"No event with this hash"}'],
	])('of those under Event Names or IDs is reported when the service answers %s', async (body) => {
		const [first] = service.seedEvents(5);
		const options = { events: first?.hash ?? '' };
		const trigger = await activeTrigger({ service, parameters: { ...parameters, options } });
		await trigger.poll();
		remove(first);
		service.injectFault({ kind: 'status', on: 'eventSearchByHash', status: 200, body, times: 99 });
		expect(await polls(trigger, 1)).toEqual([]);
		expect(await polls(trigger, 3)).toEqual([shape(first)]);
	});

	it('is not the only one of the plan that a list does not show, twice', async () => {
		service.seedEvents(1);
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		service.injectFault({ kind: 'status', on: 'eventSearchAll', status: 200, body: '[]', times: 99 });
		expect(await polls(trigger, 4)).toEqual([]);
	});

	it('is not reported when the service no longer knows the plan', async () => {
		const events = service.seedEvents(2).map(({ hash }) => hash);
		const trigger = await activeTrigger({ service, parameters: { ...parameters, options: { events } } });
		await trigger.poll();
		const plans = service.settings.plans;
		service.settings.plans = {};
		expect(await trigger.poll()).toBeNull();
		for (let poll = 1; poll <= 3; poll++) await expect(trigger.poll()).rejects.toThrow('Plan not found');
		service.settings.plans = plans;
		expect(await polls(trigger, 3)).toEqual([]);
	});

	it('is reported although the service allows no more requests than the list needs', async () => {
		const events = service.seedEvents(35);
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		remove(events[3], events[4]);
		await trigger.poll();
		const found: unknown[] = [];
		for (let poll = 1; poll <= 4; poll++) {
			service.clearFaults();
			const limit = { kind: 'status' as const, status: 429, times: 99 };
			service.injectFault({ ...limit, on: 'eventSearchByHash', skip: poll - 1 });
			found.push(...((await trigger.poll()) ?? []));
		}
		expect(found).toEqual([shape(events[3]), shape(events[4])]);
	});

	it.each([
		['400', { status: 400, error: 'Bad Request' }],
		['403', { status: 403, error: 'Forbidden' }],
		['404 without a body', { status: 404, body: '' }],
		['500', { status: 500, error: 'Internal Server Error' }],
		['200 without a body', { status: 200, body: '' }],
		['200 with a message', { status: 200, body: '{"message":"OK"}' }],
	])('is reported once in the end, where the service answers %s for its hash', async (_answer, fault) => {
		const events = service.seedEvents(25);
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		remove(events[3], events[7]);
		service.injectFault({ on: 'eventSearchByHash', kind: 'status', times: 1000, ...fault });
		const items = await polls(trigger, 8);
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 25 * 3_600_000);
		items.push(...(await polls(trigger, 3)));
		now.mockRestore();
		expect(new Set(items)).toEqual(new Set([shape(events[3]), shape(events[7])]));
		expect(items).toHaveLength(2);
	});

	it('is reported once, and no other one, when the service answers once with another event', async () => {
		const events = service.seedEvents(5);
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		remove(events[3]);
		const body = JSON.stringify([events[0]]);
		service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 200, body });
		expect(await polls(trigger, 6)).toEqual([shape(events[3])]);
		remove(events[0]);
		expect(await polls(trigger, 6)).toEqual([shape(events[0])]);
	});

	it('is not one that a list leaves out and whose own record contains no hash', async () => {
		const events = service.seedEvents(5);
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		remove(events[3]);
		const body = JSON.stringify({ ...events[3], hash: undefined });
		service.injectFault({ on: 'eventSearchByHash', kind: 'status', times: 1000, status: 200, body });
		expect(await polls(trigger, 8)).toEqual([]);
	});

	it('with Scheduled Within Days is not one that leaves the range', async () => {
		const [gone, moved, past] = service.seedEvents([
			{ dateScheduled: inDays(1) },
			{ dateScheduled: inDays(2) },
			{ dateScheduled: inDays(-2.9) },
			...Array.from({ length: 20 }, (_, number) => ({ dateScheduled: inDays(number - 30) })),
		]);
		const options = { scheduledWithinDays: 3 };
		const trigger = await activeTrigger({ service, parameters: { ...parameters, options } });
		await trigger.poll();
		if (moved) moved.dateScheduled = inDays(50);
		remove(gone);
		expect(await polls(trigger, 3)).toEqual([shape(gone)]);
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 12 * 3_600_000);
		try {
			expect(await polls(trigger, 3)).toEqual([]);
		} finally {
			now.mockRestore();
		}
		expect(past).toBeDefined();
	});

	it('is shown by a manual test as the latest event in this form', async () => {
		const [event] = service.seedEvents([{ dateScheduled: '2031-01-05 12:00:00' }, {}]);
		const { items } = await fetchTestEvent({ service, parameters });
		expect(items).toEqual([shape(event)]);
	});
});

describe('an event that is updated', () => {
	it('is reported with its record and what it was, without the secret', async () => {
		const [event] = service.seedEvents(3);
		const updated = { triggerOn: 'eventUpdated' };
		const trigger = await activeTrigger({ service, parameters: updated });
		await trigger.poll();
		const previous = { title: event?.title, dateScheduled: event?.dateScheduled };
		Object.assign(event ?? {}, { title: 'Town hall', dateScheduled: '2031-02-03 04:05:06', status: 'LIVE' });
		expect(await trigger.poll()).toEqual([
			{ ...event, previous, changedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
		]);
		expect(await trigger.poll()).toBeNull();
		const { items } = await fetchTestEvent({ service, parameters: updated });
		expect(items).toMatchObject([
			{ hash: event?.hash, previous: { title: 'Town hall', dateScheduled: '2031-02-03 04:05:06' } },
		]);
	});
});

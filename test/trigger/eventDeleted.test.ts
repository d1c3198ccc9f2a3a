import { clockAhead, DAY_MS, dateIn, HOUR_MS } from '../execution/clock';
import { activeTrigger, fetchTestEvent, type ActiveTrigger } from '../execution/pollNode';
import type { Fault, LiveEvent, RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { polls } from './watchedPlan';

let service: RunningService;
serviceForEachTest((started) => (service = started), { pageSizeCap: 10 });

const inDays = (days: number) => dateIn(days * DAY_MS);

/** A trigger that knows all events. */
async function watching(options = {}): Promise<ActiveTrigger> {
	const trigger = await activeTrigger({ service, parameters: { triggerOn: 'eventDeleted', options } });
	expect(await trigger.poll()).toBeNull();
	return trigger;
}

function remove(...events: Array<LiveEvent | undefined>): void {
	service.state.events = service.state.events.filter((event) => !events.includes(event));
}

const searchByHash = (answer: Omit<Extract<Fault, { kind: 'status' }>, 'kind' | 'on'>) =>
	service.injectFault({ kind: 'status', on: 'eventSearchByHash', times: 1000, ...answer });

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
		const trigger = await watching();
		if (events[20]) events[20].title = 'Renamed since';
		await trigger.poll();
		remove(events[20]);
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.poll()).toEqual([shape(events[20])]);
		expect(await polls(trigger, 3)).toEqual([]);
	});

	it('is reported when it was the last one of the plan', async () => {
		const [event] = service.seedEvents(1);
		const trigger = await watching();
		remove(event);
		expect(await polls(trigger, 3)).toEqual([shape(event)]);
	});

	it('is not one of many that are missing from an empty list, unless they stay away for a day', async () => {
		const events = service.seedEvents(15);
		const trigger = await watching();
		service.state.events = [];
		expect(await polls(trigger, 10)).toEqual([]);
		service.state.events = events;
		expect(await polls(trigger, 3)).toEqual([]);
		service.state.events = [];
		expect(await polls(trigger, 10)).toEqual([]);
		await clockAhead(25 * HOUR_MS, async () => expect(await polls(trigger, 2)).toHaveLength(15));
	});

	it.each([
		...['null', '[]', '{}', '{"data":null}', '{"success":true,"event":{}}', '{"data":[]}'],
		...['{"error":"Event not found"}', '{"success":false,"message":"No event with this hash"}'],
	])('of those under Event Names or IDs is reported when the service answers %s', async (body) => {
		const [first] = service.seedEvents(5);
		const trigger = await watching({ events: first?.hash ?? '' });
		remove(first);
		searchByHash({ status: 200, body });
		expect(await polls(trigger, 1)).toEqual([]);
		expect(await polls(trigger, 3)).toEqual([shape(first)]);
	});

	it('is not the only one of the plan that a list does not show, twice', async () => {
		service.seedEvents(1);
		const trigger = await watching();
		service.injectFault({ kind: 'status', on: 'eventSearchAll', status: 200, body: '[]', times: 99 });
		expect(await polls(trigger, 4)).toEqual([]);
	});

	it('is not reported when the service no longer knows the plan', async () => {
		const events = service.seedEvents(2).map(({ hash }) => hash);
		const trigger = await watching({ events });
		const plans = service.settings.plans;
		service.settings.plans = {};
		expect(await trigger.poll()).toBeNull();
		for (let poll = 1; poll <= 3; poll++) await expect(trigger.poll()).rejects.toThrow('Plan not found');
		service.settings.plans = plans;
		expect(await polls(trigger, 3)).toEqual([]);
	});

	it('is reported although the service allows no more requests than the list needs', async () => {
		const events = service.seedEvents(35);
		const trigger = await watching();
		remove(events[3], events[4]);
		await trigger.poll();
		const found: unknown[] = [];
		for (let poll = 1; poll <= 4; poll++) {
			service.clearFaults();
			searchByHash({ status: 429, skip: poll - 1 });
			found.push(...(await polls(trigger, 1)));
		}
		expect(found).toEqual([shape(events[3]), shape(events[4])]);
	});

	it.each([
		['400', { status: 400, error: 'Bad Request' }],
		['403', { status: 403, error: 'Forbidden' }],
		['404 without a body', { status: 404, body: '' }],
		['429', { status: 429 }],
		['500', { status: 500, error: 'Internal Server Error' }],
		['200 without a body', { status: 200, body: '' }],
		['200 with a message', { status: 200, body: '{"message":"OK"}' }],
	])('is reported once in the end, where the service answers %s for its hash', async (_answer, fault) => {
		const events = service.seedEvents(15);
		const trigger = await watching();
		remove(events[3], events[7]);
		searchByHash(fault);
		const items = await polls(trigger, 6);
		items.push(...(await clockAhead(25 * HOUR_MS, async () => await polls(trigger, 4))));
		expect(new Set(items)).toEqual(new Set([shape(events[3]), shape(events[7])]));
		expect(items).toHaveLength(2);
	});

	it('is reported once, and no other one, when the service answers once with another event', async () => {
		const events = service.seedEvents(5);
		const trigger = await watching();
		remove(events[3]);
		searchByHash({ status: 200, body: JSON.stringify([events[0]]), times: 1 });
		expect(await polls(trigger, 6)).toEqual([shape(events[3])]);
		remove(events[0]);
		expect(await polls(trigger, 6)).toEqual([shape(events[0])]);
	});

	it('is not one that a list leaves out and whose own record contains no hash', async () => {
		const events = service.seedEvents(5);
		const trigger = await watching();
		remove(events[3]);
		searchByHash({ status: 200, body: JSON.stringify({ ...events[3], hash: undefined }) });
		expect(await polls(trigger, 8)).toEqual([]);
	});

	it('is shown by a manual test as the latest event in this form', async () => {
		const [event] = service.seedEvents([{ dateScheduled: '2031-01-05 12:00:00' }, {}]);
		const { items } = await fetchTestEvent({ service, parameters: { triggerOn: 'eventDeleted' } });
		expect(items).toEqual([shape(event)]);
	});
});

describe('an event that leaves the range of Scheduled Within Days', () => {
	/** Also one that is deleted within the range, one that the clock takes out of it, and past ones. */
	async function leaving() {
		const [gone, moved] = service.seedEvents([
			...[inDays(1), inDays(2), inDays(-2.9)].map((dateScheduled) => ({ dateScheduled })),
			...Array.from({ length: 20 }, (_, number) => ({ dateScheduled: inDays(number - 30) })),
		]);
		const trigger = await watching({ scheduledWithinDays: 3 });
		if (moved) moved.dateScheduled = inDays(50);
		return { gone, moved, trigger };
	}

	it('is not reported, the service is asked for it once, and it may be deleted then', async () => {
		const { gone, moved, trigger } = await leaving();
		expect(await polls(trigger, 10)).toEqual([]);
		expect(service.requestsOf('eventSearchByHash').length).toBeLessThan(3);
		remove(moved);
		expect(await polls(trigger, 4)).toEqual([]);
		remove(gone);
		expect(await polls(trigger, 3)).toEqual([shape(gone)]);
		expect(await clockAhead(12 * HOUR_MS, async () => await polls(trigger, 3))).toEqual([]);
	});

	it.each([
		['400', { status: 400 }],
		['400 once, being out of order for a moment', { status: 400, times: 1 }],
		['500 for a day', { status: 500 }],
	])('is not reported where the service answers a search by hash with %s', async (_answer, fault) => {
		const { moved, trigger } = await leaving();
		searchByHash(fault);
		expect(await polls(trigger, 4)).toEqual([]);
		const later = await clockAhead(25 * HOUR_MS, async () => await polls(trigger, 2));
		expect(later.map(({ hash }) => hash)).not.toContain(moved?.hash);
	});
});

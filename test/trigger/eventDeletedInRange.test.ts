import { activeTrigger } from '../execution/pollNode';
import type { LiveEvent, RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const inDays = (days: number) =>
	new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
const parameters = { triggerOn: 'eventDeleted', options: { scheduledWithinDays: 3 } };

async function polls(trigger: { poll(): Promise<unknown[] | null> }, times: number): Promise<unknown[]> {
	const items: unknown[] = [];
	for (let poll = 0; poll < times; poll++) items.push(...((await trigger.poll()) ?? []));
	return items;
}

/** An event in the range that is moved out of it, and others. */
async function watched(): Promise<{ trigger: Awaited<ReturnType<typeof activeTrigger>>; moved: LiveEvent }> {
	const [moved] = service.seedEvents([
		{ dateScheduled: inDays(2) },
		...Array.from({ length: 20 }, (_, number) => ({ dateScheduled: inDays(number - 10) })),
	]);
	if (!moved) throw new Error('No event');
	const trigger = await activeTrigger({ service, parameters });
	await trigger.poll();
	return { trigger, moved };
}

describe('Event Deleted with Scheduled Within Days', () => {
	it('does not report an event that leaves the range', async () => {
		const { trigger, moved } = await watched();
		moved.dateScheduled = inDays(50);
		expect(await polls(trigger, 4)).toEqual([]);
	});

	it('does not report an event that leaves the range, where the service rejects a search by hash with 400', async () => {
		const { trigger, moved } = await watched();
		moved.dateScheduled = inDays(50);
		service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 400, times: 99 });
		expect(await polls(trigger, 4)).toEqual([]);
	});

	it('does not report it after one 400, the service being out of order for a moment', async () => {
		const { trigger, moved } = await watched();
		moved.dateScheduled = inDays(50);
		service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 400, times: 1 });
		expect(await polls(trigger, 4)).toEqual([]);
	});

	it('does not report it after a day of failing searches by hash, although it exists', async () => {
		const { trigger, moved } = await watched();
		moved.dateScheduled = inDays(50);
		service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 500, times: 999 });
		const found = await polls(trigger, 6);
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 25 * 3_600_000);
		found.push(...(await polls(trigger, 2)));
		now.mockRestore();
		const hashes = found.map((item) => (item as { hash: unknown }).hash);
		expect(hashes).not.toContain(moved.hash);
	});

	it('does not report the deletion of an event that is out of the range', async () => {
		const { trigger, moved } = await watched();
		moved.dateScheduled = inDays(50);
		expect(await polls(trigger, 4)).toEqual([]);
		service.state.events = service.state.events.filter((event) => event !== moved);
		const found = await polls(trigger, 4);
		expect(found).toEqual([]);
	});

	it('asks once for an event that left the range', async () => {
		const { trigger, moved } = await watched();
		moved.dateScheduled = inDays(50);
		await polls(trigger, 20);
		expect(service.requestsOf('eventSearchByHash').length).toBeLessThan(3);
	});
});

it('Deleted events are reported in the end where each search by hash meets a 429', async () => {
	const events = service.seedEvents(25);
	const trigger = await activeTrigger({ service, parameters: { triggerOn: 'eventDeleted' } });
	await trigger.poll();
	service.state.events = events.slice(2);
	service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 429, times: 1000 });
	const items = await polls(trigger, 8);
	const real = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => real() + 25 * 3_600_000);
	items.push(...(await polls(trigger, 5)));
	expect(items).toHaveLength(2);
});

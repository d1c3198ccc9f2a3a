import { dateIn, MINUTE_MS } from '../execution/clock';
import { activeTrigger } from '../execution/pollNode';
import type { LiveEvent } from '../fakeService';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';

let event: LiveEvent;
serviceForEachTest();
beforeEach(() => {
	[event] = service.seedEvents(3) as [LiveEvent, LiveEvent, LiveEvent]; // as many as were asked for
});

async function activated(parameters: object) {
	const trigger = await activeTrigger({ service, parameters: { ...parameters } });
	expect(await trigger.poll()).toBeNull();
	return trigger;
}

const isoTime = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/);

it('an event that is created is returned as its record, without the plan secret', async () => {
	const trigger = await activated({ triggerOn: 'eventCreated' });
	const [created] = service.seedEvents([{ title: 'Town hall', dateScheduled: '2030-01-05 12:00:00' }]);
	expect(await trigger.poll()).toEqual([created]);
	expect(await trigger.poll()).toBeNull();
});

it('an event that is updated is returned with what it was, also with a long title', async () => {
	const trigger = await activated({ triggerOn: 'eventUpdated' });
	const previous = { title: event.title, dateScheduled: event.dateScheduled };
	Object.assign(event, { title: 'x'.repeat(300), dateScheduled: '2031-02-03 04:05:06', status: 'LIVE' });
	expect(await trigger.poll()).toEqual([{ ...event, previous, changedAt: isoTime }]);
	event.title = 'Ä "quoted" 🎥';
	service.seedEvents([{ title: 'New, so not updated' }]);
	expect(await trigger.poll()).toMatchObject([{ previous: { title: 'x'.repeat(300) } }]);
});

describe('an event whose status changes', () => {
	it('is returned with both statuses and the time, without the plan secret', async () => {
		const trigger = await activated({});
		event.status = 'LIVE';
		expect(await trigger.poll()).toEqual([
			{ ...event, previousStatus: 'WAITING_LIVE', status: 'LIVE', changedAt: isoTime },
		]);
	});

	it('must pass the filters, and is compared with its status before in any case', async () => {
		const trigger = await activated({ fromStatus: ['WAITING_LIVE'], toStatus: ['LIVE'] });
		for (const [status, isReported] of [
			['LIVE', true],
			['ON_DEMAND', false],
			['LIVE', false],
			['WAITING_LIVE', false],
			['LIVE', true],
		] as const) {
			event.status = status;
			expect([status, (await trigger.poll()) !== null]).toEqual([status, isReported]);
		}
	});

	it.each([
		[{}, true],
		[{ fromStatus: ['ON_DEMAND', 'WAITING_LIVE'], toStatus: ['LIVE', 'ON_DEMAND'] }, true],
		[{ fromStatus: ['LIVE', 'WAITING_LIVE'], toStatus: ['LIVE'] }, true],
		[{ fromStatus: ['LIVE'], toStatus: ['LIVE', 'ON_DEMAND'] }, false],
		[{ toStatus: '={{ "live" }}' }, true],
		[{ fromStatus: ['ON_DEMAND'] }, false],
		[{ toStatus: ['ON_DEMAND'] }, false],
	])('since it was created, and is live: with %j it is reported: %s', async (filters, isReported) => {
		const trigger = await activated(filters);
		const [added] = service.seedEvents([{ status: 'LIVE' }, { status: 'WAITING_LIVE' }]);
		const change = { hash: added?.hash, previousStatus: null, status: 'LIVE' };
		expect((await trigger.poll()) ?? []).toMatchObject(isReported ? [change] : []);
		expect(await trigger.poll()).toBeNull();
	});
});

it.each([
	['without a hash', 'eventStatusChanged', { eventId: 7, status: 'WAITING_LIVE' }, { status: 'LIVE' }],
	['with a status of the service', 'eventStatusChanged', { hash: 'a', status: 'OFF' }, { status: 'ON' }],
	['without a date', 'eventUpdated', { hash: 'a', title: 'A' }, { title: 'B' }],
	['without a title', 'eventUpdated', { hash: 'a', date: '2040-01-01' }, { date: '2040-01-02' }],
])('an event %s is reported once by %s', async (_which, triggerOn, record, change) => {
	const list = (event: object) => {
		service.clearFaults();
		const body = JSON.stringify([event]);
		service.injectFault({ kind: 'status', on: 'eventSearchAll', status: 200, body, times: 99 });
	};
	list(record);
	const trigger = await activated({ triggerOn });
	list({ ...record, ...change });
	expect(await trigger.poll()).toMatchObject([{ ...record, ...change }]);
	expect(await trigger.poll()).toBeNull();
});

it.each([
	[
		{ triggerOn: 'eventCreated' },
		{ title: 'A', status: 'LIVE' },
		'No event that was read has a hash or an ID',
	],
	[
		{ triggerOn: 'eventStartsSoon' },
		{ title: 'A', dateScheduled: dateIn(20 * MINUTE_MS) },
		'No event that was read has a hash or an ID',
	],
	[{ triggerOn: 'videoAdded' }, { name: 'A' }, 'No video that was read has a hash or an ID'],
	[{}, { hash: 'abc', title: 'A' }, 'No event that was read has a hash and a status'],
	[
		{ triggerOn: 'eventUpdated' },
		{ hash: 'abc', status: 'LIVE' },
		'No event that was read has a hash and a title or a date',
	],
	[
		{ options: { scheduledWithinDays: 2 } },
		{ hash: 'abc', status: 'LIVE' },
		'No event that was read has a readable date, so Scheduled Within Days cannot be applied',
	],
	[
		{ toStatus: ['LIVE'] },
		{ hash: 'abc', status: 2 },
		'No event that was read has one of the statuses LIVE, ON_DEMAND, WAITING_LIVE: they have "2"',
	],
	[{ fromStatus: ['LIVE'] }, { hash: 'abc', status: 'Started' }, 'they have "STARTED"'],
])('%j fails where no record can be compared: %j', async (parameters, record, message) => {
	const body = JSON.stringify([record]);
	service.injectFault({ kind: 'status', on: ['eventSearchAll', 'videoList'], status: 200, body, times: 9 });
	const trigger = await activeTrigger({ service, parameters: { ...parameters } });
	await expect(trigger.poll()).rejects.toThrow(message);
});

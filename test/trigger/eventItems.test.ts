import type { INodeParameters } from 'n8n-workflow';

import { DAY_MS, dateIn, MINUTE_MS } from '../execution/clock';
import { activeTrigger } from '../execution/pollNode';
import type { LiveEvent } from '../fakeService';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { watching } from './polling';
import { isoTime } from './scenes';

let event: LiveEvent;
serviceForEachTest();
beforeEach(() => {
	[event] = service.seedEvents(3) as [LiveEvent, LiveEvent, LiveEvent]; // as many as were asked for
});

it('A status that changes must pass the filters, is compared with its status before in any case, and returned with both', async () => {
	const trigger = await watching({ fromStatus: ['WAITING_LIVE'], toStatus: ['LIVE'] });
	for (const [status, isReported] of [
		['LIVE', true],
		['ON_DEMAND', false],
		['LIVE', false],
		['WAITING_LIVE', false],
		['LIVE', true],
	] as const) {
		const previousStatus = event.status;
		event.status = status;
		const item = { ...event, previousStatus, status, changedAt: isoTime };
		expect(await trigger.poll()).toEqual(isReported ? [item] : null);
	}
});

it.each([
	[{}, true],
	[{ fromStatus: ['ON_DEMAND', 'WAITING_LIVE'], toStatus: ['LIVE', 'ON_DEMAND'] }, true],
	[{ fromStatus: ['LIVE'], toStatus: ['LIVE', 'ON_DEMAND'] }, false],
	[{ toStatus: '={{ "live" }}' }, true],
	[{ fromStatus: ['ON_DEMAND'] }, false],
	[{ toStatus: ['ON_DEMAND'] }, false],
])('An event that was created since, and is live, is reported with %j: %s', async (filters, isReported) => {
	const trigger = await watching(filters);
	const [added] = service.seedEvents([{ status: 'LIVE' }, { status: 'WAITING_LIVE' }]);
	const change = { hash: added?.hash, previousStatus: null, status: 'LIVE' };
	expect((await trigger.poll()) ?? []).toMatchObject(isReported ? [change] : []);
	expect(await trigger.poll()).toBeNull();
});

it.each([
	['without a hash', 'eventStatusChanged', { eventId: 7, status: 'WAITING_LIVE' }, { status: 'LIVE' }],
	['with a status of the service', 'eventStatusChanged', { hash: 'a', status: 'OFF' }, { status: 'ON' }],
	['without a date', 'eventUpdated', { hash: 'a', title: 'A' }, { title: 'B' }],
	['without a title', 'eventUpdated', { hash: 'a', date: '2040-01-01' }, { date: '2040-01-02' }],
])('An event %s is reported once by %s', async (_which, triggerOn, record, change) => {
	answer('eventSearchAll', [record]);
	const trigger = await watching({ triggerOn });
	service.clearFaults();
	answer('eventSearchAll', [{ ...record, ...change }]);
	expect(await trigger.poll()).toMatchObject([{ ...record, ...change }]);
	expect(await trigger.poll()).toBeNull();
});

const DOCUMENTED = 'one of the statuses LIVE, ON_DEMAND, WAITING_LIVE';
const DATED = 'a readable date, so Scheduled Within Days cannot be applied';
const soon = { dateScheduled: dateIn(20 * MINUTE_MS) };
it.each<[INodeParameters, object, string]>([
	[{ triggerOn: 'eventCreated' }, { title: 'A' }, 'a hash or an ID'],
	[{ triggerOn: 'eventStartsSoon' }, { title: 'A', ...soon }, 'a hash or an ID'],
	[{ triggerOn: 'eventStartsSoon' }, { hash: 'abc', status: 'LIVE' }, 'a hash or an ID, and a readable date'],
	[{ triggerOn: 'videoAdded' }, { name: 'A' }, 'a hash or an ID'],
	[{}, { hash: 'abc', title: 'A' }, 'a hash and a status'],
	[{ triggerOn: 'eventUpdated' }, { hash: 'abc', status: 'LIVE' }, 'a hash and a title or a date'],
	[{ options: { scheduledWithinDays: 2 } }, { hash: 'abc', status: 'LIVE' }, DATED],
	[{ toStatus: ['LIVE'] }, { hash: 'abc', status: 2 }, DOCUMENTED],
	[{ fromStatus: ['LIVE'] }, { hash: 'abc', status: 'Started' }, DOCUMENTED],
])('%j fails until a record can be compared, and never again: %j', async (parameters, record, needs) => {
	answer(['eventSearchAll', 'videoList'], [record]);
	const trigger = await activeTrigger({ service, parameters });
	const what = parameters.triggerOn === 'videoAdded' ? 'video' : 'event';
	await expect(trigger.poll()).rejects.toThrow(`No ${what} that was read has ${needs}`);
	const complete = { hash: 'a', title: 'A', status: 'LIVE', dateScheduled: dateIn(DAY_MS) };
	for (const list of [[record, complete], [record]]) {
		service.clearFaults();
		answer(['eventSearchAll', 'videoList'], list);
		expect(await trigger.poll()).toBeNull();
	}
});

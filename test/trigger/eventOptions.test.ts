import type { INodeParameters } from 'n8n-workflow';

import { clockAhead, DAY_MS, dateIn, HOUR_MS } from '../execution/clock';
import { activeTrigger } from '../execution/pollNode';
import type { LiveEvent } from '../fakeService';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { hashesOf, polls, watching } from './polling';

serviceForEachTest();

it('Event Names or IDs requests these events and no other, and is the same setting as a list or a text in any order, like a status', async () => {
	const [first = '', second = '', third = ''] = service.seedEvents(50).map(({ hash }) => hash);
	const events = ` ${second}, ${first},${first}`;
	const saved = await watching({ toStatus: ['ON_DEMAND', 'LIVE'], options: { events } });
	for (const hash of [first, second, third]) service.setEventStatus(hash, 'LIVE');
	const parameters = { toStatus: ['LIVE', 'ON_DEMAND'], options: { events: [first, second] } };
	const selected = await activeTrigger({ service, parameters, staticData: saved.saved() });
	expect(hashesOf(await selected.poll())?.sort()).toEqual([first, second].sort());
	expect(service.requestsOf('eventSearchAll')).toHaveLength(0);
	expect(service.requestsOf('eventSearchByHash')).toHaveLength(4);
});

const GONE = 'no event with the hash "gone". The service says: Event not found';
it.each<[string, INodeParameters, string]>([
	['eventStatusChanged', { planId: 'unknown' }, 'Plan not found'],
	['eventStatusChanged', { events: ['gone'] }, GONE],
	['eventStartsSoon', { events: ['gone'] }, GONE],
])('Event Names or IDs must be known, also after an edit: %s with %j', async (triggerOn, edit, problem) => {
	const events = service.seedEvents(1).map(({ hash }) => hash);
	const staticData = (await watching({ triggerOn, options: { events } })).saved();
	const parameters = { triggerOn, options: { events, ...edit } };
	const edited = await activeTrigger({ service, parameters, staticData });
	await expect(edited.poll()).rejects.toThrow(problem);
});

it('Event Names or IDs watches the others when one of them is deleted, also after a restart', async () => {
	const [gone = '', other = ''] = service.seedEvents(2).map(({ hash }) => hash);
	const parameters = { options: { events: [gone, other] } };
	const trigger = await watching(parameters);
	service.state.events.shift();
	service.setEventStatus(other, 'LIVE');
	expect(hashesOf(await trigger.poll())).toEqual([other]);
	const restarted = await activeTrigger({ service, parameters, staticData: trigger.saved() });
	service.setEventStatus(other, 'ON_DEMAND');
	expect(hashesOf(await restarted.poll())).toEqual([other]);
});

describe('the option Scheduled Within Days', () => {
	const inHours = (hours: number) => ({ dateScheduled: dateIn(hours * HOUR_MS) });
	const parameters = { options: { scheduledWithinDays: 2 } };

	it('Scheduled Within Days watches the events around now, and no other', async () => {
		const events = service.seedEvents([-60, -47, 0, 47, 60].map(inHours));
		const trigger = await watching(parameters);
		for (const { hash } of events) service.setEventStatus(hash, 'LIVE');
		expect(hashesOf(await trigger.poll())).toEqual(events.slice(1, 4).map(({ hash }) => hash));
	});

	/** A trigger with the option, and an event so many hours from now that its first poll has seen. */
	async function knowing(triggerOn: string, hours: number) {
		const [event] = service.seedEvents([inHours(hours), inHours(1)]);
		const trigger = await watching({ ...parameters, triggerOn });
		return { event: event as LiveEvent, trigger }; // it was asked for
	}

	it.each<[string, (event: LiveEvent) => void]>([
		['eventStatusChanged', (event) => (event.status = 'LIVE')],
		['eventUpdated', (event) => (event.title = 'New title')],
		['eventCreated', () => service.seedEvents([inHours(6)])],
		['eventDeleted', () => service.state.events.shift()],
	])('loses no change of %s of an event that leaves while n8n is off', async (triggerOn, change) => {
		const { event, trigger } = await knowing(triggerOn, 6);
		change(event);
		await clockAhead(3 * DAY_MS, async () => expect(await polls(trigger, 3)).toHaveLength(1));
	});

	describe.each([
		['leaves', 40, 500],
		['enters', 500, 40],
	])('of an event that %s the range', (_what, before, after) => {
		it('Event Updated reports once an event that leaves or enters the range', async () => {
			const { event, trigger } = await knowing('eventUpdated', before);
			const { dateScheduled } = event;
			Object.assign(event, inHours(after));
			expect(await polls(trigger, 3)).toMatchObject([{ ...event, previous: { dateScheduled } }]);
			Object.assign(event, { ...inHours(501), title: 'Far away' });
			expect(await polls(trigger, 1)).toHaveLength(after === 40 ? 1 : 0);
		});

		it('Event Status Changed reports a status that changes while the event leaves or enters the range', async () => {
			const { event, trigger } = await knowing('eventStatusChanged', before);
			Object.assign(event, { ...inHours(after), status: 'LIVE' });
			expect(await polls(trigger, 2)).toMatchObject([{ previousStatus: 'WAITING_LIVE', status: 'LIVE' }]);
		});
	});

	it('Scheduled Within Days reports with Event Created what is in the range when it is created, and nothing that enters it later', async () => {
		const { trigger } = await knowing('eventCreated', 5);
		const [far, near] = service.seedEvents([inHours(500), inHours(40)]);
		expect(hashesOf(await trigger.poll())).toEqual([near?.hash]);
		Object.assign(far ?? {}, inHours(40));
		expect(await polls(trigger, 2)).toEqual([]);
	});
});

import { eventStatusOf } from '../../nodes/VideoHosting/service/eventStatuses';
import { executeForJson } from '../execution/executeNode';
import { fc } from '../execution/generated';
import { activeTrigger, fetchTestEvent } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

/** In which field an event has its status, and with which words. */
let service: RunningService;
serviceForEachTest((started) => (service = started));

const live = { resource: 'event', operation: 'getAll', filters: { status: ['LIVE'] } };
const statusChanged = { triggerOn: 'eventStatusChanged' };
const hashes = (records: Array<{ hash?: unknown }> | null) => records?.map(({ hash }) => hash) ?? null;

describe('The status of an event', () => {
	it.each(['liveStatus', 'spaced'] as const)('is found by its value: %s', async (statusField) => {
		service.settings.statusField = statusField;
		const [first, second] = service.seedEvents(3);
		service.setEventStatus(second?.hash ?? '', 'LIVE');
		const events = await executeForJson({ service, parameters: live });
		expect(hashes(events)).toEqual([second?.hash]);

		const trigger = await activeTrigger({
			service,
			parameters: { ...statusChanged, toStatus: ['WAITING_LIVE'] },
		});
		await trigger.poll();
		service.setEventStatus(second?.hash ?? '', 'WAITING_LIVE');
		service.setEventStatus(first?.hash ?? '', 'LIVE');
		expect(await trigger.poll()).toEqual([
			expect.objectContaining({ hash: second?.hash, previousStatus: 'LIVE', status: 'WAITING_LIVE' }),
		]);
		const { items } = await fetchTestEvent({ service, parameters: { ...statusChanged, toStatus: ['LIVE'] } });
		expect(items).toEqual([expect.objectContaining({ hash: first?.hash, status: 'LIVE' })]);
	});

	it('is the documented one among all fields and spellings', () => {
		const spelling = fc.constantFrom(
			...['ON_DEMAND', 'on-demand', 'On Demand', 'onDemand', 'ondemand'].map((text) => [text, 'ON_DEMAND']),
			...['WAITING_LIVE', 'waiting live', 'waitingLive'].map((text) => [text, 'WAITING_LIVE']),
			...['LIVE', 'live', ' Live '].map((text) => [text, 'LIVE']),
		);
		const field = fc.constantFrom(
			'status',
			'Status',
			'event_status',
			'liveStatus',
			'broadcastState',
			'state',
		);
		const others = fc.dictionary(
			fc.constantFrom('title', 'name', 'description', 'type', 'planStatus', 'paymentState', 'previousStatus'),
			fc.constantFrom('active', 'paid', 'scheduled'),
		);
		fc.assert(
			fc.property(field, spelling, others, fc.boolean(), (name, [text, status], rest, isFirst) => {
				const record = { ...(name === 'status' ? {} : { status: 'active' }), title: 'LIVE', ...rest };
				const event = isFirst ? { [name]: text, ...record } : { ...record, [name]: text };
				expect(eventStatusOf(event)).toBe(status);
				expect(eventStatusOf({ title: 'x', status: { id: 1, name: text ?? '' } })).toBe(status);
				expect(eventStatusOf({ title: 'x', [name]: 'Paused', previousStatus: text })).not.toBe(status);
			}),
		);
	});
});

describe('Statuses that are not documented', () => {
	const named = /ON_DEMAND.*the field status contains "active"/;

	it('are an error of Get Many with Status, with the values, and none of the trigger', async () => {
		service.settings.statusField = 'undocumented';
		service.seedEvents(3);
		await expect(executeForJson({ service, parameters: live })).rejects.toThrow(named);
		const trigger = await activeTrigger({ service, parameters: statusChanged });
		expect(await trigger.poll()).toBeNull();
		const { items } = await fetchTestEvent({ service, parameters: statusChanged });
		expect(items).toMatchObject([{ status: 'ACTIVE', previousStatus: null }]);
		expect(await executeForJson({ service, parameters: { ...live, filters: {} } })).toHaveLength(3);
	});

	it('are no error where there are no events, or none with the chosen status', async () => {
		service.settings.statusField = 'undocumented';
		expect(await executeForJson({ service, parameters: live })).toEqual([]);
		service.settings.statusField = 'status';
		service.seedEvents(2);
		expect(await executeForJson({ service, parameters: live })).toEqual([]);
	});

	it('of a service that adds one do not stop the trigger, and are reported', async () => {
		const events = service.seedEvents(2);
		const trigger = await activeTrigger({ service, parameters: statusChanged });
		await trigger.poll();
		const respondWith = (...statuses: string[]) => {
			const records = events.map(({ hash }, index) => ({ hash, status: statuses[index] }));
			service.injectFault({
				on: 'eventSearchAll',
				kind: 'status',
				status: 200,
				body: JSON.stringify(records),
			});
		};
		respondWith('Paused', 'WAITING_LIVE');
		expect(await trigger.poll()).toEqual([expect.objectContaining({ status: 'PAUSED' })]);
		respondWith('Paused', 'Paused');
		expect(await trigger.poll()).toEqual([
			expect.objectContaining({ hash: events[1]?.hash, previousStatus: 'WAITING_LIVE', status: 'PAUSED' }),
		]);
		respondWith('Paused', 'Paused');
		expect(await trigger.poll()).toBeNull();
		respondWith('LIVE', 'Paused');
		expect(await trigger.poll()).toEqual([
			expect.objectContaining({ hash: events[0]?.hash, previousStatus: 'PAUSED', status: 'LIVE' }),
		]);
	});
});

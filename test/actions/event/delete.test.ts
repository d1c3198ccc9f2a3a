import { executeForJson, executeNode } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const parameters = { resource: 'event', operation: 'delete' };

describe('Event → Delete', () => {
	it.each([
		['one by ID', by('id', '4001'), [4001]],
		['several by ID', by('id', ' 4001, 4003 ,4001'), [4001, 4003]],
		['a list of numbers', by('id', '={{ [4001, 4003] }}'), [4001, 4003]],
		['a list of numbers as texts', by('id', "={{ ['4001', ' 4002 '] }}"), [4001, 4002]],
		['a list instead of the picker', '={{ [4001, 4002] }}', [4001, 4002]],
		['the ID that an expression returns as a number', by('id', '={{ 4000 + 3 }}'), [4003]],
	])('sends numbers: %s', async (_what, event, eventIds) => {
		service.seedEvents(4);
		const output = await executeForJson({ service, parameters: { ...parameters, event } });

		const [sent] = service.requestsOf('eventDelete');
		expect(sent?.body).toEqual({ eventIds });
		expect(service.state.events).toHaveLength(4 - eventIds.length);
		expect(output).toEqual([{ deleted: true, eventIds }]);
	});

	it.each([
		['', 'Event is empty'],
		['12,', 'Event "12," has an empty element'],
		['12;13', 'Event "12;13" is not a whole number of 1 or more'],
		['0', 'Event "0" is not a whole number of 1 or more'],
		['={{ [{ eventId: 12 }] }}', 'Event (element 1) is an object'],
	])('rejects "%s" before any request', async (value, message) => {
		const run = executeNode({ service, parameters: { ...parameters, event: by('id', value) } });
		await expect(run).rejects.toThrow(message);
		expect(service.requests).toEqual([]);
	});
});

it('Event → Delete takes the ID from the list when the search by hash returns none', async () => {
	const [event] = service.seedEvents([{ title: 'A' }, {}]);
	const body = JSON.stringify({ hash: event?.hash, title: 'A' });
	service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 200, body });
	await executeForJson({ service, parameters: { ...parameters, event: by('hash', event?.hash ?? '') } });
	expect(service.state.events.map(({ title }) => title)).not.toContain('A');
});

describe('Event → Delete of an event that is chosen by what identifies it everywhere', () => {
	it.each([
		['list', 'event-2'],
		['title', 'Board Meeting'],
	] as const)('by %s: looks the number up and returns what was deleted', async (mode, value) => {
		service.seedEvents([{}, { title: 'Board Meeting', hash: 'event-2' }, {}]);
		const output = await executeForJson({ service, parameters: { ...parameters, event: by(mode, value) } });
		expect(service.requestsOf('eventDelete').map(({ body }) => body)).toEqual([{ eventIds: [4002] }]);
		const known = { hash: 'event-2', title: 'Board Meeting' };
		expect(output).toEqual([{ deleted: true, eventIds: [4002], ...known }]);
	});

	it('deletes nothing when the plan has no such event', async () => {
		service.seedEvents(2);
		const run = executeNode({ service, parameters: { ...parameters, event: by('hash', 'gone') } });
		await expect(run).rejects.toThrow();
		expect(service.requestsOf('eventDelete')).toEqual([]);
	});
});

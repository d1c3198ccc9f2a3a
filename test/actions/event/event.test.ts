import { service, serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { by, expectUnsent, run } from '../run';

serviceForEachTest();

describe('Event → Delete', () => {
	const remove = { resource: 'event', operation: 'delete' };

	it.each([
		['several IDs, each once', by('id', ' 4001, 4003 ,4001'), [4001, 4003]],
		['a list of numbers', by('id', "={{ [4001, '4003'] }}"), [4001, 4003]],
		['a list instead of the picker', '={{ [4001, 4002] }}', [4001, 4002]],
		['the ID that an expression returns', by('id', '={{ 4000 + 3 }}'), [4003]],
		['a number instead of the picker', '={{ 4003 }}', [4003]],
	])('sends numbers: %s', async (_what, event, eventIds) => {
		service.seedEvents(4);
		const output = await run({ ...remove, event });
		expect(service.requestsOf('eventDelete').map(({ body }) => body)).toEqual([{ eventIds }]);
		expect(output).toEqual([{ deleted: true, eventIds }]);
	});

	it.each([
		...['12,', '12;13', '0', '99999999999999999999', '={{ [[12]] }}', '={{ [] }}'].map((value) =>
			by('id', value),
		),
		by('hash', '={{ [4001] }}'),
	])('rejects $value by $mode before any request', async (event) => {
		const problem = /^Event (.+ )?(is not a whole number|has an empty element|is a list|is empty)/;
		await expectUnsent(run({ ...remove, event }), problem);
	});

	it.each([
		['list', 'event-2', true],
		['list', 'event-2', false],
		['title', 'Board Meeting', true],
		[undefined, '={{ "event-2" }}', true],
	] as const)('looks the number up by %s %s and returns what was deleted', async (mode, value, hasId) => {
		service.seedEvents([{}, { title: 'Board Meeting', hash: 'event-2' }]);
		const known = { hash: 'event-2', title: 'Board Meeting' };
		if (!hasId) service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 200, body: known });
		const output = await run({ ...remove, event: mode ? by(mode, value) : value });
		expect(service.requestsOf('eventDelete').map((request) => request.body)).toEqual([{ eventIds: [4002] }]);
		expect(output).toEqual([{ deleted: true, eventIds: [4002], ...known }]);
	});
});

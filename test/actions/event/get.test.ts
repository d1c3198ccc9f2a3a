import { executeForJson, executeNode } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const parameters = { resource: 'event', operation: 'get' };

describe('Event → Get', () => {
	it('names the hash that the service does not find', async () => {
		const run = executeNode({ service, parameters: { ...parameters, event: by('hash', 'gone-1') } });
		await expect(run).rejects.toMatchObject({
			message: 'The plan plan-1001 has no event with the hash "gone-1"',
			description: 'Check Event and Plan ID.',
		});
	});

	it('prefers the Plan ID of the node to that of the credential', async () => {
		const [event] = service.seedEvents([{ planId: 'plan-2002' }]);
		await executeNode({
			service,
			parameters: { ...parameters, options: { planId: 'plan-2002' }, event: by('hash', event?.hash ?? '') },
		});
		expect(service.requestsOf('eventSearchByHash')[0]?.query.planId).toBe('plan-2002');
	});

	it('keeps hash and plan in their places, whatever they hold', async () => {
		const hash = 'a/b?c=d&planId=e#f%2F+';
		service.settings.plans['p & q=/1'] = 's';
		service.seedEvents([{ hash, planId: 'p & q=/1' }]);
		const [output] = await executeForJson({
			service,
			parameters: { ...parameters, options: { planId: 'p & q=/1' }, event: by('hash', hash) },
		});
		expect(service.requestsOf('eventSearchByHash')[0]?.query).toEqual({ planId: 'p & q=/1', hash });
		expect(output?.hash).toBe(hash);
	});

	it.each([
		['null', 'The plan plan-1001 has no event with the hash "gone"'],
		['[]', 'The plan plan-1001 has no event with the hash "gone"'],
		['', 'The service returned something else instead of an event'],
		['{"message":"Hello"}', 'The service returned something else instead of an event'],
	])('reports what the service returns instead of an event: %p', async (body, message) => {
		service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 200, body, times: 3 });
		const run = executeNode({ service, parameters: { ...parameters, event: by('hash', 'gone') } });
		await expect(run).rejects.toThrow(message);
	});
});

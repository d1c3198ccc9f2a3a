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
			message: 'Event not found ("gone-1").',
			description: 'It may have been deleted, or belong to another plan or application.',
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

	it.each(['null', '[]', ''])('reports an unknown event when the service returns %p', async (body) => {
		service.injectFault({
			on: 'eventSearchByHash',
			kind: 'status',
			status: 200,
			body,
			headers: { 'Content-Type': 'application/json' },
		});
		await expect(
			executeNode({ service, parameters: { ...parameters, event: by('hash', 'gone') } }),
		).rejects.toThrow('The plan plan-1001 has no event with the hash "gone"');
	});
});

import { executeContext } from '../../execution/executeNode';
import { startService } from '../../fakeService';

it('evaluates the date of each item a constant number of times', async () => {
	const service = await startService();
	service.seedEvents([{ title: 'A', dateScheduled: '2030-05-01 18:00:00' }]);
	const { context, nodeType } = await executeContext({
		service,
		parameters: {
			resource: 'event',
			operation: 'create',
			title: 'A',
			dateScheduled: '2030-05-01 18:00',
			options: { skipIfExists: true },
		},
		items: Array.from({ length: 50 }, () => ({ json: {} })),
	});
	const spy = jest.spyOn(context, 'getNodeParameter');
	await nodeType.execute.call(context);
	const calls = (spy.mock.calls as unknown[][]).filter(([name]) => name === 'dateScheduled').length;
	await service.close();
	expect(calls).toBeLessThanOrEqual(150);
});

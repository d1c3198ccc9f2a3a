import { setTimeout as sleep } from 'node:timers/promises';

import { executeForJson } from '../execution/executeNode';
import { by } from '../execution/locator';
import { activeTrigger } from '../execution/pollNode';
import type { OperationName, RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

/** The connection breaks within the body of the first response of an operation; the next ones are whole. */
async function cutResponse(on: OperationName): Promise<void> {
	service.injectFault({ on, kind: 'trickle', ms: 50 });
	await service.until(() => service.requestsOf(on).some(({ status }) => status === 200));
	await sleep(200);
	await service.goDown();
	await service.comeBack();
}

const event = {
	resource: 'event',
	operation: 'create',
	title: 'Keynote',
	dateScheduled: '2030-01-01 10:00:00',
};

describe('A response that breaks off within its body is an error, or is requested again', () => {
	it('by Event → Create', async () => {
		const [[output]] = await Promise.all([
			executeForJson({ service, parameters: event, onError: 'continueRegularOutput' }),
			cutResponse('eventInsert'),
		]);
		expect(output).toEqual({ error: expect.stringContaining('closed the connection within its response') });
	});

	it('by Folder → Create', async () => {
		const parameters = { resource: 'folder', operation: 'create', name: 'Webinars' };
		const [[output]] = await Promise.all([
			executeForJson({ service, parameters, onError: 'continueRegularOutput' }),
			cutResponse('folderCreate'),
		]);
		expect(output).toEqual({ error: expect.any(String) });
	});

	it('by Event → Get', async () => {
		const [known] = service.seedEvents(1);
		const parameters = { resource: 'event', operation: 'get', event: by('hash', String(known?.hash)) };
		const [[output]] = await Promise.all([
			executeForJson({ service, parameters, onError: 'continueRegularOutput' }),
			cutResponse('eventSearchByHash'),
		]);
		expect(output).toMatchObject({ hash: known?.hash });
	});

	it('by Folder → Count', async () => {
		const [[output]] = await Promise.all([
			executeForJson({
				service,
				parameters: { resource: 'folder', operation: 'count' },
				onError: 'continueRegularOutput',
			}),
			cutResponse('folderTotal'),
		]);
		expect(output).toEqual({ folders: 0 });
	});

	it('by Event → Get Many', async () => {
		service.seedEvents(5);
		const [output] = await Promise.all([
			executeForJson({
				service,
				parameters: { resource: 'event', operation: 'getAll' },
				onError: 'continueRegularOutput',
			}),
			cutResponse('eventSearchAll'),
		]);
		expect(output).toHaveLength(5);
	});

	it('by signing in, which does not blame the Base URL', async () => {
		const [output] = await Promise.all([
			executeForJson({ service, parameters: event, onError: 'continueRegularOutput' }),
			cutResponse('authenticate'),
		]);
		expect(JSON.stringify(output)).not.toContain('Base URL');
	});

	it('by a poll, which reports nothing', async () => {
		service.seedEvents(5);
		const trigger = await activeTrigger({ service, parameters: { triggerOn: 'eventCreated' } });
		await trigger.poll();
		await Promise.all([trigger.poll().catch(() => null), cutResponse('eventSearchAll')]);
		expect(await trigger.poll()).toBeNull();
	});
});

import type { INodeParameters } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import { by } from '../execution/locator';
import { runWorkflow } from '../execution/runWorkflow';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { shortenPauses, upload, onlyUpload } from '../upload/uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));
afterEach(() => jest.restoreAllMocks());

const event = (title: string, skipIfExists = true): INodeParameters => ({
	...{ resource: 'event', operation: 'create', title, dateScheduled: '2030-01-01 10:00:00' },
	...{ options: { skipIfExists } },
});
const folder: INodeParameters = {
	...{ resource: 'folder', operation: 'create', name: 'Webinars', options: { skipIfExists: true } },
};
const run = async (parameters: INodeParameters, more = {}) =>
	await executeForJson({ service, parameters, ...more });
const titled = (title: string) => service.state.events.filter((each) => each.title === title);

describe('An event with Skip If Exists is created once, and again when it is gone:', () => {
	it('a run that read the list before another execution created, and a third one listed, the event', async () => {
		// X has two new events; its list is read for the first one.
		service.injectFault({ on: 'eventInsert', kind: 'delay', ms: 800 });
		const x = executeForJson({
			...{ service, executionId: 'X', items: [{ json: { t: 'B' } }, { json: { t: 'A' } }] },
			parameters: { ...event('A'), title: '={{ $json.t }}' },
		});
		await service.until(() => service.requestsOf('eventInsert').length === 1);
		await run(event('A'), { executionId: 'Y' });
		// Its next round of a loop, or any other execution.
		expect(await run(event('A'), { executionId: 'Z' })).toMatchObject([{ skipped: true }]);
		await x;
		expect(titled('A')).toHaveLength(1);
	});

	it('the same run, once another execution has seen its event in the list', async () => {
		service.injectFault({ on: 'eventInsert', kind: 'delay', ms: 800, skip: 1 });
		const titles = ['A', 'B', 'A'];
		const x = executeForJson({
			...{ service, executionId: 'X', items: titles.map((t) => ({ json: { t } })) },
			parameters: { ...event('A'), title: '={{ $json.t }}' },
		});
		await service.until(() => service.requestsOf('eventInsert').length === 2);
		expect(await run(event('A'), { executionId: 'Y' })).toMatchObject([{ skipped: true }]);
		await x;
		expect(titled('A')).toHaveLength(1);
	});

	it('a run longer than ten minutes', async () => {
		const real = Date.now.bind(Date);
		jest
			.spyOn(Date, 'now')
			.mockImplementation(() => real() + (service.requestsOf('eventInsert').length >= 2 ? 11 * 60_000 : 0));
		const output = await executeForJson({
			...{ service, items: ['A', 'B', 'A'].map((t) => ({ json: { t } })) },
			parameters: { ...event('A'), title: '={{ $json.t }}' },
		});
		expect([output[2]?.skipped, titled('A').length]).toEqual([true, 1]);
	});

	it('renamed by Event → Update', async () => {
		const [first] = await run(event('A'));
		await run({
			...{ resource: 'event', operation: 'update', title: 'A (moved)' },
			event: by('hash', first?.hash as string),
		});
		const [second] = await run(event('A'));
		expect([second?.skipped, titled('A').length]).toEqual([false, 1]);
	});

	it('renamed by a person', async () => {
		await run(event('A'));
		for (const each of service.state.events) each.title = 'A (moved)';
		const [second] = await run(event('A'));
		expect([second?.skipped, titled('A').length]).toEqual([false, 1]);
	});

	it('not listed yet, at a service whose response to the creation has no hash: an error', async () => {
		service.settings.writeResponse = 'success';
		await run(event('A'));
		service.state.events = [];
		await expect(run(event('A'))).rejects.toThrow(/was created, but the service does not list it yet/);
	});

	it('deleted by this node, at a service whose response to the creation has no hash', async () => {
		service.settings.writeResponse = 'success';
		await run(event('A'));
		await run({ resource: 'event', operation: 'delete', event: by('title', 'A') });
		expect(service.state.events).toHaveLength(0);
		const [second] = await run(event('A'));
		expect([second?.skipped, titled('A').length]).toEqual([false, 1]);
	});

	it.each([400, 410, 422])('deleted, at a service that answers %i for an unknown hash', async (status) => {
		await run(event('A'));
		service.state.events = [];
		service.injectFault({ on: 'eventSearchByHash', kind: 'status', status, times: 99 });
		const [second] = await run(event('A'), { onError: 'continueRegularOutput' });
		expect([second?.error, titled('A').length]).toEqual([undefined, 1]);
	});

	it('created without Skip If Exists a moment ago, while the list is late', async () => {
		await run(event('A', false));
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body: '[]', times: 9 });
		await run(event('A'));
		expect(titled('A')).toHaveLength(1);
	});
});

describe('A folder with Skip If Exists is created once, and again when it is gone:', () => {
	it('renamed by a person', async () => {
		const [first] = await run(folder);
		for (const each of service.state.folders) each.name = 'Webinars 2025';
		const [second] = await run(folder);
		expect([second?.skipped, second?.uuid === first?.uuid, service.state.folders.length]).toEqual([
			...[false, false, 2],
		]);
	});

	it('renamed by a person, then an upload goes into the renamed one', async () => {
		const options = { createFolder: true };
		const parameters = { folder: by('name', 'Webinars') };
		await upload(service, { parameters, options, bytes: Buffer.alloc(1000, 'x') });
		for (const each of service.state.folders) each.name = 'Archive of 2025';
		service.state.uploads.length = 0;
		await upload(service, { parameters, options, bytes: Buffer.alloc(1000, 'y'), fileName: 'new.mp4' });
		const target = onlyUpload(service).folder;
		expect(service.state.folders.find(({ uuid }) => uuid === target)?.name).toBe('Webinars');
	});

	it('deleted by this node, at a service whose response to the creation has no UUID', async () => {
		service.settings.writeResponse = 'success';
		const [first] = await run(folder);
		await run({ resource: 'folder', operation: 'delete', folder: by('uuid', first?.uuid as string) });
		const [second] = await run(folder, { onError: 'continueRegularOutput' });
		expect([second?.error, service.state.folders.length]).toEqual([undefined, 1]);
	});

	it('renamed by this node, at a service whose response to the creation has no UUID', async () => {
		service.settings.writeResponse = 'success';
		const [first] = await run(folder);
		await run({
			...{ resource: 'folder', operation: 'update', folder: by('uuid', first?.uuid as string) },
			updateFields: { name: 'Other' },
		});
		const [second] = await run(folder, { onError: 'continueRegularOutput' });
		expect([second?.error, service.state.folders.length]).toEqual([undefined, 2]);
	});

	it('deleted by a person, at a service that reports errors with status 200', async () => {
		service.settings.errorsAsSuccess = 'error';
		await run(folder);
		service.state.folders = [];
		const [second] = await run(folder);
		expect([second?.skipped, service.state.folders.length]).toEqual([false, 1]);
	});

	it('its description, when the response to its creation is lost and the node is tried again', async () => {
		service.injectFault({ on: 'folderCreate', kind: 'lostResponse' });
		const { runs } = await runWorkflow({
			...{ service, rounds: [[{ json: {} }]], settings: { retryOnFail: true } },
			parameters: { ...folder, options: { skipIfExists: true, description: 'of the choir' } },
		});
		const json = runs[0]?.data?.main?.[0]?.[0]?.json;
		expect([json?.skipped, service.state.folders[0]?.description]).toEqual([false, 'of the choir']);
	});

	it('a plain creation whose response is lost does not hide a folder that is known', async () => {
		service.settings.folderAppearsAfterMs = 60_000;
		const [first] = await run({ ...folder, options: {} });
		service.injectFault({ on: 'folderCreate', kind: 'reset' });
		await run({ ...folder, options: {} }, { onError: 'continueRegularOutput' });
		const [again] = await run(folder, { onError: 'continueRegularOutput' });
		expect([again?.error, again?.uuid]).toEqual([undefined, first?.uuid]);
	});

	it('cancelled while n8n signs in: the folder was not requested', async () => {
		service.injectFault({ on: 'authenticate', kind: 'delay', ms: 1500 });
		const stop = new AbortController();
		const cancelled = run({ ...folder, options: {} }, { abortSignal: stop.signal }).catch(() => undefined);
		await service.until(() => service.requestsOf('authenticate').length === 1);
		stop.abort();
		await cancelled;
		expect(service.requestsOf('folderCreate')).toHaveLength(0);
		const [second] = await run(folder, { onError: 'continueRegularOutput' });
		expect(second?.error).toBeUndefined();
	});

	it('a clock that was set back does not lock a folder for hours', async () => {
		const real = Date.now.bind(Date);
		let ahead = 3 * 3_600_000;
		jest.spyOn(Date, 'now').mockImplementation(() => real() + ahead);
		service.injectFault({ on: 'folderCreate', kind: 'reset' });
		await run(folder, { onError: 'continueRegularOutput' });
		// The clock is corrected; 20 minutes later:
		ahead = 20 * 60_000;
		const [second] = await run(folder, { onError: 'continueRegularOutput' });
		expect(second?.error).toBeUndefined();
	});
});

import type { INodeParameters } from 'n8n-workflow';

import { requestPolicy } from '../../nodes/VideoHosting/shared/retryPolicy';
import { MINUTE_MS } from '../execution/clock';
import { executeForJson, type NodeRun } from '../execution/executeNode';
import { runWorkflow } from '../execution/runWorkflow';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));
afterEach(() => jest.restoreAllMocks());

const plainEvent: INodeParameters = {
	...{ resource: 'event', operation: 'create', title: 'A', dateScheduled: '2030-01-01 10:00:00' },
};
const plainFolder: INodeParameters = { resource: 'folder', operation: 'create', name: 'Webinars' };
const event = { ...plainEvent, options: { skipIfExists: true } };
const folder = { ...plainFolder, options: { skipIfExists: true } };
const FOLDER_AND_EVENT = [
	['folderCreate', folder],
	['eventInsert', event],
] as const;

const run = async (parameters: INodeParameters, more: Partial<NodeRun> = {}) =>
	await executeForJson({ service, parameters, ...more });
/** One run with an event for each title. */
const runWith = async (titles: string[], executionId?: string) =>
	await run(
		{ ...event, title: '={{ $json.t }}' },
		{ executionId, items: titles.map((t) => ({ json: { t } })) },
	);
const titled = (title: string) => service.state.events.filter((each) => each.title === title);
const lateEvents = () =>
	service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body: '[]', times: 99 });

/** Besides what creation.model.test.ts does in any order. */
describe('With Skip If Exists, one event is created', () => {
	it('by a run that read the list before another execution created, and a third one listed, the event', async () => {
		// X has two new events; its list is read for the first one.
		service.injectFault({ on: 'eventInsert', kind: 'delay', ms: 300 });
		const x = runWith(['B', 'A'], 'X');
		await service.until(() => service.requestsOf('eventInsert').length === 1);
		await run(event, { executionId: 'Y' });
		// Its next round of a loop, or any other execution.
		expect(await run(event, { executionId: 'Z' })).toMatchObject([{ skipped: true }]);
		await x;
		expect(titled('A')).toHaveLength(1);
	});

	it('by a run of which another execution has seen the event in the list', async () => {
		service.injectFault({ on: 'eventInsert', kind: 'delay', ms: 300, skip: 1 });
		const x = runWith(['A', 'B', 'A'], 'X');
		await service.until(() => service.requestsOf('eventInsert').length === 2);
		expect(await run(event, { executionId: 'Y' })).toMatchObject([{ skipped: true }]);
		await x;
		expect(titled('A')).toHaveLength(1);
	});

	it('by a run longer than ten minutes', async () => {
		const real = Date.now.bind(Date);
		const isLater = () => service.requestsOf('eventInsert').length >= 2;
		jest.spyOn(Date, 'now').mockImplementation(() => real() + (isLater() ? 11 * MINUTE_MS : 0));
		const output = await runWith(['A', 'B', 'A']);
		expect([output[2]?.skipped, titled('A').length]).toEqual([true, 1]);
	});

	it.each([400, 410, 422])(
		'again when it is gone from a service that answers %i for its hash',
		async (status) => {
			await run(event);
			service.state.events = [];
			service.injectFault({ on: 'eventSearchByHash', kind: 'status', status, times: 99 });
			const [second] = await run(event, { onError: 'continueRegularOutput' });
			expect([second?.error, titled('A').length]).toEqual([undefined, 1]);
		},
	);
});

describe('With Skip If Exists, one folder is created', () => {
	it('with its description, when the response to its creation is lost and the node is tried again', async () => {
		service.injectFault({ on: 'folderCreate', kind: 'lostResponse' });
		const { runs } = await runWorkflow({
			...{ service, rounds: [[{ json: {} }]], settings: { retryOnFail: true } },
			parameters: { ...folder, options: { skipIfExists: true, description: 'of the choir' } },
		});
		const json = runs[0]?.data?.main?.[0]?.[0]?.json;
		expect([json?.skipped, service.state.folders[0]?.description]).toEqual([false, 'of the choir']);
	});

	it('after one that was cancelled while n8n signed in: the folder was not requested', async () => {
		service.injectFault({ on: 'authenticate', kind: 'delay', ms: 500 });
		const stop = new AbortController();
		const cancelled = run(plainFolder, { abortSignal: stop.signal }).catch(() => undefined);
		await service.until(() => service.requestsOf('authenticate').length === 1);
		stop.abort();
		await cancelled;
		expect(service.requestsOf('folderCreate')).toHaveLength(0);
		const [second] = await run(folder, { onError: 'continueRegularOutput' });
		expect(second?.error).toBeUndefined();
	});

	it('while the list is late and a folder without videos has no disk usage (404)', async () => {
		service.settings.folderAppearsAfterMs = 60_000;
		const fault = { on: 'diskUsageByFolder' as const, kind: 'status' as const, status: 404, times: 9 };
		service.injectFault({ ...fault, error: 'No videos found in this gallery' });
		for (let times = 1; times <= 2; times++) await run(folder);
		expect(service.state.folders).toHaveLength(1);
	});

	it('in each application', async () => {
		const [other = ''] = (service.settings.otherApplicationIds = ['5a0c8c1e-6f0b-4a57-9f3e-2b6f5f0c9a22']);
		service.injectFault({ on: 'folderList', kind: 'status', status: 200, body: '[]', times: 9 });
		await run(folder);
		const output = await run(folder, { credential: { applicationId: other } });
		expect(output).toMatchObject([{ skipped: false }]);
	});
});

describe('Executions at the same time', () => {
	it.each([
		['folderCreate', plainFolder, folder],
		['eventInsert', plainEvent, event],
	] as const)('with and without Skip If Exists send one creation: %s', async (on, plain, skipping) => {
		service.injectFault({ on, kind: 'delay', ms: 200 });
		const first = run(plain, { executionId: 'plain' });
		await service.until(() => service.requestsOf(on).length === 1);
		await Promise.all([first, run(skipping, { executionId: 'skip' })]);
		expect(service.requestsOf(on)).toHaveLength(1);
	});

	it.each(FOLDER_AND_EVENT)(
		'are not held up by one in line that is cancelled, which ends at once: %s',
		async (on, parameters) => {
			service.injectFault({ on, kind: 'delay', ms: 400 });
			const x = run(parameters, { executionId: 'x' });
			await service.until(() => service.requestsOf(on).length === 1);
			const stop = new AbortController();
			const ended: string[] = [];
			const y = run(parameters, { executionId: 'y', abortSignal: stop.signal }).catch(() => ended.push('y'));
			const z = run(parameters, { executionId: 'z' });
			await new Promise((resolve) => setTimeout(resolve, 50));
			stop.abort();
			await Promise.all([x.then(() => ended.push('x')), y]);
			expect(ended).toEqual(['y', 'x']);
			expect(await Promise.all([x, z])).toMatchObject([[{ skipped: false }], [{ skipped: true }]]);
			expect(service.requestsOf(on)).toHaveLength(1);
		},
	);

	it.each(FOLDER_AND_EVENT)(
		'send one creation when the first is cancelled within it: %s',
		async (on, parameters) => {
			service.injectFault({ on, kind: 'delay', ms: 200 });
			const stop = new AbortController();
			const x = run(parameters, { abortSignal: stop.signal }).catch(() => undefined);
			await service.until(() => service.requestsOf(on).length === 1);
			const z = run(parameters, { executionId: 'z', onError: 'continueRegularOutput' });
			stop.abort();
			await Promise.all([x, z]);
			await run(parameters, { executionId: 'w', onError: 'continueRegularOutput' });
			expect(service.requestsOf(on)).toHaveLength(1);
		},
	);
});

it('a sign-in that takes too long is no creation that may have been carried out', async () => {
	const { deadlineMs, responseTimeoutMs } = requestPolicy;
	Object.assign(requestPolicy, { deadlineMs: 400, responseTimeoutMs: 300 });
	service.injectFault({ on: 'authenticate', kind: 'trickle', ms: 100 });
	const { result } = await runWorkflow({
		...{ service, parameters: plainEvent, rounds: [[{ json: {} }]], settings: { retryOnFail: true } },
	}).finally(() => Object.assign(requestPolicy, { deadlineMs, responseTimeoutMs }));
	const { error } = result.data.resultData;
	expect([error && 'description' in error && error.description, service.state.events.length]).toEqual([
		...[undefined, 1],
	]);
});

/** Faults of the product: creation.model.test.ts leaves these courses out. */
describe('While the list is late, one is created', () => {
	it.failing.each(FOLDER_AND_EVENT)(
		'when the response to the creation after a deletion is lost: %s',
		async (on, parameters) => {
			service.settings.folderAppearsAfterMs = 60_000;
			lateEvents();
			await run(parameters);
			Object.assign(service.state, { events: [], folders: [] });
			service.injectFault({ on, kind: 'lostResponse' });
			for (let times = 1; times <= 2; times++) await run(parameters, { onError: 'continueRegularOutput' });
			expect(service.state.events.length + service.state.folders.length).toBe(1);
		},
	);

	it.failing('by two items, at a service whose response to the creation has no hash', async () => {
		service.settings.writeResponse = 'success';
		lateEvents();
		await runWith(['A', 'A']);
		for (let times = 1; times <= 2; times++) await run(event, { onError: 'continueRegularOutput' });
		expect(titled('A')).toHaveLength(1);
	});
});

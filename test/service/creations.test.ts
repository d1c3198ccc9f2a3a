import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { clockAhead, MINUTE_MS } from '../execution/clock';
import { executeForJson, type NodeRun } from '../execution/executeNode';
import { by } from '../execution/locator';
import { runWorkflow } from '../execution/runWorkflow';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { upload } from '../upload/uploading';

/** Events and folders that are created once (L3), and lost responses to a creation (R1). */
serviceForEachTest();

const event = { resource: 'event', operation: 'create', title: 'A', dateScheduled: '2030-01-01 10:00:00' };
const folder = { resource: 'folder', operation: 'create', name: 'A' };
const start = { resource: 'event', operation: 'start', options: { secret: 'plan-secret-7Qm2' } };
const describeFolder = {
	resource: 'folder',
	operation: 'update',
	updateFields: { name: 'A', description: 'B' },
};
const once = (parameters: INodeParameters): INodeParameters => ({
	...parameters,
	options: { skipIfExists: true },
});
const run = async (parameters: INodeParameters, more: Partial<NodeRun> = {}): Promise<IDataObject[]> =>
	await executeForJson({ service, parameters, ...more });
const count = () => service.state.events.length + service.state.folders.length;
/** From now on, no list shows what is created. */
const listLate = () => {
	service.settings.folderAppearsAfterMs = 60 * MINUTE_MS;
	service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body: '[]', times: 99 });
};

describe.each([
	['An event', 'eventInsert', event],
	['A folder', 'folderCreate', folder],
] as const)('%s with Skip If Exists', (_what, on, plain) => {
	it('is created once by two executions at the same time, whether the other one has the option or not', async () => {
		for (const first of [once(plain), plain]) {
			Object.assign(service.state, { events: [], folders: [] });
			service.injectFault({ on, kind: 'delay', ms: 150 });
			const name = { title: `${count()}`, name: `${count()}` };
			const x = run({ ...first, ...name }, { executionId: 'x' });
			await service.until(() => service.requestsOf(on).some(({ status }) => status === undefined));
			expect(await run(once({ ...plain, ...name }), { executionId: 'y' })).toMatchObject([{ skipped: true }]);
			await x;
			expect(count()).toBe(1);
		}
	});

	it('is created by each item while the option is not added, and nothing is listed', async () => {
		await run({ ...plain, options: {} }, { items: [{ json: {} }, { json: {} }] });
		expect(service.requests.map(({ operation }) => operation)).toEqual(['authenticate', on, on]);
	});

	it('is created once by two items and by the rounds of a loop, though no list shows it for ten minutes', async () => {
		listLate();
		const items = [{ json: {} }, { json: {} }];
		expect(await run(once(plain), { items })).toMatchObject([{ skipped: false }, { skipped: true }]);
		const later = async (minutes: number) =>
			await clockAhead(minutes * MINUTE_MS, async () => await run(once(plain)));
		expect(await later(9)).toMatchObject([{ skipped: true }]);
		expect(count()).toBe(1);
		expect(await later(11)).toMatchObject([{ skipped: false }]);
	});

	it.each([
		['delete', 'record'],
		['update', 'success'],
	] as const)('is created again after this node changed it: %s', async (operation, response) => {
		service.settings.writeResponse = response;
		await run(once(plain));
		const { events, folders } = service.state;
		const chosen = { event: by('hash', events[0]?.hash ?? ''), folder: by('uuid', folders[0]?.uuid ?? '') };
		const change = { title: 'B', updateFields: { name: 'B' } };
		await run({ resource: plain.resource, operation, ...chosen, ...change });
		expect(await run(once(plain))).toMatchObject([{ skipped: false }]);
	});

	it('is created again after this node deleted it, while a list still shows it', async () => {
		service.settings.writeResponse = 'record';
		await run(once(plain));
		const { events, folders } = service.state;
		const listed = { events: [...events], folders: [...folders] };
		const chosen = { event: by('hash', events[0]?.hash ?? ''), folder: by('uuid', folders[0]?.uuid ?? '') };
		await run({ resource: plain.resource, operation: 'delete', ...chosen });
		Object.assign(service.state, listed);
		expect(await run(once(plain))).toMatchObject([{ skipped: false }]);
	});

	it('is created once although this node has changed something else of it, while no list shows it', async () => {
		listLate();
		await run(once(plain));
		const { events, folders } = service.state;
		await run(
			plain === event
				? { ...start, event: by('hash', events[0]?.hash ?? '') }
				: { ...describeFolder, folder: by('uuid', folders[0]?.uuid ?? '') },
		);
		expect(await run(once(plain))).toMatchObject([{ skipped: true }]);
	});

	it('is looked for by the next item and the next run after a lost response', async () => {
		service.injectFault({ on, kind: 'lostResponse' });
		const items = [{ json: {} }, { json: {} }];
		const output = await run(once(plain), { items, onError: 'continueRegularOutput' });
		const mayExist = expect.stringMatching(/may have been carried out/i) as string;
		expect(output).toMatchObject([{ error: mayExist }, { skipped: true }]);
		expect(await run(once(plain))).toMatchObject([{ skipped: true }]);
		expect(count()).toBe(1);
	});

	it('keeps the error of a lost response for half a minute, when no list shows it; then the list decides', async () => {
		listLate();
		service.injectFault({ on, kind: 'lostResponse' });
		const lost = { message: expect.any(String) as string, context: { mayBeCarriedOut: true } };
		await expect(run(once(plain))).rejects.toMatchObject(lost);
		await expect(run(once(plain))).rejects.toMatchObject(lost);
		expect(count()).toBe(1);
		expect(await clockAhead(31_000, async () => await run(once(plain)))).toMatchObject([{ skipped: false }]);
	});

	it('does not hold up others when an execution in line is cancelled, which ends at once', async () => {
		service.injectFault({ on, kind: 'delay', ms: 400 });
		const x = run(once(plain), { executionId: 'x' });
		await service.until(() => service.requestsOf(on).length === 1);
		const stop = new AbortController();
		const ended: string[] = [];
		const y = run(once(plain), { executionId: 'y', abortSignal: stop.signal }).catch(() => ended.push('y'));
		const z = run(once(plain), { executionId: 'z' });
		stop.abort();
		await Promise.all([x.then(() => ended.push('x')), y]);
		expect(ended).toEqual(['y', 'x']);
		expect(await z).toMatchObject([{ skipped: true }]);
		expect(service.requestsOf(on)).toHaveLength(1);
	});
});

it('An event without an ID in the response is created again after this node deleted it', async () => {
	const body = JSON.stringify({ hash: 'h1' });
	service.injectFault({ on: 'eventInsert', kind: 'status', status: 200, body });
	await run(once(event));
	service.seedEvents([{ hash: 'h1' }]);
	await run({ resource: 'event', operation: 'delete', event: by('hash', 'h1') });
	expect(await run(once(event))).toMatchObject([{ skipped: false }]);
});

it('An event that another item has created is returned as it is listed', async () => {
	service.settings.writeResponse = 'success';
	const output = await run(once(event), { items: [{ json: {} }, { json: {} }] });
	expect(output[1]).toMatchObject({ skipped: true, hash: service.state.events[0]?.hash });
});

it('An event is found after a lost response by another execution, whose list is older', async () => {
	service.injectFault({ on: 'eventInsert', kind: 'delay', ms: 500 });
	const items = ['B', 'A'].map((title) => ({ json: { title } }));
	const other = run({ ...once(event), title: '={{ $json.title }}' }, { executionId: 'other', items });
	await service.until(() => service.requestsOf('eventInsert').length === 1);
	service.injectFault({ on: 'eventInsert', kind: 'lostResponse' });
	await expect(run(once(event))).rejects.toThrow();
	const output = await clockAhead(40_000, async () => await other);
	expect(output).toMatchObject([{ skipped: false }, { skipped: true }]);
});

it('An event is created once for each of its dates', async () => {
	listLate();
	const items = ['2030-01-01', '2030-01-02', '2030-01-01'].map((date) => ({ json: { date } }));
	const output = await run({ ...once(event), dateScheduled: '={{ $json.date }}' }, { items });
	expect(output).toMatchObject([{ skipped: false }, { skipped: false }, { skipped: true }]);
});

it('A folder is created once in each application', async () => {
	const [other = ''] = (service.settings.otherApplicationIds = ['5a0c8c1e-6f0b-4a57-9f3e-2b6f5f0c9a22']);
	service.injectFault({ on: 'folderList', kind: 'status', status: 200, body: '[]', times: 9 });
	await run(once(folder));
	expect(await run(once(folder), { credential: { applicationId: other } })).toMatchObject([
		{ skipped: false },
	]);
});

it('A video in a new folder is not in another new one, while no list shows either', async () => {
	service.settings.videoFolders = 'name';
	listLate();
	const options = { createFolder: true, skipIfExists: true };
	await run({ ...folder, name: 'B' });
	for (const name of ['A', 'B']) {
		const { output } = await upload(service, { parameters: { folder: by('name', name) }, options });
		expect(output).toMatchObject({ skipped: false });
	}
});

it('A folder that was created, but is not listed yet, is an error that Retry On Fail repeats', async () => {
	service.settings.writeResponse = 'success';
	listLate();
	const settings = { retryOnFail: true, maxTries: 3 };
	const { result } = await runWorkflow({
		...{ service, parameters: once(folder), rounds: [[{ json: {} }]], settings },
	});
	expect(result.data.resultData.error?.message).toMatch(/^The folder "A" was created, but cannot be found/);
	expect(count()).toBe(1);
});

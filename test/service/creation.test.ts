import { requestPolicy } from '../../nodes/VideoHosting/shared/retryPolicy';
import { MINUTE_MS } from '../execution/clock';
import { by } from '../execution/locator';
import { runWorkflow } from '../execution/runWorkflow';
import { creationsForEachTest, event, folder, FOLDER_AND_EVENT, once, type Creations } from './creations';

let creations: Creations;
creationsForEachTest((started) => (creations = started));

/** A new item for each: a later try has the same one. */
const retried = () => ({ rounds: [[{ json: {} }]], settings: { retryOnFail: true } });

/** Besides what creation.model.test.ts does in any order. */
describe('A run that read the list before another execution created the event', () => {
	/** The list is read for B, whose creation takes long. */
	const startRun = async (...titles: string[]) => {
		const { service } = creations;
		service.injectFault({ on: 'eventInsert', kind: 'delay', ms: 500 });
		const output = creations.runWith(titles, 'X');
		await service.until(() => service.requestsOf('eventInsert').length === 1);
		return { output, service };
	};

	it.each([
		['had its record', () => {}],
		['had no hash', () => (creations.service.settings.writeResponse = 'success')],
		['was lost', () => creations.service.injectFault({ on: 'eventInsert', kind: 'lostResponse' })],
	])('finds it when the response to that creation %s', async (_, prepare) => {
		const { output } = await startRun('B', 'A');
		prepare();
		await creations.runWith(['A'], 'Y');
		expect((await output)[1]).toMatchObject({ skipped: true });
		expect(creations.events()).toHaveLength(1);
	});

	it('finds it when the response to that creation was an error although it was carried out', async () => {
		const { output, service } = await startRun('B', 'A');
		service.injectFault({ on: 'eventInsert', kind: 'status', status: 500, error: 'Out of memory' });
		await creations.runWith(['A'], 'Y');
		service.seedEvents([{ title: 'A', dateScheduled: '2030-01-01 10:00:00' }]);
		expect((await output)[1]).toMatchObject({ skipped: true });
	});

	it('does not create it again after an execution that wanted it twice', async () => {
		creations.service.settings.writeResponse = 'success';
		const { output } = await startRun('B', 'A');
		await creations.runWith(['A', 'A'], 'Y');
		await output;
		expect(creations.events()).toHaveLength(1);
	});

	it('and a third one has found it, finds it', async () => {
		const { output } = await startRun('B', 'A');
		await creations.runWith(['A'], 'Y');
		// Its next round of a loop, or any other execution.
		expect(await creations.runWith(['A'], 'Z')).toMatchObject([{ skipped: true }]);
		await output;
		expect(creations.events()).toHaveLength(1);
	});

	it.each([
		['ten minutes later', 11 * MINUTE_MS],
		['with a clock that was set back', -5_000],
	])('finds it %s', async (_, ahead) => {
		const real = Date.now.bind(Date);
		const { output } = await startRun('B', 'A');
		if (ahead > 0) await creations.runWith(['A'], 'Y');
		jest.spyOn(Date, 'now').mockImplementation(() => real() + ahead);
		if (ahead < 0) await creations.runWith(['A'], 'Y');
		expect((await output)[1]).toMatchObject({ skipped: true });
		expect(creations.events()).toHaveLength(1);
	});
});

describe('A run creates one event for two items', () => {
	it('although another execution has seen the event in the list meanwhile', async () => {
		const { service } = creations;
		service.injectFault({ on: 'eventInsert', kind: 'delay', ms: 300, skip: 1 });
		const output = creations.runWith(['A', 'B', 'A'], 'X');
		await service.until(() => service.requestsOf('eventInsert').length === 2);
		expect(await creations.runWith(['A'], 'Y')).toMatchObject([{ skipped: true }]);
		await output;
		expect(creations.events()).toHaveLength(1);
	});

	it('although it takes longer than ten minutes', async () => {
		const real = Date.now.bind(Date);
		const isLater = () => creations.service.requestsOf('eventInsert').length >= 2;
		jest.spyOn(Date, 'now').mockImplementation(() => real() + (isLater() ? 11 * MINUTE_MS : 0));
		const output = await creations.runWith(['A', 'B', 'A']);
		expect([output[2]?.skipped, creations.events().length]).toEqual([true, 1]);
	});
});

describe('Executions at the same time', () => {
	it.each(FOLDER_AND_EVENT)('with and without Skip If Exists send one creation: %s', async (on, plain) => {
		const { service } = creations;
		service.injectFault({ on, kind: 'delay', ms: 200 });
		const first = creations.run(plain, { executionId: 'plain' });
		await service.until(() => service.requestsOf(on).length === 1);
		await Promise.all([first, creations.run(once(plain), { executionId: 'skip' })]);
		expect(service.requestsOf(on)).toHaveLength(1);
	});

	it.each(FOLDER_AND_EVENT)(
		'are not held up by one in line that is cancelled, which ends at once: %s',
		async (on, plain) => {
			const { service } = creations;
			service.injectFault({ on, kind: 'delay', ms: 400 });
			const x = creations.run(once(plain), { executionId: 'x' });
			await service.until(() => service.requestsOf(on).length === 1);
			const stop = new AbortController();
			const ended: string[] = [];
			const y = creations
				.run(once(plain), { executionId: 'y', abortSignal: stop.signal })
				.catch(() => ended.push('y'));
			const z = creations.run(once(plain), { executionId: 'z' });
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
		async (on, plain) => {
			const { service } = creations;
			service.injectFault({ on, kind: 'delay', ms: 200 });
			const stop = new AbortController();
			const x = creations.run(once(plain), { abortSignal: stop.signal }).catch(() => undefined);
			await service.until(() => service.requestsOf(on).length === 1);
			const z = creations.attempt(once(plain), { executionId: 'z' });
			stop.abort();
			await Promise.all([x, z]);
			await creations.attempt(once(plain), { executionId: 'w' });
			expect(service.requestsOf(on)).toHaveLength(1);
		},
	);

	it('of two applications of one account create an event of their plan once', async () => {
		const [other = ''] = (creations.service.settings.otherApplicationIds = [
			'9a1d8c1e-6f0b-4a57-9f3e-2b6f5f0c9a99',
		]);
		await Promise.all([
			creations.run(once(event), { executionId: '1' }),
			creations.run(once(event), { executionId: '2', credential: { applicationId: other } }),
		]);
		expect(creations.events()).toHaveLength(1);
	});
});

describe('A run whose first folder takes long creates no second folder', () => {
	const startRun = async () => {
		const { service } = creations;
		service.injectFault({ on: 'folderCreate', kind: 'delay', ms: 400 });
		const items = ['A', 'Webinars'].map((name) => ({ json: { name } }));
		const parameters = once({ ...folder, name: '={{ $json.name }}' });
		const output = creations.attempt(parameters, { items, executionId: 'X' });
		await service.until(() => service.requestsOf('folderCreate').length === 1);
		return { output, service };
	};

	it('of a name that a person has used meanwhile', async () => {
		const { output, service } = await startRun();
		service.seedFolders([{ name: 'Webinars' }]);
		expect((await output)[1]).toMatchObject({ skipped: true });
		expect(creations.folders()).toHaveLength(1);
	});

	it('of a name that another execution has given to a folder meanwhile', async () => {
		const [archive] = creations.service.seedFolders([{ name: 'Archive' }]);
		const { output } = await startRun();
		const renamed = { operation: 'update', folder: by('uuid', archive?.uuid ?? '') };
		const updateFields = { name: 'Webinars' };
		await creations.run({ resource: 'folder', ...renamed, updateFields }, { executionId: 'Y' });
		await output;
		expect(creations.folders()).toHaveLength(1);
	});

	it('and gives it its description, although another execution was refused that name meanwhile', async () => {
		const { service } = creations;
		service.injectFault({ kind: 'lostResponse', on: 'folderCreate' });
		service.injectFault({ kind: 'delay', on: 'folderCreate', ms: 400, skip: 1 });
		service.injectFault({ kind: 'status', on: 'folderCreate', status: 400, skip: 2 });
		const items = ['Webinars', 'B', 'Webinars'].map((name) => ({ json: { name } }));
		const parameters = once({ ...folder, name: '={{ $json.name }}' }, { description: 'of the choir' });
		const output = creations.attempt(parameters, { items, executionId: 'X' });
		await service.until(() => service.requestsOf('folderCreate').length === 2);
		await creations.attempt(folder, { executionId: 'Z' });
		expect((await output)[2]?.skipped).toBe(false);
		expect(creations.folders().map(({ description }) => description)).toEqual(['of the choir']);
	});

	it('because its list still has one that was deleted meanwhile', async () => {
		creations.service.seedFolders([{ name: 'Webinars' }]);
		const { output, service } = await startRun();
		creations.deleteAll();
		creations.listLate();
		service.injectFault({ on: 'folderCreate', kind: 'lostResponse' });
		await creations.attempt(once(folder), { executionId: 'Y' });
		await output;
		await creations.attempt(once(folder), { executionId: 'Y' });
		expect(creations.folders()).toHaveLength(1);
	});
});

it('A folder is created once in each application', async () => {
	const { service } = creations;
	const [other = ''] = (service.settings.otherApplicationIds = ['5a0c8c1e-6f0b-4a57-9f3e-2b6f5f0c9a22']);
	service.injectFault({ on: 'folderList', kind: 'status', status: 200, body: '[]', times: 9 });
	await creations.run(once(folder));
	const output = await creations.run(once(folder), { credential: { applicationId: other } });
	expect(output).toMatchObject([{ skipped: false }]);
});

it.each([
	['the response to its creation is lost', { kind: 'lostResponse', on: 'folderCreate' }],
	// The list is empty, then late once.
	['its list is late', { kind: 'status', on: 'folderList', status: 200, body: '[]', skip: 1 }],
] as const)('A folder gets its description in a later try when %s', async (why, fault) => {
	const { service } = creations;
	if (why === 'its list is late') service.settings.writeResponse = 'success';
	service.injectFault(fault);
	const parameters = once(folder, { description: 'of the choir' });
	const { runs } = await runWorkflow({ ...retried(), service, parameters });
	const json = runs[0]?.data?.main?.[0]?.[0]?.json;
	expect([json?.skipped, service.state.folders.map(({ description }) => description)]).toEqual([
		false,
		['of the choir'],
	]);
});

it('A folder is created after an execution that was cancelled while n8n signed in', async () => {
	const { service } = creations;
	service.injectFault({ on: 'authenticate', kind: 'delay', ms: 500 });
	const stop = new AbortController();
	const cancelled = creations.run(folder, { abortSignal: stop.signal }).catch(() => undefined);
	await service.until(() => service.requestsOf('authenticate').length === 1);
	stop.abort();
	await cancelled;
	expect(service.requestsOf('folderCreate')).toHaveLength(0);
	await creations.run(once(folder));
	expect(creations.folders()).toHaveLength(1);
});

it('A sign-in that takes too long is no creation that may have been carried out', async () => {
	const { deadlineMs, responseTimeoutMs } = requestPolicy;
	const { service } = creations;
	Object.assign(requestPolicy, { deadlineMs: 400, responseTimeoutMs: 300 });
	service.injectFault({ on: 'authenticate', kind: 'trickle', ms: 100 });
	const { result } = await runWorkflow({ ...retried(), service, parameters: event }).finally(() =>
		Object.assign(requestPolicy, { deadlineMs, responseTimeoutMs }),
	);
	const { error } = result.data.resultData;
	expect([error && 'description' in error && error.description, creations.count()]).toEqual([undefined, 1]);
});

import type { INodeParameters } from 'n8n-workflow';

import { by, run } from '../actions/run';
import { clockAhead, MINUTE_MS } from '../execution/clock';
import type { NodeRun } from '../execution/executeNode';
import { runWorkflow } from '../execution/runWorkflow';
import type { OperationName } from '../fakeService';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';

/** Events and folders that are created once (L3), and lost responses to a creation (R1). */
serviceForEachTest();

const event = { resource: 'event', operation: 'create', title: 'A', dateScheduled: '2030-01-01 10:00:00' };
const folder = { resource: 'folder', operation: 'create', name: 'A' };
const secret = 'plan-secret-7Qm2';
const start = { resource: 'event', operation: 'start', options: { secret } };
const getFolder = { resource: 'folder', operation: 'get', folder: by('name', 'A') };
const describeFolder = { resource: 'folder', operation: 'update', updateFields: { description: 'B' } };
const once = (parameters: INodeParameters): INodeParameters => ({
	...parameters,
	options: { skipIfExists: true },
});
/** Chooses the first event and the first folder, or the ones at this index. */
const chosen = (index = 0) => ({
	event: by('hash', service.state.events[index]?.hash ?? ''),
	folder: by('uuid', service.state.folders[index]?.uuid ?? ''),
});
/** An event or a folder of this name. */
const named = (name: string) => ({ title: name, name, updateFields: { name } });
const twice = { items: [{ json: {} }, { json: {} }] };
const count = () => service.state.events.length + service.state.folders.length;
/** Begins a run in which the response to a request takes a moment; the service has the request. */
async function begin(on: OperationName, parameters: INodeParameters, more: Partial<NodeRun>) {
	service.injectFault({ on, kind: 'delay', ms: 500 });
	const ended = run(parameters, more);
	await service.until(() => service.requestsOf(on).some(({ status }) => status === undefined));
	return { ended };
}
/** From now on, no list shows what is created. */
const listLate = () => {
	service.settings.folderAppearsAfterMs = 60 * MINUTE_MS;
	service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body: '[]', times: 99 });
};

describe.each([
	['An event', 'eventInsert', event],
	['A folder', 'folderCreate', folder],
] as const)('%s with Skip If Exists', (_what, on, plain) => {
	const later = async (ms: number) => await clockAhead(ms, async () => await run(once(plain)));

	it('An event or folder is created once by two executions at the same time, whether the other one has Skip If Exists or not', async () => {
		for (const [index, first] of [once(plain), plain].entries()) {
			Object.assign(service.state, { events: [], folders: [] });
			const name = named(`${index}`);
			const { ended } = await begin(on, { ...first, ...name }, { executionId: 'x' });
			expect(await run(once({ ...plain, ...name }), { executionId: 'y' })).toMatchObject([{ skipped: true }]);
			await ended;
			expect(count()).toBe(1);
		}
	});

	it('An event or folder is created by each item without Skip If Exists, and nothing is listed, whatever the response is', async () => {
		service.settings.writeResponse = 'success';
		await run({ ...plain, options: {} }, twice);
		expect(service.requests.map(({ operation }) => operation)).toEqual(['authenticate', on, on]);
	});

	it('An event or folder is another one under another name', async () => {
		for (const name of ['A', 'B']) await run(once({ ...plain, ...named(name) }));
		expect(count()).toBe(2);
	});

	it('An event or folder that was created counts although a later one of its name was lost, deleted or renamed, while no list shows them', async () => {
		listLate();
		for (const name of ['A', 'A', 'B']) await run({ ...plain, ...named(name), options: {} });
		const [left, , ofB] = plain === event ? service.state.events : service.state.folders;
		service.injectFault({ on, kind: 'lostResponse' });
		await expect(run({ ...plain, options: {} })).rejects.toThrow();
		const change = { resource: plain.resource, options: { name: 'A', secret, eventId: 4001 } };
		await run({ ...change, operation: 'delete', ...chosen(1), event: by('id', 4002) });
		expect(await run(once(plain))).toMatchObject([{ ...left, skipped: true }]);
		for (const name of ['B', 'C']) await run({ ...change, operation: 'update', ...chosen(), ...named(name) });
		expect(await run(once({ ...plain, ...named('B') }))).toMatchObject([{ ...ofB, skipped: true }]);
	});

	it('An event or folder is created once by two items and by the rounds of a loop within half a minute, though no list shows it and this node changes something else of it', async () => {
		listLate();
		expect(await run(once(plain), twice)).toMatchObject([{ skipped: false }, { skipped: true }]);
		// The sign-in, one list (of events, pages 1 and 0), the creation.
		expect(service.requests).toHaveLength(plain === event ? 4 : 3);
		await run({ ...(plain === event ? start : describeFolder), ...chosen() });
		expect(await later(25_000)).toMatchObject([{ skipped: true }]);
		expect(count()).toBe(1);
		expect(await later(31_000)).toMatchObject([{ skipped: false }]);
	});

	it.each([
		['account', () => ({ email: 'other@example.com' })],
		['application', () => ({ applicationId: '5a0c8c1e-6f0b-4a57-9f3e-2b6f5f0c9a22' })],
		['service', () => ({ baseUrl: service.baseUrl.replace('127.0.0.1', 'localhost') })],
	])('An event or folder is not what another %s has created or deleted', async (_what, other) => {
		const [own] = await run(once(plain));
		const { email, applicationId } = service.settings;
		const credential = other();
		Object.assign(service.settings, credential);
		await run({ resource: plain.resource, operation: 'delete', ...chosen() }, { credential });
		expect(await run(once(plain), { credential })).toMatchObject([{ skipped: false }]);
		Object.assign(service.settings, { email, applicationId });
		listLate();
		expect(await run(once(plain))).toEqual([{ ...own, skipped: true }]);
	});

	it('An event or folder that was renamed is found by its new name, though no list shows it', async () => {
		listLate();
		await run(once(plain));
		const change = { resource: plain.resource, operation: 'update', options: { secret } };
		await run({ ...change, ...chosen(), ...named('B') });
		expect(await run(once({ ...plain, ...named('B') }))).toMatchObject([{ skipped: true }]);
	});

	it.each(['record', 'success'] as const)('is created again once it is gone: %s', async (response) => {
		service.settings.writeResponse = response;
		for (const operation of ['update', 'delete']) {
			await run(once(plain));
			await run({ resource: plain.resource, operation, ...chosen(count() - 1), ...named('B') });
			expect(await run(once(plain))).toMatchObject([{ skipped: false }]);
		}
	});

	it.each([
		['record', 'hash'],
		['success', 'hash'],
		['success', 'id'],
		['lost', 'hash'],
	] as const)('stays known when another one is deleted: response %s, By %s', async (response, mode) => {
		if (response === 'lost') service.injectFault({ on, kind: 'lostResponse' });
		else service.settings.writeResponse = response;
		// Without a UUID in the response, the folder cannot be found while no list shows it.
		const create = async () => await run(once(plain)).catch(() => undefined);
		await create();
		const [{ hash, eventId } = {}] = service.seedEvents([{ title: 'B' }]);
		const [{ uuid = '' } = {}] = service.seedFolders([{ name: 'B' }]);
		const other = { event: by(mode, (mode === 'id' ? eventId : hash) ?? ''), folder: by('uuid', uuid) };
		const options = { name: 'B', secret, eventId };
		await run({ resource: plain.resource, operation: 'delete', ...other, options });
		const known = count();
		listLate();
		await create();
		expect(count()).toBe(known);
	});

	it('An event or folder is looked for by the next item and the next run after a lost response', async () => {
		service.injectFault({ on, kind: 'lostResponse' });
		const output = await run(once(plain), { ...twice, onError: 'continueRegularOutput' });
		const mayExist = expect.stringMatching(/may have been carried out/i);
		const { events, folders } = service.state;
		const listed = { ...events.map(({ hash }) => ({ hash }))[0], ...folders[0], skipped: true };
		expect(output).toMatchObject([{ error: mayExist }, listed]);
		expect(await run(once(plain))).toMatchObject([listed]);
		expect(count()).toBe(1);
	});

	it('An event or folder keeps the error of a lost response for half a minute, when no list shows it; then the list decides', async () => {
		listLate();
		service.injectFault({ on, kind: 'status', status: 400, error: 'Not carried out' });
		await expect(run(once(plain))).rejects.toThrow('Not carried out');
		service.injectFault({ on, kind: 'lostResponse' });
		const description = expect.stringContaining('check that before you run this again');
		const message = expect.stringMatching(/^What an earlier creation of the same name .* is not known/);
		const failed = async (settings = {}) => await run(once(plain), settings).catch((error: unknown) => error);
		const retried = { items: [{ json: {} }], retryOnFail: true };
		const errors = [await failed(), await failed(retried)];
		expect(errors).toMatchObject([{ description }, { description, message }]);
		const sent = service.requests.length;
		expect(await failed(retried)).toMatchObject({ description, message });
		expect(service.requests).toHaveLength(sent);
		expect(count()).toBe(1);
		expect(await later(31_000)).toMatchObject([{ skipped: false }]);
	});

	it('An event or folder is created once by those that come while the one in line creates what another could not', async () => {
		service.injectFault({ on, kind: 'status', status: 400 });
		service.injectFault({ on, kind: 'delay', skip: 1, ms: 500 });
		const failed = run(once(plain), { executionId: 'x' }).catch(() => undefined);
		const second = run(once(plain), { executionId: 'y' });
		await service.until(() => service.requestsOf(on).length === 2);
		expect(await run(once(plain), { executionId: 'z' })).toMatchObject([{ skipped: true }]);
		await Promise.all([failed, second]);
		expect(count()).toBe(1);
	});

	it('An event or folder does not hold up others when an execution in line is cancelled, which ends at once', async () => {
		const x = await begin(on, once(plain), { executionId: 'x' });
		const stop = new AbortController();
		const ended: string[] = [];
		const y = run(once(plain), { executionId: 'y', abortSignal: stop.signal }).catch(() => ended.push('y'));
		const z = run(once(plain), { executionId: 'z' });
		stop.abort();
		await Promise.all([x.ended.then(() => ended.push('x')), y]);
		expect(ended).toEqual(['y', 'x']);
		expect(await z).toMatchObject([{ skipped: true }]);
		expect(service.requestsOf(on)).toHaveLength(1);
	});
});

it('An event is created once for each of its dates', async () => {
	listLate();
	const items = ['2030-01-01', '2030-01-02', '2030-01-01'].map((date) => ({ json: { date } }));
	const output = await run({ ...once(event), dateScheduled: '={{ $json.date }}' }, { items });
	expect(output).toMatchObject([{ skipped: false }, { skipped: false }, { skipped: true }]);
	// The sign-in, one list (pages 1 and 0), two creations.
	expect(service.requests).toHaveLength(5);
});

it('An event is not what was created in another plan', async () => {
	await run(once(event));
	const options = { skipIfExists: true, planId: 'plan-2002' };
	expect(await run({ ...event, options })).toMatchObject([{ skipped: false }]);
	expect(service.state.events.map(({ planId }) => planId)).toEqual(['plan-1001', 'plan-2002']);
});

it('Each folder is found by its name although its response shows only its UUID, and no list shows it', async () => {
	listLate();
	const [body] = service.seedFolders(1).map(({ uuid }) => ({ uuid }));
	answer('folderCreate', body, { times: 1 });
	await run(folder);
	expect(await run(getFolder)).toEqual([body]);
	await run(folder);
	await expect(run(getFolder)).rejects.toThrow('2 folders have the name "A"');
});

it('A new event is found by its title and by Skip If Exists although its response shows only its hash, and no list shows it', async () => {
	listLate();
	answer('eventInsert', { hash: 'aa' });
	await run(event);
	expect(await run(once(event))).toMatchObject([{ skipped: true }]);
	await run({ ...start, event: by('title', 'A') }).catch(() => {});
	expect(service.requestsOf('eventStartOrEnd').map(({ body }) => body)).toMatchObject([{ hash: 'aa' }]);
});

it('An older event is not taken for a new one of its title whose response shows only its number, and that no list shows', async () => {
	service.seedEvents([{ title: 'A' }]);
	answer('eventInsert', { eventId: 4100 });
	await run(event);
	const get = run({ resource: 'event', operation: 'get', event: by('title', 'A') });
	await expect(get).rejects.toThrow('2 events have the title "A"');
});

it('A folder that was created, but is not listed yet, is an error that Retry On Fail repeats', async () => {
	service.settings.writeResponse = 'success';
	listLate();
	const settings = { retryOnFail: true, maxTries: 3 };
	const rounds = [[{ json: {} }]];
	const { result } = await runWorkflow({ service, parameters: once(folder), rounds, settings });
	expect(result.data.resultData.error?.message).toMatch(/^The folder "A" was created, but cannot be found/);
	expect(count()).toBe(1);
});

it('A run that has read its list a minute before does not overlook a second event of a title that this process has created since', async () => {
	service.seedEvents([{ title: 'First' }, { title: 'A' }]);
	const get = { resource: 'event', operation: 'get', event: by('title', '={{ $json.name }}') };
	const items = ['First', 'A'].map((name) => ({ json: { name } }));
	const { ended } = await begin('eventSearchByHash', get, { items, onError: 'continueRegularOutput' });
	await run(event);
	const [, output] = await clockAhead(MINUTE_MS, async () => {
		await run({ ...event, title: 'Another one' });
		return await ended;
	});
	expect(output?.error).toMatch(/^2 events have the title "A"/);
});

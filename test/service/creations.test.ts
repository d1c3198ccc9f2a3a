import type { INodeParameters } from 'n8n-workflow';

import { mayBeCarriedOut } from '../../nodes/VideoHosting/transport/errors';
import { by, run } from '../actions/run';
import { clockAhead, MINUTE_MS } from '../execution/clock';
import type { NodeRun } from '../execution/executeNode';
import { runWorkflow } from '../execution/runWorkflow';
import { startService, type OperationName } from '../fakeService';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { upload } from '../upload/uploading';

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
const listLate = (of = service) => {
	of.settings.folderAppearsAfterMs = 60 * MINUTE_MS;
	of.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body: '[]', times: 99 });
};

describe.each([
	['An event', 'eventInsert', event],
	['A folder', 'folderCreate', folder],
] as const)('%s with Skip If Exists', (_what, on, plain) => {
	const later = async (ms: number) => await clockAhead(ms, async () => await run(once(plain)));

	it('is created once by two executions at the same time, whether the other one has the option or not', async () => {
		for (const [index, first] of [once(plain), plain].entries()) {
			Object.assign(service.state, { events: [], folders: [] });
			const name = named(`${index}`);
			const { ended } = await begin(on, { ...first, ...name }, { executionId: 'x' });
			expect(await run(once({ ...plain, ...name }), { executionId: 'y' })).toMatchObject([{ skipped: true }]);
			await ended;
			expect(count()).toBe(1);
		}
	});

	it('is created by each item while the option is not added, and nothing is listed, whatever the response is', async () => {
		service.settings.writeResponse = 'success';
		await run({ ...plain, options: {} }, twice);
		expect(service.requests.map(({ operation }) => operation)).toEqual(['authenticate', on, on]);
	});

	it('counts although a later one of its name was lost, deleted or renamed, while no list shows them', async () => {
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

	it('is created once by two items and by the rounds of a loop within half a minute, though no list shows it and this node changes something else of it', async () => {
		listLate();
		expect(await run(once(plain), twice)).toMatchObject([{ skipped: false }, { skipped: true }]);
		// The sign-in, one list (of events, pages 1 and 0), the creation.
		expect(service.requests).toHaveLength(plain === event ? 4 : 3);
		await run({ ...(plain === event ? start : describeFolder), ...chosen() });
		expect(await later(25_000)).toMatchObject([{ skipped: true }]);
		expect(count()).toBe(1);
		expect(await later(31_000)).toMatchObject([{ skipped: false }]);
	});

	it('is not what another account has created, as its list shows', async () => {
		await run(once(plain));
		service.settings.email = 'other@example.com';
		Object.assign(service.state, { events: [], folders: [] });
		const credential = { email: 'other@example.com' };
		expect(await run(once(plain), { credential })).toMatchObject([{ skipped: false }]);
	});

	it.each(['record', 'success'] as const)(
		'is created again after this node renamed or deleted it: response %s',
		async (response) => {
			service.settings.writeResponse = response;
			for (const operation of ['update', 'delete']) {
				await run(once(plain));
				await run({ resource: plain.resource, operation, ...chosen(count() - 1), ...named('B') });
				expect(await run(once(plain))).toMatchObject([{ skipped: false }]);
			}
		},
	);

	it('is not created again at another service, where its copy was not deleted', async () => {
		const other = await startService();
		await run(once(plain), { service: other });
		other.seedEvents([{ title: 'B', dateScheduled: event.dateScheduled }]);
		other.seedFolders([{ name: 'B' }]);
		const { events, folders } = other.state;
		Object.assign(service.state, structuredClone({ events, folders }));
		const remove = { resource: plain.resource, operation: 'delete' };
		await run({ ...remove, ...chosen() });
		await run({ ...remove, ...chosen() });
		const listed = once({ ...plain, ...named('B') });
		expect(await run(listed, { service: other })).toMatchObject([{ skipped: true }]);
		listLate(other);
		expect(await run(once(plain), { service: other })).toMatchObject([{ skipped: true }]);
		await other.close();
	});

	it.each([
		['record', 'delete', 'hash'],
		['record', 'delete', 'id'],
		['success', 'delete', 'hash'],
		['success', 'delete', 'id'],
		['success', 'update', 'hash'],
		['lost', 'delete', 'hash'],
	] as const)(
		'is not created again after this node changed another one: response %s, %s By %s',
		async (response, operation, mode) => {
			if (response === 'lost') service.injectFault({ on, kind: 'lostResponse' });
			else service.settings.writeResponse = response;
			// Without a UUID in the response, the folder cannot be found while no list shows it.
			const create = async () => await run(once(plain)).catch(() => undefined);
			await create();
			const [{ hash, eventId } = {}] = service.seedEvents([{ title: 'B' }]);
			const [{ uuid = '' } = {}] = service.seedFolders([{ name: 'B' }]);
			const other = { event: by(mode, (mode === 'id' ? eventId : hash) ?? ''), folder: by('uuid', uuid) };
			const options = { name: 'B', secret, eventId };
			await run({ resource: plain.resource, operation, ...other, ...named('C'), options });
			const known = count();
			listLate();
			await create();
			expect(count()).toBe(known);
		},
	);

	it('is looked for by the next item and the next run after a lost response', async () => {
		service.injectFault({ on, kind: 'lostResponse' });
		const output = await run(once(plain), { ...twice, onError: 'continueRegularOutput' });
		const mayExist = expect.stringMatching(/may have been carried out/i) as string;
		const { events, folders } = service.state;
		const listed = { ...events.map(({ hash }) => ({ hash }))[0], ...folders[0], skipped: true };
		expect(output).toMatchObject([{ error: mayExist }, listed]);
		expect(await run(once(plain))).toMatchObject([listed]);
		expect(count()).toBe(1);
	});

	it('keeps the error of a lost response for half a minute, when no list shows it; then the list decides', async () => {
		listLate();
		service.injectFault({ on, kind: 'status', status: 400, error: 'Not carried out' });
		await expect(run(once(plain))).rejects.toThrow('Not carried out');
		service.injectFault({ on, kind: 'lostResponse' });
		const description = expect.stringContaining('check that before you run this again') as string;
		for (let count = 1; count <= 2; count++) {
			const error: unknown = await run(once(plain)).catch((failure: unknown) => failure);
			expect(error).toMatchObject({ description });
			expect(mayBeCarriedOut(error)).toBe(true);
		}
		expect(count()).toBe(1);
		expect(await later(31_000)).toMatchObject([{ skipped: false }]);
	});

	it('does not hold up others when an execution in line is cancelled, which ends at once', async () => {
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

	it('is reported as not known, and not as cancelled, to an execution in line when the first one is cancelled', async () => {
		listLate();
		const stop = new AbortController();
		const x = await begin(on, once(plain), { executionId: 'x', abortSignal: stop.signal });
		const y = run(once(plain), { executionId: 'y' });
		stop.abort();
		await expect(x.ended).rejects.toThrow('The request was cancelled');
		await expect(y).rejects.toThrow(/^What an earlier creation of the same name has created is not known/);
	});
});

it('An event is found after a lost response by another execution, whose list is older', async () => {
	const items = ['B', 'A'].map((title) => ({ json: { title } }));
	const creation = { ...once(event), title: '={{ $json.title }}' };
	const other = await begin('eventInsert', creation, { executionId: 'other', items });
	service.injectFault({ on: 'eventInsert', kind: 'lostResponse' });
	await expect(run(once(event))).rejects.toThrow();
	const output = await clockAhead(40_000, async () => await other.ended);
	expect(output).toMatchObject([{ skipped: false }, { skipped: true }]);
});

it('An event is created once for each of its dates', async () => {
	listLate();
	const items = ['2030-01-01', '2030-01-02', '2030-01-01'].map((date) => ({ json: { date } }));
	const output = await run({ ...once(event), dateScheduled: '={{ $json.date }}' }, { items });
	expect(output).toMatchObject([{ skipped: false }, { skipped: false }, { skipped: true }]);
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

it('A folder that somebody deleted is not found by its name half a minute after its creation', async () => {
	await run(folder);
	expect(await run(getFolder)).toHaveLength(1);
	service.state.folders = [];
	const later = clockAhead(MINUTE_MS, async () => await run(getFolder));
	await expect(later).rejects.toThrow('The application has no folder with the name "A"');
});

it('A folder is created once in each application', async () => {
	const [other = ''] = (service.settings.otherApplicationIds = ['5a0c8c1e-6f0b-4a57-9f3e-2b6f5f0c9a22']);
	answer('folderList', []);
	await run(once(folder));
	const elsewhere = await run(once(folder), { credential: { applicationId: other } });
	expect(elsewhere).toMatchObject([{ skipped: false }]);
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
	const rounds = [[{ json: {} }]];
	const { result } = await runWorkflow({ service, parameters: once(folder), rounds, settings });
	expect(result.data.resultData.error?.message).toMatch(/^The folder "A" was created, but cannot be found/);
	expect(count()).toBe(1);
});

it('An event has the title that somebody else gave it after this node', async () => {
	const [seeded] = service.seedEvents(1);
	const options = { secret, eventId: seeded?.eventId };
	await run({ ...start, operation: 'update', ...chosen(), title: 'B', options });
	Object.assign(seeded ?? {}, { title: 'C' });
	const get = { resource: 'event', operation: 'get', event: by('title', 'C') };
	expect(await run(get)).toMatchObject([{ hash: seeded?.hash }]);
});

it('A run that has read its list a minute before does not overlook a second event of a title that this process has created since', async () => {
	service.seedEvents([{ title: 'First' }, { title: 'A' }]);
	const get = { resource: 'event', operation: 'get', event: by('title', '={{ $json.name }}') };
	const items = ['First', 'A'].map((name) => ({ json: { name } }));
	const { ended } = await begin('eventSearchByHash', get, { items, onError: 'continueRegularOutput' });
	await run(event);
	const [, output] = await clockAhead(MINUTE_MS, async () => await ended);
	expect(output?.error).toMatch(/^2 events have the title "A"/);
});

import axios from 'axios';
import { execFileSync } from 'node:child_process';
import { Agent } from 'node:http';
import { join } from 'node:path';

import { json } from './axiosClient';
import { RemoteService, startServiceProcess, type ServiceProcess } from './control';
import { flagsFor, readFlags } from './flags';
import type { ServiceCredential } from './index';

let running: ServiceProcess;
let remote: RemoteService;

beforeAll(async () => {
	running = await startServiceProcess({
		listShape: 'data.items',
		plans: { 'plan-1001': 's1' },
		hashing: false,
	});
	remote = running.remote;
});
afterAll(async () => await running.stop());

async function get(path: string): Promise<{ status: number; data: unknown }> {
	const { baseUrl, email, password, applicationId }: ServiceCredential = running.credential;
	const client = axios.create({ baseURL: baseUrl, httpAgent: new Agent(), validateStatus: () => true });
	const body = { email, password, resource: applicationId };
	const { data } = await client.post('/v1/authenticate', body, { headers: json });
	return await client.get(path, { headers: { Authorization: `Bearer ${data.token}` } });
}

it('a service in another process gets its settings from flags', async () => {
	expect(await remote.settings()).toMatchObject({
		listShape: 'data.items',
		plans: { 'plan-1001': 's1' },
		hashing: false,
	});
	expect(await remote.credential()).toEqual(running.credential);
});

it('can be seeded, and returns its state and requests', async () => {
	const seeded = await remote.seed({ folders: [{ name: 'Concerts' }], events: 2, videos: 1 });
	await remote.clearRequests();
	expect((await get('/v1/folders')).data).toEqual({ data: { items: seeded.folders, total: 1 } });
	expect((await remote.requests()).map(({ operation }) => operation)).toEqual(['authenticate', 'folderList']);
	expect(await remote.requests('folderList')).toMatchObject([
		{ method: 'GET', path: '/v1/folders', status: 200 },
	]);
	expect(await remote.state()).toMatchObject({ ...seeded, uploads: [], maxSimultaneousPatches: 0 });
});

it('changes settings and event statuses, and injects faults', async () => {
	const { events } = await remote.seed({ events: 1 });
	await remote.setEventStatus(events[0]?.hash ?? '', 'LIVE');
	expect((await remote.state()).events.at(-1)?.status).toBe('LIVE');
	await remote.change({ listShape: 'array' });
	expect((await get('/v1/folders')).data).toMatchObject([{ name: 'Concerts' }]);
	await remote.injectFault({ on: 'folderList', kind: 'status', status: 503, times: 5 });
	expect((await get('/v1/folders')).status).toBe(503);
	await remote.clearFaults();
	expect((await get('/v1/folders')).status).toBe(200);
});

it('goes down and is up again', async () => {
	await remote.goDown();
	await expect(get('/v1/folders')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
	await remote.comeBack();
	expect((await get('/v1/folders')).status).toBe(200);
});

it.each([
	[
		'an unknown setting',
		() => fetch(`${remote.controlUrl}/settings`, { method: 'PATCH', body: '{"shape":1}' }),
	],
	[
		'a fault without kind',
		() => fetch(`${remote.controlUrl}/faults`, { method: 'POST', body: '{"on":"folderList"}' }),
	],
	[
		'an event that does not exist',
		() =>
			fetch(`${remote.controlUrl}/event-status`, { method: 'POST', body: '{"hash":"x","status":"LIVE"}' }),
	],
	[
		'a status that does not exist',
		() => fetch(`${remote.controlUrl}/event-status`, { method: 'POST', body: '{"hash":"x","status":"ON"}' }),
	],
])('rejects %s', async (_what, send) => {
	const response = await send();
	expect([response.status, await response.json()]).toEqual([400, { error: expect.any(String) }]);
});

it('flags transport every setting unchanged', () => {
	const { settings } = readFlags([]);
	expect(readFlags(flagsFor(settings)).settings).toEqual(settings);
	const changed = {
		...settings,
		plans: { p: 'a "b"' },
		otherApplicationIds: [settings.applicationId],
		password: '-1',
	};
	expect(readFlags(flagsFor(changed)).settings).toEqual(changed);
});

it('a flag with a wrong value is rejected with the valid values', () => {
	expect(() => readFlags(['--list-shape', 'tree'])).toThrow(
		/--list-shape must be array\|data\|.*, not "tree"/,
	);
	expect(() => readFlags(['--list'])).toThrow(/--list/);
});

it('--help lists every setting', () => {
	const help = execFileSync(process.execPath, ['--import', 'tsx', join(__dirname, 'main.ts'), '--help'], {
		encoding: 'utf8',
	});
	for (const flag of flagsFor(readFlags([]).settings)) expect(help).toContain(`  ${flag.split('=')[0]}`);
	expect(help).toContain('--list-shape array|data|items');
});

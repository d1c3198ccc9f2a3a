import type { INodeParameters } from 'n8n-workflow';

import { by, run } from '../actions/run';
import { clockAhead, MINUTE_MS } from '../execution/clock';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';

/** Each operation that chooses a record by its title or name (L2). */
serviceForEachTest();

const NFC = 'Café Talk'.normalize('NFC');
const NFD = NFC.normalize('NFD');
const changes = () =>
	service.requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'authenticate');

type Chosen = [resource: 'event' | 'folder' | 'video', operation: string, more?: INodeParameters];
const OPERATIONS: Chosen[] = [
	['event', 'get'],
	['event', 'update', { title: 'New title' }],
	['event', 'start'],
	['event', 'end'],
	['event', 'delete'],
	['video', 'get'],
	['video', 'update', { name: 'New name' }],
	['video', 'delete'],
	['video', 'move', { folder: by('name', 'Archive') }],
	['folder', 'get'],
	['folder', 'update', { updateFields: { description: 'x' } }],
	['folder', 'delete'],
];

describe.each(OPERATIONS)('%s → %s', (resource, operation, more = {}) => {
	const label = resource === 'event' ? 'title' : 'name';
	/** Records with these names; returns what identifies them. */
	const seed = (...names: string[]): string[] => {
		service.seedFolders([{ name: 'Archive' }]);
		const records = names.map((name) => ({ [label]: name }));
		if (resource === 'folder') return service.seedFolders(records).map(({ uuid }) => uuid);
		const seeded = resource === 'event' ? service.seedEvents(records) : service.seedVideos(records);
		return seeded.map(({ hash }) => hash);
	};
	const runFor = async (wanted: string) =>
		await run({ resource, operation, [resource]: by(label, wanted), ...more });

	it('A look-up by name uses the one record whose name looks the same, however its accents and white space are written', async () => {
		// The service itself searches for the name of a video.
		const name = resource === 'video' ? NFD : `\u200B${NFD.replace(' ', '\u00A0 \u2009')}\uFEFF`;
		const [, wanted] = seed(`${NFC} 2`, name, NFC.toUpperCase(), NFC.replace(' ', ''));
		const [output] = await runFor(` ${NFC} `);
		const sent = changes().map(({ path, body }) => [path, body]);
		expect(JSON.stringify([output, sent])).toContain(wanted);
	});

	it('A look-up by name lists several records, names what no record has, and changes none', async () => {
		const ids = seed(NFC, NFD);
		const several = await runFor(NFC).catch((error: unknown) => error);
		expect(several).toMatchObject({
			message: expect.stringContaining(`2 ${resource}s have the ${label} "${NFC}": `),
			description: expect.stringMatching(/^Choose one of them By (Hash|UUID), or rename the others\.$/),
		});
		for (const id of ids) expect(String(several)).toMatch(new RegExp(`${id} \\(2\\d{3}-[^)]+\\)(, |$)`));
		const owner = resource === 'folder' ? 'The application' : 'The plan plan-1001';
		const check = { event: 'Event and Plan ID', video: 'Video and Plan ID', folder: 'Folder' }[resource];
		await expect(runFor('unknown')).rejects.toMatchObject({
			message: `${owner} has no ${resource} with the ${label} "unknown"`,
			description: expect.stringMatching(`^Check ${check}\\. The ${label} must match exactly`),
		});
		expect(changes()).toEqual([]);
	});
});

describe('The path of a folder as the picker shows it', () => {
	let uuid: string | undefined;
	beforeEach(() => {
		const [year, month] = service.seedFolders([{ name: '2026' }, { name: 'January' }, { name: 'January' }]);
		Object.assign(month ?? {}, { parentId: year?.id });
		uuid = month?.uuid;
	});
	const move = { resource: 'video', operation: 'move', video: by('hash', 'v') };
	const folder = by('name', '2026 / January');

	it.each([{}, { createFolder: true }])('A folder is chosen by its path with options %j', async (options) => {
		service.seedVideos([{ hash: 'v' }]);
		await run({ ...move, folder, options });
		expect(service.state.videos).toMatchObject([{ folder: uuid }]);
		expect(service.state.folders).toHaveLength(3);
	});

	it('A folder is not chosen by its path when another one has that name', async () => {
		const [named] = service.seedFolders([{ name: '2026 / January' }]);
		expect(await run({ resource: 'folder', operation: 'get', folder })).toMatchObject([
			{ uuid: named?.uuid },
		]);
	});

	it('A path at which several folders are is an error', async () => {
		Object.assign(service.state.folders[2] ?? {}, { parentId: service.state.folders[0]?.id });
		const get = run({ resource: 'folder', operation: 'get', folder });
		await expect(get).rejects.toThrow('2 folders have the name "2026 / January"');
	});
});

it('Videos of one name are listed with their folders', async () => {
	const [webinars] = service.seedFolders([{ name: 'Webinars' }]);
	const [inFolder, other] = service.seedVideos([{ name: 'A', folder: webinars?.uuid }, { name: 'A' }]);
	await expect(run({ resource: 'video', operation: 'get', video: by('name', 'A') })).rejects.toThrow(
		`: ${inFolder?.hash} (${inFolder?.createdDate}, in Webinars), ${other?.hash} (${other?.createdDate})`,
	);
});

it('A name that many records have is an error that lists ten of them', async () => {
	const parameters = { resource: 'folder', operation: 'get', folder: by('name', 'A') };
	service.seedFolders(Array<object>(12).fill({ name: 'A' }));
	const message = /^12 folders have the name "A": ([^,]+, ){9}[^,]+ and 2 more$/;
	await expect(run(parameters)).rejects.toThrow(message);
});

it.each(['event', 'folder'] as const)('A run reads each %s once, and knows its changes', async (resource) => {
	const label = resource === 'event' ? 'title' : 'name';
	service.seedEvents([{ title: 'A' }, { title: 'C' }]);
	service.seedFolders([{ name: 'A' }, { name: 'C' }]);
	const update = { resource, operation: 'update', [resource]: by(label, '={{ $json.from }}') };
	const changed = { title: '={{ $json.to }}', updateFields: { name: '={{ $json.to }}' } };
	const items = ['AB', 'BC', 'CD'].map(([from, to]) => ({ json: { from, to } }));
	const output = await run({ ...update, ...changed }, { items, onError: 'continueRegularOutput' });
	const several = expect.stringMatching(`^2 ${resource}s`);
	expect(output.map(({ error }) => error)).toEqual([undefined, undefined, several]);
	const { events, folders } = service.state;
	const names = resource === 'event' ? events.map(({ title }) => title) : folders.map(({ name }) => name);
	expect(names).toEqual(['C', 'C']);
	expect(service.requestsOf('folderList')).toHaveLength(resource === 'event' ? 0 : 1);
	const pages = service.requestsOf('eventSearchAll').map(({ query }) => query.actualPage);
	expect(pages).toEqual(resource === 'event' ? ['1', '0', '2'] : []);
});

it('A run reads the events once to delete several by their titles, and each only once', async () => {
	service.seedEvents([{ title: 'A' }, { title: 'B' }, { title: 'C' }]);
	const items = [...'ABA'].map((title) => ({ json: { title } }));
	const remove = { resource: 'event', operation: 'delete', event: by('title', '={{ $json.title }}') };
	const [, , again] = await run(remove, { items, onError: 'continueRegularOutput' });
	expect(again?.error).toContain('no event with the title "A"');
	expect(service.state.events).toMatchObject([{ title: 'C' }]);
	expect(service.requestsOf('eventSearchAll')).toHaveLength(3);
});

it('A folder that is renamed while a run waits is found by its new name alone a minute later', async () => {
	const [folder] = service.seedFolders([{ name: 'A' }]);
	const items = service.seedVideos(3).map(({ hash }, index) => ({ json: { hash, name: 'ABA'[index] } }));
	service.injectFault({ on: 'videoMove', kind: 'delay', ms: 300 });
	const move = { resource: 'video', operation: 'move', video: by('hash', '={{ $json.hash }}') };
	const parameters = { ...move, folder: by('name', '={{ $json.name }}') };
	const moving = run(parameters, { items, onError: 'continueRegularOutput' });
	await service.until(() => service.requestsOf('videoMove').length === 1);
	Object.assign(folder ?? {}, { name: 'B' });
	const output = await clockAhead(MINUTE_MS, async () => await moving);
	const unknown = expect.stringContaining('no folder with the name "A"');
	expect(output.map(({ error = '' }) => error)).toEqual(['', '', unknown]);
});

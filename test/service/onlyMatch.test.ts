import type { INodeParameters } from 'n8n-workflow';

import { executeForJson, executeNode } from '../execution/executeNode';
import { by } from '../execution/locator';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

/** Each operation that chooses a record by its title or name (L2). */
let service: RunningService;
serviceForEachTest((started) => (service = started));

const NFC = 'Café Talk'.normalize('NFC');
const NFD = NFC.normalize('NFD');
const changes = () =>
	service.requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'authenticate');

const byTitle = (title: string) => by('title', title);
const byName = (name: string) => by('name', name);
const EVENT: Array<[string, INodeParameters]> = [
	['get', {}],
	['update', { title: 'New title' }],
	['start', {}],
	['end', {}],
	['delete', {}],
];
const VIDEO: Array<[string, INodeParameters]> = [
	['get', {}],
	['update', { name: 'New name' }],
	['delete', {}],
	['move', { folder: byName('Archive') }],
];
const FOLDER: Array<[string, INodeParameters]> = [
	['get', {}],
	['update', { updateFields: { description: 'x' } }],
	['delete', {}],
];

describe.each([
	...EVENT.map(([operation, more]) => ({ resource: 'event', operation, more, choose: byTitle })),
	...VIDEO.map(([operation, more]) => ({ resource: 'video', operation, more, choose: byName })),
	...FOLDER.map(([operation, more]) => ({ resource: 'folder', operation, more, choose: byName })),
])('$resource → $operation', ({ resource, operation, more, choose }) => {
	/** Records with these names; returns what identifies them. */
	const seed = (...names: string[]): string[] => {
		service.seedFolders([{ name: 'Archive' }]);
		if (resource === 'event')
			return service.seedEvents(names.map((title) => ({ title }))).map(({ hash }) => hash);
		if (resource === 'video')
			return service.seedVideos(names.map((name) => ({ name }))).map(({ hash }) => hash);
		return service.seedFolders(names.map((name) => ({ name }))).map(({ uuid }) => uuid);
	};
	const run = async (wanted: string) =>
		await executeNode({ service, parameters: { resource, operation, [resource]: choose(wanted), ...more } });

	it('uses the one record of exactly that name, however its accents are written', async () => {
		const [, wanted] = seed(`${NFC} 2`, NFD, NFC.toUpperCase());
		const { items } = await run(` ${NFC} `);
		const sent = changes().map(({ path, body }) => [path, body]);
		expect(JSON.stringify([items[0]?.json, sent])).toContain(wanted);
	});

	it('lists several, names what no record has, and changes none', async () => {
		const ids = seed(NFC, NFD);
		const failure = await run(NFC).catch((error: unknown) => error);
		const label = resource === 'event' ? 'title' : 'name';
		const message = expect.stringMatching(
			`^2 ${resource}s have the ${label} "${NFC}": .* \\(2.*, .* \\(2`,
		) as string;
		const description = expect.stringMatching(/^Choose one of them in \w+ By (Hash|UUID)\.$/) as string;
		expect(failure).toMatchObject({ message, description });
		for (const id of ids) expect(String(failure)).toContain(id);
		await expect(run('event 4001')).rejects.toMatchObject({
			message: expect.stringMatching(
				`^The (plan plan-1001|application) has no ${resource} with the ${label} "event 4001"$`,
			) as string,
			description: expect.stringContaining('must match exactly') as string,
		});
		expect(changes()).toEqual([]);
	});
});

it('A run reads the list once for all its titles, and follows what it changes itself', async () => {
	service.seedEvents([{ title: 'A' }, { title: 'C' }]);
	const output = await executeForJson({
		service,
		parameters: {
			...{ resource: 'event', operation: 'update', title: '={{ $json.to }}' },
			event: byTitle('={{ $json.from }}'),
		},
		items: ['A>B', 'B>C', 'C>D'].map((names) => {
			const [from = '', to = ''] = names.split('>');
			return { json: { from, to } };
		}),
		onError: 'continueRegularOutput',
	});
	expect(output.map(({ error }) => error)).toEqual([
		undefined,
		undefined,
		expect.stringMatching(/^2 events/),
	]);
	expect(service.state.events.map(({ title }) => title)).toEqual(['C', 'C']);
	expect(service.requestsOf('eventSearchAll').map(({ query }) => query.actualPage)).toEqual(['1', '0', '2']);
});

it('A run reads the folders once, and follows what it changes itself', async () => {
	service.seedFolders([{ name: 'A' }, { name: 'B' }]);
	await executeNode({
		service,
		parameters: {
			...{ resource: 'folder', operation: 'update', updateFields: { name: '={{ $json.to }}' } },
			folder: byName('={{ $json.from }}'),
		},
		items: ['A>C', 'B>A', 'C>B'].map((names) => {
			const [from = '', to = ''] = names.split('>');
			return { json: { from, to } };
		}),
	});
	expect(service.state.folders.map(({ name }) => name)).toEqual(['B', 'A']);
	expect(service.requestsOf('folderList')).toHaveLength(1);
});

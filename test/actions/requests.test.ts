import type { INodeParameters } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import { by } from '../execution/locator';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { CASES, records, validItem, validParameters } from './operationCases';

serviceForEachTest();

const { hash, videoHash, uuid } = records;
const sent = Object.entries(CASES).flatMap(([name, { request }]) =>
	typeof request === 'string' ? [] : [[name, request] as const],
);

// The fake service compares method and headers with docs/api-reference.md, and rejects the request where they differ.
it.each(sent)('%s sends what the reference wants, and returns the record', async (name, wanted) => {
	service.seedEvents([{ hash, title: 'Town hall' }]);
	const [folder] = service.seedFolders([{ uuid, name: 'Concerts' }]);
	service.seedVideos([
		{ hash: videoHash, name: 'Video', size: 3, folder: folder?.uuid },
		{ name: 'Trailer', size: 4 },
	]);
	const [resource = '', operation = ''] = name.split('/');
	const [parameters = {}] = validParameters(resource, operation);

	const [output] = await executeForJson({ service, parameters, items: [await validItem()] });

	// Of a list of events, page 0 is tried first.
	const [request] = service.requestsOf(wanted.endpoint).filter(({ query }) => query.actualPage !== '0');
	expect(request).toMatchObject({ path: `/v1/${wanted.path}`, query: wanted.query ?? {}, status: 200 });
	expect(request?.body).toEqual(wanted.body);
	expect(request?.headers.authorization).toMatch(/^Bearer token-/);
	// Without returnsList, a list is one item.
	if (Array.isArray(output?.result))
		throw new Error(`nodes/VideoHosting/actions/${name}.ts: add returnsList`);
	expect(output).toMatchObject(wanted.output ?? {});
});

/** Valid names that something between the panel and the service might change. */
const NAMES = [
	`"Quoted", 'quoted', \`quoted\` and \\`,
	'../../v1/folders?name=a&b=c#d',
	'🎬 Über uns – 東京',
	'First line\nsecond line\twith {{ $json.text }}',
	'<b onclick="alert(1)">Bold</b>&amp;',
	'=1 + 1, %2e%2e and %00',
	'x'.repeat(5_000),
];

it('Names with quotes, paths, emoji, lines, HTML and 5,000 characters arrive as they are, and are found', async () => {
	service.settings.slotHeldBy = 'transferring';
	service.seedVideos(NAMES.map((_, index) => ({ hash: `hash-${index}` })));
	const items = NAMES.map((text) => ({ json: { text } }));
	const run = async (resource: string, operation: string, parameters: INodeParameters) =>
		await executeForJson({ service, parameters: { resource, operation, ...parameters }, items });
	const text = '={{ $json.text }}';
	await run('folder', 'create', { name: text });
	await run('event', 'create', { title: text, dateScheduled: '2030-01-01 12:00' });
	await run('video', 'update', { video: by('hash', '={{ "hash-" + $itemIndex }}'), name: text });
	await run('upload', 'create', { fileName: text, size: 1 });
	expect(service.state.uploads.map(({ filename }) => filename)).toEqual(NAMES);
	expect(await run('folder', 'get', { folder: by('name', text) })).toMatchObject(named('name'));
	expect(await run('event', 'get', { event: by('title', text) })).toMatchObject(named('title'));
	expect(await run('video', 'get', { video: by('name', text) })).toMatchObject(named('name'));
});

function named(field: string) {
	return NAMES.map((name) => ({ [field]: name }));
}

import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { REQUESTS, seedRecords, validItem } from './operationCases';
import { by, run } from './run';

serviceForEachTest();

// The fake service compares method, path and headers with docs/api-reference.md, and rejects the request where they differ.
it.each(REQUESTS)('$name sends what the reference wants, and returns the record', async (wanted) => {
	seedRecords();

	const [output] = await run(wanted.parameters, { items: [await validItem()] });

	// Of a list of events, page 0 is tried first.
	const [request] = service.requestsOf(wanted.endpoint).filter(({ query }) => query.actualPage !== '0');
	expect(request).toMatchObject({ query: wanted.query ?? {}, status: 200 });
	expect(request?.body).toEqual(wanted.body);
	expect(request?.headers.authorization).toMatch(/^Bearer token-/);
	// Without returnsList, a list is one item.
	if (Array.isArray(output?.result))
		throw new Error(`nodes/VideoHosting/actions/${wanted.name}.ts: add returnsList`);
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
	const text = '={{ $json.text }}';
	const created = { title: text, dateScheduled: '2030-01-01 12:00' };
	await run({ resource: 'folder', operation: 'create', name: text }, { items });
	await run({ resource: 'event', operation: 'create', ...created }, { items });
	const video = by('hash', '={{ "hash-" + $itemIndex }}');
	await run({ resource: 'video', operation: 'update', video, name: text }, { items });
	await run({ resource: 'upload', operation: 'create', fileName: text, size: 1 }, { items });
	expect(service.state.uploads.map(({ filename }) => filename)).toEqual(NAMES);
	for (const resource of ['folder', 'event', 'video']) {
		const field = resource === 'event' ? 'title' : 'name';
		const found = await run({ resource, operation: 'get', [resource]: by(field, text) }, { items });
		expect(found.map((record) => record[field])).toEqual(NAMES);
	}
});

import { LazyList } from '../../nodes/VideoHosting/service/lazyList';
import type { Pages } from '../../nodes/VideoHosting/service/paging';
import { by, run } from '../actions/run';
import { executeContext } from '../execution/executeNode';
import { fc } from '../execution/generated';
import { policies } from '../execution/policies';
import { startService } from '../fakeService';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';

/** How far lists are read (L1). */
serviceForEachTest();

const many = {
	event: { resource: 'event', operation: 'getAll' },
	video: { resource: 'video', operation: 'getAll' },
	folder: { resource: 'folder', operation: 'getAll' },
};
/** All records of a kind. */
const readAll = async (kind: keyof typeof many, of = service) =>
	await run({ ...many[kind], ...all }, { service: of });
const all = { returnAll: true };
const hashes = (records: Array<{ hash?: unknown; uuid?: unknown }>) =>
	records.map(({ hash, uuid }) => hash ?? uuid);
const eventPages = () => service.requestsOf('eventSearchAll').map(({ query }) => Number(query.actualPage));
const videoPages = () => service.requestsOf('videoList').map(({ query }) => Number(query.page));

it('Lists are read completely, whatever the size of a page, the number of the first and what follows the last', async () => {
	const settings = fc.record({
		firstEventPage: fc.constantFrom(0 as const, 1 as const),
		pageBeforeFirst: fc.constantFrom('400' as const, '500' as const, 'empty' as const),
		pastLastPage: fc.constantFrom('empty' as const, 'lastPage' as const, '404' as const),
		pageSizeCap: fc.constantFrom(0, 7, 100),
		pageSizeLimit: fc.constantFrom(0, 50),
		listShape: fc.constantFrom('data' as const, 'data+meta' as const, 'data+pages' as const),
	});
	const sizes = fc.constantFrom(0, 1, 7, 8, 20, 21, 50, 99, 100, 101, 201);
	await fc.assert(
		fc.asyncProperty(settings, sizes, async (paging, size) => {
			const own = await startService(paging);
			const events = own.seedEvents(size);
			const videos = own.seedVideos(Math.min(size, 60));
			const folders = own.seedFolders(Math.min(size, 60));
			expect(hashes(await readAll('event', own))).toEqual(hashes(events));
			expect(hashes(await readAll('video', own))).toEqual(hashes(videos));
			expect(await readAll('folder', own)).toEqual(folders);
			await own.close();
		}),
		{ numRuns: 15 },
	);
});

it('A Limit that the service rejects as a page size is kept over larger pages', async () => {
	service.seedEvents(40);
	const error = 'quantity must be 10, 25, 50 or 100';
	answer('eventSearchAll', { error }, { status: 400, query: { quantity: '5' } });
	expect(await run({ ...many.event, limit: 5 })).toHaveLength(5);
});

const search = { resource: 'video', operation: 'search', name: 'Video' };
describe.each([many.video, search, many.event])('Limit and Return All of %j', (parameters) => {
	it.each([
		['50 by default', {}, 0, 50, [1, 2, 3], [1, 0]],
		['Limit over short pages', { limit: 25 }, 10, 25, [1, 2, 3], [1, 0, 2, 3]],
		['all', all, 20, 55, [1, 2, 3, 4], [1, 0, 2, 3, 4]],
	])('No page is read in vain for %s', async (_what, given, pageSizeCap, count, ofVideos, ofEvents) => {
		Object.assign(service.settings, { pageSizeCap });
		const seeded = parameters === many.event ? service.seedEvents(55) : service.seedVideos(55);
		const found = await run({ ...parameters, ...given });
		expect(hashes(found)).toEqual(hashes(seeded.slice(0, count)));
		const isEvent = parameters === many.event;
		expect(isEvent ? eventPages() : videoPages()).toEqual(isEvent ? ofEvents : ofVideos);
	});
});

it('Videos are found by their hashes on no more pages than needed, each read once for all items', async () => {
	const videos = service.seedVideos(
		[...Array(60).keys()].map((n) => ({ createdDate: new Date(Date.UTC(2026, 0, n + 1)).toISOString() })),
	);
	const chosen = [59, 25, 58, 25].map((index) => videos[index]?.hash);
	const get = { resource: 'video', operation: 'get', video: by('hash', '={{ $json.hash }}') };
	const found = await run(get, { items: chosen.map((hash) => ({ json: { hash } })) });
	expect(hashes(found)).toEqual(chosen);
	expect(videoPages()).toEqual([1, 2]);
});

it.each([
	[{ firstEventPage: 0, pastLastPage: 'empty' }, 0, [1, 0, 1, 0, 1, 2]],
	[{ firstEventPage: 0, pastLastPage: '404' }, 0, [1, 0, 1, 0, 1, 2]],
	[{ firstEventPage: 0, pastLastPage: 'lastPage' }, 1, [1, 0, 2, 1, 0, 1, 2]],
	[{ pageBeforeFirst: 'empty' }, 1, [1, 0, 2, 1, 2, 3]],
] as const)('A missing page 0 is asked for once: %j, %i events before', async (settings, before, pages) => {
	Object.assign(service.settings, settings);
	const others = service.seedEvents(Array<object>(before).fill({ planId: 'plan-2002' }));
	const events = service.seedEvents(150);
	const parameters = { ...many.event, ...all, options: { planId: '={{ $json.planId }}' } };
	const items = ['plan-2002', 'plan-1001'].map((planId) => ({ json: { planId } }));
	expect(hashes(await run(parameters, { items }))).toEqual(hashes([...others, ...events]));
	expect(eventPages()).toEqual(pages);
});

const page = '<html>Internal Server Error</html>';
const negative = { error: 'SQL: negative offset' };
const failAtZero = (status: number, body: unknown) =>
	answer('eventSearchAll', body, { status, query: { actualPage: '0' }, times: Infinity });

it.each<[number, unknown]>([
	...[400, 404, 416, 422, 500].map((status): [number, unknown] => [status, negative]),
	...[200, 404, 500].map((status): [number, unknown] => [status, page]),
	[200, {}],
	[200, { status: 'error', message: 'No such page' }],
])('A page 0 that cannot be read is no page where page 1 can be read: %i %j', async (status, body) => {
	failAtZero(status, body);
	const events = service.seedEvents(230);
	expect(hashes(await readAll('event'))).toEqual(hashes(events));
	// Page 0 in at most three tries.
	expect(eventPages().length).toBeLessThanOrEqual(3 + 4);
});

it.each<[number, unknown]>([
	[429, { error: 'Slow down' }],
	[403, { error: 'Forbidden' }],
	[502, page],
	[503, { error: 'Maintenance' }],
])('A page 0 that cannot be read fails the run after %i %j', async (status, body) => {
	policies.request['rate limit'].totalMs = 50;
	failAtZero(status, body);
	service.seedEvents(230);
	await expect(readAll('event')).rejects.toThrow();
});

it('A page 0 without a response fails the run', async () => {
	service.seedEvents(230);
	service.injectFault({ on: 'eventSearchAll', kind: 'reset', query: { actualPage: '0' }, times: 99 });
	await expect(readAll('event')).rejects.toThrow();
});

describe('Lists without a stable order', () => {
	// Their order depends on their hashes, which are the same in each run of the test.
	beforeEach(() => {
		service.settings.tiesShuffled = true;
	});
	const ofThreeDates = (n: number) => `2030-01-0${(n % 3) + 1}`;
	/** The first of two events at one time ends a page and begins the next. */
	const ofPairs = (n: number) => `${2030 + Math.floor((n + 1) / 2)}-01-01`;
	it.each([
		['array', 'three dates', ofThreeDates, 6 + 4 * 12],
		['data', 'three dates', ofThreeDates, 6 + 4 * 12],
		['array', 'pairs', ofPairs, 5 + 2 * 7],
		['data', 'pairs', ofPairs, 5 + 2 * 7],
	] as const)('Events are found in pages without order: %s, %s', async (listShape, _dates, dateOf, most) => {
		service.settings.listShape = listShape;
		const events = service.seedEvents(
			[...Array(250).keys()].map((n) => ({ hash: `h${n}`, dateScheduled: `${dateOf(n)} 10:00:00` })),
		);
		expect(new Set(hashes(await readAll('event')))).toEqual(new Set(hashes(events)));
		expect(eventPages().length).toBeLessThanOrEqual(most);
	});

	it.each(['array', 'data'] as const)('Videos are found in pages without order: %s', async (listShape) => {
		service.settings.listShape = listShape;
		const createdDate = '2026-01-01T00:00:00Z';
		const videos = service.seedVideos([...Array(100).keys()].map((n) => ({ hash: `h${n}`, createdDate })));
		expect(new Set(hashes(await readAll('video')))).toEqual(new Set(hashes(videos)));
		// In at most five readings.
		expect(videoPages().length).toBeLessThanOrEqual(5 * 6);
	});

	it.each([{}, { total: 30 }])('A list with new records in each reading is an error: %j', async (about) => {
		const first = [...'abcdefgh'].map((each) => ({ hash: each }));
		for (const n of [1, 2, 3, 4, 5])
			for (const data of [first, [{ hash: `h${n}` }, ...first.slice(1)], []])
				answer('videoList', { data, ...about }, { times: 1 });
		await expect(readAll('video')).rejects.toMatchObject({
			message: expect.stringContaining('its order is not stable'),
			description: expect.stringContaining('13 videos were found in 5 readings'),
		});
	});

	it('A list that repeats a record and shows nothing new in its last reading is no error', async () => {
		const pages = ['abc', 'ade', ''].map((page) => [...page].map((hash) => ({ hash })));
		for (let reading = 1; reading <= 5; reading++)
			for (const page of pages) answer('videoList', page, { times: 1 });
		expect(hashes(await readAll('video'))).toEqual([...'abcde']);
	});

	it('Records that are added to the beginning of a list in each of its readings are no error', async () => {
		const list = [...'cbazy'].map((each) => ({ hash: each }));
		for (const added of 'defgh') {
			const pages = [list.slice(0, 3)];
			list.unshift({ hash: added });
			for (let start = 3; start < list.length + 3; start += 3) pages.push(list.slice(start, start + 3));
			for (const page of pages) answer('videoList', page, { times: 1 });
		}
		expect(hashes(await readAll('video'))).toEqual([...'cbazydefg']);
	});
});

it.each([
	['event', 'eventSearchAll', { total: 5 }],
	['video', 'videoList', { pagination: { totalCount: 5 } }],
	['folder', 'folderList', { meta: { total: '5' } }],
	['folder', 'folderList', { hasMore: true }],
] as const)('A list of %ss that is not whole, as %s says in %j, fails the run', async (kind, on, more) => {
	answer(on, { data: [{ hash: 'a' }], ...more });
	const message = /^The service lists 1 \w+, but (has 5|says that there are more)/;
	await expect(readAll(kind)).rejects.toThrow(message);
});

const read = async (...pages: object[]) => {
	for (const body of pages) answer('videoList', body, { times: 1 });
	return await readAll('video');
};
const [a, b] = [{ hash: 'a' }, { hash: 'b' }];

it.each([{ total: 5 }, { totalPages: 3 }])('An empty page makes no list whole: %j', async (about) => {
	await expect(read({ data: [], total: 5 })).rejects.toThrow(/^The service lists 0 .* has 5/);
	const pages = [
		{ data: [a], ...about },
		{ data: [], total: 0, totalPages: 0 },
	];
	await expect(read(...pages)).rejects.toThrow(/^The service lists 1 /);
});

it('A list of videos is whole when one was deleted while it was read', async () => {
	expect(await read({ data: [a], total: 3 }, { data: [b], total: 2 })).toEqual([a, b]);
});

it.each<[string, (page: number, count: number) => object]>([
	['a count of the page next to a total', (_page, count) => ({ count, pagination: { total: 45 } })],
	['a count of the page next to hasMore', (page, count) => ({ count, hasMore: page < 3 })],
	['the number of pages, not on the last one', (page) => (page < 3 ? { totalPages: 3 } : { has_more: 0 })],
	['the number of pages on the first one alone', (page) => (page < 2 ? { totalPages: 3 } : {})],
	['an address', (page) => ({ next_page_url: page < 3 ? `/v1/folders?page=${page + 1}` : null })],
	['a link', (page) => ({ _links: { next: { href: page < 3 ? `?page=${page + 1}` : null } } })],
	['the next page', (page) => ({ next: page < 3 ? { page: page + 1, limit: 20 } : null })],
])('A list of folders that says with %s that there are more is read to its end', async (_what, about) => {
	const folders = service.seedFolders(45);
	for (const firstPage of [0, 1]) {
		service.clearFaults();
		service.requests.length = 0;
		for (const page of [1, 2, 3, 4]) {
			const data = folders.slice((page - 1) * 20, page * 20);
			const body = { data, ...about(page, data.length) };
			answer('folderList', body, { query: { page: `${page - 1 + firstPage}` } });
			if (page === 1) answer('folderList', body, { times: 1 });
		}
		expect(hashes(await readAll('folder'))).toEqual(hashes(folders));
		expect(service.requestsOf('folderList')).toHaveLength(3 + firstPage);
	}
});

it('Events are found although the service rejects the sort direction', async () => {
	const [event] = service.seedEvents(1);
	answer('eventSearchAll', { error: 'orderType' }, { status: 400, query: { orderType: 'DESC' } });
	const get = { resource: 'event', operation: 'get', event: by('title', event?.title ?? '') };
	expect(await run(get)).toMatchObject([{ hash: event?.hash }]);
});

describe.each(['event', 'video'] as const)('A later page of %ss', (kind) => {
	const on = kind === 'event' ? 'eventSearchAll' : 'videoList';
	beforeEach(() => {
		Object.assign(service.settings, { defaultPageSize: 2, pageSizeCap: 2, pageBeforeFirst: 'empty' });
		service.seedEvents(6);
		service.seedVideos(6);
	});

	it.each([
		['500 of the service', 500, undefined],
		['404 of a gateway', 404, '<html><body>404 Not Found</body></html>'],
		['web page with status 200', 200, '<html><body>Sign in</body></html>'],
		['empty body', 200, ''],
	])('A later page that is a %s fails the run', async (_what, status, body) => {
		service.injectFault({ on, kind: 'status', status, body, skip: 2, times: 9 });
		await expect(readAll(kind)).rejects.toThrow();
	});

	it.each([400, 404, 416, 422])('A later page that is rejected with %i is the end', async (status) => {
		service.injectFault({ on, kind: 'status', status, error: 'No such page', skip: 2, times: 9 });
		expect(await readAll(kind)).toHaveLength(kind === 'event' ? 2 : 4);
	});

	describe('that the service rejects with 400 or 422', () => {
		const reject = (error: string, status: number) =>
			service.injectFault({ on, kind: 'status', status, error, skip: kind === 'event' ? 3 : 2, times: 9 });
		const read = async () => (await readAll(kind)).length;

		it.each([
			'Only the first 200 results are available',
			'Result window is too large',
			'The offset is too deep',
			'Records are limited: the maximum is 200',
		])('A rejected page is no end when a full page comes before and the text is %j', async (text) => {
			reject(text, 400);
			await expect(read()).rejects.toMatchObject({
				message: `The list of ${kind}s is longer than the service shows: ${text}.`,
				description: expect.stringContaining('Limit'),
			});
		});

		it.each([
			'Page 4 exceeds the maximum of 3 pages',
			'There are only 3 pages',
			'actualPage is too large',
			'The first 200 results are on page 1',
			'No more results',
		])('A rejected page is the end when the text is %j', async (text) => {
			reject(text, 422);
			expect(await read()).toBe(4);
		});
	});

	it('A later page that could not be read fails the look-up of one item, and is read again for the others', async () => {
		const mode = kind === 'event' ? 'title' : 'hash';
		const { events, videos } = service.state;
		const chosen = kind === 'event' ? events.map(({ title }) => title) : videos.map(({ hash }) => hash);
		service.injectFault({ on, kind: 'status', status: 409, error: 'Not today', skip: 2 });
		const get = { resource: kind, operation: 'get', [kind]: by(mode, '={{ $json.value }}') };
		const items = ['unknown', ...chosen].map((value) => ({ json: { value } }));
		const output = await run(get, { items, onError: 'continueRegularOutput' });
		expect(output.map(({ error }) => error === undefined)).toEqual([false, ...chosen.map(() => true)]);
	});
});

it.each([
	['videoList', 'a page with fewer records than another', ['ab', 'c'], {}],
	['videoList', 'as many records as it says that it has', ['ab', 'cd'], { total: 4 }],
	['videoList', 'as many pages as it says that it has', ['ab', 'cd'], { totalPages: 2 }],
	['eventSearchAll', 'fewer events than were requested', ['', 'ab'], {}],
] as const)('A list %s that names a limit after %s has ended', async (on, _after, pages, about) => {
	for (const page of pages) answer(on, { data: [...page].map((hash) => ({ hash })), ...about }, { times: 1 });
	answer(on, { error: 'Result window is too large' }, { status: 422 });
	expect(await readAll(on === 'videoList' ? 'video' : 'event')).toHaveLength(pages.join('').length);
});

it('A page that cannot be read fails each of the look-ups that wait for it', async () => {
	const list = new LazyList(async function* (): Pages<string> {
		yield await Promise.reject(new Error('The service returned 500'));
	});
	const lookUps = await Promise.allSettled([list.all(), list.all()]);
	expect(lookUps.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

it('A page 0 with the first 200 of 430 events changes no list that counts from 1', async () => {
	const events = service.seedEvents(430);
	answer('eventSearchAll', events.slice(0, 200), { query: { actualPage: '0' } });
	expect(hashes(await readAll('event'))).toEqual(hashes(events));
	expect(hashes(await run({ ...many.event, limit: 5 }))).toEqual(hashes(events.slice(0, 5)));
});

it('A service that makes up a new page for each number is an error after 10,000 pages', async () => {
	const parameters = { ...many.video, ...all };
	const { context, nodeType } = await executeContext({ service, parameters });
	let page = 0;
	const body = () => [{ hash: `${page++}` }];
	const response = () => Promise.resolve({ statusCode: 200, headers: {}, body: body() });
	// Over HTTP it would take a minute.
	Object.assign(context.helpers, { httpRequestWithAuthentication: response });
	const message = 'The service returned more than 10,000 pages of videos.';
	await expect(nodeType.execute.call(context)).rejects.toThrow(message);
	expect(page).toBe(10_001);
});

it('A list whose full last page says that there are more, before a page that is rejected, is whole', async () => {
	const records = ['a', 'b', 'c', 'd'].map((hash) => ({ hash, name: hash }));
	for (const page of [1, 2]) {
		const data = records.slice((page - 1) * 2, page * 2);
		answer('videoList', { data, hasMore: true }, { query: { page: `${page}` } });
	}
	answer('videoList', { error: 'No such page' }, { query: { page: '3' }, status: 404 });
	expect(await readAll('video')).toEqual(records);
});

it.each([
	[61, 20],
	[202, 100],
])('All of %i events on pages of %i are found, as the list counts, in sessions of 8', async (count, cap) => {
	Object.assign(service.settings, { tiesShuffled: true, listShape: 'data', pageSizeCap: cap });
	for (const name of 'abcdefgh') {
		const dateOf = (n: number) => `2030-01-${10 + Math.floor(n / 8)} 10:00:00`;
		service.state.events = [];
		service.seedEvents(
			[...Array(count).keys()].map((n) => ({ hash: `${name}${n}`, dateScheduled: dateOf(n % 150) })),
		);
		expect(await readAll('event')).toHaveLength(count);
	}
});

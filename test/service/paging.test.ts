import { executeForJson } from '../execution/executeNode';
import { fc } from '../execution/generated';
import { by } from '../execution/locator';
import { startService, type RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

/** How far lists are read (L1). */
let service: RunningService;
serviceForEachTest((started) => (service = started));

const many = {
	event: { resource: 'event', operation: 'getAll' },
	video: { resource: 'video', operation: 'getAll' },
};
const all = { returnAll: true };
const hashes = (records: Array<{ hash?: unknown }>) => records.map(({ hash }) => hash);
const eventPages = () => service.requestsOf('eventSearchAll').map(({ query }) => Number(query.actualPage));
const videoPages = () => service.requestsOf('videoList').map(({ query }) => Number(query.page));

it('Lists are read completely, whatever the size of a page, the number of the first and what follows the last', async () => {
	const settings = fc.record({
		firstEventPage: fc.constantFrom(0 as const, 1 as const),
		pageBeforeFirst: fc.constantFrom('400' as const, 'empty' as const),
		pastLastPage: fc.constantFrom('empty' as const, 'lastPage' as const, '404' as const),
		pageSizeCap: fc.constantFrom(0, 7, 100),
		pageSizeLimit: fc.constantFrom(0, 50),
	});
	const sizes = fc.constantFrom(0, 1, 7, 8, 20, 21, 50, 99, 100, 101, 201);
	await fc.assert(
		fc.asyncProperty(settings, sizes, async (paging, size) => {
			const own = await startService(paging);
			const events = own.seedEvents(size);
			const videos = own.seedVideos(Math.min(size, 60));
			const listed = async (kind: 'event' | 'video') =>
				hashes(await executeForJson({ service: own, parameters: { ...many[kind], ...all } }));
			expect(await listed('event')).toEqual(hashes(events));
			expect(await listed('video')).toEqual(hashes(videos));
			await own.close();
		}),
		{ numRuns: 15 },
	);
});

describe('No more pages are read than needed', () => {
	it.each([
		['50 by default', {}, 50, [1, 2, 3]],
		['Limit', { limit: 20 }, 20, [1]],
		['all', all, 55, [1, 2, 3, 4]],
	])('for many videos: %s', async (_what, given, count, pages) => {
		const seeded = service.seedVideos(55);
		const search = { resource: 'video', operation: 'search', name: 'Video' };
		for (const parameters of [many.video, search]) {
			service.requests.length = 0;
			const found = await executeForJson({ service, parameters: { ...parameters, ...given } });
			expect(hashes(found)).toEqual(hashes(seeded.slice(0, count)));
			expect(videoPages()).toEqual(pages);
		}
	});

	it.each([
		['50 by default', {}, 0, 50, [0, 1]],
		['Limit over short pages', { limit: 25 }, 10, 25, [0, 1, 2, 3]],
		['all', all, 0, 230, [0, 1, 2, 3, 4]],
	])('for many events: %s', async (_what, given, pageSizeCap, count, pages) => {
		Object.assign(service.settings, { pageSizeCap });
		const seeded = service.seedEvents(230);
		const found = await executeForJson({ service, parameters: { ...many.event, ...given } });
		expect(hashes(found)).toEqual(hashes(seeded.slice(0, count)));
		expect(eventPages()).toEqual(pages);
	});

	it('for videos by their hashes, each page once for all items', async () => {
		const videos = service.seedVideos(
			[...Array(60).keys()].map((n) => ({ createdDate: new Date(Date.UTC(2026, 0, n + 1)).toISOString() })),
		);
		const chosen = [59, 25, 58, 25].map((index) => videos[index]?.hash);
		const found = await executeForJson({
			service,
			parameters: { resource: 'video', operation: 'get', video: by('hash', '={{ $json.hash }}') },
			items: chosen.map((hash) => ({ json: { hash } })),
		});
		expect(hashes(found)).toEqual(chosen);
		expect(videoPages()).toEqual([1, 2]);
	});
});

it('A service that has no page 0 is asked for it once in a run', async () => {
	service.settings.pageBeforeFirst = 'empty';
	service.seedEvents(3);
	const items = [{ json: {} }, { json: {} }];
	await executeForJson({ service, parameters: { ...many.event, ...all }, items });
	expect(eventPages()).toEqual([0, 1, 2, 1, 2]);
});

it('A first page that cannot be read fails the run, also where the service has a page 1', async () => {
	Object.assign(service.settings, { firstEventPage: 0, pageSizeCap: 2 });
	service.seedEvents(6);
	service.injectFault({
		on: 'eventSearchAll',
		kind: 'status',
		status: 500,
		error: 'Internal error',
		times: 3,
	});
	await expect(executeForJson({ service, parameters: { ...many.event, ...all } })).rejects.toThrow();
});

it('Events are found although the service rejects the sort direction', async () => {
	const [event] = service.seedEvents(1);
	service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 400, error: 'orderType', times: 4 });
	const parameters = { resource: 'event', operation: 'get', event: by('title', event?.title ?? '') };
	expect(await executeForJson({ service, parameters })).toMatchObject([{ hash: event?.hash }]);
});

describe.each(['event', 'video'] as const)('A later page of %ss', (kind) => {
	const on = kind === 'event' ? 'eventSearchAll' : 'videoList';
	const read = async () => await executeForJson({ service, parameters: { ...many[kind], ...all } });
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
	])('that is a %s fails the run', async (_what, status, body) => {
		service.injectFault({ on, kind: 'status', status, body, skip: 2, times: 9 });
		await expect(read()).rejects.toThrow();
	});

	it.each([400, 404, 416, 422])('that the service rejects with %i is the end', async (status) => {
		service.injectFault({ on, kind: 'status', status, error: 'No such page', skip: 2, times: 9 });
		expect(await read()).toHaveLength(kind === 'event' ? 2 : 4);
	});

	it('that could not be read fails the look-up of one item, and is read again for the others', async () => {
		const chosen =
			kind === 'event'
				? service.state.events.map(({ title }) => by('title', title))
				: service.state.videos.map(({ hash }) => by('hash', hash));
		service.injectFault({ on, kind: 'status', status: 409, error: 'Not today', skip: 2 });
		const output = await executeForJson({
			service,
			parameters: { resource: kind, operation: 'get', [kind]: '={{ $json }}' },
			items: [by(kind === 'event' ? 'title' : 'hash', 'unknown'), ...chosen].map((json) => ({
				json: { ...json },
			})),
			onError: 'continueRegularOutput',
		});
		expect(output.map(({ error }) => error === undefined)).toEqual([false, ...chosen.map(() => true)]);
	});
});

it('An unknown plan is an error, not an empty one', async () => {
	for (const parameters of [many.event, many.video]) {
		const run = executeForJson({ service, parameters: { ...parameters, options: { planId: 'plan-0' } } });
		await expect(run).rejects.toThrow(/^Plan not found/);
	}
});

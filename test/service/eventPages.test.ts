import { executeForJson } from '../execution/executeNode';
import { fc } from '../execution/generated';
import { loadPicker } from '../execution/loadPicker';
import { by } from '../execution/locator';
import { startService, type RunningService, type ServiceSettings } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

/** Search All (operation 7) and the list of videos (20): which number the first page has, and what follows the last one. */
let service: RunningService;
serviceForEachTest((started) => (service = started));

const getAll = { resource: 'event', operation: 'getAll', returnAll: true };
const asked = () => service.requestsOf('eventSearchAll').map(({ query }) => Number(query.actualPage));
const hashes = (records: Array<{ hash?: unknown }>) => records.map(({ hash }) => hash);

it('Lists are read completely, whatever the number of the first page and whatever follows the last one', async () => {
	const settings = fc.record({
		firstEventPage: fc.constantFrom(0 as const, 1 as const),
		pageBeforeFirst: fc.constantFrom<ServiceSettings['pageBeforeFirst']>(
			...(['400', 'empty', 'firstPage'] as const),
		),
		pastLastPage: fc.constantFrom<ServiceSettings['pastLastPage']>(
			...(['empty', 'lastPage', '404'] as const),
		),
		listShape: fc.constantFrom<ServiceSettings['listShape']>('array', 'data.items'),
		pageSizeCap: fc.constantFrom(0, 7, 100),
		pageSizeLimit: fc.constantFrom(0, 50),
	});
	const sizes = fc.constantFrom(0, 1, 2, 7, 8, 20, 21, 50, 99, 100, 101, 201);
	await fc.assert(
		fc.asyncProperty(settings, sizes, async (paging, size) => {
			const own = await startService({ ...paging, defaultPageSize: 20 });
			const seeded = own.seedEvents(size);
			const videos = own.seedVideos(Math.min(size, 60));
			expect(hashes(await executeForJson({ service: own, parameters: getAll }))).toEqual(hashes(seeded));
			const ofVideos = await executeForJson({ service: own, parameters: { ...getAll, resource: 'video' } });
			expect(hashes(ofVideos)).toEqual(hashes(videos));
			await own.close();
		}),
		{ numRuns: 25 },
	);
});

it.each([1, 100, 101])('Events are found everywhere when pages count from 0: %i events', async (count) => {
	service.settings.firstEventPage = 0;
	const seeded = service.seedEvents(count);
	const [first] = seeded;
	const one = await executeForJson({ service, parameters: { ...getAll, returnAll: false, limit: 1 } });
	expect(hashes(one)).toEqual([first?.hash]);
	const { results } = await loadPicker('searchEvents', { service });
	expect(results.map(({ value }) => value)).toEqual(hashes(seeded.toReversed().slice(0, 100)));
	const start = { resource: 'event', operation: 'start', event: by('hash', first?.hash ?? '') };
	await executeForJson({ service, parameters: start });
	expect(service.state.events[0]?.status).toBe('LIVE');
});

it.each([0, 1] as const)(
	'Starting an event by its hash in a plan of 20,000 takes at most three requests: first page %i',
	async (firstEventPage) => {
		service.settings.firstEventPage = firstEventPage;
		const { hash = '' } = service.seedEvents(20_000)[7_000] ?? {};
		const start = { resource: 'event', operation: 'start', event: by('hash', hash) };
		await executeForJson({ service, parameters: start });
		expect(service.state.events[7_000]?.status).toBe('LIVE');
		const requests = service.requests.filter(({ operation }) => operation !== 'authenticate');
		expect(requests.length).toBeLessThanOrEqual(3);
	},
);

it('A service that has no page 0 is asked for it once in a run', async () => {
	service.seedEvents(3);
	await executeForJson({ service, parameters: getAll, items: [{ json: {} }, { json: {} }] });
	expect(asked()).toEqual([1, 0, 2, 1, 2]);
});

it('A page size that is rejected is tried once more with 50', async () => {
	service.settings.pageSizeLimit = 50;
	const seeded = service.seedEvents(70);
	expect(hashes(await executeForJson({ service, parameters: getAll }))).toEqual(hashes(seeded));
	const sizes = service.requestsOf('eventSearchAll').map(({ query }) => Number(query.quantity));
	expect(sizes.slice(0, 2)).toEqual([100, 50]);
	expect(new Set(sizes.slice(1))).toEqual(new Set([50]));
});

describe.each(['event', 'video'])('A later page of %ss', (resource) => {
	const on = resource === 'event' ? 'eventSearchAll' : 'videoList';
	const run = async () => await executeForJson({ service, parameters: { ...getAll, resource } });
	beforeEach(() => {
		Object.assign(service.settings, { defaultPageSize: 2, pageSizeCap: 2, pageBeforeFirst: 'empty' });
		service.seedEvents(6);
		service.seedVideos(6);
	});

	it.each([
		['500 of the service', 500, undefined],
		['404 of a gateway', 404, '<html><body>404 Not Found</body></html>'],
		['404 without a body', 404, ''],
		['web page with status 200', 200, '<html><body>Sign in</body></html>'],
		['empty body', 200, ''],
	])('that is a %s fails the run', async (_what, status, body) => {
		service.injectFault({ on, kind: 'status', status, body, skip: 2, times: 9 });
		await expect(run()).rejects.toThrow();
	});

	it.each([400, 404, 416, 422])('that the service rejects with %i is the end', async (status) => {
		service.injectFault({ on, kind: 'status', status, error: 'No such page', skip: 2, times: 9 });
		expect(await run()).toHaveLength(resource === 'event' ? 2 : 4);
	});
});

it('An unknown plan is an error, not an empty one', async () => {
	for (const resource of ['event', 'video']) {
		const parameters = { ...getAll, resource, options: { planId: 'plan-0' } };
		await expect(executeForJson({ service, parameters })).rejects.toThrow(/^Plan not found/);
	}
});

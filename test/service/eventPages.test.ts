import { executeForJson } from '../execution/executeNode';
import { fc } from '../execution/generated';
import { loadPicker } from '../execution/loadPicker';
import { by } from '../execution/locator';
import { activeTrigger } from '../execution/pollNode';
import { startService, type RunningService, type ServiceSettings } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

/** The pages of Search All (operation 7): which number the first one has, which size is accepted, what follows the last. */
let service: RunningService;
serviceForEachTest((started) => (service = started));

const getAll = { resource: 'event', operation: 'getAll', returnAll: true };
const pagesRead = () => service.requestsOf('eventSearchAll').map(({ query }) => Number(query.actualPage));
const hashes = (records: Array<{ hash?: unknown }>) => records.map(({ hash }) => hash);

describe('Pages of events', () => {
	it('are read completely, whatever the number of the first one and the response before it', async () => {
		const settings = fc.record({
			firstEventPage: fc.constantFrom(0 as const, 1 as const),
			pageBeforeFirst: fc.constantFrom<ServiceSettings['pageBeforeFirst']>(
				'400',
				'404',
				'500',
				'empty',
				'firstPage',
			),
			pastLastPage: fc.constantFrom<ServiceSettings['pastLastPage']>(
				'empty',
				'lastPage',
				'204',
				'emptyBody',
				'null',
				'400',
				'404',
				'416',
			),
			emptyList: fc.constantFrom<ServiceSettings['emptyList']>('list', '404', 'null'),
			errorsAsSuccess: fc.constantFrom<ServiceSettings['errorsAsSuccess']>('off', 'off', 'error'),
			pageSizeCap: fc.constantFrom(0, 7, 100),
			pageSizeLimit: fc.constantFrom(0, 20, 50),
			pageSizeLimitStatus: fc.constantFrom(400 as const, 422 as const),
		});
		const sizes = fc.constantFrom(0, 1, 2, 7, 8, 14, 20, 21, 50, 99, 100, 101, 150, 201);
		await fc.assert(
			fc.asyncProperty(settings, sizes, async (paging, size) => {
				const own = await startService({ ...paging, defaultPageSize: 20 });
				// A page size that is rejected must be rejected with its status.
				if (paging.errorsAsSuccess !== 'off') own.settings.pageSizeLimit = 0;
				const seeded = own.seedEvents(size);
				const videos = own.seedVideos(Math.min(size, 60));
				const events = await executeForJson({ service: own, parameters: getAll });
				expect(hashes(events)).toEqual(hashes(seeded));
				const read = own.requestsOf('eventSearchAll').length;
				const perPage = Math.min(paging.pageSizeCap || 100, paging.pageSizeLimit || 100);
				// The pages with records, up to four requests that show that nothing follows, two for the first number (seven where
				// it fails), and up to two page sizes that are rejected.
				expect(read).toBeLessThanOrEqual(Math.ceil(size / perPage) + 12);
				const ofVideos = await executeForJson({ service: own, parameters: { ...getAll, resource: 'video' } });
				expect(hashes(ofVideos)).toEqual(hashes(videos));
				await own.close();
			}),
			{ numRuns: 25 },
		);
	});

	it.each([1, 100, 101, 150])('are found everywhere when they count from 0: %i events', async (count) => {
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

		const parameters = { triggerOn: 'eventStatusChanged' };
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		service.setEventStatus(first?.hash ?? '', 'ON_DEMAND');
		expect(hashes((await trigger.poll()) ?? [])).toEqual([first?.hash]);
	});

	it.each([
		// Page 1 in another size shows that it is the first one.
		[{ firstEventPage: 1 as const }, 3, [1, 1, 2, 1, 2]],
		[{ firstEventPage: 0 as const }, 150, [1, 1, 0, 2, 0, 1, 2]],
		// Of one event that shows nothing.
		[{ firstEventPage: 1 as const }, 1, [1, 1, 0, 1, 0, 2, 1, 1, 0, 1, 0, 2]],
	])('find out the number of the first one in each run: %j, %i events', async (settings, count, pages) => {
		Object.assign(service.settings, settings);
		service.seedEvents(count);
		const items = [{ json: {} }, { json: {} }];
		await executeForJson({ service, parameters: getAll, items });
		expect(pagesRead()).toEqual(pages);
		service.requests.length = 0;
		await executeForJson({ service, parameters: getAll, items });
		expect(pagesRead()).toEqual(pages);
	});

	it('are whole or an error, in a run and for the trigger, when page 0 fails for a while', async () => {
		Object.assign(service.settings, { firstEventPage: 0, pageSizeCap: 2 });
		const seeded = service.seedEvents(6);
		for (const skip of [0, 1, 2, 3]) {
			for (const times of [1, 6]) {
				const fail = () =>
					service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 500, skip, times });
				fail();
				const found = await executeForJson({ service, parameters: getAll }).catch(() => undefined);
				expect(hashes(found ?? seeded)).toEqual(hashes(seeded));
				service.clearFaults();
				expect(hashes(await executeForJson({ service, parameters: getAll }))).toEqual(hashes(seeded));

				fail();
				const trigger = await activeTrigger({ service });
				await trigger.poll();
				service.clearFaults();
				await trigger.poll();
				const status = service.state.events[0]?.status === 'LIVE' ? 'ON_DEMAND' : 'LIVE';
				service.setEventStatus(seeded[0]?.hash ?? '', status);
				expect(hashes((await trigger.poll()) ?? [])).toEqual([seeded[0]?.hash]);
			}
		}
	});

	it('that cannot be reached at number 0 are an error, not an empty plan', async () => {
		service.settings.firstEventPage = 0;
		service.seedEvents(3);
		service.injectFault({ on: 'eventSearchAll', kind: 'reset', skip: 1, times: 5 });
		await expect(executeForJson({ service, parameters: getAll })).rejects.toThrow(/connection/i);
	});
});

describe('A page size that is rejected', () => {
	it.each([400, 422] as const)('with %i is made smaller once in a run', async (pageSizeLimitStatus) => {
		Object.assign(service.settings, { pageSizeLimit: 25, pageSizeLimitStatus });
		const seeded = service.seedEvents(30);
		const items = [{ json: {} }, { json: {} }];
		const output = await executeForJson({ service, parameters: getAll, items });
		expect(hashes(output)).toEqual([...hashes(seeded), ...hashes(seeded)]);
		const sizes = service.requestsOf('eventSearchAll').map(({ query }) => Number(query.quantity));
		expect(sizes.slice(0, 3)).toEqual([100, 50, 20]);
		// One request with 1 shows the number of the first page.
		expect(new Set(sizes.slice(4))).toEqual(new Set([20]));
	});

	it('is not blamed for another fault: the first message of the service is shown', async () => {
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 400, error: 'First reason' });
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 400, error: 'Other', times: 9 });
		await expect(executeForJson({ service, parameters: getAll })).rejects.toThrow('First reason');
	});
});

describe('A list of which the service refuses pages for a while', () => {
	const refusals = fc.record({
		status: fc.constantFrom(200, 400, 404, 416, 422),
		error: fc.constantFrom('Bad Request', 'No events found', 'No videos found'),
		body: fc.constantFrom(undefined, '<html><body>404 Not Found</body></html>', 'no such route', ''),
		skip: fc.integer({ min: 0, max: 9 }),
		times: fc.integer({ min: 1, max: 9 }),
	});
	const settings = fc.record({
		firstEventPage: fc.constantFrom(0 as const, 1 as const),
		pastLastPage: fc.constantFrom<ServiceSettings['pastLastPage']>('empty', 'lastPage', '400', '404', '204'),
		pageSizeCap: fc.constantFrom(7, 10),
		defaultPageSize: fc.constantFrom(7, 10),
	});

	const zeroBased = {
		firstEventPage: 0 as const,
		pastLastPage: 'empty' as const,
		pageSizeCap: 7 as const,
		defaultPageSize: 7 as const,
	};
	const refusedOnce = {
		...{ status: 200 as const, error: 'No events found' as const, body: undefined },
		...{ skip: 0, times: 1 },
	};

	it.each([
		['event', 'eventSearchAll'],
		['video', 'videoList'],
	] as const)('is whole or an error: %s', async (resource, on) => {
		await fc.assert(
			fc.asyncProperty(settings, refusals, fc.nat({ max: 40 }), async (paging, refusal, size) => {
				const own = await startService(paging);
				const seeded = resource === 'event' ? own.seedEvents(size) : own.seedVideos(size);
				own.injectFault({ on, kind: 'status', ...refusal });
				const found = await executeForJson({ service: own, parameters: { ...getAll, resource } }).catch(
					() => undefined,
				);
				// What the service says of the first page cannot be checked.
				const isFirst = refusal.skip < 3 && / found$/.test(refusal.error) && found?.length === 0;
				if (found && !isFirst) expect(hashes(found).sort()).toEqual(hashes(seeded).sort());
				// One refusal of a later page is survived, unless it hits the request that confirms another one.
				const confirms = paging.pastLastPage === '400' || paging.pastLastPage === '404';
				const isOne = refusal.times === 1 && refusal.body === undefined;
				if (isOne && refusal.skip > 5 && !confirms) expect(found).toBeDefined();
				await own.close();
			}),
			{
				numRuns: 40,
				// Page 1 of a service that counts from 0 is refused once.
				examples: [[zeroBased, refusedOnce, 8]],
			},
		);
	});
});

describe('A later page', () => {
	it.each(['event', 'video'])('of %ss that fails with 500 fails the run', async (resource) => {
		Object.assign(service.settings, { pastLastPage: '500', defaultPageSize: 2, pageSizeCap: 2 });
		service.seedEvents(4);
		service.seedVideos(4);
		await expect(executeForJson({ service, parameters: { ...getAll, resource } })).rejects.toThrow(
			'No such page',
		);
	});
});

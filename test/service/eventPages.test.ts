import fc from 'fast-check';

import { executeForJson } from '../execution/executeNode';
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
			pageSizeCap: fc.constantFrom(0, 7, 100),
			pageSizeLimit: fc.constantFrom(0, 20, 50),
			pageSizeLimitStatus: fc.constantFrom(400 as const, 422 as const),
		});
		const sizes = fc.constantFrom(0, 1, 2, 7, 8, 14, 20, 21, 50, 99, 100, 101, 150, 201);
		await fc.assert(
			fc.asyncProperty(settings, sizes, async (paging, size) => {
				const own = await startService(paging);
				const seeded = own.seedEvents(size);
				for (const run of [1, 2]) {
					own.requests.splice(0);
					const events = await executeForJson({ service: own, parameters: getAll });
					expect(hashes(events)).toEqual(hashes(seeded));
					if (run === 1) continue;
					const read = own.requestsOf('eventSearchAll').length;
					const perPage = Math.min(paging.pageSizeCap || 100, paging.pageSizeLimit || 100);
					// The pages with records, up to three requests that show that nothing follows, and one for the first number.
					expect(read).toBeLessThanOrEqual(Math.ceil(size / perPage) + 4);
				}
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

	it('are requested at number 0 once for each service that rejects that', async () => {
		service.seedEvents(3);
		await executeForJson({ service, parameters: getAll });
		expect(pagesRead().sort()).toEqual([0, 1, 2]);
		service.requests.splice(0);
		await executeForJson({ service, parameters: getAll });
		expect(pagesRead()).toEqual([1, 2]);
	});

	it('cost nothing more when they count from 0', async () => {
		service.settings.firstEventPage = 0;
		service.seedEvents(150);
		await executeForJson({ service, parameters: getAll });
		expect(pagesRead().sort()).toEqual([0, 1, 2]);
		service.requests.splice(0);
		await executeForJson({ service, parameters: getAll });
		expect(pagesRead()).toEqual([0, 1, 2]);
	});

	it('that cannot be reached at number 0 are an error, not an empty plan', async () => {
		service.settings.firstEventPage = 0;
		service.seedEvents(3);
		service.injectFault({ on: 'eventSearchAll', kind: 'reset', skip: 1, times: 5 });
		await expect(executeForJson({ service, parameters: getAll })).rejects.toThrow(/connection/i);
	});
});

describe('A page size that is rejected', () => {
	it.each([400, 422] as const)('with %i is made smaller, and remembered', async (pageSizeLimitStatus) => {
		Object.assign(service.settings, { pageSizeLimit: 25, pageSizeLimitStatus });
		const seeded = service.seedEvents(30);
		expect(hashes(await executeForJson({ service, parameters: getAll }))).toEqual(hashes(seeded));
		const sizesRead = () => service.requestsOf('eventSearchAll').map(({ query }) => Number(query.quantity));
		expect(sizesRead().slice(0, 3)).toEqual([100, 50, 20]);
		service.requests.splice(0);
		await executeForJson({ service, parameters: getAll });
		expect(new Set(sizesRead())).toEqual(new Set([20]));
	});

	it('is not blamed for another fault: the first message of the service is shown', async () => {
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 400, error: 'First reason' });
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 400, error: 'Other', times: 9 });
		await expect(executeForJson({ service, parameters: getAll })).rejects.toThrow('First reason');
	});

	it('is not suspected once it was accepted', async () => {
		service.seedEvents(3);
		await executeForJson({ service, parameters: getAll });
		service.requests.splice(0);
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 400, error: 'Bad Request' });
		await expect(executeForJson({ service, parameters: getAll })).rejects.toThrow('Bad Request');
		expect(service.requestsOf('eventSearchAll')).toHaveLength(1);
	});
});

describe('A later page', () => {
	it.each(['204', 'emptyBody', 'null', '400', '404', '416'] as const)(
		'whose response is %s ends a list',
		async (pastLastPage) => {
			Object.assign(service.settings, { pastLastPage, defaultPageSize: 2, pageSizeCap: 2 });
			const events = service.seedEvents(4);
			const videos = service.seedVideos(4);
			expect(hashes(await executeForJson({ service, parameters: getAll }))).toEqual(hashes(events));
			const ofVideos = await executeForJson({ service, parameters: { ...getAll, resource: 'video' } });
			expect(hashes(ofVideos)).toEqual(hashes(videos));
		},
	);

	it.each(['event', 'video'])('of %ss that fails with 500 fails the run', async (resource) => {
		Object.assign(service.settings, { pastLastPage: '500', defaultPageSize: 2, pageSizeCap: 2 });
		service.seedEvents(4);
		service.seedVideos(4);
		await expect(executeForJson({ service, parameters: { ...getAll, resource } })).rejects.toThrow(
			'No such page',
		);
	});
});

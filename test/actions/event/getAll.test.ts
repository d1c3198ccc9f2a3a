import { executeForJson, executeNode } from '../../execution/executeNode';
import { withKnownPaging } from '../../execution/knownPaging';
import type { RunningService, ServiceSettings } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = withKnownPaging(started)));

const parameters = { resource: 'event', operation: 'getAll' };
const all = { ...parameters, returnAll: true };
const pagesAsked = () => service.requestsOf('eventSearchAll').map(({ query }) => Number(query.actualPage));

describe('Event → Get Many', () => {
	it('passes on the sort order that the user enters', async () => {
		service.seedEvents([{ title: 'a' }, { title: 'c' }, { title: 'b' }]);
		const output = await executeForJson({
			service,
			parameters: { ...parameters, options: { orderBy: 'title', orderType: 'DESC' } },
		});
		expect(output.map(({ title }) => title)).toEqual(['c', 'b', 'a']);
	});

	it.each([
		['50 by default, in one request', {}, {}, 50, [1]],
		['as many as Limit says, with a page of that size', { limit: 7 }, {}, 7, [1]],
		['a Limit above the page size', { limit: 150 }, {}, 150, [1, 2]],
		['a Limit that an expression returns as text', { limit: '={{ "7" }}' }, {}, 7, [1]],
		['a Limit over capped pages', { limit: 25 }, { pageSizeCap: 10 }, 25, [1, 2, 3]],
		['all', { returnAll: true }, {}, 230, [1, 2, 3, 4]],
		['all of capped pages', { returnAll: true }, { pageSizeCap: 60 }, 230, [1, 2, 3, 4, 5]],
	] satisfies Array<[string, object, Partial<ServiceSettings>, number, number[]]>)(
		'returns %s',
		async (_what, given, settings, count, pages) => {
			Object.assign(service.settings, settings);
			const seeded = service.seedEvents(230);
			const output = await executeForJson({ service, parameters: { ...parameters, ...given } });
			expect(output.map(({ hash }) => hash)).toEqual(seeded.slice(0, count).map(({ hash }) => hash));
			expect(pagesAsked()).toEqual(pages);
		},
	);

	it('requests larger pages from a service that ignores the page number, until it has all', async () => {
		service.settings.pageNumberIgnored = true;
		const seeded = service.seedEvents(230);
		const output = await executeForJson({ service, parameters: all });
		expect(output.map(({ hash }) => hash)).toEqual(seeded.map(({ hash }) => hash));
		expect(service.requestsOf('eventSearchAll').map(({ query }) => query.quantity)).toEqual([
			// Half a page shows that the number is ignored.
			...['100', '100', '50', '1000'],
		]);
	});

	it('does not treat an unknown plan as an empty one', async () => {
		await expect(
			executeNode({ service, parameters: { ...all, options: { planId: 'plan-0' } } }),
		).rejects.toThrow(/^Plan not found \("/);
	});

	it('reads on until enough events have the wanted status, and no further', async () => {
		service.settings.pageSizeCap = 10;
		service.seedEvents([...Array(60).keys()].map((n) => ({ status: n % 5 === 0 ? 'LIVE' : 'ON_DEMAND' })));
		const output = await executeForJson({
			service,
			parameters: { ...parameters, limit: 5, filters: { status: ['LIVE'] } },
		});
		expect(output.map(({ eventId }) => eventId)).toEqual([4001, 4006, 4011, 4016, 4021]);
		expect(pagesAsked()).toEqual([1, 2, 3]);
	});

	it('accepts several statuses, also as text', async () => {
		service.seedEvents([{ status: 'LIVE' }, { status: 'ON_DEMAND' }, { status: 'WAITING_LIVE' }]);
		const output = await executeForJson({
			service,
			parameters: { ...all, filters: { status: '={{ "LIVE, waiting_live" }}' } },
		});
		expect(output.map(({ status }) => status)).toEqual(['LIVE', 'WAITING_LIVE']);
	});

	it.each([
		[{ limit: 0 }, 'Limit "0" is not a whole number of 1 or more'],
		[{ limit: 2.5 }, 'Limit "2.5" is not'],
		[
			{ filters: { status: '={{ [["LIVE"]] }}' } },
			'Status (element 1) is a list, but must be text or a number',
		],
		[{ filters: { status: '={{ "ENDED" }}' } }, 'Status "ENDED" is not one of LIVE, ON_DEMAND, WAITING_LIVE'],
	])('rejects %j before any request', async (given, message) => {
		await expect(executeNode({ service, parameters: { ...parameters, ...given } })).rejects.toThrow(message);
		expect(service.requests).toEqual([]);
	});
});

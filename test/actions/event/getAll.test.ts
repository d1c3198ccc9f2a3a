import { executeForJson, executeNode } from '../../execution/executeNode';
import type { RunningService, ServiceSettings } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started), { pageBeforeFirst: 'empty' });

const parameters = { resource: 'event', operation: 'getAll' };
const all = { ...parameters, returnAll: true };
const pagesAsked = () =>
	service.requestsOf('eventSearchAll').flatMap(({ query }) => Number(query.actualPage) || []);

describe('Event → Get Many', () => {
	it('passes on the sort order that the user enters', async () => {
		service.seedEvents([{ title: 'a' }, { title: 'c' }, { title: 'b' }]);
		const options = { orderBy: '={{ "title" }}', orderType: 'DESC' };
		const output = await executeForJson({ service, parameters: { ...parameters, options } });
		expect(output.map(({ title }) => title)).toEqual(['c', 'b', 'a']);
	});

	it.each([
		['50 by default, in one request', {}, {}, 50, [1]],
		['as many as Limit says, with a page of that size', { limit: 7 }, {}, 7, [1]],
		['a Limit that an expression returns as text', { limit: '={{ "7" }}' }, {}, 7, [1]],
		['a Limit over capped pages', { limit: 25 }, { pageSizeCap: 10 }, 25, [1, 2, 3]],
		['all', { returnAll: true }, {}, 230, [1, 2, 3, 4]],
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

	it('reads on until enough events have the wanted status, and no further', async () => {
		service.settings.pageSizeCap = 10;
		service.seedEvents([...Array(60).keys()].map((n) => ({ status: n % 5 === 0 ? 'LIVE' : 'ON_DEMAND' })));
		const filters = { status: ['LIVE'] };
		const output = await executeForJson({ service, parameters: { ...parameters, limit: 5, filters } });
		expect(output.map(({ eventId }) => eventId)).toEqual([4001, 4006, 4011, 4016, 4021]);
		expect(pagesAsked()).toEqual([1, 2, 3]);
	});

	it('accepts several statuses, also as text', async () => {
		service.seedEvents([{ status: 'LIVE' }, { status: 'ON_DEMAND' }, { status: 'WAITING_LIVE' }]);
		const filters = { status: '={{ "LIVE, waiting_live" }}' };
		const output = await executeForJson({ service, parameters: { ...all, filters } });
		expect(output.map(({ status }) => status)).toEqual(['LIVE', 'WAITING_LIVE']);
	});

	it('says so when no event has a documented status', async () => {
		const filters = { status: ['LIVE'] };
		expect(await executeForJson({ service, parameters: { ...all, filters } })).toEqual([]);
		const body = JSON.stringify([{ hash: 'a', title: 'Gala', status: 'active' }]);
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body, times: 3 });
		await expect(executeForJson({ service, parameters: { ...all, filters } })).rejects.toThrow(
			/^No event of this plan has one of the statuses LIVE, ON_DEMAND, WAITING_LIVE: they have "ACTIVE"/,
		);
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

/** Events at 18:00 on consecutive days from 2030-01-01; the zone of the workflow is Europe/Berlin. */
const day = (number: number) => new Date(Date.UTC(2030, 0, number)).toISOString().slice(0, 10);

describe('Event → Get Many with Scheduled After and Scheduled Before', () => {
	it.each([
		['both', { scheduledAfter: day(11), scheduledBefore: day(14) }, [4011, 4012, 4013]],
		['a time with an offset', { scheduledAfter: '2030-01-29T17:00:00Z' }, [4029, 4030]],
		['the time of an event itself', { scheduledAfter: '2030-01-29 18:00' }, [4029, 4030]],
		['before the time of an event', { scheduledBefore: '2030-01-02 18:00' }, [4001]],
		['another order', { scheduledAfter: day(29) }, [4030, 4029], { orderType: 'DESC' }],
		[
			'another field',
			{ scheduledAfter: day(28) },
			[4030, 4029, 4028],
			{ orderBy: '={{ "title" }}', orderType: '={{ "DESC" }}' },
		],
		['a status', { scheduledAfter: day(20), status: ['LIVE'] }, [4025]],
	])('returns the events between: %s', async (_what, filters, eventIds, options: object = {}) => {
		service.seedEvents(30);
		const live = service.state.events.find(({ eventId }) => eventId === 4025);
		if (live) live.status = 'LIVE';
		const output = await executeForJson({
			service,
			parameters: { ...all, filters, options: { ...options } },
		});
		expect(output.map(({ eventId }) => eventId)).toEqual(eventIds);
	});

	it('finds the first events of the range on later pages', async () => {
		service.settings.pageSizeCap = 10;
		const days = [...Array(50).keys()].map((n) => 1 + ((n * 17) % 50));
		service.seedEvents(days.map((number) => ({ dateScheduled: `${day(number)} 18:00:00` })));
		const filters = { scheduledAfter: day(20) };
		const output = await executeForJson({ service, parameters: { ...parameters, limit: 3, filters } });
		expect(output.map(({ dateScheduled }) => (dateScheduled as string).slice(0, 10))).toEqual(
			[20, 21, 22].map(day),
		);
	});

	it('fails when no event has a date that can be read', async () => {
		const body = JSON.stringify([{ hash: 'a' }, { hash: 'b', dateScheduled: '01/02/2030 18:00' }]);
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body, times: 3 });
		const run = executeNode({ service, parameters: { ...all, filters: { scheduledAfter: day(1) } } });
		await expect(run).rejects.toThrow('No event of this plan has a readable date');
	});

	it.each([
		[
			{ scheduledAfter: day(3), scheduledBefore: day(3) },
			'Scheduled After must be earlier than Scheduled Before',
		],
		[{ scheduledBefore: '24.12.2026' }, 'Scheduled Before "24.12.2026" is not a date'],
		[{ scheduledBefore: '' }, 'Scheduled Before is empty'],
	])('rejects %j before any request', async (filters, message) => {
		await expect(executeNode({ service, parameters: { ...all, filters } })).rejects.toThrow(message);
		expect(service.requests).toEqual([]);
	});
});

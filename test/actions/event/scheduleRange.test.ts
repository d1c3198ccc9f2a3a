import { executeForJson, executeNode } from '../../execution/executeNode';
import { fc } from '../../execution/generated';
import { withKnownPaging } from '../../execution/knownPaging';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = withKnownPaging(started)));

const getAll = { resource: 'event', operation: 'getAll', returnAll: true };
const pages = () => service.requestsOf('eventSearchAll').map(({ query }) => Number(query.actualPage));
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
			parameters: { ...getAll, filters, options: { ...options } },
		});
		expect(output.map(({ eventId }) => eventId)).toEqual(eventIds);
	});

	it.each(['milliseconds', 'httpDate'] as const)('reads dates listed as %s', async (eventDates) => {
		service.settings.eventDates = eventDates;
		service.seedEvents(30);
		// 18:00 in UTC, 19:00 in the zone of the workflow.
		const filters = { scheduledAfter: '2030-01-29 19:00', scheduledBefore: '2030-01-30 19:00' };
		const output = await executeForJson({ service, parameters: { ...getAll, filters } });
		expect(output.map(({ eventId }) => eventId)).toEqual([4029]);
	});

	it('does not guess the order of day and month', async () => {
		service.settings.eventDates = 'dayFirst';
		service.seedEvents(30);
		const run = executeNode({ service, parameters: { ...getAll, filters: { scheduledAfter: day(3) } } });
		await expect(run).rejects.toThrow('The events have no readable date');
	});

	/** Scheduled on consecutive days, created in another order: what is read proves the order of the list. */
	const seedProving = (count: number) =>
		service.seedEvents(
			[...Array(count).keys()].map((n) => ({
				dateScheduled: `${day(n + 1)} 18:00:00`,
				eventId: 1 + ((n * 7919) % 100_003),
			})),
		);

	it('reads from the newest event to the beginning of the range where that is proven to be enough', async () => {
		service.settings.pageSizeCap = 10;
		const events = seedProving(200);
		const filters = { scheduledAfter: day(151), scheduledBefore: day(156) };
		const output = await executeForJson({ service, parameters: { ...getAll, filters } });
		expect(output.map(({ hash }) => hash)).toEqual(events.slice(150, 155).map(({ hash }) => hash));
		expect(pages()).toEqual([1, 2, 3, 4, 5, 6]);
	});

	it.each([
		['DESC', { scheduledAfter: day(3) }],
		['ASC', { scheduledBefore: day(190) }],
	])('reads no more than Limit needs where the order is proven (%s)', async (orderType, range) => {
		service.settings.pageSizeCap = 10;
		const events = seedProving(200);
		const parameters = { ...getAll, returnAll: false, limit: 15, filters: range, options: { orderType } };
		const output = await executeForJson({ service, parameters });
		const first = orderType === 'ASC' ? events.slice(0, 15) : events.slice(-15).reverse();
		expect(output.map(({ hash }) => hash)).toEqual(first.map(({ hash }) => hash));
		expect(pages()).toEqual([1, 2]);
	});

	it('returns the events of the range by date, in whatever order the service lists them', async () => {
		const order = fc.constantFrom('ascending', 'descending', 'shuffled' as const);
		await fc.assert(
			fc.asyncProperty(
				order,
				fc.array(fc.nat(60), { minLength: 60, maxLength: 90 }),
				fc.nat(70),
				fc.nat(70),
				fc.constantFrom('ASC', 'DESC'),
				fc.constantFrom(5, 1000),
				async (sorting, days, a, b, orderType, limit) => {
					const [from, to] = [Math.min(a, b), Math.max(a, b) + 1];
					service.state.events = [];
					service.requests.length = 0;
					service.settings.pageSizeCap = 20;
					const sorted = [...days].sort((x, y) => (sorting === 'ascending' ? x - y : y - x));
					const listed = sorting === 'shuffled' ? days : sorted;
					service.seedEvents(
						listed.map((number, index) => ({
							eventId: index + 1,
							dateScheduled: `${day(number)} 18:00:00`,
						})),
					);
					service.settings.eventsKeepOrder = true;
					const filters = { scheduledAfter: day(from), scheduledBefore: day(to) };
					const parameters = { ...getAll, returnAll: false, limit, filters, options: { orderType } };
					const output = await executeForJson({ service, parameters });
					const expected = days.filter((number) => number >= from && number < to).sort((x, y) => x - y);
					if (orderType === 'DESC') expected.reverse();
					expect(output.map(({ dateScheduled }) => (dateScheduled as string).slice(0, 10))).toEqual(
						expected.slice(0, limit).map(day),
					);
				},
			),
			{ numRuns: 40 },
		);
	});

	it('fails when the date of an event cannot be read that may be in the range, and names the event', async () => {
		service.seedEvents([{ title: 'Gala', dateScheduled: 'soon' }, { dateScheduled: '2030-01-02 18:00:00' }]);
		const filters = { scheduledAfter: day(1) };
		const run = executeNode({ service, parameters: { ...getAll, filters } });
		await expect(run).rejects.toThrow('The event "Gala" has the date "soon", which cannot be read');
		// An event of another status is not wanted, whatever its date.
		const live = executeForJson({
			service,
			parameters: { ...getAll, filters: { ...filters, status: ['LIVE'] } },
		});
		expect(await live).toEqual([]);
		service.state.events.pop();
		await expect(executeNode({ service, parameters: { ...getAll, filters } })).rejects.toThrow(
			'The events have no readable date',
		);
	});

	it('leaves out events without a date', async () => {
		const body = JSON.stringify([
			{ hash: 'a', title: 'A', dateScheduled: null },
			{ hash: 'b', title: 'B', dateScheduled: '2030-01-02 18:00:00' },
			{ hash: 'c', title: 'C' },
		]);
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body });
		const output = await executeForJson({
			service,
			parameters: { ...getAll, filters: { scheduledAfter: day(1) } },
		});
		expect(output.map(({ hash }) => hash)).toEqual(['b']);
	});

	it.each([
		[{ scheduledAfter: '05/12/2026' }, /^Scheduled After "05\/12\/2026" is not a date/],
		[{ scheduledBefore: '2026-10-25 02:45' }, /^Scheduled Before "2026-10-25 02:45" exists twice in Europe/],
		[
			{ scheduledAfter: day(2), scheduledBefore: day(2) },
			/^Scheduled After must be earlier than Scheduled Before/,
		],
	])('rejects %j before anything is sent', async (filters, message) => {
		await expect(executeNode({ service, parameters: { ...getAll, filters } })).rejects.toThrow(message);
		expect(service.requests).toEqual([]);
	});
});

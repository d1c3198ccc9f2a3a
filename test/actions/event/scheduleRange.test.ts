import * as fc from 'fast-check';

import { executeForJson, executeNode } from '../../execution/executeNode';
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

	it('reads the pages of the range, and skips those before and behind it', async () => {
		service.settings.pageSizeCap = 10;
		service.seedEvents(1000);
		const filters = { scheduledAfter: day(501), scheduledBefore: day(506) };
		const output = await executeForJson({ service, parameters: { ...getAll, filters } });
		expect(output.map(({ eventId }) => eventId)).toEqual([4501, 4502, 4503, 4504, 4505]);
		expect(pages().length).toBeLessThanOrEqual(16);
	});

	it.each(['ASC', 'DESC'])('reads no more than Limit needs (%s)', async (orderType) => {
		service.settings.pageSizeCap = 10;
		service.seedEvents(500);
		const filters = { scheduledAfter: day(3) };
		const parameters = { ...getAll, returnAll: false, limit: 15, filters, options: { orderType } };
		const output = await executeForJson({ service, parameters });
		const first = orderType === 'ASC' ? 4003 : 4500;
		const step = orderType === 'ASC' ? 1 : -1;
		expect(output.map(({ eventId }) => eventId)).toEqual([...Array(15).keys()].map((n) => first + n * step));
		expect(pages()).toEqual([1, 2]);
	});

	it('finds the same events in whatever order the service lists them', async () => {
		const order = fc.constantFrom('ascending', 'descending', 'shuffled' as const);
		await fc.assert(
			fc.asyncProperty(
				order,
				fc.array(fc.nat(60), { minLength: 60, maxLength: 90 }),
				fc.nat(70),
				fc.nat(70),
				async (sorting, days, a, b) => {
					const [from, to] = [Math.min(a, b), Math.max(a, b) + 1];
					service.state.events = [];
					service.requests.length = 0;
					service.settings.pageSizeCap = 20;
					const sorted = [...days].sort((x, y) => (sorting === 'ascending' ? x - y : y - x));
					const listed = sorting === 'shuffled' ? days : sorted;
					// Of the shuffled days, the first page must not look sorted.
					if (sorting === 'shuffled') listed.splice(0, 3, 30, 0, 60);
					service.seedEvents(
						listed.map((number, index) => ({
							eventId: index + 1,
							dateScheduled: `${day(number)} 18:00:00`,
						})),
					);
					service.settings.eventsKeepOrder = true;
					const filters = { scheduledAfter: day(from), scheduledBefore: day(to) };
					const output = await executeForJson({ service, parameters: { ...getAll, filters } });
					const expected = listed.flatMap((number, index) =>
						number >= from && number < to ? [index + 1] : [],
					);
					expect(output.map(({ eventId }) => Number(eventId))).toEqual(expected);
				},
			),
			{ numRuns: 40 },
		);
	});

	it('leaves out events without a date, and fails when no event has one', async () => {
		service.seedEvents([{ dateScheduled: 'soon' }, { dateScheduled: '2030-01-02 18:00:00' }]);
		const filters = { scheduledAfter: day(1) };
		const output = await executeForJson({ service, parameters: { ...getAll, filters } });
		expect(output).toHaveLength(1);
		service.state.events.pop();
		await expect(executeNode({ service, parameters: { ...getAll, filters } })).rejects.toThrow(
			'The events have no readable date',
		);
	});

	it.each([
		[{ scheduledAfter: '05/12/2026' }, /^Scheduled After "05\/12\/2026" is not a date/],
		[{ scheduledBefore: 'soon' }, /^Scheduled Before "soon" is not a date/],
		[
			{ scheduledAfter: day(2), scheduledBefore: day(2) },
			/^Scheduled After must be earlier than Scheduled Before/,
		],
	])('rejects %j before anything is sent', async (filters, message) => {
		await expect(executeNode({ service, parameters: { ...getAll, filters } })).rejects.toThrow(message);
		expect(service.requests).toEqual([]);
	});
});

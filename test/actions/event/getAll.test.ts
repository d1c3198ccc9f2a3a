import type { INodeParameters } from 'n8n-workflow';

import { answer, service, serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { expectUnsent, run } from '../run';

/** How far the list is read is in test/service/paging.test.ts. */
serviceForEachTest();

const getMany = async (filters: INodeParameters, more: INodeParameters = {}) =>
	await run({ resource: 'event', operation: 'getAll', filters, ...more });
/** From now on, the service lists these records. */
const list = (body: object[]) => answer('eventSearchAll', body);
/** Events are at 18:00 on consecutive days from 2030-01-01; the zone of the workflow is Europe/Berlin. */
const day = (number: number) => new Date(Date.UTC(2030, 0, number)).toISOString().slice(0, 10);

describe('Event → Get Many', () => {
	it.each([{}, { scheduledAfter: day(1) }])('keeps the order that the user enters: %j', async (filters) => {
		service.seedEvents([{ title: 'a' }, { title: 'c' }, { title: 'b' }]);
		const options = { orderBy: '={{ "title" }}', orderType: 'DESC' };
		const output = await getMany(filters, { options });
		expect(output.map(({ title }) => title)).toEqual(['c', 'b', 'a']);
	});

	it('says so when no event has a documented status', async () => {
		expect(await getMany({ status: ['LIVE'] })).toEqual([]);
		list([{ hash: 'a', eventStatus: 'started' }]);
		await expect(getMany({ status: ['LIVE'] })).rejects.toThrow(
			'No event that was read has one of the statuses LIVE, ON_DEMAND, WAITING_LIVE',
		);
	});

	it.each([
		['both', { scheduledAfter: day(11), scheduledBefore: day(14) }, [4011, 4012, 4013]],
		['a time with an offset', { scheduledAfter: '2030-01-29T17:00:00Z' }, [4029, 4030]],
		['the time of an event itself', { scheduledBefore: '2030-01-02 18:00' }, [4001]],
		['another order', { scheduledAfter: day(29) }, [4030, 4029], { orderType: 'DESC' }],
		['statuses as text', { scheduledAfter: day(20), status: '={{ "live, ON_DEMAND" }}' }, [4025]],
		['a limit', { scheduledAfter: day(20) }, [4020, 4021], {}, 2],
		['a status and a limit', { status: ['LIVE'] }, [4025], {}, 1],
	])('returns the events that match the filters, read in large pages: %s', async (...given) => {
		const [, filters, eventIds, options = {}, limit = 50] = given;
		service.settings.pageSizeCap = 7;
		service.seedEvents([...Array(30).keys()].map((n) => ({ status: n === 24 ? 'LIVE' : 'WAITING_LIVE' })));
		const output = await getMany(filters, { limit, options });
		expect(output.map(({ eventId }) => eventId)).toEqual(eventIds);
		expect(service.requestsOf('eventSearchAll')[0]?.query.quantity).toBe('100');
	});

	it('sorts by date before the limit, in whatever order the service lists them', async () => {
		list([3, 1, 2].map((number) => ({ hash: `h${number}`, dateScheduled: `${day(number)} 18:00:00` })));
		const output = await getMany({ scheduledAfter: day(1) }, { limit: 2 });
		expect(output.map(({ hash }) => hash)).toEqual(['h1', 'h2']);
	});

	const UNDATED = [{ dateScheduled: '01/02/2030 18:00' }, { dateScheduled: '17828982001782898200' }, {}];
	it.each(UNDATED)('fails for a range when no event is listed with a readable date: %j', async (dated) => {
		list([{ hash: 'a', title: 'Gala', ...dated }]);
		await expect(getMany({ scheduledAfter: day(1) })).rejects.toThrow(
			'No event that was read has a readable date, so Scheduled After and Scheduled Before cannot be applied',
		);
	});

	it('rejects a range without a time in it before any request', async () => {
		const range = { scheduledAfter: day(3), scheduledBefore: day(3) };
		const message = /^Scheduled After must be earlier than Scheduled Before\. .+ enter the next day there\.$/;
		await expectUnsent(getMany(range), message);
	});
});

it('Event → Get Many with a status and a range leaves out events without a date, if any of the plan has one', async () => {
	list([
		{ hash: 'h1', status: 'ON_DEMAND', dateScheduled: null },
		{ hash: 'h2', status: 'WAITING_LIVE', dateScheduled: '2030-01-01 18:00:00' },
	]);
	expect(await getMany({ scheduledAfter: '2029-01-01', status: ['ON_DEMAND'] })).toEqual([]);
});

import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { executeForJson, executeNode } from '../../execution/executeNode';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const create = { resource: 'event', operation: 'create', title: 'All-hands' };

describe('Event → Create', () => {
	it('sends plan, title and date as the reference wants them, with the plan of the credential', async () => {
		await executeNode({ service, parameters: { ...create, dateScheduled: '2026-12-24T18:00:00' } });

		const [sent] = service.requestsOf('eventInsert');
		expect(sent).toMatchObject({
			method: 'POST',
			path: '/v1/events/insert',
			status: 200,
			body: {
				planId: service.credential.planId,
				title: 'All-hands',
				dateScheduled: '2026-12-24 18:00:00',
			},
		});
		expect(sent?.headers['content-type']).toBe('application/json');
		expect(sent?.headers.authorization).toMatch(/^Bearer ./);
	});

	it('signs in once and keeps the token for the items that follow', async () => {
		await executeNode({
			service,
			parameters: { ...create, dateScheduled: '2026-12-24T18:00:00' },
			items: [{ json: {} }, { json: {} }, { json: {} }],
		});
		expect(service.requests.map(({ operation }) => operation)).toEqual([
			'authenticate',
			'eventInsert',
			'eventInsert',
			'eventInsert',
		]);
	});

	it.each([
		[
			'a local time in the zone of the workflow',
			'2026-07-01T09:30:00',
			'',
			'Europe/Berlin',
			'2026-07-01 09:30:00',
		],
		[
			'a local time in the chosen zone',
			'2026-07-01 09:30',
			'America/Lima',
			'America/Lima',
			'2026-07-01 09:30:00',
		],
		['an ISO date with offset', '2026-07-01T09:30:00Z', '', 'Europe/Berlin', '2026-07-01 11:30:00'],
		[
			'an ISO date with offset, chosen zone',
			'2026-01-01T00:30:00+05:30',
			'Asia/Tokyo',
			'Asia/Tokyo',
			'2026-01-01 04:00:00',
		],
		[
			'in the zone of the workflow where the panel has added the option with its default',
			'2026-07-01T09:30:00',
			'workflow',
			'Europe/Berlin',
			'2026-07-01 09:30:00',
		],
		['a day without a time', '2026-07-01', '', 'Europe/Berlin', '2026-07-01 00:00:00'],
	])('writes %s', async (_what, dateScheduled, timezone, zone, written) => {
		const [output] = await executeForJson({
			service,
			parameters: { ...create, dateScheduled, options: timezone ? { timezone } : {} },
		});
		expect(service.requestsOf('eventInsert')[0]?.body).toMatchObject({ dateScheduled: written });
		expect(output?.sent).toEqual({ dateScheduled: written, timezone: zone });
	});

	it.each([
		[
			'a date that does not exist',
			'2026-02-30T10:00:00',
			'',
			/Scheduled Date "2026-02-30T10:00:00" is a date that does not exist/,
		],
		['a date with offset that does not exist', '2026-02-30T10:00:00Z', '', /is a date that does not exist/],
		['another format', '22.11.2026 18:00', '', /is not a date in a format that this node reads$/],
		['a text that is no date', 'next friday', '', /Scheduled Date "next friday" is not a date/],
		['nothing', '', '', /Scheduled Date is empty/],
		['a time that the clock skips', '2026-03-29T02:30:00', '', /does not exist in Europe\/Berlin/],
		['an unknown zone', '2026-07-01T02:30:00', 'Europe/Atlantis', /Time Zone "Europe\/Atlantis" is unknown/],
	])('rejects %s before any request', async (_what, dateScheduled, timezone, message) => {
		await expect(
			executeNode({ service, parameters: { ...create, dateScheduled, options: { timezone } } }),
		).rejects.toThrow(message);
		expect(service.requests).toEqual([]);
	});

	it('warns of a date in the past', async () => {
		const parameters = { ...create, dateScheduled: '2020-12-24 18:00' };
		const { hints } = await executeNode({ service, parameters });
		expect(hints.map(({ message }) => message)).toEqual([
			'The event "All-hands" was scheduled in the past: 2020-12-24 18:00:00 (Europe/Berlin)',
		]);
		const future = await executeNode({ service, parameters: { ...create, dateScheduled: '2099-12-24' } });
		expect(future.hints).toEqual([]);
	});

	it('reports a missing plan when neither the node nor the credential has one', async () => {
		await expect(
			executeNode({
				service,
				parameters: { ...create, dateScheduled: '2026-07-01' },
				credential: { planId: '' },
			}),
		).rejects.toThrow('Plan ID is missing');
		expect(service.requests).toEqual([]);
	});

	const ZONE_LIMA = { options: { timezone: 'America/Lima' } };
	it.each([
		[
			'a Luxon date',
			"={{ DateTime.fromISO('2026-07-01T09:30:00', { zone: 'Asia/Tokyo' }) }}",
			{},
			'2026-07-01 02:30:00',
		],
		[
			'a Luxon date, for the chosen zone',
			"={{ DateTime.fromISO('2026-07-01T09:30:00', { zone: 'UTC' }) }}",
			ZONE_LIMA,
			'2026-07-01 04:30:00',
		],
		[
			'a Luxon date in another script',
			"={{ DateTime.fromISO('2026-07-01T09:30:00', { zone: 'UTC', locale: 'ar-EG' }) }}",
			{},
			'2026-07-01 11:30:00',
		],
		['a JavaScript date', "={{ new Date('2026-07-01T09:30:00Z') }}", {}, '2026-07-01 11:30:00'],
		['an ISO date with milliseconds', '2026-07-01T09:30:00.500+02:00', {}, '2026-07-01 09:30:00'],
		['a time that the clock shows twice', '2026-10-25T02:30:00', {}, '2026-10-25 02:30:00'],
		['the first of two such moments', '2026-10-25T00:30:00Z', {}, '2026-10-25 02:30:00'],
		['the second of two such moments', '2026-10-25T01:30:00Z', {}, '2026-10-25 02:30:00'],
		['a leap day', '2028-02-29', {}, '2028-02-29 00:00:00'],
		['an hour of one digit', '2026-07-01 6:00', {}, '2026-07-01 06:00:00'],
		['an hour of one digit, with an offset', '2026-07-01 6:00+02:00', {}, '2026-07-01 06:00:00'],
		['milliseconds since 1970', '={{ 1782898200000 }}', {}, '2026-07-01 11:30:00'],
		['a date around white space', ' 2026-07-01 09:30:15 ', {}, '2026-07-01 09:30:15'],
	])('writes %s', async (_what, dateScheduled, more, written) => {
		const [output] = await executeForJson({ service, parameters: { ...create, dateScheduled, ...more } });
		expect(service.requestsOf('eventInsert')[0]?.body).toMatchObject({ dateScheduled: written });
		expect(output?.sent).toMatchObject({ dateScheduled: written });
	});

	it.each([
		['a day that does not exist', '2027-02-29'],
		['a 25th hour', '2026-07-01T25:00:00'],
		['a number, which may be seconds', '={{ 1782898200 }}'],
		['a number of microseconds', '={{ 1782898200000000 }}'],
		['a fraction of a millisecond', '={{ 1782898200000.5 }}'],
		['a day before a month, as in Brazil', '05/12/2026 18:00'],
		['an ISO week', '2026-W27-3'],
		['an ISO ordinal date', '2026-182'],
		['a month alone', '2026-07'],
		['a number as a text', '1782898200'],
	])('rejects %s before any request', async (_what, dateScheduled) => {
		const run = executeNode({ service, parameters: { ...create, dateScheduled } });
		await expect(run).rejects.toThrow(/^Scheduled Date .* is (not a date|a date that does not exist)/);
		expect(service.requests).toEqual([]);
	});

	it.each([
		['an invalid Luxon date', "={{ DateTime.fromISO('nonsense') }}", 'an invalid date'],
		['an invalid JavaScript date', "={{ new Date('nonsense') }}", 'an invalid date'],
		['an object', '={{ { day: 1 } }}', 'an object'],
		['a list', "={{ ['2026-07-01'] }}", 'a list'],
		['a boolean', '={{ true }}', 'true'],
	])('rejects %s before any request', async (_what, dateScheduled, type) => {
		const run = executeNode({ service, parameters: { ...create, dateScheduled } });
		await expect(run).rejects.toThrow(`Scheduled Date is ${type}, but must be a date`);
		expect(service.requests).toEqual([]);
	});
});

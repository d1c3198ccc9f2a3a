import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { executeForJson, executeNode } from '../../execution/executeNode';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const create = { resource: 'event', operation: 'create', title: 'All-hands' };

describe('Event → Create', () => {
	it('warns of a date in the past', async () => {
		const parameters = { ...create, dateScheduled: '2020-12-24 18:00' };
		const { hints } = await executeNode({ service, parameters });
		expect(hints.map(({ message }) => message)).toEqual([
			'The event "All-hands" was scheduled in the past: 2020-12-24 18:00:00 (Europe/Berlin)',
		]);
		const future = await executeNode({ service, parameters: { ...create, dateScheduled: '2099-12-24' } });
		expect(future.hints).toEqual([]);
	});

	const IN_LIMA = { options: { timezone: 'America/Lima' } };
	it.each([
		['a local time in the zone of the workflow', '2026-07-01T09:30:00', {}, '2026-07-01 09:30:00'],
		['a time with an offset in the chosen zone', '2026-07-01T09:30:00Z', IN_LIMA, '2026-07-01 04:30:00'],
		['the default of the option', '2026-07-01', { options: { timezone: 'workflow' } }, '2026-07-01 00:00:00'],
		[
			'a Luxon date',
			"={{ DateTime.fromISO('2026-07-01T09:30', { zone: 'Asia/Tokyo', locale: 'ar-EG' }) }}",
			{},
			'2026-07-01 02:30:00',
		],
		['a JavaScript date', "={{ new Date('2026-07-01T09:30:00Z') }}", IN_LIMA, '2026-07-01 04:30:00'],
		['milliseconds since 1970', '={{ 1782898200000 }}', {}, '2026-07-01 11:30:00'],
	])('writes %s', async (_what, dateScheduled, more, written) => {
		const [output] = await executeForJson({ service, parameters: { ...create, dateScheduled, ...more } });
		expect(service.requestsOf('eventInsert')[0]?.body).toMatchObject({ dateScheduled: written });
		const timezone = more === IN_LIMA ? 'America/Lima' : 'Europe/Berlin';
		expect(output?.sent).toEqual({ dateScheduled: written, timezone });
	});

	it.each([
		['a day before a month', '05/12/2026 18:00', {}, /^Scheduled Date "05\/12\/2026 18:00" is not a date/],
		[
			'the year 0 of the zone',
			'0001-01-01T00:00:00Z',
			IN_LIMA,
			/is in the year 0, which does not have four digits$/,
		],
		['a year of five digits', '={{ new Date(253402300800000) }}', {}, /is in the year 10000/],
		['a time that the clock skips', '2026-03-29T02:30:00', {}, /does not exist in Europe\/Berlin/],
		[
			'an unknown zone',
			'2026-07-01',
			{ options: { timezone: 'Mars/Base' } },
			/^Time Zone "Mars\/Base" is unknown/,
		],
		['seconds', '={{ 1782898200 }}', {}, /is not a date: a number is read as milliseconds/],
	])('rejects %s before any request', async (_what, dateScheduled, more, message) => {
		const run = executeNode({ service, parameters: { ...create, dateScheduled, ...more } });
		await expect(run).rejects.toThrow(message);
		expect(service.requests).toEqual([]);
	});
});

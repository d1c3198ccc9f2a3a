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

	it.each([
		['2099-07-01T09:30:00Z', {}, '2099-07-01T09:30:00Z and sent as 2099-07-01 11:30:00 (Europe/Berlin)'],
		[
			'2099-07-01T09:30+09:00',
			{ timezone: 'UTC' },
			'2099-07-01T09:30+09:00 and sent as 2099-07-01 00:30:00 (UTC)',
		],
		[
			"={{ DateTime.fromISO('2099-07-01T18:00', { zone: 'America/New_York' }) }}",
			{},
			'2099-07-01T18:00:00.000-04:00 and sent as 2099-07-02 00:00:00 (Europe/Berlin)',
		],
		["={{ $now.setZone('Europe/Berlin').plus({ years: 70 }) }}", {}, undefined],
		['2099-07-01T09:30:00+02:00', {}, undefined],
		['2099-07-01 09:30:00', { timezone: 'Asia/Tokyo' }, undefined],
	])('says in which zone a date was read and sent, where they differ: %s', async (date, options, said) => {
		const parameters = { ...create, dateScheduled: date, options };
		const { hints } = await executeNode({ service, parameters });
		expect(hints.map(({ message }) => message)).toEqual(
			said === undefined ? [] : [`The date of the event "All-hands" was read as ${said}`],
		);
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

describe('Event → Create with Skip If Exists', () => {
	const skipping = { ...create, dateScheduled: '2030-05-01T16:00:00Z', options: { skipIfExists: true } };

	it.each(['All-hands', 'All-hands\u0301'])(
		'returns the event with that title and date: %s',
		async (title) => {
			const [event] = service.seedEvents([{ title, dateScheduled: '2030-05-01 18:00:00' }]);
			const output = await executeForJson({
				service,
				parameters: { ...skipping, title: title.normalize('NFC') },
			});
			expect(output).toEqual([{ ...event, skipped: true }]);
			expect(service.requestsOf('eventInsert')).toEqual([]);
		},
	);

	it.each([
		{ title: 'All-hands 2', dateScheduled: '2030-05-01 18:00:00' },
		{ title: 'All-hands', dateScheduled: '2030-05-01 18:01:00' },
		{ title: 'All-hands', dateScheduled: '2030-05-01 18:00:00', planId: 'plan-2002' },
	])('creates an event where there is only %j', async (other) => {
		service.seedEvents([other]);
		expect(await executeForJson({ service, parameters: skipping })).toMatchObject([{ skipped: false }]);
	});

	it.each([
		[
			{ title: 'All-hands', dateScheduled: '01/05/2030 18:00' },
			'The event "All-hands" is listed without a date',
		],
		[{ title: 'All-hands' }, 'The event "All-hands" is listed without a date that can be read (none)'],
		[{ dateScheduled: '2030-05-01 18:00:00' }, 'An event of the plan is listed without a title'],
	])('creates nothing when an event is listed as %j, which may be the same', async (record, problem) => {
		const body = JSON.stringify([{ hash: 'h1', ...record }]);
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body, times: 5 });
		await expect(executeNode({ service, parameters: skipping })).rejects.toThrow(problem);
		expect(service.requestsOf('eventInsert')).toEqual([]);
	});

	it('creates nothing when the list cannot be read', async () => {
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 409, error: 'No', times: 9 });
		await expect(executeNode({ service, parameters: skipping })).rejects.toThrow(/^No\./);
		expect(service.state.events).toEqual([]);
	});

	it('lists nothing without the option', async () => {
		const output = await executeForJson({ service, parameters: { ...skipping, options: {} } });
		expect(output[0]).not.toHaveProperty('skipped');
		expect(service.requests.map(({ operation }) => operation)).toEqual(['authenticate', 'eventInsert']);
	});
});

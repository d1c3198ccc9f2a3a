import { answer, service, serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { run, runWithHints } from '../run';

serviceForEachTest();

const ALL_HANDS = 'Event "All-hands" for';
const create = { resource: 'event', operation: 'create', title: 'All-hands' };

describe('Event → Create', () => {
	const starts = { google: { dateTime: '2026-07-01T09:30:00+02:00', timeZone: 'Europe/Berlin' } };
	const inTokyo = "DateTime.fromISO('2026-07-01T09:30', { zone: 'Asia/Tokyo', locale: 'ar-EG' })";
	it.each([
		['a local time in the zone of the workflow', '2026-07-01T09:30:00', 'workflow', '2026-07-01 09:30:00'],
		['a date alone', '2026-07-01', 'workflow', '2026-07-01 00:00:00'],
		['a time with an offset', '2026-07-01T09:30:00Z', 'America/Lima', '2026-07-01 04:30:00'],
		['a start of Google', '={{ $json.google }}', 'Asia/Tokyo', '2026-07-01 16:30:00'],
		['a Luxon date', `={{ ${inTokyo} }}`, 'workflow', '2026-07-01 02:30:00'],
	])('sends %s, and says which zone it is in', async (_what, dateScheduled, zone, sent) => {
		const parameters = { ...create, dateScheduled, options: { timezone: zone } };
		const [output] = await run(parameters, { items: [{ json: starts }] });
		expect(service.requestsOf('eventInsert')[0]?.body).toMatchObject({ dateScheduled: sent });
		const timezone = zone === 'workflow' ? 'Europe/Berlin' : zone;
		expect(output?.sent).toEqual({ dateScheduled: sent, timezone });
	});

	it.each([
		['2020-12-24 18:00', `${ALL_HANDS} 2020-12-24 18:00:00 (Europe/Berlin): that is in the past`],
		['2099-07-01', `${ALL_HANDS} 2099-07-01 00:00:00 (Europe/Berlin): its date has no time`],
		[
			'2020-07-01T09:30Z',
			`${ALL_HANDS} 2020-07-01 11:30:00 (Europe/Berlin): 2020-07-01T09:30Z was converted; that is in the past`,
		],
		['2099-07-01T09:30:00+02:00'],
		['2099-07-01 09:30'],
	])('says so once when a date is not what a user may expect: %s', async (dateScheduled, ...said) => {
		const items = [{ json: {} }, { json: {} }];
		expect(await runWithHints({ ...create, dateScheduled }, { items })).toMatchObject({ hints: said });
	});

	it('says so when Time Zone is mapped from each calendar entry', async () => {
		const items = ['Europe/Berlin', 'Asia/Tokyo', 'Europe/Berlin'].map((zone) => ({ json: { zone } }));
		const options = { timezone: '={{ $json.zone }}' };
		const { hints } = await runWithHints(
			{ ...create, dateScheduled: '2099-07-01 18:00', options },
			{ items },
		);
		expect(hints).toEqual([
			'The dates of this run are stored in several time zones: Europe/Berlin, Asia/Tokyo. Enter one Time Zone for all events, or Skip If Exists does not find them',
		]);
	});

	const stored = `${ALL_HANDS} 2099-07-01 18:00:00 (Europe/Berlin): it was stored`;
	it.each([
		[{ title: 'All-hands' }],
		[{ title: 'All hands' }, `${stored} as "All hands", so Skip If Exists cannot find it`],
		// A time without a zone may be returned as one in UTC.
		[{ dateScheduled: '2099-07-01T16:00:00.000Z' }],
		[
			{ dateScheduled: '2099-07-01T18:00:00.000Z' },
			`${stored} for 2099-07-01T18:00:00.000Z, so Skip If Exists cannot find it`,
		],
	])('says when something else is stored, which Skip If Exists cannot find: %j', async (...given) => {
		const [record, ...said] = given;
		answer('eventInsert', { hash: 'h1', ...record });
		const parameters = { ...create, dateScheduled: '2099-07-01 18:00' };
		expect(await runWithHints(parameters)).toMatchObject({ hints: said });
	});
});

describe('Event → Create with Skip If Exists', () => {
	const skipping = { ...create, dateScheduled: '2030-05-01T16:00:00Z', options: { skipIfExists: true } };
	const same = { title: 'All-hands', dateScheduled: '2030-05-01 18:00:00' };

	it('returns the event with that title and date, however its accents are written', async () => {
		const [event] = service.seedEvents([{ ...same, title: 'All-hands\u0301' }]);
		const title = 'All-hands\u0301'.normalize('NFC');
		const { hints, output } = await runWithHints({ ...skipping, title });
		const sent = { dateScheduled: same.dateScheduled, timezone: 'Europe/Berlin' };
		expect(output).toEqual([{ ...event, sent, skipped: true }]);
		expect(service.requestsOf('eventInsert')).toEqual([]);
		expect(hints).toEqual(['Skipped 1 of 1 events: events of these titles and dates exist already']);
	});

	it('creates an event that differs in title, date or plan', async () => {
		service.seedEvents([
			{ ...same, title: 'All-hands 2' },
			{ ...same, dateScheduled: '2030-05-01 18:01:00' },
			{ ...same, planId: 'plan-2002' },
		]);
		expect(await run(skipping)).toMatchObject([{ skipped: false }]);
	});

	it('creates an event of that title at another hour of the day, and names the other one', async () => {
		service.seedEvents([
			{ ...same, dateScheduled: '2030-05-02 18:00:00' },
			{ ...same, dateScheduled: '2030-05-01 17:00:00' },
		]);
		const { hints, output } = await runWithHints({ ...skipping, dateScheduled: '2030-05-01 18:00' });
		expect(output).toMatchObject([{ skipped: false }]);
		expect(hints).toEqual([
			`${ALL_HANDS} 2030-05-01 18:00:00 (Europe/Berlin): another event of that title is scheduled for 2030-05-01 17:00:00`,
		]);
	});

	it.each([
		[
			{ title: 'All-hands', dateScheduled: '01/05/2030' },
			/readable date, so Skip If Exists cannot be applied/,
		],
		[{ title: 'All-hands' }, /readable date, so Skip If Exists cannot be applied/],
		[{ dateScheduled: '2030-05-01 18:00:00' }, /^No event is listed with a title, so "All-hands" cannot/],
	])('creates nothing when an event is listed as %j, which may be the same', async (record, problem) => {
		answer('eventSearchAll', [{ hash: 'h1', ...record }]);
		await expect(run(skipping)).rejects.toThrow(problem);
		expect(service.requestsOf('eventInsert')).toEqual([]);
	});
});

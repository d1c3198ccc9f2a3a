import { executeNode } from '../../execution/executeNode';
import { answer, service, serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { run } from '../run';

serviceForEachTest();

const ALL_HANDS = 'Event "All-hands" for';
const create = { resource: 'event', operation: 'create', title: 'All-hands' };

describe('Event → Create', () => {
	const inLima = { timezone: 'America/Lima' };
	const inTokyo = "DateTime.fromISO('2026-07-01T09:30', { zone: 'Asia/Tokyo', locale: 'ar-EG' })";
	it.each([
		['a local time in the zone of the workflow', '2026-07-01T09:30:00', {}, '2026-07-01 09:30:00'],
		['a number of milliseconds', Date.UTC(2026, 6, 1, 9, 30, 15), {}, '2026-07-01 11:30:15'],
		['a date alone', '2026-07-01', { timezone: 'workflow' }, '2026-07-01 00:00:00'],
		['a time with an offset in the chosen zone', '2026-07-01T09:30:00Z', inLima, '2026-07-01 04:30:00'],
		['a Luxon date', `={{ ${inTokyo} }}`, {}, '2026-07-01 02:30:00'],
	])('sends %s, and says which zone it is in', async (_what, dateScheduled, options, sent) => {
		const [output] = await run({ ...create, dateScheduled, options });
		expect(service.requestsOf('eventInsert')[0]?.body).toMatchObject({ dateScheduled: sent });
		const timezone = options === inLima ? 'America/Lima' : 'Europe/Berlin';
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
		const { hints } = await executeNode({ service, parameters: { ...create, dateScheduled }, items });
		expect(hints.map(({ message }) => message)).toEqual(said);
	});

	it('takes the first time of a day without midnight, as the filters of Get Many do', async () => {
		const parameters = { ...create, dateScheduled: '2027-04-30', options: { timezone: 'Africa/Cairo' } };
		expect(await run(parameters)).toMatchObject([{ dateScheduled: '2027-04-30 01:00:00' }]);
	});

	it('says so when the service stores another title, which Skip If Exists cannot find', async () => {
		answer('eventInsert', { hash: 'h1', title: 'Q&amp;A' });
		const parameters = { ...create, title: 'Q&A', dateScheduled: '2099-07-01 18:00' };
		const { hints } = await executeNode({ service, parameters });
		expect(hints.map(({ message }) => message)).toEqual([
			'Event "Q&A" for 2099-07-01 18:00:00 (Europe/Berlin): it was stored as "Q&amp;A", so Skip If Exists cannot find it',
		]);
	});

	it('says so when the service stores another date: it may return a time without a zone as one in UTC', async () => {
		const hintFor = async (stored: string) => {
			answer('eventInsert', { hash: 'h1', title: 'All-hands', dateScheduled: stored }, { times: 1 });
			const { hints } = await executeNode({
				service,
				parameters: { ...create, dateScheduled: '2099-07-01 18:00' },
			});
			return hints.map(({ message }) => message);
		};
		expect(await hintFor('2099-07-01T16:00:00.000Z')).toEqual([]);
		expect(await hintFor('2099-07-01T18:00:00.000Z')).toEqual([
			`${ALL_HANDS} 2099-07-01 18:00:00 (Europe/Berlin): it was stored for 2099-07-01T18:00:00.000Z, so Skip If Exists cannot find it`,
		]);
	});
});

describe('Event → Create with Skip If Exists', () => {
	const skipping = { ...create, dateScheduled: '2030-05-01T16:00:00Z', options: { skipIfExists: true } };
	const same = { title: 'All-hands', dateScheduled: '2030-05-01 18:00:00' };

	it('returns the event with that title and date, however its accents are written', async () => {
		const [event] = service.seedEvents([{ ...same, title: 'All-hands\u0301' }]);
		const title = 'All-hands\u0301'.normalize('NFC');
		const { hints, items } = await executeNode({ service, parameters: { ...skipping, title } });
		const sent = { dateScheduled: same.dateScheduled, timezone: 'Europe/Berlin' };
		expect(items.map(({ json }) => json)).toEqual([{ ...event, sent, skipped: true }]);
		expect(service.requestsOf('eventInsert')).toEqual([]);
		expect(hints.map(({ message }) => message)).toEqual([
			'Skipped 1 of 1 events: events of these titles and dates exist already',
		]);
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
		const parameters = { ...skipping, dateScheduled: '2030-05-01 18:00' };
		const { hints, items } = await executeNode({ service, parameters });
		expect(items).toMatchObject([{ json: { skipped: false } }]);
		expect(hints.map(({ message }) => message)).toEqual([
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

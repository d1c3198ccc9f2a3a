import { toTimeInWorkflow } from '../../nodes/VideoHosting/parameters/dates';
import { expectUnsent, run } from '../actions/run';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

serviceForEachTest();

const entered = (timezone: string) => ({ mode: undefined, isExpression: false, timezone });

it.each([
	['2026-12-24', 'Asia/Kolkata', '2026-12-23T18:30:00.000Z'],
	['2026-12-24 18:00:00', 'Europe/Berlin', '2026-12-24T17:00:00.000Z'],
	['2026-12-24T18:00', 'Asia/Kathmandu', '2026-12-24T12:15:00.000Z'],
	[' 2026-12-24t6:00:00.25 ', 'America/Sao_Paulo', '2026-12-24T09:00:00.250Z'],
	['2026-12-24T18:00:00z', 'Europe/Berlin', '2026-12-24T18:00:00.000Z'],
	['2026-12-24 18:00 -0330', 'Europe/Berlin', '2026-12-24T21:30:00.000Z'],
	['2026-12-24T01:00+14', 'Europe/Berlin', '2026-12-23T11:00:00.000Z'],
	// The clock of Berlin shows 02:30 twice, and the offset says which.
	['2026-10-25 02:30+01:00', 'Europe/Berlin', '2026-10-25T01:30:00.000Z'],
	// Midnight is skipped: the day begins at 01:00.
	['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
	[Date.UTC(2000, 0, 1), 'Europe/Berlin', '2000-01-01T00:00:00.000Z'],
	// iCalendar's basic format.
	['20310401T090000Z', 'Europe/Berlin', '2031-04-01T09:00:00.000Z'],
	['20310401T090000', 'Europe/Berlin', '2031-04-01T07:00:00.000Z'],
	['20310401', 'Europe/Berlin', '2031-03-31T22:00:00.000Z'],
	// Google Sheets and Excel: a day, 18:00, and 09:20 as the nearest fraction that a double has.
	[47939, 'Europe/Berlin', '2031-03-31T22:00:00.000Z'],
	[47939.75, 'Europe/Berlin', '2031-04-01T16:00:00.000Z'],
	[47939.388888888891, 'UTC', '2031-04-01T09:20:00.000Z'],
	[20_000, 'UTC', '1954-10-03T00:00:00.000Z'],
	[80_000, 'UTC', '2119-01-11T00:00:00.000Z'],
	// RSS and emails.
	['Tue, 01 Jul 2031 16:00:00 GMT', 'Europe/Berlin', '2031-07-01T16:00:00.000Z'],
	['Tue, 1 Jul 2031 18:00:00 +0200', 'Asia/Tokyo', '2031-07-01T16:00:00.000Z'],
	['1 jul 2031 18:00 +0200 (CEST)', 'Asia/Tokyo', '2031-07-01T16:00:00.000Z'],
	// Google Calendar, with a time and all day.
	[{ dateTime: '2031-04-01T09:00:00+02:00', timeZone: 'Europe/Berlin' }, 'UTC', '2031-04-01T07:00:00.000Z'],
	[{ date: '2031-04-01' }, 'Europe/Berlin', '2031-03-31T22:00:00.000Z'],
	// Microsoft Graph.
	[{ dateTime: '2031-04-01T07:00:00.0000000', timeZone: 'UTC' }, 'Europe/Berlin', '2031-04-01T07:00:00.000Z'],
	[
		{ dateTime: '2031-04-01T20:00:00.0000000', timeZone: 'Asia/Tokyo' },
		'Europe/Berlin',
		'2031-04-01T11:00:00.000Z',
	],
	// n8n's Extract from File makes these of .ics files; its Date is a text after it was stored.
	[{ date: new Date(Date.UTC(2031, 3, 1, 9)), type: 'DATE-TIME' }, 'Asia/Tokyo', '2031-04-01T09:00:00.000Z'],
	[
		{
			...{ date: '2031-04-01T07:00:00.000Z', type: 'DATE-TIME' },
			local: { date: '2031-04-01T09:00:00.000Z', timezone: 'Europe/Berlin', tzoffset: '+0200' },
		},
		'Asia/Tokyo',
		'2031-04-01T07:00:00.000Z',
	],
])('%j is read in %s as %s', (text, timezone, expected) => {
	expect(new Date(toTimeInWorkflow('Date', text, entered(timezone)) ?? NaN).toISOString()).toBe(expected);
});

it.each([
	'2026-02-30',
	'2026-12-24T25:00',
	'05/12/2026 18:00',
	'2026-12',
	'20260230',
	'20261224T2500',
	'24 December 2026',
	'2026-12-24T18',
	'2026-12-24T18:00+15:00',
	'now',
	'1798135200000',
	'Mon, 30 Feb 2026 16:00:00 GMT',
	'Tue, 1 Foo 2031 16:00:00 GMT',
	'46000.75',
	20261224,
	19_999.9,
	80_000.5,
	NaN,
	1_798_135_200_000_000_000,
	Date.UTC(2000, 0, 1) - 1,
	Date.UTC(2200, 0, 1),
	Date.UTC(2026, 0, 1) + 0.5,
])('%j is no date: the error says so, and what to enter', (value) => {
	const error = {
		message: `Date "${value}" is not a date that this node reads`,
		description: expect.stringMatching(
			/^Enter one such as 2026-12-24, .* a number, not text, of milliseconds since 1970\.$/,
		),
	};
	expect(() => toTimeInWorkflow('Date', value, entered('Europe/Berlin'))).toThrow(
		expect.objectContaining(error) as Error,
	);
});

it.each([
	['2026-03-29 02:30', 'does not exist in Europe/Berlin'],
	['2026-10-25 02:30', 'exists twice in Europe/Berlin'],
])('%s is not read: it %s', (text, problem) => {
	expect(() => toTimeInWorkflow('Date', text, entered('Europe/Berlin'))).toThrow(problem);
});

const noDate = 'Date is an object without the date of a calendar entry';

it.each([
	[{ date: new Date(Date.UTC(2031, 2, 31, 22)), type: 'DATE' }, 'Date is an all-day entry of an .ics file'],
	[{ dateTime: '2031-04-01T09:00', timeZone: 'Pacific Standard Time' }, 'time zone "Pacific Standard Time"'],
	[{ dateTime: '2031-04-01T09:00', timeZone: 'local' }, 'Date is in the unknown time zone "local"'],
	[{ dateTime: '2031-03-30T02:30', timeZone: 'Europe/Berlin' }, 'does not exist in Europe/Berlin'],
	[{ dateTime: 'soon', timeZone: 'UTC' }, 'Date "soon" is not a date that this node reads'],
	['at [object Object]', 'Date "at [object Object]" is text that was made of an object'],
	[{ dateTime: '2031-04-01T09:00' }, noDate],
	[{ dateTime: '2031-04-01T09:00', timeZone: 2 }, noDate],
	[{ dateTime: '2031-04-01', timeZone: 'UTC' }, noDate],
	[{ dateTime: 1_900_000_000_000, timeZone: 'UTC' }, noDate],
	[{ date: '2031-04-01T09:00', timeZone: 'UTC' }, noDate],
	[{ date: '2031-04-01', type: 'DATE-TIME' }, noDate],
	[{ date: { year: 2031 } }, noDate],
	[{ start: '2031-04-01' }, noDate],
])('%j is an error that says what is wrong, and what to drag', (value, problem) => {
	const reading = () => toTimeInWorkflow('Date', value, entered('Europe/Berlin'));
	expect(reading).toThrow(problem);
	expect(reading).toThrow(
		expect.objectContaining({ description: expect.stringMatching(/\.$/) as string }) as Error,
	);
});

it('An expression that n8n cannot read is an error that names the parameter', async () => {
	const filters = { scheduledAfter: '={{ $json.date + }}' };
	const expected = { message: 'Filters: invalid syntax', description: 'Check the expression.' };
	await expect(run({ resource: 'event', operation: 'getAll', filters })).rejects.toMatchObject(expected);
});

describe('Time Zone', () => {
	const create = { resource: 'event', operation: 'create', title: 'A', dateScheduled: '2030-07-01T18:00Z' };

	it.each(['local', 'System', 'default', 'Berlin'])('is unknown as "%s"', async (timezone) => {
		await expectUnsent(run({ ...create, options: { timezone } }), `Time Zone "${timezone}" is unknown`);
	});

	it('of a workflow that was imported with DEFAULT is that of n8n', async () => {
		const sent = { dateScheduled: '2030-07-01 14:00:00', timezone: 'America/New_York' };
		expect(await run(create, { timezone: 'DEFAULT' })).toMatchObject([{ sent }]);
	});

	it('that resolves to nothing is an error that says what an empty text means', async () => {
		const running = run({ ...create, options: { timezone: '={{ $json.zone }}' } });
		await expect(running).rejects.toMatchObject({
			message: 'Time Zone resolves to nothing',
			description: 'Check the expression. An empty text is the time zone of the workflow.',
		});
	});
});

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
])('%j is read in %s as %s', (text, timezone, expected) => {
	expect(new Date(toTimeInWorkflow('Date', text, entered(timezone)) ?? NaN).toISOString()).toBe(expected);
});

it.each([
	'2026-02-30',
	'2026-12-24T25:00',
	'05/12/2026 18:00',
	'2026-12',
	'20261224',
	'24 December 2026',
	'2026-12-24T18',
	'2026-12-24T18:00+15:00',
	'now',
	'1798135200000',
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
		) as string,
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

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { DateTime } from 'luxon';

import { toDate, toDateTimeText, toTimeInWorkflow } from '../../nodes/VideoHosting/parameters/dates';
import { fc } from '../execution/generated';

const PROCESS_ZONES = ['UTC', 'America/Sao_Paulo', 'Asia/Kolkata', 'Pacific/Auckland'];
const ZONES = [
	'UTC',
	'America/Sao_Paulo',
	'Europe/Berlin',
	'Asia/Kathmandu',
	'Australia/Lord_Howe',
	'Africa/Cairo',
];

const two = (number: number) => String(number).padStart(2, '0');

/** A date in the accepted forms; `iso` is the same for Luxon, which serves as the independent parser. */
const acceptedText = fc
	.record({
		day: fc.date({
			min: new Date('1972-01-01T00:00:00Z'),
			max: new Date('2037-12-31T00:00:00Z'),
			noInvalidDate: true,
		}),
		hour: fc.nat(23),
		minute: fc.nat(59),
		second: fc.option(fc.nat(59), { nil: undefined }),
		fraction: fc.option(fc.nat(999), { nil: undefined }),
		separator: fc.constantFrom('T', ' '),
		oneDigit: fc.boolean(),
		offset: fc.constantFrom('', 'Z', '+02:00', '-0330', '+14', '-11:00'),
	})
	.map(({ day, hour, minute, second, fraction, separator, oneDigit, offset }) => {
		const date = day.toISOString().slice(0, 10);
		const seconds = second === undefined ? '' : `:${two(second)}`;
		const rest = `:${two(minute)}${seconds}${second !== undefined && fraction !== undefined ? `.${String(fraction).padStart(3, '0')}` : ''}`;
		return {
			text: `${date}${separator}${oneDigit ? hour : two(hour)}${rest}${offset}`,
			iso: `${date}T${two(hour)}${rest}${offset}`,
			hasOffset: offset !== '',
		};
	});

/** What `Date.parse` may accept, in the zone of the process or with the month first. */
const rejectedText = fc.oneof(
	fc.constantFrom(
		'05/12/2026 18:00',
		'12/25/2026',
		'2026-12',
		'2026-W12-3',
		'2026-182',
		'20261224',
		'20261224T180000Z',
		'1782898200',
		'1782898200000',
		'Thu, 24 Dec 2026 18:00:00 GMT',
		'24 December 2026',
		'2026-02-30',
		'0000-05-01',
		'0000-05-01T10:00:00Z',
		'2026-12-24T24:00',
		'2026-12-24T18',
		'2026-12-24T18:00:00+15:00',
		'2026-12-24T18:00 Europe/Berlin',
		'+002026-12-24',
		'now',
	),
	fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '' && !/^\s*\d{4}-/.test(text)),
);

it('reads each text as the same moment in every time zone of the process', () => {
	const timeZone = 'America/Sao_Paulo';
	const accepted = fc.sample(acceptedText, 400);
	const rejected = fc.sample(rejectedText, 200);
	const texts = [...accepted.map(({ text }) => text), ...rejected];
	const runs = PROCESS_ZONES.map((TZ) => {
		const { stdout, stderr } = spawnSync(
			process.execPath,
			['--import', 'tsx', join(__dirname, 'parseDates.ts')],
			{ input: JSON.stringify({ timeZone, texts }), env: { ...process.env, TZ }, encoding: 'utf8' },
		);
		expect(stderr).toBe('');
		return JSON.parse(stdout) as { offset: number; results: Array<number | string> };
	});
	// Otherwise nothing is tested.
	expect(new Set(runs.map(({ offset }) => offset)).size).toBe(PROCESS_ZONES.length);
	const [first] = runs;
	for (const { results } of runs) expect(results).toEqual(first?.results);
	accepted.forEach(({ iso, text }, index) => {
		const expected = DateTime.fromISO(iso, { zone: timeZone });
		const result = first?.results[index];
		// Luxon moves a time that the clock skips, and chooses one of two moments; the parser rejects both.
		if (typeof result === 'string' && expected.getPossibleOffsets().length > 1) {
			expect(result).toContain(`"${text}" exists twice in ${timeZone}`);
		} else if (typeof result === 'string') {
			expect(result).toContain(`"${text}" does not exist in ${timeZone}`);
			expect(expected.toFormat('HH:mm')).not.toBe(iso.slice(11, 16));
		} else expect([text, result]).toEqual([text, expected.toMillis()]);
	});
	first?.results
		.slice(accepted.length)
		.forEach((result) =>
			expect(result).toMatch(/is not a date in a format that this node reads|is a date that does not exist/),
		);
}, 60_000);

it('agrees with an independent parser in every zone', () => {
	fc.assert(
		fc.property(acceptedText, fc.constantFrom(...ZONES), ({ text, iso, hasOffset }, zone) => {
			const expected = DateTime.fromISO(iso, { zone });
			const date = toDate('Date', text);
			if (!date) throw new Error('empty');
			const isSkipped = !hasOffset && expected.toFormat('HH:mm') !== iso.slice(11, 16);
			const isRepeated = date.kind === 'local' && date.hasTime && expected.getPossibleOffsets().length > 1;
			const time = () => toTimeInWorkflow('Date', text, { timezone: zone });
			if (isSkipped) expect(time).toThrow('the clock is put forward');
			else {
				expect(toDateTimeText('Date', date, zone)).toBe(expected.toFormat('yyyy-MM-dd HH:mm:ss'));
				if (isRepeated) expect(time).toThrow('the clock is put back');
				else expect(time()).toBe(expected.toMillis());
			}
		}),
		{ numRuns: 300 },
	);
});

it.each([
	[
		'the second of two moments, by its offset',
		'2026-10-25 02:30+01:00',
		'Europe/Berlin',
		'2026-10-25T01:30:00.000Z',
	],
	[
		'the beginning of a day whose midnight is skipped',
		'2026-04-24',
		'Africa/Cairo',
		'2026-04-23T22:00:00.000Z',
	],
	['the beginning of a day', '2026-07-01', 'Asia/Kolkata', '2026-06-30T18:30:00.000Z'],
])('reads %s', (_what, text, zone, moment) => {
	expect(toTimeInWorkflow('Date', text, { timezone: zone })).toBe(Date.parse(moment));
});

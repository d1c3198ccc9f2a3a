import * as fc from 'fast-check';
import { DateTime } from 'luxon';

import { zoneClock } from '../../nodes/VideoHosting/service/zoneTime';

describe('the clock of a zone', () => {
	it('agrees with luxon at every time that occurs once', () => {
		const zone = fc.constantFrom(
			...['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'America/New_York', 'Asia/Kathmandu'],
			...['Australia/Lord_Howe', 'Pacific/Apia', 'Pacific/Honolulu'],
		);
		const minute = fc.integer({ min: Date.UTC(2024, 0, 1) / 60_000, max: Date.UTC(2030, 0, 1) / 60_000 });
		fc.assert(
			fc.property(zone, minute, (timeZone, minutes) => {
				const moment = DateTime.fromMillis(minutes * 60_000, { zone: timeZone });
				fc.pre(moment.getPossibleOffsets().length === 1);
				expect(zoneClock(timeZone)(moment.toFormat('yyyy-MM-dd HH:mm:ss'))).toBe(moment.toMillis());
			}),
			{ numRuns: 500 },
		);
	});

	it.each([
		['a date with an offset', '2026-03-29T12:00:00Z'],
		['a text', 'tomorrow'],
	])('does not read %s', (_name, text) => {
		expect(zoneClock('Europe/Berlin')(text)).toBeUndefined();
	});
});

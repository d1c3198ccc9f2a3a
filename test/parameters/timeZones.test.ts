import * as fc from 'fast-check';
import { DateTime } from 'luxon';

import { toInstant } from '../../nodes/VideoHosting/parameters/timeZones';

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
				const clock = Date.parse(`${moment.toFormat("yyyy-MM-dd'T'HH:mm:ss")}Z`);
				expect(toInstant(clock, timeZone)).toBe(moment.toMillis());
			}),
			{ numRuns: 500 },
		);
	});

	it('moves a time that it skips by the length of the gap', () => {
		const skipped = Date.UTC(2026, 2, 29, 2, 30);
		expect(toInstant(skipped, 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 29, 1, 30));
	});
});

import type { IDataObject } from 'n8n-workflow';

import { type DateValue, toFilterText, toInstant } from '../../parameters/dates';
import { createdTimeOf } from '../../service/serviceDate';

/** Zones are at most 14 hours from UTC: with a day more on each side, no reading of a bound leaves out a wanted video. */
const MARGIN_MS = 24 * 60 * 60 * 1000;

/** A range on the creation date of videos. */
interface CreatedRange {
	/** The bounds as docs/api-reference.md#list-videos receives them. */
	initialDate?: string;
	endDate?: string;
	/** Whether a video is in the range, as far as its record contains a readable date. */
	includes: (video: IDataObject) => boolean;
}

/**
 * The range between two dates. The reference does not show in which zone the service reads them, so a date with a time is sent
 * in UTC and a day wider, and the records are checked. A date alone is sent as it is.
 *
 * @param timeZone of a time without an offset
 */
export function createdRange(
	from: DateValue | undefined,
	until: DateValue | undefined,
	timeZone: string,
): CreatedRange {
	const timeOf = (date: DateValue | undefined): number | undefined => {
		if (date?.kind === 'instant') return date.time;
		return date?.hasTime ? toInstant(date.local, timeZone) : undefined;
	};
	const sent = (date: DateValue | undefined, marginMs: number): string | undefined => {
		const time = timeOf(date);
		if (time === undefined) return date && toFilterText(date, timeZone);
		return toFilterText({ kind: 'instant', time: time + marginMs }, 'UTC');
	};
	const [earliest = -Infinity, latest = Infinity] = [timeOf(from), timeOf(until)];
	return {
		initialDate: sent(from, -MARGIN_MS),
		endDate: sent(until, MARGIN_MS),
		includes: (video) => {
			const created = createdTimeOf(video);
			return created === undefined || (created >= earliest && created <= latest);
		},
	};
}

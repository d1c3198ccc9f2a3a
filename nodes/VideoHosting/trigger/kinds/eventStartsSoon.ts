import { inZone, timezoneOption } from '../../parameters/dates';
import { parameter } from '../../parameters/parameter';
import { toNumber } from '../../parameters/values';
import { serviceTime } from '../../service/record';
import { eventsOption, ofEvents } from '../events';
import { kindOf, planIdOption } from '../kind';

const MINUTE_MS = 60 * 1000;

const minutesBeforeField = parameter(toNumber({ min: 1, fractions: true }), {
	displayName: 'Minutes Before',
	name: 'minutesBefore',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 30,
	description:
		'How many minutes before its start an event is reported, at the first poll within this time. Poll more often than this, or events are missed.',
});

const zoneOption = {
	...timezoneOption,
	description: 'Time zone of the dates of the events. The service does not return one.',
};

/** Remembered are the starts that were reported, until they are over for a day: the clock may be set back. */
export const eventStartsSoon = kindOf({
	...ofEvents,
	name: 'Event Starts Soon',
	description: 'When a live event starts within the next minutes, once for each event and date',
	fields: {
		planId: planIdOption,
		minutesBefore: minutesBeforeField,
		hashes: eventsOption,
		timezone: zoneOption,
	},
	hasNoBaseline: true,
	/** Another date is another start. The same date in another zone is not, as all are read in one zone. */
	keyOf: ({ hash, identity, dateScheduled }) => `${hash ?? identity} at ${serviceTime(dateScheduled, 'UTC')}`,
	valueOf: ({ dateScheduled }, { timezone }) => serviceTime(dateScheduled, timezone)?.toString(),
	needs: 'a hash or an ID, and a readable date',
	isRemembered({ value }, { minutesBefore }) {
		const left = Number(value) - Date.now();
		return left >= 0 && left <= minutesBefore * MINUTE_MS;
	},
	isReported: ({ previous }) => previous === undefined,
	toItem({ watched, value }, { timezone }) {
		const time = Number(value);
		const zoned = inZone({ iso: new Date(time).toISOString() }, timezone);
		const startsAt = zoned.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ");
		return { ...watched.record, startsAt, minutesLeft: Math.round((time - Date.now()) / MINUTE_MS) };
	},
	async samples(context, settings) {
		const events = (await ofEvents.samples(context, settings)).reverse();
		const times = events.map(({ dateScheduled }) => serviceTime(dateScheduled, settings.timezone));
		// They are sorted: the last one has a date, unless none has.
		const ofUndated = times.at(-1) === undefined ? Infinity : 0;
		return events.filter((_event, index) => (times[index] ?? ofUndated) >= Date.now());
	},
});

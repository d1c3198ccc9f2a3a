import { timezoneOption, toDate, toDateTimeText, type DateValue } from '../../parameters/dates';
import { date as dateField, parameter } from '../../parameters/parameter';
import { emptyError, quoted, toRequiredText, toText } from '../../parameters/values';
import { checkDates, localDateOf, toEvent, type Event } from '../../service/event';
import { eventLists } from '../../service/events';
import { withoutMarks } from '../../service/mark';
import { checkNamed, EVENTS } from '../../service/onlyMatch';
import { isSameName, recordOf, serviceTime, storedNameNote } from '../../service/record';
import { addHint } from '../../shared/runHints';
import { planIdOf, planIdOption, skipIfExistsOption } from '../fields';
import type { Operation } from '../operation';

export const titleField = parameter(toTitle, {
	required: true,
	displayName: 'Title',
	name: 'title',
	placeholder: 'e.g. Quarterly all-hands',
	description: 'Title that viewers see',
});

export const dateScheduledField = dateField(toRequiredDate, {
	displayName: 'Scheduled Date',
	name: 'dateScheduled',
	required: true,
	placeholder: 'e.g. 2026-12-24 18:00:00',
	hint: 'Interpreted in the time zone of the workflow settings; add the option Time Zone to use another one',
	description:
		"When the event takes place, in the time zone of the workflow settings, or of the option Time Zone. Of a calendar entry, drag the whole <code>start</code>, because Microsoft Outlook's <code>start.dateTime</code> alone is UTC and doesn't say so. In an expression, set the zone before the time: <code>$now.setZone('Europe/Berlin').plus({ days: 1 }).set({ hour: 18, minute: 0, second: 0 })</code>. A date with an offset, such as 2026-12-24T18:00:00Z, a calendar's <code>start</code>, an n8n date or a number of milliseconds since 1970 is converted to the time zone that is sent.",
});

export const zoneOption = {
	...timezoneOption,
	description:
		"Time zone of the service's dates, one for all events: Scheduled Date is interpreted and sent in it. Do not map it from each entry, or each event is stored by another clock, and Skip If Exists does not find it. The output names it under sent.",
};

const skipOption = {
	...skipIfExistsOption,
	description:
		'Whether to return the existing event with skipped: true when the plan already has an event with this title and date. A moved date makes a new event; to move the event, use Create or Update.',
};

/**
 * See docs/api-reference.md#create-an-event. The service stores a date without a zone. If the zone's clock shows a time twice, the
 * service decides which moment it is.
 */
export const create: Operation = {
	name: 'Create',
	description: 'Schedule a new live event',
	action: 'Create live event',
	parameters: [titleField, dateScheduledField, planIdOption, skipOption, zoneOption],
	skips: { items: 'events', existing: 'events of these titles and dates' },
	async execute(item) {
		const { context } = item;
		const title = item.read(titleField);
		const timezone = item.read(zoneOption);
		const date = item.read(dateScheduledField);
		const dateScheduled = toDateTimeText(dateScheduledField.displayName, date, timezone);
		const skips = item.read(skipOption);
		const planId = await planIdOf(item);
		let other: Event | undefined;
		const find = (all: readonly Event[], recent?: Event) => {
			checkNamed(all, EVENTS, title);
			const titled = all.filter((each) => isSameName(each.title, title));
			checkDates(titled, 'Skip If Exists');
			const day = dateScheduled.slice(0, 10);
			other = titled.find((each) => localDateOf(each, timezone)?.startsWith(day));
			return titled.find((each) => localDateOf(each, timezone) === dateScheduled) ?? recent;
		};
		const insert = async () => {
			const response = await item.request('POST', ['events', 'insert'], { planId, title, dateScheduled });
			const shown = toEvent(recordOf(response, 'event'));
			return { ...shown, title: shown.title ?? title, dateScheduled: shown.dateScheduled ?? dateScheduled };
		};
		const once = [title, dateScheduled];
		const { item: event, isNew } = await eventLists.findOrCreate(
			context,
			planId,
			once,
			skips && find,
			insert,
		);
		const sent = { dateScheduled, timezone };
		const output = { ...event.record, sent, ...(skips ? { skipped: !isNew } : {}) };
		if (!isNew) return output;
		const shown = date.iso.slice(0, 16).replace('T', ' ');
		const notes = [
			storedNameNote(title, event.title),
			(localDateOf(event, timezone) ?? dateScheduled) !== dateScheduled &&
				`it was stored for ${event.dateScheduled}, so Skip If Exists cannot find it`,
			other && `another event of that title is scheduled for ${other.dateScheduled}`,
			!date.hasTime && 'its date has no time',
			date.hasOffset && !dateScheduled.startsWith(shown) && `${date.iso} was converted`,
			(serviceTime(dateScheduled, timezone) ?? Infinity) < Date.now() && 'that is in the past',
		].filter((note) => note);
		if (notes.length > 0) {
			const when = `${dateScheduled} (${timezone})`;
			addHint(context, `Event ${quoted(title)} for ${when}: ${notes.join('; ')}`, 'warning');
		}
		return output;
	},
};

/** A title that was copied from the service may have a mark. */
function toTitle(label: string, value: unknown): string {
	return toRequiredText(label, withoutMarks(toText(label, value)));
}

function toRequiredDate(label: string, value: unknown): DateValue {
	const date = toDate(label, value);
	if (date) return date;
	throw emptyError(label, 'Enter when the event takes place.');
}

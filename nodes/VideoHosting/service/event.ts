import { toLocalText } from '../parameters/dates';
import { toChoice, toTexts } from '../parameters/values';
import { FIELDS } from '../shared/assumptions';
import { Fields, isRecord } from '../shared/jsonFields';
import { markIn, withoutMarks, type Mark } from './mark';
import {
	checkSome,
	listedOf,
	parseServiceDate,
	serviceTime,
	type Listed,
	type ServiceRecord,
} from './record';

/** A live event (docs/api-reference.md#event); undefined for what its record does not contain. */
export interface Event extends Listed {
	readonly hash?: string;
	/** `eventId` of the reference. */
	readonly id?: number;
	readonly title?: string;
	/** As the service wrote it: `YYYY-MM-DD HH:mm:ss` when it is created. */
	readonly dateScheduled?: string;
	/** In upper case, as the reference writes it. */
	readonly status?: string;
	/** The secret of its plan. */
	readonly secret?: string;
	/** Of Create or Update, in its title. */
	readonly mark?: Mark;
}

/** The documented statuses (docs/api-reference.md), as the panels of both nodes list them. */
export const eventStatusOptions = [
	{ name: 'Live', value: 'LIVE', description: 'The event is on air' },
	{ name: 'On Demand', value: 'ON_DEMAND', description: 'The event is over or was never live' },
	{ name: 'Waiting to Go Live', value: 'WAITING_LIVE', description: 'The event has not started yet' },
];

const EVENT_STATUSES = eventStatusOptions.map(({ value }) => value);

/** What an event is to the one who plans it; a status that is not documented counts as over. */
export type Stage = 'live' | 'waiting' | 'over';

export function stageOf({ status }: Event): Stage {
	if (status === 'LIVE') return 'live';
	return status === 'WAITING_LIVE' ? 'waiting' : 'over';
}

export function hasKnownStatus({ status = '' }: Event): boolean {
	return EVENT_STATUSES.includes(status);
}

const { event: NAMES } = FIELDS;

/** Reads the record of an event, in which each field may have one of its usual names. */
export function toEvent(given: ServiceRecord): Event {
	const record = withoutMarks(given);
	const fields = new Fields(record);
	const plan = fields.value('plan');
	const secretIn = (each: Fields) => each.text(NAMES.secret.values);
	const number = Number(fields.text(NAMES.id.values));
	const id = Number.isSafeInteger(number) ? number : undefined;
	const hash = fields.text(NAMES.hash.values);
	const title = fields.text(NAMES.title.values);
	const dateScheduled = fields.text(NAMES.dateScheduled.values);
	const status = fields.text(NAMES.status.values)?.toUpperCase();
	return {
		...listedOf(fields, 'event', record, { hash, eventId: id, title, dateScheduled, status }),
		hash,
		id,
		title,
		dateScheduled,
		status,
		mark: record === given ? undefined : markIn(new Fields(given).text(NAMES.title.values) ?? ''),
		secret: secretIn(fields) ?? (isRecord(plan) ? secretIn(new Fields(plan)) : undefined),
	};
}

/**
 * When an event is scheduled, as a clock in a time zone shows it: `YYYY-MM-DD HH:mm:ss`. A date without an offset stays as it is; undefined
 * for one that cannot be read.
 */
export function localDateOf({ dateScheduled = '' }: Event, timeZone: string): string | undefined {
	const date = parseServiceDate(dateScheduled);
	return date && toLocalText(date, timeZone).padEnd(19, ' 00:00:00');
}

/**
 * Checks that the dates of events can be read.
 *
 * @param label the parameters that need them, for the message
 * @throws OperationError when no event has such a date
 */
export function checkDates(events: readonly Event[], label: string): void {
	checkSome(
		events,
		({ dateScheduled }) => serviceTime(dateScheduled, 'UTC') !== undefined,
		`No event that was read has a readable date, so ${label} cannot be applied`,
	);
}

/** Statuses of a multi-select, in upper or lower case; each once and sorted. */
export function toStatuses(label: string, value: unknown): string[] {
	const statuses = toTexts(label, value).map((text) => toChoice(label, text.toUpperCase(), EVENT_STATUSES));
	return [...new Set(statuses)].sort();
}

/**
 * Checks that one of these events has a documented status, unless there are no events. Others may have a new status of the service.
 *
 * @throws OperationError
 */
export function checkStatuses(events: readonly Event[]): void {
	checkSome(
		events,
		hasKnownStatus,
		`No event that was read has one of the statuses ${EVENT_STATUSES.join(', ')}`,
	);
}

import type { IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { toTimeZone } from '../parameters/dates';
import type { Conversion } from '../parameters/field';
import { toFolderReference, toHashes, type FolderReference } from '../parameters/identifiers';
import { readParameter } from '../parameters/readParameter';
import { InvalidParameterError, quoted, toChoice, toChoices, toNumber, toText } from '../parameters/values';
import { EVENT_STATUSES } from '../service/eventStatuses';
import { planOrDefault } from '../service/plan';
import { serviceCredential } from '../transport/credential';
import { fingerprint } from './diff/knownRecords';
import { OPTIONS_OF, TRIGGER_ON, type TriggerOn } from './fields';

/** Statuses that a change must come from and go to; empty means any. */
export interface StatusFilter {
	from: readonly string[];
	to: readonly string[];
}

/** The parameters of the trigger, checked. Those that its value of Trigger On does not have are empty. */
export interface TriggerSettings {
	triggerOn: TriggerOn;
	planId: string;
	statuses: StatusFilter;
	/** How long before its start an event is reported, in minutes. */
	minutesBefore?: number;
	/** Only these events; empty means all. */
	hashes: string[];
	/** Only events scheduled this many days around now. */
	withinDays?: number;
	/** Zone of dates without an offset. */
	timezone: string;
	/** Only videos in this folder. */
	folder?: FolderReference;
	/** Fingerprint of what is watched: while it is the same, the stored state stays valid. */
	scope: string;
}

/** Ten thousand years: a date that far away is still one that JavaScript can compute with. */
const LONGEST_DAYS = 3_650_000;
const LONGEST_MINUTES = LONGEST_DAYS * 24 * 60;

/** @throws NodeOperationError that names the parameter which cannot be used, or when no plan is given */
export async function triggerSettings(context: IPollFunctions): Promise<TriggerSettings> {
	const triggerOn = read(context, 'triggerOn', 'Trigger On', (label, value) =>
		toChoice(label, value, TRIGGER_ON),
	);
	if (triggerOn === undefined)
		throw new NodeOperationError(context.getNode(), 'Trigger On is empty', {
			description: 'Choose one from the list.',
		});
	const option = <Value>(name: string, label: string, convert: Conversion<Value>, whenHidden: Value) =>
		OPTIONS_OF[triggerOn].includes(name) ? read(context, name, label, convert, 'options') : whenHidden;
	const checked = {
		triggerOn,
		statuses: triggerOn === 'eventStatusChanged' ? statusFilter(context) : { from: [], to: [] },
		minutesBefore:
			triggerOn === 'eventStartsSoon'
				? read(context, 'minutesBefore', 'Minutes Before', toMinutes)
				: undefined,
		hashes: option('events', 'Event Names or IDs', toSortedHashes, []),
		withinDays: option('scheduledWithinDays', 'Scheduled Within Days', toDays, undefined),
		timezone: option('timezone', 'Time Zone', toTimeZone, context.getTimezone()),
		folder: option('folder', 'Folder', toFolderReference, undefined),
		planId: await planOrDefault(context, read(context, 'planId', 'Plan ID', toText, 'options')),
	};
	const { baseUrl, applicationId } = await serviceCredential(context);
	return { ...checked, scope: scopeOf({ ...checked, baseUrl, applicationId }) };
}

/** Parameters that narrow what is watched. */
const FILTERS = ['fromStatus', 'toStatus', 'events', 'scheduledWithinDays', 'folder'];

function read<Value>(
	context: IPollFunctions,
	name: string,
	displayName: string,
	convert: Conversion<Value>,
	collection?: 'options',
): Value {
	const field = { name, displayName, isFilter: FILTERS.includes(name), collection };
	return readParameter(context, undefined, field, convert);
}

/**
 * A fingerprint of what is watched. Active workflows keep it: another result for the same settings would make their next
 * poll a silent baseline. What was reported by Event Starts Soon is known by event and date, whichever events, minutes and
 * zone are set.
 */
export function scopeOf(
	watched: Omit<TriggerSettings, 'scope'> & { baseUrl: string; applicationId: string },
): string {
	const { baseUrl, applicationId, triggerOn, planId, statuses, hashes, withinDays, folder } = watched;
	const filters =
		triggerOn === 'eventStartsSoon' ? [] : [statuses.from, statuses.to, hashes, withinDays, folder];
	return fingerprint(JSON.stringify([baseUrl, applicationId, triggerOn, planId, ...filters]));
}

function statusFilter(context: IPollFunctions): StatusFilter {
	const from = read(context, 'fromStatus', 'From Status', toStatuses);
	const to = read(context, 'toStatus', 'To Status', toStatuses);
	if (from.length === 1 && to.length === 1 && from[0] === to[0]) {
		throw new NodeOperationError(context.getNode(), `From Status and To Status are both ${from[0]}`, {
			description: 'Choose different statuses.',
		});
	}
	return { from, to };
}

function toStatuses(label: string, value: unknown): string[] {
	return [...new Set(toChoices(label, value, EVENT_STATUSES))].sort();
}

function toSortedHashes(label: string, value: unknown): string[] {
	return [...new Set(toHashes(label, value))].sort();
}

function toMinutes(label: string, value: unknown): number {
	const minutes = toNumber(label, value, { min: 1, max: LONGEST_MINUTES, fractions: true });
	if (minutes !== undefined) return minutes;
	throw new InvalidParameterError(`${label} is empty`, 'Enter a number.');
}

function toDays(label: string, value: unknown): number | undefined {
	const days = toNumber(label, value, { min: 0, max: LONGEST_DAYS, fractions: true });
	if (days !== 0) return days;
	throw new InvalidParameterError(`${label} ${quoted(value)} is not a number above 0`);
}

import type { IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { fingerprint } from './diff/fingerprint';
import type { StatusFilter } from './diff/statusFilter';
import { toHashes } from '../parameters/identifiers';
import type { Conversion } from '../parameters/field';
import { readParameter, type Collection } from '../parameters/readParameter';
import { InvalidParameterError, quoted, toChoice, toChoices, toNumber, toText } from '../parameters/values';
import { serviceCredential } from '../transport/credential';
import { EVENT_STATUSES } from '../service/eventStatuses';
import { planOrDefault } from '../service/plan';
import type { TriggerOn } from './fields';

/** The parameters of the trigger, checked. */
export interface TriggerSettings {
	triggerOn: TriggerOn;
	planId: string;
	statuses: StatusFilter;
	/** Only these events; empty means all. */
	hashes: string[];
	/** Only events scheduled this many days around now. */
	withinDays?: number;
	/** Fingerprint of what is watched: while it is the same, the stored state stays valid. */
	scope: string;
}

const TRIGGER_ON: TriggerOn[] = ['eventStatusChanged', 'eventCreated', 'videoAdded'];
/** Ten thousand years: a date that far away is still one that JavaScript can compute with. */
const LONGEST_DAYS = 3_650_000;

/** @throws NodeOperationError that names the parameter which cannot be used, or when no plan is given */
export async function triggerSettings(context: IPollFunctions): Promise<TriggerSettings> {
	const triggerOn = read(context, 'triggerOn', 'Trigger On', (label, value) =>
		toChoice(label, value, TRIGGER_ON),
	);
	if (triggerOn === undefined)
		throw new NodeOperationError(context.getNode(), 'Trigger On is empty: choose one');
	const isStatus = triggerOn === 'eventStatusChanged';
	const checked = {
		triggerOn,
		statuses: isStatus ? statusFilter(context) : { from: [], to: [] },
		hashes: isStatus
			? read(
					context,
					'events',
					'Event Names or IDs',
					(label, value) => [...new Set(toHashes(label, value))].sort(),
					'options',
				)
			: [],
		withinDays:
			triggerOn === 'videoAdded'
				? undefined
				: read(context, 'scheduledWithinDays', 'Scheduled Within Days', toDays, 'options'),
		planId: await planOrDefault(context, read(context, 'planId', 'Plan ID', toText)),
	};
	const { baseUrl, applicationId } = await serviceCredential(context);
	return { ...checked, scope: scopeOf({ ...checked, baseUrl, applicationId }) };
}

function read<Value>(
	context: IPollFunctions,
	name: string,
	displayName: string,
	convert: Conversion<Value>,
	collection?: Collection,
): Value {
	return readParameter(context, undefined, { name, displayName }, convert, collection);
}

/**
 * A fingerprint of what is watched. Active workflows keep it: another result for the same settings would make their next
 * poll a silent baseline.
 */
export function scopeOf(
	watched: Omit<TriggerSettings, 'scope'> & { baseUrl: string; applicationId: string },
): string {
	const { baseUrl, applicationId, triggerOn, planId, statuses, hashes, withinDays: days = null } = watched;
	const parts = [baseUrl, applicationId, triggerOn, planId, statuses.from, statuses.to, hashes, days];
	return fingerprint(JSON.stringify(parts));
}

function statusFilter(context: IPollFunctions): StatusFilter {
	const from = statuses(context, 'fromStatus', 'From Status');
	const to = statuses(context, 'toStatus', 'To Status');
	if (from.length === 1 && to.length === 1 && from[0] === to[0]) {
		throw new NodeOperationError(
			context.getNode(),
			`From Status and To Status are both ${from[0]}: choose different statuses`,
		);
	}
	return { from, to };
}

function statuses(context: IPollFunctions, name: string, label: string): string[] {
	const chosen = read(context, name, label, (_label, value) => toChoices(label, value, EVENT_STATUSES));
	return [...new Set(chosen)].sort();
}

function toDays(label: string, value: unknown): number | undefined {
	const days = toNumber(label, value, { min: 0, max: LONGEST_DAYS, fractions: true });
	if (days !== 0) return days;
	throw new InvalidParameterError(`${label} ${quoted(value)} is not a number above 0`);
}

import { createHash } from 'crypto';

import type { IPollFunctions } from 'n8n-workflow';

import type { Reference } from '../parameters/references';
import { readParameter, type Parameter } from '../parameters/parameter';
import { planOrDefault } from '../service/plan';
import { serviceCredential } from '../transport/credential';
import { operationError } from '../transport/errors';
import * as fields from './fields';

/** The parameters of the trigger, checked. Those that its value of Trigger On does not have are empty. */
export interface TriggerSettings {
	triggerOn: fields.TriggerOn;
	planId: string;
	/** Statuses that a change must come from and go to; empty means any. */
	statuses: { from: readonly string[]; to: readonly string[] };
	/** How long before its start an event is reported, in minutes. */
	minutesBefore?: number;
	/** Only these events; empty means all. */
	hashes: string[];
	/** Only events scheduled this many days around now. */
	withinDays?: number;
	/** Zone of dates without an offset. */
	timezone: string;
	/** Only videos in this folder. */
	folder?: Reference;
	/** Fingerprint of what is watched: with another one, the next poll is a first one. */
	scope: string;
}

/** @throws NodeOperationError that names the parameter which cannot be used, or when no plan is given */
export async function triggerSettings(context: IPollFunctions): Promise<TriggerSettings> {
	const { triggerOnField } = fields;
	const triggerOn = readParameter(context, undefined, triggerOnField);
	/** Undefined for a parameter that this value of Trigger On does not have. */
	const read = <Value>(field: Parameter<Value>): Value | undefined => {
		const { show } = field.displayOptions ?? {};
		const isShown = (show?.triggerOn ?? show?.['/triggerOn'])?.includes(triggerOn) ?? true;
		return isShown ? readParameter(context, undefined, field) : undefined;
	};
	const checked = {
		triggerOn,
		statuses: { from: read(fields.fromStatusField) ?? [], to: read(fields.toStatusField) ?? [] },
		minutesBefore: read(fields.minutesBeforeField),
		hashes: read(fields.eventsOption) ?? [],
		withinDays: read(fields.withinDaysOption),
		timezone: read(fields.timeZoneOption) ?? context.getTimezone(),
		folder: read(fields.folderOption),
		planId: await planOrDefault(context, read(fields.planIdOption) ?? ''),
	};
	const { from, to } = checked.statuses;
	if (from.length === 1 && to.length === 1 && from[0] === to[0]) {
		throw operationError(
			context,
			`From Status and To Status are both ${from[0]}`,
			'Choose different statuses.',
		);
	}
	const { baseUrl, applicationId } = await serviceCredential(context);
	const { hashes, withinDays, folder, planId } = checked;
	// Event Starts Soon knows what it has reported by event and date, whichever events and minutes are set.
	const filters = triggerOn === 'eventStartsSoon' ? [] : [from, to, hashes, withinDays, folder];
	const watched = JSON.stringify([baseUrl, applicationId, triggerOn, planId, ...filters]);
	return { ...checked, scope: createHash('sha256').update(watched).digest('base64url') };
}

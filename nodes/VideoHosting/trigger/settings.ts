import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { fingerprint } from '../changes/fingerprint';
import type { StatusFilter } from '../changes/statusFilter';
import { serviceCredential } from '../service/credential';
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

const EVENT_HASH = /^[\w.~=-]+$/;

/** @throws NodeOperationError that names the parameter which cannot be used, or when no plan is given */
export async function triggerSettings(context: IPollFunctions): Promise<TriggerSettings> {
	const triggerOn = context.getNodeParameter('triggerOn') as TriggerOn; // an options parameter: one of its values
	const planId = await planOrDefault(context, textOf(context.getNodeParameter('planId', '')));
	const isStatus = triggerOn === 'eventStatusChanged';
	const options = triggerOn === 'videoAdded' ? {} : (context.getNodeParameter('options', {}) as IDataObject); // a collection parameter
	const checked = {
		triggerOn,
		planId,
		statuses: isStatus ? statusFilter(context) : { from: [], to: [] },
		hashes: isStatus ? eventHashes(context, options.events) : [],
		withinDays: withinDays(context, options.scheduledWithinDays),
	};
	const { baseUrl, applicationId } = await serviceCredential(context);
	return { ...checked, scope: scopeOf({ ...checked, baseUrl, applicationId }) };
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
	const [from = [], to = []] = ['fromStatus', 'toStatus'].map((name) => {
		const value: unknown = context.getNodeParameter(name, []);
		const texts = Array.isArray(value)
			? value.map(String)
			: typeof value === 'string'
				? value.split(',')
				: [];
		return [...new Set(texts.map((text) => text.trim().toUpperCase()))].filter((text) => text !== '').sort();
	});
	if (from.length === 1 && to.length === 1 && from[0] === to[0]) {
		throw invalid(
			context,
			`From Status and To Status are both ${from[0]}: no change goes from a status to the same one`,
		);
	}
	return { from, to };
}

function eventHashes(context: IPollFunctions, given: unknown): string[] {
	const text = Array.isArray(given) ? given.map(textOf).join(',') : textOf(given);
	if (text === '') return [];
	const hashes = text.split(',').map((hash) => hash.trim());
	const wrong = hashes.find((hash) => !EVENT_HASH.test(hash) || /^\.+$/.test(hash));
	if (wrong !== undefined) {
		throw invalid(
			context,
			wrong === ''
				? 'The option Events has nothing between two commas: enter one event hash or several, separated by commas'
				: `The option Events has "${wrong}", which is not a hash: a hash has letters, digits, - and _ only`,
		);
	}
	return [...new Set(hashes)].sort();
}

function withinDays(context: IPollFunctions, given: unknown): number | undefined {
	if (given === undefined || given === '') return undefined;
	const days = Number(given);
	if (Number.isFinite(days) && days > 0) return days;
	throw invalid(context, 'The option Scheduled Within Days must be a number of days above 0');
}

/** A text without surrounding white space; expressions give numbers as well. */
function textOf(given: unknown): string {
	return typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
}

function invalid(context: IPollFunctions, message: string): NodeOperationError {
	return new NodeOperationError(context.getNode(), message);
}

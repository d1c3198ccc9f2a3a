import { createHash } from 'crypto';

import type { IPollFunctions } from 'n8n-workflow';

import { readParameter, type Parameter } from '../parameters/parameter';
import { planOrDefault } from '../service/plan';
import { serviceCredential } from '../transport/credential';
import type { Kind, Settings } from './kind';
import { planIdOption, triggerOnField } from './panel';

/** What a trigger watches. */
export interface Watch {
	kind: Kind;
	/** The parameters of the node, checked. */
	settings: Settings;
	/** Fingerprint of what is watched: with another one, the next poll is a first one. */
	scope: string;
}

/** @throws NodeOperationError that names the parameter which cannot be used, or when no plan is given */
export async function triggerSettings(context: IPollFunctions): Promise<Watch> {
	const read = <Value>(field: Parameter<Value>) => readParameter(context, undefined, field);
	const [triggerOn, kind] = read(triggerOnField);
	const values = Object.fromEntries(Object.entries(kind.fields).map(([name, field]) => [name, read(field)]));
	const planId = kind.needsPlan ? await planOrDefault(context, read(planIdOption)) : '';
	const settings = { timezone: context.getTimezone(), ...values, planId };
	const { baseUrl, applicationId } = await serviceCredential(context);
	// What is undefined is left out: an option that a later version adds begins no new baseline.
	const filters = kind.hasNoBaseline ? {} : values;
	const watched = JSON.stringify({ baseUrl, applicationId, triggerOn, ...filters, planId });
	return { kind, settings, scope: createHash('sha256').update(watched).digest('base64url') };
}

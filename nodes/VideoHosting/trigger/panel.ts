import { createHash } from 'crypto';

import type { IPollFunctions } from 'n8n-workflow';

import { parameter, propertiesOf, readParameter, type Parameter } from '../parameters/parameter';
import { workflowTimeZone } from '../parameters/timeZone';
import { toChoice } from '../parameters/values';
import { planOrDefault } from '../service/plan';
import { applicationOf } from '../transport/credential';
import { planIdOption, type Kind, type Settings } from './kind';
import { KINDS } from './kinds';

const kinds = Object.entries(KINDS);

const triggerOnField = parameter(toKind, {
	displayName: 'Trigger On',
	name: 'triggerOn',
	type: 'options',
	noDataExpression: true,
	options: kinds.map(([value, { name, description }]) => ({ name, value, description })),
	default: 'eventStatusChanged',
});

function toKind(label: string, value: unknown): [triggerOn: string, kind: Kind] {
	const triggerOn = toChoice(label, value, Object.keys(KINDS));
	// toChoice() has found it among the keys.
	return [triggerOn, KINDS[triggerOn] as Kind];
}

/** The fields of all kinds, each shown for the kinds that have it. */
const fields = [...new Set(kinds.flatMap(([, kind]) => Object.values(kind.fields)))].map((field) => {
	const having = kinds.filter(([, kind]) => Object.values(kind.fields).includes(field));
	const triggerOn = field.collection ? '/triggerOn' : 'triggerOn';
	return { ...field, displayOptions: { show: { [triggerOn]: having.map(([value]) => value) } } };
});

export const triggerProperties = propertiesOf([triggerOnField, ...fields]);

/** An expression for the line under a node's name on the canvas. */
const names = Object.fromEntries(kinds.map(([value, { name }]) => [value, name]));
export const subtitle = `={{ (${JSON.stringify(names)})[$parameter["triggerOn"]] }}`;

/** When a workflow starts, and what is watched: for the texts of the node. */
export const changes = anyOf(kinds.map(([, { change }]) => change));
export const records = anyOf(kinds.map(([, { record }]) => record));

function anyOf(words: string[]): string {
	return new Intl.ListFormat('en', { type: 'disjunction' }).format(new Set(words));
}

export interface Watch {
	kind: Kind;
	/** The parameters of the node, checked. */
	settings: Settings;
	/** Fingerprint of what is watched: after a change of it, the next poll is a first one. */
	scope: string;
}

/** @throws OperationError that names the parameter which cannot be used, or when no plan is given to a kind that watches one */
export async function triggerSettings(context: IPollFunctions): Promise<Watch> {
	const read = <Value>(field: Parameter<Value>) => readParameter(context, undefined, field);
	const [triggerOn, kind] = read(triggerOnField);
	const values = Object.fromEntries(Object.entries(kind.fields).map(([name, field]) => [name, read(field)]));
	if (kind.fields.planId) values.planId = await planOrDefault(context, read(planIdOption));
	const watched = { application: await applicationOf(context), triggerOn, planId: values.planId };
	const fingerprint = fingerprintOf({ ...watched, ...values });
	const settings = { timezone: workflowTimeZone(context), ...values, fingerprint };
	return { kind, settings, scope: kind.hasNoBaseline ? fingerprintOf(watched) : fingerprint };
}

/** JSON omits undefined values, so an option of a later version begins no new baseline. */
function fingerprintOf(values: object): string {
	return createHash('sha256').update(JSON.stringify(values)).digest('base64url');
}

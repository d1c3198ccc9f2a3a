import type { INodeProperties } from 'n8n-workflow';

import { parameter, propertiesOf, text, type Parameter } from '../parameters/parameter';
import { toChoice } from '../parameters/values';
import type { Kind, KindFields } from './kind';
import { KINDS } from './kinds';

const kinds = Object.entries(KINDS);

export const triggerOnField = parameter(toKind, {
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

const planIdOption = text({
	displayName: 'Plan ID',
	name: 'planId',
	collection: 'options',
	placeholder: 'e.g. plan-1001',
	description: 'Plan to watch instead of the Plan ID of the credential',
});

/** The fields of a kind by their names in its settings. */
export function fieldsOf({ fields, needsPlan }: Kind): KindFields {
	return needsPlan ? { ...fields, planId: planIdOption } : fields;
}

/** A parameter, shown for the kinds that have it. */
function shown(field: Parameter<unknown>): Parameter<unknown> {
	const having = kinds.filter(([, kind]) => Object.values(fieldsOf(kind)).includes(field));
	if (having.length === kinds.length) return field;
	const triggerOn = field.collection ? '/triggerOn' : 'triggerOn';
	return { ...field, displayOptions: { show: { [triggerOn]: having.map(([value]) => value) } } };
}

const fields = new Set(kinds.flatMap(([, kind]) => Object.values(fieldsOf(kind))));

export const triggerProperties: INodeProperties[] = propertiesOf([triggerOnField, ...[...fields].map(shown)]);

/** An expression for the line under a node's name on the canvas. */
const names = Object.fromEntries(kinds.map(([value, { name }]) => [value, name]));
export const subtitle = `={{ (${JSON.stringify(names)})[$parameter["triggerOn"]] }}`;

/** When a workflow starts, and what is watched: for the texts of the node. */
export const changes = anyOf(kinds.map(([, { change }]) => change));
export const records = anyOf(kinds.map(([, { record }]) => record));

function anyOf(words: string[]): string {
	return new Intl.ListFormat('en', { type: 'disjunction' }).format(new Set(words));
}

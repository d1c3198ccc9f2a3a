import type { IExecuteFunctions } from 'n8n-workflow';

import type { ContentChecksum } from '../sources/contentChecksum';
import { isRecord } from '../shared/jsonFields';
import type { LedgerEntry, OpenEntry } from './ledgerEntry';

const FIELD = 'videoHostingUploads';

/** Static data is loaded and saved with the workflow as a whole, so it stays small: the oldest entries go. */
export const MOST_STORED = 50;

/**
 * The uploads that the workflow has stored, of any application. Anyone may write static data: a Code node, an import.
 */
export function storedEntries(context: IExecuteFunctions): LedgerEntry[] {
	const stored: unknown = context.getWorkflowStaticData('global')[FIELD];
	return Array.isArray(stored) ? (stored as unknown[]).filter(isEntry) : [];
}

/**
 * Stores the uploads of one application in place of those stored before, where that loses nothing of another node.
 *
 * @param entries the newest first; those that a restart may lose are left out
 */
export function storeEntries(
	context: IExecuteFunctions,
	application: string,
	entries: readonly OpenEntry[],
): void {
	const stored = storedEntries(context);
	const others = stored.filter((entry) => entry.application !== application);
	const own = entries.map(storedFields).filter(isEntry);
	if ((own.length === 0 && others.length === stored.length) || !mayWriteStaticData(context)) return;
	// n8n notices assignments at the top level only (n8n-workflow 2.41.0, dist/cjs/observable-object.js).
	context.getWorkflowStaticData('global')[FIELD] = [...own, ...others].slice(0, MOST_STORED);
}

const isText = (value: unknown) => typeof value === 'string';
const isWhole = (value: unknown) => Number.isSafeInteger(value);
const isFlag = (value: unknown) => typeof value === 'boolean';
const optional = (isIt: (value: unknown) => boolean) => (value: unknown) =>
	value === undefined || isIt(value);

/** What is stored of an upload, without what belongs to this process. */
const STORED: Record<keyof LedgerEntry, (value: unknown) => boolean> = {
	uploadId: isText,
	application: isText,
	status: (value) => typeof value === 'string' && ['reserved', 'unfinished', 'complete'].includes(value),
	at: isWhole,
	file: (value) =>
		isRecord(value) && isText(value.name) && isWhole(value.size) && optional(isText)(value.folder),
	mark: optional(isText),
	createdAt: optional(isWhole),
	unfinishedAt: optional(isWhole),
	checksums: (value) => Array.isArray(value) && value.every(isChecksum),
	isCorrupt: isFlag,
	sent: optional(isText),
	planId: optional(isText),
	title: isText,
	hasThumbnail: optional(isFlag),
	videoHash: optional(isText),
};

function storedFields(entry: OpenEntry): unknown {
	return Object.fromEntries(Object.entries(entry).filter(([field]) => field in STORED));
}

function isEntry(value: unknown): value is LedgerEntry {
	return isRecord(value) && Object.entries(STORED).every(([field, isValid]) => isValid(value[field]));
}

function isChecksum(value: unknown): value is ContentChecksum {
	return (
		isRecord(value) &&
		[value.from, value.to].every(isWhole) &&
		[value.key, value.tag].every((text) => typeof text === 'string' && /^[0-9a-f]{32}$/.test(text))
	);
}

const SCHEDULE = 'n8n-nodes-base.scheduleTrigger';
const MANUAL = 'n8n-nodes-base.manualTrigger';

/**
 * Whether writing to the workflow's static data loses nothing of another node. n8n saves static data as a whole, from the copy
 * that the execution loaded when it started (n8n 2.41.1, dist/execution-lifecycle/execution-lifecycle-hooks.js): what a
 * trigger or another execution stored since then is lost. So it may be written only in a workflow where no other node uses it, and
 * not at all when that cannot be found out. A worker of queue mode never writes it: it shares the workflow with other workers, and
 * in n8n 2.41.1 it starts new executions without what is stored (dist/workflow-runner.js, run; dist/scaling/job-processor.js).
 */
function mayWriteStaticData(context: IExecuteFunctions): boolean {
	// As the settings of instanceTypeOf().
	const workflow: unknown = Reflect.get(context, 'workflow');
	if (instanceTypeOf(context) !== 'main') return false;
	if (!isRecord(workflow) || !isRecord(workflow.nodes) || !isRecord(workflow.staticData)) return false;
	const { nodes, nodeTypes, staticData } = workflow;
	const hasEntries = (key: string) => isRecord(staticData[key]) && Object.keys(staticData[key]).length > 0;
	if (isRecord(staticData.global) && Object.keys(staticData.global).some((key) => key !== FIELD))
		return false;
	return Object.values(nodes).every((node) => {
		if (!isRecord(node) || typeof node.type !== 'string') return false;
		if (JSON.stringify(node.parameters ?? {}).includes('StaticData')) return false;
		if (node.type === SCHEDULE) return !countsIntervals(node.parameters);
		if (hasEntries(`node:${typeof node.name === 'string' ? node.name : ''}`)) return false;
		return node.type === MANUAL || !isStatefulTrigger(nodeTypes, node.type, node.typeVersion);
	});
}

/**
 * What kind of process this is: `main`, `webhook`, or a `worker` of queue mode. n8n-core's contexts have n8n's settings, and the
 * workflow, as fields that their interface does not list (n8n-core 1.123.81 and 2.41.1,
 * dist/execution-engine/node-execution-context/node-execution-context.js).
 */
export function instanceTypeOf(context: IExecuteFunctions): unknown {
	const settings: unknown = Reflect.get(context, 'instanceSettings');
	return isRecord(settings) ? settings.instanceType : undefined;
}

/**
 * Whether a node of this type may store something between executions: polling triggers and triggers that emit by themselves may do so
 * at any time, webhook triggers that register at a service store that registration.
 */
function isStatefulTrigger(nodeTypes: unknown, type: string, typeVersion: unknown): boolean {
	if (!isRecord(nodeTypes) || typeof nodeTypes.getByNameAndVersion !== 'function') return true;
	try {
		const nodeType: unknown = Reflect.apply(nodeTypes.getByNameAndVersion, nodeTypes, [type, typeVersion]);
		return !isRecord(nodeType) || ['poll', 'trigger', 'webhookMethods'].some((method) => method in nodeType);
	} catch {
		// n8n does not know the type.
		return true;
	}
}

/**
 * Whether a Schedule Trigger remembers when it last fired, which it does for intervals of more than one unit (n8n-nodes-base 2.41.1,
 * dist/nodes/Schedule/GenericFunctions.js, intervalToRecurrence).
 */
function countsIntervals(parameters: unknown): boolean {
	const rule = isRecord(parameters) ? parameters.rule : undefined;
	const intervals = isRecord(rule) ? rule.interval : undefined;
	if (!Array.isArray(intervals)) return true;
	const isCounted = ([name, value]: [string, unknown]) => {
		if (!name.endsWith('Interval') || name === 'secondsInterval') return false;
		return name === 'minutesInterval' ? typeof value !== 'number' || 60 % value !== 0 : value !== 1;
	};
	return intervals.some((interval) => !isRecord(interval) || Object.entries(interval).some(isCounted));
}

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
 * @param entries the newest first
 */
export function storeEntries(
	context: IExecuteFunctions,
	application: string,
	entries: readonly OpenEntry[],
): void {
	const stored = storedEntries(context);
	const others = stored.filter((entry) => entry.application !== application);
	if ((entries.length === 0 && others.length === stored.length) || !mayWriteStaticData(context)) return;
	const own = entries.map(toStored);
	// n8n notices assignments at the top level only (n8n-workflow 2.41.0, dist/cjs/observable-object.js).
	context.getWorkflowStaticData('global')[FIELD] = [...own, ...others].slice(0, MOST_STORED);
}

/** Without what belongs to this process. */
function toStored(entry: OpenEntry): LedgerEntry {
	const { uploadId, application, status, at, file, mark, createdAt, checksums, isCorrupt } = entry;
	const { hasThumbnail, planId, sent, title, unfinishedAt, videoHash } = entry;
	return {
		...{ uploadId, application, status, at, file, mark, createdAt, checksums, isCorrupt },
		...{ hasThumbnail, planId, sent, title, unfinishedAt, videoHash },
	};
}

function isEntry(value: unknown): value is LedgerEntry {
	if (!isRecord(value) || !isRecord(value.file)) return false;
	const { application, at, checksums, createdAt, file, isCorrupt, mark, planId, status, title } = value;
	const isText = (field: unknown) => typeof field === 'string';
	const isOptional = (field: unknown) => field === undefined || isText(field);
	return (
		[value.uploadId, application, file.name, title].every(isText) &&
		[mark, planId, value.sent, value.videoHash, file.folder].every(isOptional) &&
		[file.size, at, createdAt ?? 0, value.unfinishedAt ?? 0].every((field) => Number.isSafeInteger(field)) &&
		['reserved', 'unfinished', 'complete'].some((kept) => kept === status) &&
		[isCorrupt, value.hasThumbnail ?? false].every((field) => typeof field === 'boolean') &&
		Array.isArray(checksums) &&
		checksums.every(isChecksum)
	);
}

function isChecksum(value: unknown): value is ContentChecksum {
	return (
		isRecord(value) &&
		['from', 'to'].every((field) => Number.isSafeInteger(value[field])) &&
		['key', 'tag'].every((field) => typeof value[field] === 'string' && /^[0-9a-f]{32}$/.test(value[field]))
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
	// n8n-core's contexts have the workflow and n8n's settings as fields that their interface does not list (n8n-core 1.123.81 and
	// 2.41.1, dist/execution-engine/node-execution-context/node-execution-context.js).
	const workflow: unknown = Reflect.get(context, 'workflow');
	const instanceSettings: unknown = Reflect.get(context, 'instanceSettings');
	if (!isRecord(instanceSettings) || instanceSettings.instanceType !== 'main') return false;
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
 * Whether a node of this type may store something between executions: polling triggers and triggers that emit by themselves may do so
 * at any time, webhook triggers that register at a service store that registration.
 */
function isStatefulTrigger(nodeTypes: unknown, type: string, typeVersion: unknown): boolean {
	const nodeType = nodeTypeOf(nodeTypes, type, typeVersion);
	if (!isRecord(nodeType)) return true;
	return 'poll' in nodeType || 'trigger' in nodeType || 'webhookMethods' in nodeType;
}

/** @returns undefined when n8n does not know the type */
function nodeTypeOf(nodeTypes: unknown, type: string, typeVersion: unknown): unknown {
	if (!isRecord(nodeTypes) || typeof nodeTypes.getByNameAndVersion !== 'function') return undefined;
	try {
		return Reflect.apply(nodeTypes.getByNameAndVersion, nodeTypes, [type, typeVersion]) as unknown;
	} catch {
		return undefined;
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
	return intervals.some(
		(interval) =>
			!isRecord(interval) ||
			Object.entries(interval).some(
				([name, value]) => name.endsWith('Interval') && !isUncounted(name, value),
			),
	);
}

function isUncounted(name: string, interval: unknown): boolean {
	if (name === 'minutesInterval') return typeof interval === 'number' && 60 % interval === 0;
	return name === 'secondsInterval' || interval === 1;
}

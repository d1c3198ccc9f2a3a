import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../shared/jsonFields';

const SCHEDULE = 'n8n-nodes-base.scheduleTrigger';
const MANUAL = 'n8n-nodes-base.manualTrigger';

/**
 * Whether writing to the workflow's static data loses nothing of another node. n8n saves static data as a whole, from the copy
 * that the execution loaded when it started (n8n 2.41.1, dist/execution-lifecycle/execution-lifecycle-hooks.js): what a
 * trigger or another execution stored since then is lost. So it may be written only in a workflow where no other node uses it, and
 * not at all when that cannot be found out. A worker of queue mode never writes it: it shares the workflow with other workers, and
 * in n8n 2.41.1 it starts new executions without what is stored (dist/workflow-runner.js, run; dist/scaling/job-processor.js).
 *
 * @param field of the global static data that the caller uses itself
 */
export function mayWriteStaticData(context: IExecuteFunctions, field: string): boolean {
	// n8n-core's contexts have the workflow and n8n's settings as fields that their interface does not list (n8n-core 1.123.81 and
	// 2.41.1, dist/execution-engine/node-execution-context/node-execution-context.js).
	const workflow: unknown = Reflect.get(context, 'workflow');
	const instanceSettings: unknown = Reflect.get(context, 'instanceSettings');
	if (!isRecord(instanceSettings) || instanceSettings.instanceType !== 'main') return false;
	if (!isRecord(workflow) || !isRecord(workflow.nodes) || !isRecord(workflow.staticData)) return false;
	const { nodes, nodeTypes, staticData } = workflow;
	const hasEntries = (key: string) => isRecord(staticData[key]) && Object.keys(staticData[key]).length > 0;
	if (isRecord(staticData.global) && Object.keys(staticData.global).some((key) => key !== field))
		return false;
	return Object.values(nodes).every((node) => {
		if (!isRecord(node) || typeof node.type !== 'string') return false;
		if (JSON.stringify(node.parameters ?? {}).includes('StaticData')) return false;
		if (node.type === SCHEDULE) return !countsIntervals(node.parameters);
		if (hasEntries(`node:${String(node.name)}`)) return false;
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

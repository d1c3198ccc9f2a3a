import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { parsePollState, serializePollState } from '../changes/pollState';
import { forgetCredential } from '../service/credential';
import { toNodeError, isTransient } from '../service/errors';
import { eventCreated } from './eventCreated';
import { eventStatusChanged } from './eventStatusChanged';
import type { TriggerOn } from './fields';
import { triggerSettings } from './settings';
import { skipOverlapping } from './skipOverlapping';
import { videoAdded } from './videoAdded';
import type { PollSource } from './pollSource';

const POLL_SOURCES: Record<TriggerOn, PollSource> = { eventStatusChanged, eventCreated, videoAdded };

/** n8n's own budget for a poll that is not bound to a lease (PollContext of n8n-core); n8n before 2.38 names none. */
const DEFAULT_BUDGET_MS = 5 * 60 * 1000;

const polledBefore = new WeakSet<IPollFunctions>();

/**
 * One poll: the items to emit, or null for none. What the node remembers (n8n's static data, key `memory`) is assigned
 * last, in one assignment, so that a poll that fails leaves it as it was and the next one finds everything.
 *
 * n8n writes static data to its database when a poll emits and when the workflow is activated (2.41.1
 * trigger-execution-context.factory, 1.123.81 active-workflow-manager); what a poll without items learns is in memory until
 * then, unless n8n's durable poll cursors are on. A restart compares with what was written, so only an event first seen, or
 * moved by a change that the filter left out, since the last execution can be missed by it.
 *
 * @throws NodeApiError, marked with `failure`, when the service cannot be read; NodeOperationError for a parameter that
 * cannot be used, and in a test without a sample. At activation a service that is down does not throw.
 */
export async function pollService(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	forgetCredential(context);
	if (context.getMode() === 'manual') return await sample(context);

	const staticData = context.getWorkflowStaticData('node');
	const activation = isActivation(context);
	return await skipOverlapping(context, staticData.memory, async () => {
		try {
			return await pollChanges(context, staticData);
		} catch (error) {
			if (!activation || !isTransient(error)) throw toNodeError(context, error);
			context.logger.warn(
				`The service could not be read at activation; the next poll tries again: ${error.message}`,
			);
			return null;
		}
	});
}

async function pollChanges(
	context: IPollFunctions,
	staticData: IDataObject,
): Promise<INodeExecutionData[][] | null> {
	const settings = await triggerSettings(context);
	const known = parsePollState(staticData.memory, settings.scope);
	const watch = POLL_SOURCES[settings.triggerOn];
	const { found, memory } = await watch.poll(context, settings, known, timeBudget(pollBudgetMs(context)));
	const items = context.helpers.returnJsonArray(found);
	staticData.memory = serializePollState(memory);
	return items.length > 0 ? [items] : null;
}

async function sample(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	const settings = await triggerSettings(context);
	const watch = POLL_SOURCES[settings.triggerOn];
	const record = await watch.sample(context, settings);
	if (record) return [context.helpers.returnJsonArray([record])];
	throw new NodeOperationError(context.getNode(), watch.noSample, { level: 'warning' });
}

/**
 * Whether this is the poll that n8n makes when it activates the workflow: the first one in its context. n8n's durable
 * scheduler gives each of its polls a context of its own, and a budget below the usual one.
 */
function isActivation(context: IPollFunctions): boolean {
	const isFirst = !polledBefore.has(context);
	polledBefore.add(context);
	return isFirst && pollBudgetMs(context) === DEFAULT_BUDGET_MS;
}

function pollBudgetMs(context: IPollFunctions): number {
	// n8n-workflow declares it as always there, but n8n before 2.38 does not have it.
	return 'getPollBudgetMs' in context ? context.getPollBudgetMs() : DEFAULT_BUDGET_MS;
}

/** Whether one more request fits into a budget of milliseconds, judged by the longest one so far. */
function timeBudget(budgetMs: number): () => boolean {
	const startedAt = Date.now();
	let lastAsked = startedAt;
	let longestMs = 0;
	return () => {
		const now = Date.now();
		longestMs = Math.max(longestMs, now - lastAsked);
		lastAsked = now;
		return now - startedAt + longestMs <= budgetMs;
	};
}

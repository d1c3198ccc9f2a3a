import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { parsePollState, serializePollState } from './diff/pollState';
import { isRateLimited, isTransient, toNodeError } from '../transport/errors';
import { withoutSecrets } from '../transport/secrets';
import { eventCreated } from './eventCreated';
import { eventDeleted } from './eventDeleted';
import { eventStartsSoon } from './eventStartsSoon';
import { eventStatusChanged } from './eventStatusChanged';
import { eventUpdated } from './eventUpdated';
import type { TriggerOn } from './fields';
import { pollList } from './pollList';
import type { PollSource } from './pollSource';
import {
	isLimitedForLong,
	newestState,
	rememberInProcess,
	skipOverlapping,
	unnamedHashes,
} from './processState';
import { noSampleMessage } from './sample';
import { triggerSettings } from './settings';
import { videoAdded } from './videoAdded';
import { eventsNotFoundError, notFoundMessage } from './watchedEvents';

const POLL_SOURCES: Record<TriggerOn, PollSource> = {
	eventCreated,
	eventDeleted,
	eventStartsSoon,
	eventStatusChanged,
	eventUpdated,
	videoAdded,
};

/** n8n's own budget for a poll that is not bound to a lease (docs/n8n-internals.md, Poll budget); n8n before 2.38 has none. */
export const DEFAULT_BUDGET_MS = 5 * 60 * 1000;

const polledBefore = new WeakSet<IPollFunctions>();

/**
 * One poll: the items to emit, or null for none.
 *
 * The state is kept in n8n's static data (key `memory`) and in this process ({@link newestState}). It is assigned last, in
 * one assignment, so that a poll that fails leaves it unchanged and the next one finds everything. n8n writes static data
 * to its database when a poll emits and when the workflow is activated (docs/n8n-internals.md, Polls and static data);
 * until then, what a poll without items learns is in memory only. After a restart the trigger compares with what was
 * written, so it can miss a change only of an event that was first listed, or whose status the filter left out, since then.
 *
 * When the service limits requests (429), the next poll continues; it is an error only when nothing was read for an hour.
 *
 * @throws NodeApiError, marked with `failure`, when the service cannot be read, and at the first activation and in a manual
 * test for a hash that it does not find; NodeOperationError for a parameter that is not valid, and in a manual test without
 * a sample. At activation a service that is down does not throw.
 */
export async function pollService(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return await sample(contextOfOnePoll(context));

	const staticData = context.getWorkflowStaticData('node');
	const activation = isActivation(context);
	const start = newestState(context, staticData);
	return await skipOverlapping(context, start, pollBudgetMs(context), async (isGivenUp) => {
		try {
			return await pollChanges(context, staticData, { start, activation, isGivenUp });
		} catch (error) {
			// The poll that replaced it reports what still fails.
			if (isGivenUp()) return null;
			const isIgnored = isRateLimited(error)
				? !isLimitedForLong(context, activation)
				: activation && isTransient(error);
			if (!isIgnored || !isTransient(error)) throw toNodeError(context, error);
			const when = activation ? ' at activation' : '';
			context.logger.warn(
				`The service could not be read${when}; the next poll tries again: ${error.message}`,
			);
			return null;
		}
	});
}

async function pollChanges(
	context: IPollFunctions,
	staticData: IDataObject,
	{ start, activation, isGivenUp }: { start: unknown; activation: boolean; isGivenUp: () => boolean },
): Promise<INodeExecutionData[][] | null> {
	const run = contextOfOnePoll(context);
	const settings = await triggerSettings(run);
	const stored = parsePollState(start);
	const known = stored?.scope === settings.scope ? stored : undefined;
	const limits = { hasTimeLeft: timeBudget(pollBudgetMs(context)), endsReading: isRateLimited };
	const source = POLL_SOURCES[settings.triggerOn];
	const { items, state, notFound } = await pollList(source, run, settings, known, limits);
	if (isGivenUp()) return null;
	// Later, an event that was deleted must not end the watch of the others.
	if (notFound && activation && !known) throw eventsNotFoundError(context, notFound);
	if (settings.hashes.length > 0) {
		const isWhole = (known?.nextPage ?? 1) === 1 && state.nextPage === 1;
		const hashes = unnamedHashes(context, notFound?.hashes ?? [], isWhole);
		if (hashes.length > 0)
			context.logger.warn(`${notFoundMessage({ ...notFound, hashes })} The other events are still watched.`);
	}
	const next = serializePollState(state);
	staticData.memory = next;
	rememberInProcess(context, staticData, next);
	return items.length > 0 ? [context.helpers.returnJsonArray(items)] : null;
}

/** n8n uses one context for all polls of an active trigger; what is cached for a run must not outlive one poll. */
function contextOfOnePoll(context: IPollFunctions): IPollFunctions {
	// Object.create returns `any`; the new object inherits everything.
	return Object.create(context) as IPollFunctions;
}

async function sample(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	const settings = await triggerSettings(context);
	const source = POLL_SOURCES[settings.triggerOn];
	const record = await source.sample(context, settings);
	if (record) return [context.helpers.returnJsonArray([withoutSecrets(record)])];
	throw new NodeOperationError(context.getNode(), noSampleMessage(source.kind, settings), {
		level: 'warning',
	});
}

/**
 * Whether this is the poll that n8n makes when it activates the workflow: the first one in its context. n8n's durable
 * scheduler creates a context for each of its polls, with a budget below the default.
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

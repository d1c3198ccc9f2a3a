import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { serializePollState, type PollState } from './diff/pollState';
import { isRateLimited, isTransient, operationError, toNodeError } from '../transport/errors';
import { withoutSecrets } from '../transport/secrets';
import { eventCreated } from './eventCreated';
import { eventDeleted } from './eventDeleted';
import { eventStartsSoon } from './eventStartsSoon';
import { eventStatusChanged } from './eventStatusChanged';
import { eventUpdated } from './eventUpdated';
import type { TriggerOn } from './fields';
import { pollList } from './pollList';
import type { PollSource } from './pollSource';
import { beginPoll, isLimitedForLong, keepState, newestState, skipOverlapping } from './processState';
import { triggerSettings, type TriggerSettings } from './settings';
import { videoAdded } from './videoAdded';

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

/**
 * One poll: the items to emit, or null for none.
 *
 * The state is kept in n8n's static data (key `memory`) and in this process ({@link newestState}), once the poll has read
 * everything and n8n emits its items: one that fails or is discarded leaves it unchanged, and the next one finds everything.
 * n8n writes static data to its database when a poll emits and when the workflow is activated (docs/n8n-internals.md, Polls
 * and static data); until then, what a poll without items learns is in memory only. After a restart the trigger compares with
 * what was written, so it can miss a change only of an event that was first listed, or whose status the filter left out, since then.
 *
 * When the service limits requests (429), the next poll continues; it is an error only when nothing was read for an hour.
 *
 * @throws NodeApiError, marked with `failure`, when the service cannot be read, and at the first activation and in a manual
 * test for a hash that it does not find; NodeOperationError for a parameter that is not valid, and in a manual test without
 * a sample. At activation a service that is down does not throw, and nothing does when n8n starts: n8n would not poll any more
 * until somebody publishes the workflow again, so the next poll reports what still fails.
 */
export async function pollService(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return await sample(contextOfOnePoll(context));

	const staticData = context.getWorkflowStaticData('node');
	// n8n's durable scheduler creates a context for each of its polls, with a budget below the default.
	const budgetMs = pollBudgetMs(context);
	const isActivation = beginPoll(context) && budgetMs === DEFAULT_BUDGET_MS;
	const start = newestState(context, staticData);
	const from = start?.revision ?? 0;
	const isStart = isActivation && ['init', 'leadershipChange'].includes(context.getActivationMode());
	return await skipOverlapping(context, { from, isActivation, budgetMs }, async (isGivenUp) => {
		try {
			return await pollChanges(context, staticData, start, isGivenUp);
		} catch (error) {
			// The poll that replaced it reports what still fails.
			if (isGivenUp()) return null;
			const isIgnored = isRateLimited(error)
				? !isLimitedForLong(context, isActivation)
				: isStart || (isActivation && isTransient(error));
			const failure = toNodeError(context, error);
			if (!isIgnored) throw failure;
			const when = isActivation ? ' at activation' : '';
			context.logger.warn(
				`The service could not be read${when}; the next poll tries again: ${failure.message}`,
			);
			return null;
		}
	});
}

async function pollChanges(
	context: IPollFunctions,
	staticData: IDataObject,
	start: PollState | undefined,
	isGivenUp: () => boolean,
): Promise<INodeExecutionData[][] | null> {
	const run = contextOfOnePoll(context);
	const settings = await triggerSettings(run);
	const known = start?.scope === settings.scope ? start : undefined;
	const limits = { hasTimeLeft: timeBudget(pollBudgetMs(context)), endsReading: isRateLimited };
	const source = POLL_SOURCES[settings.triggerOn];
	const { items, state } = await pollList({ source, context: run, settings, limits }, known);
	if (isGivenUp()) return null;
	const next = serializePollState(state);
	const hasItems = items.length > 0;
	keepState(context, staticData, next, hasItems);
	return hasItems ? [context.helpers.returnJsonArray(items)] : null;
}

/** n8n uses one context for all polls of an active trigger; what is cached for a run must not outlive one poll. */
function contextOfOnePoll(context: IPollFunctions): IPollFunctions {
	// Object.create returns `any`; the new object inherits everything.
	return Object.create(context) as IPollFunctions;
}

async function sample(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	const settings = await triggerSettings(context);
	const source = POLL_SOURCES[settings.triggerOn];
	const record = await source.newest(context, settings, (each) => source.isSample?.(each, settings) ?? true);
	if (record) {
		const item = source.toSample?.(record, settings) ?? record;
		return [context.helpers.returnJsonArray([withoutSecrets(item)])];
	}
	throw operationError(context, noSampleMessage(source.kind, settings));
}

/** `A, B and C`, as British English writes it. */
const LIST = new Intl.ListFormat('en-GB');

/** The message of a manual test that found nothing: the parameters that limit it, as the panel names them, and what to do. */
function noSampleMessage(
	kind: 'event' | 'video',
	{ statuses, hashes, withinDays, folder }: TriggerSettings,
): string {
	const conditions = [
		...(statuses.to.length > 0 ? [`To Status (${statuses.to.join(', ')})`] : []),
		...(hashes.length > 0 ? [`Event Names or IDs (${hashes.length} selected)`] : []),
		...(withinDays === undefined ? [] : [`Scheduled Within Days (${withinDays})`]),
		...(folder ? [`Folder (${'id' in folder ? folder.id : folder.name})`] : []),
	];
	if (conditions.length === 0) {
		const remedy = kind === 'event' ? 'Create an event in the plan' : 'Upload a video to the plan';
		return `No ${kind} was found. ${remedy} and test again.`;
	}
	const remedy = kind === 'event' ? 'Create or change an event' : 'Upload or move a video';
	const clear = conditions.length > 1 ? 'one of these conditions' : 'this condition';
	return `No ${kind} that matches ${LIST.format(conditions)} was found. ${remedy} so that it matches, or clear ${clear}, and test again.`;
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

import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { isTransient, operationError, toNodeError } from '../transport/errors';
import { withoutSecrets } from '../transport/secrets';
import { fromStored, toStored, type StoredState } from './changes';
import { triggerSettings } from './settings';
import { SOURCES } from './sources';

/** What is being polled now: workflow, node and what the node watches. n8n does not wait for a poll before it starts the next. */
const running = new Set<string>();

/**
 * Contexts that have polled. n8n creates one when it activates a workflow, and uses it for all polls
 * (docs/n8n-internals.md#activation); only its durable scheduler, which is off by default, creates one for each poll.
 */
const activated = new WeakSet<IPollFunctions>();

/**
 * One poll: the items to emit, or null for none.
 *
 * The state is assigned last, so after a poll that fails the next one reports everything. n8n writes the state to its database
 * when the poll emits and when the workflow is activated (docs/n8n-internals.md, Polls and static data).
 *
 * @throws NodeApiError when the service cannot be read; NodeOperationError for a parameter that is not valid, and in a manual
 * test that finds nothing. Not while n8n activates the workflow and the service is down, or while n8n starts: n8n would end the
 * activation. The next poll reports what still fails.
 */
export async function pollService(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const run = contextOfOnePoll(context);
	const isTest = context.getMode() === 'manual';
	const isActivation = !isTest && !activated.has(context);
	if (isActivation) activated.add(context);
	try {
		return isTest ? emitted(run, [await sample(run)]) : await reportChanges(run);
	} catch (error) {
		const failure = toNodeError(context, error);
		const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
		if (!isActivation || !(isStart || isTransient(failure))) throw failure;
		context.logger.warn(
			`The service could not be read at activation; the next poll tries again: ${failure.message}`,
		);
		return null;
	}
}

async function reportChanges(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const settings = await triggerSettings(context);
	const poll = [context.getWorkflow().id, context.getNode().id, settings.scope].join(' ');
	if (running.has(poll)) return null;
	running.add(poll);
	try {
		const staticData = context.getWorkflowStaticData('node');
		// Only this function writes it.
		const before = fromStored(staticData.state as StoredState | undefined, settings.scope);
		const { items, state } = await SOURCES[settings.triggerOn].poll(context, settings, before);
		const output = items.length > 0 ? emitted(context, items) : null;
		staticData.state = toStored(state);
		return output;
	} finally {
		running.delete(poll);
	}
}

/** The newest record that matches, as a manual test shows it. */
async function sample(context: IPollFunctions): Promise<IDataObject> {
	const settings = await triggerSettings(context);
	const item = await SOURCES[settings.triggerOn].sample(context, settings);
	if (item) return item;
	const kind = settings.triggerOn === 'videoAdded' ? 'video' : 'event';
	throw operationError(
		context,
		`No ${kind} of the plan matches the parameters of this trigger`,
		`Create or change one so that it matches, or clear a filter, and test again.`,
	);
}

function emitted(context: IPollFunctions, items: IDataObject[]): INodeExecutionData[][] {
	return [context.helpers.returnJsonArray(withoutSecrets(context, items))];
}

/** What is cached for a run must not outlive one poll, but n8n uses one context for all polls. */
function contextOfOnePoll(context: IPollFunctions): IPollFunctions {
	// Object.create returns `any`; the new object inherits everything.
	return Object.create(context) as IPollFunctions;
}

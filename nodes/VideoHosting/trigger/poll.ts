import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { checkSome, type Listed } from '../service/record';
import { POLICIES } from '../shared/policies';
import { errorKind } from '../transport/errorMeaning';
import { noteSecretFields, secretRemover } from '../transport/secrets';
import { OperationError, around, shownError, toN8nError, withAdvice } from '../transport/serviceError';
import {
	apply,
	compare,
	fromStored,
	missingIn,
	settledAfterDay,
	toStored,
	type Compared,
	type StoredState,
} from './changes';
import { triggerSettings, type Watch } from './panel';

/** Contexts whose poll runs now. n8n starts a poll even while the last one runs. */
const running = new WeakSet<IPollFunctions>();

/**
 * The context of the latest activation, by workflow and node. n8n creates a context when it activates a workflow, and uses it for all
 * polls (docs/n8n-internals.md#activation); only its durable scheduler, which is off by default, creates one for each poll. n8n 1.x emits
 * what a poll of an earlier activation returns late.
 */
const latest = new Map<string, IPollFunctions>();

/**
 * One poll: the items to emit, or null for none.
 *
 * The state is assigned last, so the poll after a failed one reports everything. n8n writes the state to its database
 * when the poll emits and at activation (docs/n8n-internals.md#activation).
 *
 * @throws NodeApiError when the service cannot be read; NodeOperationError for a parameter that is not valid, and in a manual
 * test that finds nothing. Not while n8n activates the workflow and the service is down or slow, or while n8n starts: n8n would end the
 * activation. The next poll reports what still fails.
 */
export async function pollService(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	// n8n uses one context for all polls, and caches of a run belong to one poll. Object.create returns `any`.
	const run = Object.create(context) as IPollFunctions;
	const isTest = context.getMode() === 'manual';
	const node = `${context.getWorkflow().id} ${context.getNode().name}`;
	const isActivation = !isTest && latest.get(node) !== context;
	const deadline = isActivation ? AbortSignal.timeout(POLICIES.activationMs) : undefined;
	if (isActivation) latest.set(node, context);
	// Ends the requests of the poll, as n8n's own signal does in an execution.
	if (deadline) Object.defineProperty(run, 'getExecutionCancelSignal', { value: () => deadline });
	if (running.has(context)) return null;
	if (!isTest) running.add(context);
	try {
		const watch = await triggerSettings(run);
		if (isTest) return emitted(run, [await sample(run, watch)]);
		return await reportChanges(run, watch, () => latest.get(node) === context);
	} catch (error) {
		const shown = shownError(run, error);
		if (!isActivation) throw toN8nError(run, shown);
		const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
		if (!isStart && deadline?.aborted !== true && errorKind(error) === 'final') {
			// Of an error that ends the activation, n8n shows only the message (docs/n8n-internals.md#activation).
			throw toN8nError(run, around(shown, { message: withAdvice(shown) }));
		}
		context.logger.warn(
			`The first poll after the activation failed; the next one tries again: ${shown.message}`,
		);
		return null;
	} finally {
		running.delete(context);
	}
}

/** @param isCurrent whether n8n has not activated the workflow again meanwhile */
async function reportChanges(
	context: IPollFunctions,
	watch: Watch,
	isCurrent: () => boolean,
): Promise<INodeExecutionData[][] | null> {
	const { kind, settings, scope } = watch;
	const staticData = context.getWorkflowStaticData('node');
	// Only this function writes it.
	const before = fromStored(staticData.state as StoredState | undefined, scope);
	const isSilent = before === undefined && kind.hasNoBaseline !== true;
	const isProven = before?.proven === settings.fingerprint;
	// A change may be made while the list is read.
	const at = Date.now();
	const since = before?.at ?? at;
	const records = await kind.list(context, settings, isProven, since);
	const listed = comparable(watch, records, isProven);
	const proven = listed.length > 0 ? settings.fingerprint : before?.proven;
	const remembered = listed.filter((each) => kind.isRemembered?.(each, settings, since) ?? true);
	const { changes, state } = compare(before, remembered, { scope, proven, at });
	const reported = isSilent ? [] : changes.filter((change) => kind.isReported(change, settings, since));
	const items = reported.map((change) => toItem(watch, change));
	const missing = missingIn(state);
	const gone = await kind.reportMissing?.(context, settings, missing, since);
	items.push(...(gone?.items ?? []));
	apply(gone ?? settledAfterDay(missing), state);
	const output = items.length > 0 ? emitted(context, items) : null;
	if (!isCurrent()) return null;
	staticData.state = toStored(state);
	return output;
}

/** What a manual test shows: the first sample of the kind. */
async function sample(context: IPollFunctions, watch: Watch): Promise<IDataObject> {
	const { kind, settings } = watch;
	const [first] = comparable(watch, await kind.samples(context, settings), false);
	if (first) return toItem(watch, first);
	const all = await kind.list(context, settings, true, Date.now());
	if (all.length === 0)
		throw new OperationError(`There is no ${kind.record} yet`, 'Create one, and test again.');
	throw new OperationError(
		`No ${kind.record} matches the parameters of this trigger`,
		'Create or change one so that it matches, or remove a filter, and test again.',
	);
}

/**
 * The records that can be compared.
 *
 * @throws OperationError when there are records, none of them can, and none could before
 */
function comparable({ kind, settings }: Watch, records: Listed[], wereSome: boolean): Compared[] {
	const compared = records.flatMap((watched) => {
		const value = kind.valueOf(watched, settings);
		const key = watched.key && (kind.keyOf?.(watched) ?? watched.key);
		return key === undefined || value === undefined ? [] : [{ key, value, watched }];
	});
	checkSome(
		records,
		() => wereSome || compared.length > 0,
		`No ${kind.record} that was read has ${kind.needs}, so the trigger cannot notice changes`,
	);
	return compared;
}

function toItem({ kind, settings }: Watch, change: Compared): IDataObject {
	return kind.toItem?.(change, settings) ?? { ...change.watched.record };
}

function emitted(context: IPollFunctions, items: IDataObject[]): INodeExecutionData[][] {
	noteSecretFields(context, items);
	// A record may have a field `json`.
	return [context.helpers.returnJsonArray(secretRemover(context)(items).map((json) => ({ json })))];
}

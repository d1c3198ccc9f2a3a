import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { ReadLimits } from '../service/leftovers/paging';
import { operationError } from '../transport/errors';
import { withoutSecrets } from '../transport/secrets';
import {
	afterCompleteReading,
	compare,
	DELETED_AFTER,
	FORGOTTEN_AFTER,
	SEEN,
	type ComparableRecord,
	type KnownRecord,
} from './diff/knownRecords';
import { emptyPollState, type Baseline, type PollState } from './diff/pollState';
import type { PollSource } from './pollSource';
import type { TriggerSettings } from './settings';

/** Readings after which a baseline is complete even if the list never stayed the same for two of them. */
export const MAX_BASELINE_READINGS = 5;

/** What one poll reads, and how long. */
interface Poll {
	source: PollSource;
	context: IPollFunctions;
	settings: TriggerSettings;
	limits: Omit<ReadLimits, 'firstPage'>;
}

/** What one poll found. */
interface PollResult {
	/** The items to emit, in order, without secrets. */
	items: IDataObject[];
	/** What to remember once they are emitted. */
	state: PollState;
}

/**
 * Reads the list of a source and compares it with the state.
 *
 * A poll reads the list once. The baseline reads it until two readings in a row are the same: a record that is deleted
 * while a list is read moves others to a page that was read already, and they would look new later. An empty list may be a
 * failure of the service, so the next poll reads it again before it counts as the baseline.
 *
 * @param known undefined for the first poll
 * @throws NodeApiError or NodeOperationError; nothing was then changed
 */
export async function pollList(poll: Poll, known: PollState | undefined): Promise<PollResult> {
	const { source, settings, limits } = poll;
	const first = known ?? emptyPollState(settings.scope);
	let result = await readOnce(poll, source.reportsExisting ? { ...first, baseline: undefined } : first);
	for (;;) {
		const { items, state } = result;
		const isOver = !state.baseline || state.known.length === 0 || state.nextPage > 1;
		if (isOver || !limits.hasTimeLeft()) return result;
		const next = await readOnce(poll, state).catch((error: unknown) => {
			if (!limits.endsReading?.(error)) throw error;
			return undefined;
		});
		if (!next) return result;
		result = { ...next, items: [...items, ...next.items] };
	}
}

async function readOnce(poll: Poll, state: PollState): Promise<PollResult> {
	const { source, context, settings } = poll;
	const limits = { ...poll.limits, firstPage: state.nextPage };
	const { records, isEmpty, nextPage, since, order } = await source.read(context, settings, state, limits);
	const { compared, known } = compare(state.known, comparable(poll, records));
	const isNew = ({ previousValue }: { previousValue?: string }) => previousValue === undefined;
	const items = compared
		.filter((each) => !(state.baseline && isNew(each)))
		.map((each) => source.report(each, settings));
	const now = Date.now();
	const isList = settings.hashes.length === 0;
	const isComplete = nextPage === undefined;
	const after = isComplete ? afterReading(source, settings, known, isEmpty) : { kept: known, gone: [] };
	const { kept, gone } = state.baseline ? after : await confirmed(poll, after);
	if (!state.baseline) items.push(...gone.map((record) => source.reportDeleted?.(record)));
	const grown = state.baseline?.grown === true || compared.some(isNew);
	const baseline = state.baseline && nextBaseline({ ...state.baseline, grown }, kept, { isComplete, isList });
	return {
		items: items.filter((item) => item !== undefined).map(withoutSecrets),
		state: {
			scope: state.scope,
			revision: Math.max(state.revision + 1, now),
			known: isComplete ? kept.filter((record) => source.remembers?.(record, settings) ?? true) : kept,
			nextPage: nextPage ?? 1,
			baseline,
			since,
			order,
		},
	};
}

/**
 * The known records after a complete reading, and those that are gone. A list without any record may be a failure of the
 * service: to forget, such a reading counts for nothing; events count as deleted only as late as others are forgotten, unless
 * the list had a single one, or the service was asked for each of them.
 */
function afterReading(
	source: PollSource,
	{ hashes }: TriggerSettings,
	known: readonly KnownRecord[],
	isListEmpty: boolean | undefined,
): { kept: readonly KnownRecord[]; gone: KnownRecord[] } {
	const now = Date.now();
	const isEmpty = !known.some(({ missed }) => missed === SEEN);
	if (source.reportDeleted) {
		const isDoubtful = (isListEmpty ?? isEmpty) && known.length > 1 && hashes.length === 0;
		return afterCompleteReading(known, now, isDoubtful ? FORGOTTEN_AFTER : DELETED_AFTER);
	}
	// Events that are read by their hashes one by one are never forgotten: there are no more of them than hashes.
	if (isEmpty || hashes.length > 0) return { kept: known, gone: [] };
	return afterCompleteReading(known, now, FORGOTTEN_AFTER);
}

/** What a reading showed, after the service was asked for each record that counts as gone. */
async function confirmed(
	{ source, context, settings, limits }: Poll,
	{ kept, gone }: { kept: readonly KnownRecord[]; gone: KnownRecord[] },
): Promise<{ kept: readonly KnownRecord[]; gone: KnownRecord[] }> {
	if (!source.findAgain || gone.length === 0) return { kept, gone };
	const answers = await source.findAgain(context, settings, gone, limits);
	const existing = gone.flatMap((known) => {
		const answer = answers.get(known) ?? known;
		if (typeof answer === 'string') return [];
		return [answer === known ? known : { ...known, ...answer, missed: 0, missedSince: 0 }];
	});
	return { kept: [...kept, ...existing], gone: gone.filter((known) => answers.get(known) === 'gone') };
}

/** How far the baseline is after a reading; undefined when it is complete. */
function nextBaseline(
	{ readings, grown }: Baseline,
	known: readonly KnownRecord[],
	{ isComplete, isList }: { isComplete: boolean; isList: boolean },
): Baseline | undefined {
	if (!isComplete) return { readings, grown };
	const isSame = readings > 0 && !grown && !known.some(({ missed }) => missed === 1);
	if (!isList || isSame || readings + 1 >= MAX_BASELINE_READINGS) return undefined;
	return { readings: readings + 1, grown: false };
}

/**
 * The records as they are compared. A record that cannot be compared is left out, as if it had not been listed.
 *
 * @throws NodeOperationError when that is all of them
 */
function comparable(
	{ source, context, settings }: Poll,
	records: IDataObject[],
): Array<ComparableRecord<IDataObject>> {
	const all = records.flatMap((record) => {
		const identity = source.identityOf(record, settings);
		const value = source.valueOf(record, settings);
		const isKnowable = identity.hash !== undefined || identity.id !== undefined;
		return isKnowable && value !== undefined ? [{ identity, value, record }] : [];
	});
	if (all.length > 0 || records.length === 0) return all;
	const operation = source.kind === 'event' ? 'Event → Get Many' : 'Video → Get Many';
	const advice = `Check the output of ${operation}: the trigger needs ${source.needs}.`;
	throw operationError(context, source.notComparable, advice);
}

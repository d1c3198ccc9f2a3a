import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { afterCompleteReading, observe, type KnownItem } from './diff/knownItems';
import { emptyPollState, nextRevision, type Baseline, type PollState } from './diff/pollState';
import type { EventsNotFound } from './eventsNotFound';
import type { PollSource } from './pollSource';
import type { TriggerSettings } from './settings';

/** Readings after which a baseline is complete even if the list never stayed the same for two of them. */
const MAX_BASELINE_READINGS = 5;

/** What one poll found. */
export interface PollResult {
	/** The items to emit, in order. */
	found: IDataObject[];
	/** What to remember once they are emitted. */
	state: PollState;
	/** As in the listing of the source. */
	notFound?: EventsNotFound;
}

/**
 * Reads the list of a source and compares it with the state.
 *
 * A poll reads the list once. The baseline reads it until two readings in a row are the same: a record that is deleted
 * while a list is read moves others to a page that was read already, and they would look new later.
 *
 * @param known undefined for the baseline
 * @param hasTimeLeft whether the poll has time for one more request
 * @throws NodeApiError or NodeOperationError; nothing was then changed
 */
export async function pollList(
	source: PollSource,
	context: IPollFunctions,
	settings: TriggerSettings,
	known: PollState | undefined,
	hasTimeLeft: () => boolean,
): Promise<PollResult> {
	let state = known ?? emptyPollState(settings.scope);
	const found: IDataObject[] = [];
	let notFound: EventsNotFound | undefined;
	do {
		const reading = await readOnce(source, context, settings, state, hasTimeLeft);
		found.push(...reading.found);
		state = reading.state;
		notFound = reading.notFound;
	} while (state.baseline && state.nextPage === 1 && hasTimeLeft());
	return { found, state, notFound };
}

async function readOnce(
	source: PollSource,
	context: IPollFunctions,
	settings: TriggerSettings,
	state: PollState,
	hasTimeLeft: () => boolean,
): Promise<PollResult> {
	const { records, nextPage, since, order, notFound } = await source.read(context, settings, state, {
		firstPage: state.nextPage,
		hasTimeLeft,
	});
	const { observations, items } = observe(state.items, comparable(source, context, records, state.items));
	const now = Date.now();
	const isList = settings.hashes.length === 0;
	const isComplete = nextPage === undefined;
	// Events that are read by their hashes one by one are never forgotten: there are no more of them than hashes.
	const after = isComplete && isList ? afterCompleteReading(items, now) : items;
	const grown =
		state.baseline?.grown === true || observations.some((each) => each.previousLabel === undefined);
	const baseline =
		state.baseline && nextBaseline({ ...state.baseline, grown }, after, { isComplete, isList });
	return {
		found: observations
			.map((observation) => source.report(observation, settings, state))
			.filter((item) => item !== undefined),
		state: {
			scope: state.scope,
			revision: nextRevision(state, now),
			items: after,
			nextPage: nextPage ?? 1,
			...(baseline && { baseline }),
			...(since === undefined ? {} : { since }),
			...(order === undefined ? {} : { order }),
		},
		notFound,
	};
}

/** How far the baseline is after a reading; undefined when it is complete. */
function nextBaseline(
	{ readings, grown }: Baseline,
	items: readonly KnownItem[],
	{ isComplete, isList }: { isComplete: boolean; isList: boolean },
): Baseline | undefined {
	if (!isComplete) return { readings, grown };
	const isSame = readings > 0 && !grown && !items.some(({ missed }) => missed === 1);
	if (!isList || items.length === 0 || isSame || readings + 1 >= MAX_BASELINE_READINGS) return undefined;
	return { readings: readings + 1, grown: false };
}

/**
 * The records as they are compared. A record that cannot be compared is left out, as if it had not been listed.
 *
 * @throws NodeOperationError when that is all of them, or when the source finds another problem
 */
function comparable(
	source: PollSource,
	context: IPollFunctions,
	records: IDataObject[],
	known: readonly KnownItem[],
) {
	const readings = records.flatMap((record) => {
		const reading = source.readingOf(record);
		return reading ? [{ ...reading, record }] : [];
	});
	if (records.length === 0) return readings;
	const problem = readings.length === 0 ? source.notComparable : source.problemOf?.(records, known);
	if (!problem) return readings;
	throw new NodeOperationError(context.getNode(), problem.message, { description: problem.description });
}

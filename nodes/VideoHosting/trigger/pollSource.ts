import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { PollState } from '../changes/pollState';
import type { TriggerSettings } from './settings';

/** One thing that the trigger can watch. */
export interface PollSource {
	/**
	 * Reads the service and compares it with the memory.
	 *
	 * @param memory undefined for the silent baseline
	 * @param hasTimeLeft whether the poll has time for one more request
	 * @returns the items to emit, in order, and the memory to keep once they are
	 * @throws NodeApiError or NodeOperationError; nothing was then changed
	 */
	poll(
		context: IPollFunctions,
		settings: TriggerSettings,
		memory: PollState | undefined,
		hasTimeLeft: () => boolean,
	): Promise<{ found: IDataObject[]; memory: PollState }>;
	/** The newest matching record as a test shows it; undefined when there is none. */
	sample(context: IPollFunctions, settings: TriggerSettings): Promise<IDataObject | undefined>;
	/** What a test says when there is no sample. */
	noSample: string;
}

/** What is known of a list before it was ever read. */
export function emptyPollState(scope: string): PollState {
	return { scope, knownItems: new Map(), complete: false, nextPage: 1 };
}

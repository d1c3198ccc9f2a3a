import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { KnownItem, Observation, Reading } from './diff/knownItems';
import type { PollState } from './diff/pollState';
import type { ListOrder, ListResult, ReadLimits } from '../service/timeSortedList';
import type { EventsNotFound } from './eventsNotFound';
import type { TriggerSettings } from './settings';

/** The records of one reading. */
export interface Listing extends ListResult {
	/** The next value of {@link PollState.since}. */
	since?: number;
	/** The next value of {@link PollState.order}. */
	order?: ListOrder;
	/** Of a list of hashes; undefined when the service finds all that were read. */
	notFound?: EventsNotFound;
}

/** A list that the trigger can watch, one for each value of Trigger On. */
export interface PollSource {
	/**
	 * Reads the watched part of the list, or continues where a poll ran out of time.
	 *
	 * @throws NodeApiError or NodeOperationError
	 */
	read(
		context: IPollFunctions,
		settings: TriggerSettings,
		state: PollState,
		limits: ReadLimits,
	): Promise<Listing>;
	/** What polls compare of a record; undefined for a record that cannot be compared. */
	readingOf(record: IDataObject): Omit<Reading<IDataObject>, 'record'> | undefined;
	/** The error when no record can be compared. */
	notComparable: { message: string; description: string };
	/**
	 * What is wrong with the records of a reading although they can be compared; undefined when nothing is.
	 *
	 * @param known the items that earlier readings listed
	 */
	problemOf?(
		records: readonly IDataObject[],
		known: readonly KnownItem[],
	): { message: string; description: string } | undefined;
	/** The item to emit for an observation, without secrets; undefined for none. */
	report(
		observation: Observation<IDataObject>,
		settings: TriggerSettings,
		state: PollState,
	): IDataObject | undefined;
	/** The newest matching record as a manual test shows it; undefined when no record matches. */
	sample(context: IPollFunctions, settings: TriggerSettings): Promise<IDataObject | undefined>;
	/** The message of a manual test without a sample. */
	noSample(settings: TriggerSettings): string;
}

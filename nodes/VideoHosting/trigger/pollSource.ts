import type { IDataObject, IPollFunctions, NodeApiError } from 'n8n-workflow';

import type { ComparableRecord, ComparedRecord, KnownRecord } from './diff/knownRecords';
import type { PollState } from './diff/pollState';
import type { ListResult, ReadLimits } from '../service/paging';
import type { ListOrder } from '../service/timeSortedList';
import type { TriggerSettings } from './settings';

/** Hashes under Event Names or IDs that the service does not find. */
export interface EventsNotFound {
	hashes: string[];
	/** The error that the service returned for the last of them; undefined when it returned no record instead. */
	reason?: NodeApiError;
}

/** The records of one reading. */
export interface WatchedRecords extends ListResult {
	/** The next value of {@link PollState.since}. */
	since?: number;
	/** The next value of {@link PollState.order}. */
	order?: ListOrder;
	/** Of a list of hashes; undefined when the service finds all that were read. */
	notFound?: EventsNotFound;
}

/** What the trigger can watch: one for each value of Trigger On. */
export interface PollSource {
	/** What its records are, in messages. */
	kind: 'event' | 'video';
	/** Whether records that were there before the first poll are reported; by default they are not. */
	reportsExisting?: boolean;
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
	): Promise<WatchedRecords>;
	/** What polls compare of a record; undefined for a record that cannot be compared. */
	comparable(
		record: IDataObject,
		settings: TriggerSettings,
	): Omit<ComparableRecord<IDataObject>, 'record'> | undefined;
	/** The error when no record can be compared, and the fields that it needs. */
	notComparable: { message: string; needs: string };
	/** The item to emit for a record; undefined for none. */
	report(compared: ComparedRecord<IDataObject>, settings: TriggerSettings): IDataObject | undefined;
	/** The item to emit for a record that complete readings no longer list, twice in a row. */
	reportDeleted?(known: KnownRecord): IDataObject;
	/**
	 * Asks the service for each of these records.
	 *
	 * @returns whether it has each record; the others could not be asked for: the next poll does
	 * @throws NodeApiError when the service cannot be asked at all
	 */
	findAgain?(
		context: IPollFunctions,
		settings: TriggerSettings,
		gone: readonly KnownRecord[],
		limits: Omit<ReadLimits, 'firstPage'>,
	): Promise<ReadonlyMap<KnownRecord, boolean>>;
	/** Whether a record that was not listed must still be known; by default it must. */
	remembers?(known: KnownRecord, settings: TriggerSettings): boolean;
	/** The newest matching record in the form of an item, for a manual test; undefined when no record matches. */
	sample(context: IPollFunctions, settings: TriggerSettings): Promise<IDataObject | undefined>;
}

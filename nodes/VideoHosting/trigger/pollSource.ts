import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { ComparedRecord, Identity, KnownRecord } from './diff/knownRecords';
import type { PollState } from './diff/pollState';
import type { ListResult, ReadLimits } from '../service/leftovers/paging';
import type { ListOrder } from '../service/leftovers/timeSortedList';
import type { TriggerSettings } from './settings';

/** The records of one reading. */
export interface WatchedRecords extends ListResult {
	/** Whether the list had no records at all, also none that are not watched. */
	isEmpty?: boolean;
	/** The next value of {@link PollState.since}. */
	since?: number;
	/** The next value of {@link PollState.order}. */
	order?: ListOrder;
}

/** A record that the list did not show: it exists with this value, is gone, or is not to be known any more. */
export type FoundAgain = Pick<KnownRecord, 'value'> | 'gone' | 'forgotten';

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
	/** What identifies a record in its list; a record with neither hash nor ID cannot be compared. */
	identityOf(record: IDataObject, settings: TriggerSettings): Identity;
	/** What polls compare of a record, empty when it is enough to know it; undefined for one that cannot be compared. */
	valueOf(record: IDataObject, settings: TriggerSettings): string | undefined;
	/** The message when no record can be compared, and the fields that it needs. */
	notComparable: string;
	needs: string;
	/** The item to emit for a record; undefined for none. */
	report(compared: ComparedRecord<IDataObject>, settings: TriggerSettings): IDataObject | undefined;
	/** The item to emit for a record that complete readings no longer list, twice in a row. */
	reportDeleted?(known: KnownRecord): IDataObject;
	/**
	 * Asks the service for each of these records.
	 *
	 * @returns what is known now of each record; the others could not be asked for: the next poll does
	 * @throws NodeApiError when the service cannot be asked at all
	 */
	findAgain?(
		context: IPollFunctions,
		settings: TriggerSettings,
		gone: readonly KnownRecord[],
		limits: Omit<ReadLimits, 'firstPage'>,
	): Promise<ReadonlyMap<KnownRecord, FoundAgain>>;
	/** Whether a record that was not listed must still be known; by default it must. */
	remembers?(known: KnownRecord, settings: TriggerSettings): boolean;
	/** The newest watched record that matches, for a manual test; undefined when nothing matches. */
	newest(
		context: IPollFunctions,
		settings: TriggerSettings,
		matches: (record: IDataObject) => boolean,
	): Promise<IDataObject | undefined>;
	/** Whether a record can be the one of a manual test; by default any can. */
	isSample?(record: IDataObject, settings: TriggerSettings): boolean;
	/** The item of a manual test; by default the record. */
	toSample?(record: IDataObject, settings: TriggerSettings): IDataObject;
}

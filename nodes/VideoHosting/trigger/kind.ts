import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Parameter } from '../parameters/parameter';
import type { Conversion } from '../parameters/values';
import type { Listed } from '../service/record';
import type { Compared, Decisions, Missing } from './changes';

export { planIdOption } from '../parameters/references';

export type KindFields = Record<string, Parameter<unknown>>;

/** The checked values of a kind's fields by name, and the settings of all kinds. */
export type Settings<Fields extends KindFields = KindFields> = {
	[Name in keyof Fields]: ReturnType<Fields[Name]['convert']>;
} & CommonSettings;

export interface CommonSettings {
	/** Of dates without an offset: the field Time Zone, or the workflow's. */
	timezone: string;
	/** Of all settings together. */
	fingerprint: string;
}

/**
 * One kind of change that starts a workflow, as a user picks it in Trigger On. Each poll asks two questions about a listed record: is it
 * remembered, and is it reported? What is remembered and no longer listed is forgotten after a day, except by a kind that reports it.
 */
export interface Kind<Fields extends KindFields = KindFields, Watched extends Listed = Listed> {
	/** As Trigger On shows it. */
	name: string;
	description: string;
	/** When the workflow starts, in the texts of the node: `a video is added`. */
	change: string;
	/** What messages call a record: `video`. */
	record: string;
	/** Shown for the kinds that have them. Other values of these fields begin with a new baseline. */
	fields: Fields;
	/** Reports what the first list contains, too, and whichever values its fields have. */
	hasNoBaseline?: boolean;
	/**
	 * Reads all that is compared, in the order of the items. It reads anew each time it is called.
	 *
	 * @param isProven whether a poll with these settings has read a record that can be compared: others that cannot are no error then, nor is
	 * an event of Event Names or IDs that was deleted since
	 * @param since when the last successful poll began, in milliseconds since the epoch; now in the first poll
	 * @throws OperationError or InvalidParameterError; the poll changes nothing then
	 */
	list(
		context: IPollFunctions,
		settings: Settings<Fields>,
		isProven: boolean,
		since: number,
	): Promise<Watched[]>;
	/** Identifies what is reported once; by default the record. Event Starts Soon reports an event again when it is moved. */
	keyOf?(record: Watched): string;
	/** The text that polls compare; undefined for a record that does not contain it. */
	valueOf(record: Watched, settings: Settings<Fields>): string | undefined;
	/** What a record must have, for a message: `a hash or an ID`. */
	needs: string;
	/**
	 * Whether a record is remembered, and compared with what is remembered of it; by default each.
	 *
	 * @param since as above
	 */
	isRemembered?(record: Compared<Watched>, settings: Settings<Fields>, since: number): boolean;
	/**
	 * Whether a remembered record that is new or changed becomes an item.
	 *
	 * @param since as above
	 */
	isReported(change: Compared<Watched>, settings: Settings<Fields>, since: number): boolean;
	/** By default the record as the service sent it. */
	toItem?(change: Compared<Watched>, settings: Settings<Fields>): IDataObject;
	/** Items about remembered records that are no longer listed; `since` as above. By default none, and they are settled after a day. */
	reportMissing?(
		context: IPollFunctions,
		settings: Settings<Fields>,
		missing: readonly Missing[],
		since: number,
	): Promise<Decisions & { items: IDataObject[] }>;
	/** Records that match: a manual test returns the first of them, which is the latest, or the next one to start. */
	samples(context: IPollFunctions, settings: Settings<Fields>): Promise<Watched[]>;
}

/** Lets TypeScript infer the types of the fields and the records of a kind. */
export const kindOf = <Fields extends KindFields, Watched extends Listed>(kind: Kind<Fields, Watched>) =>
	kind;

/** Undefined for an option that was not added. An added but empty option would watch everything, so it is an error. */
export function ifAdded<Value>(convert: Conversion<Value>): Conversion<Value | undefined> {
	return (label, value, entered) => (value === undefined ? undefined : convert(label, value, entered));
}

import type { IDataObject } from 'n8n-workflow';

import { uniqueRecords } from '../service/paging';
import { newestFirstIfSupported, type TimeSortedList } from '../service/timeSortedList';

/**
 * The newest record that matches. While the list really comes newest first, no page is read after the one that has it.
 *
 * @throws NodeApiError when a page cannot be read
 */
export async function newestRecord(
	list: TimeSortedList,
	matches: (record: IDataObject) => boolean,
): Promise<IDataObject | undefined> {
	let newest: IDataObject | undefined;
	let isNewestFirst = false;
	let previous: number | undefined;
	for await (const records of uniqueRecords(newestFirstIfSupported(list))) {
		for (const record of records) {
			const time = list.timeOf(record);
			if (time !== undefined && previous !== undefined) isNewestFirst ||= time < previous;
			previous = time ?? previous;
			if (matches(record) && !(newest && isOlder(time, list.timeOf(newest)))) newest = record;
		}
		if (newest && isNewestFirst) break;
	}
	return newest;
}

/** The last of the records with the latest time that match. */
export function latestOf(
	records: IDataObject[],
	timeOf: TimeSortedList['timeOf'],
	matches: (record: IDataObject) => boolean,
): IDataObject | undefined {
	return records
		.filter(matches)
		.reduce<IDataObject | undefined>(
			(latest, record) => (latest && isOlder(timeOf(record), timeOf(latest)) ? latest : record),
			undefined,
		);
}

function isOlder(time: number | undefined, than: number | undefined): boolean {
	return than !== undefined && (time === undefined || time < than);
}

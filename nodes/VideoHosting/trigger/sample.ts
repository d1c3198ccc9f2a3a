import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { eventList } from '../service/events';
import { uniqueRecords } from '../service/paging';
import { newestFirstIfSupported, type TimeSortedList } from '../service/timeSortedList';
import type { TriggerSettings } from './settings';
import { watchedEvents } from './watchedEvents';

/**
 * The latest scheduled event that the trigger watches, as an item; undefined when no event matches. How soon it starts
 * does not matter.
 *
 * @throws NodeApiError when a page cannot be read or the service does not find a hash
 */
export async function eventSample(
	context: IPollFunctions,
	settings: TriggerSettings,
	toItem: (event: IDataObject) => IDataObject = (event) => event,
	matches: (event: IDataObject) => boolean = () => true,
): Promise<IDataObject | undefined> {
	const list = eventList(context, settings.planId, undefined, settings.timezone);
	const isWholePlan = settings.hashes.length === 0 && settings.withinDays === undefined;
	const event = isWholePlan
		? await newestRecord(list, matches)
		: latestOf(
				(await watchedEvents(context, { ...settings, minutesBefore: undefined })).records,
				list.timeOf,
				matches,
			);
	return event && toItem(event);
}

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
function latestOf(
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

/** The message of a manual test that found nothing: the parameters that limit it, as the panel names them, and what to do. */
export function noSampleMessage(
	kind: 'event' | 'video',
	{ statuses, hashes, withinDays, folder }: TriggerSettings,
): string {
	const conditions = [
		...(statuses.to.length > 0 ? [`To Status (${statuses.to.join(', ')})`] : []),
		...(hashes.length > 0 ? [`Event Names or IDs (${hashes.length} selected)`] : []),
		...(withinDays === undefined ? [] : [`Scheduled Within Days (${withinDays})`]),
		...(folder ? [`Folder (${'uuid' in folder ? folder.uuid : folder.name})`] : []),
	];
	if (conditions.length === 0) {
		const remedy = kind === 'event' ? 'Create an event in the plan' : 'Upload a video to the plan';
		return `No ${kind} was found. ${remedy} and test again.`;
	}
	const remedy = kind === 'event' ? 'Create or change an event' : 'Upload or move a video';
	const clear = conditions.length > 1 ? 'one of these conditions' : 'this condition';
	return `No ${kind} that matches ${joined(conditions)} was found. ${remedy} so that it matches, or clear ${clear}, and test again.`;
}

function joined(parts: string[]): string {
	const last = parts.at(-1) ?? '';
	return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last;
}

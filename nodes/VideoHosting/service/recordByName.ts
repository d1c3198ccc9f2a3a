import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { RecordReference } from '../parameters/identifiers';
import { firstRecords } from './paging';
import { planOrDefault } from './plan';
import { allEvents } from './recordDirectory';
import {
	isSameName,
	dateScheduledOf,
	eventHashOf,
	eventTitleOf,
	videoCreatedOf,
	videoHashOf,
	videoNameOf,
} from './recordFields';
import { videoPages } from './videos';

/** A record that an error message may list: what a user knows it by. */
interface NamedRecord {
	hash: string | undefined;
	name: string;
	/** As the service wrote it. */
	date: string | undefined;
}

/** Records that an error message lists at most. */
const MOST_LISTED = 10;

/**
 * The hash of an event that a user chose; a title is looked up among all events of the plan.
 *
 * @param ownPlanId the node's Plan ID, see {@link planOrDefault}; used only for a title
 * @throws NodeOperationError when no event or more than one has exactly this title; NodeApiError when the list cannot be read
 */
export async function resolveEvent(
	context: IExecuteFunctions,
	event: RecordReference,
	ownPlanId: string,
	itemIndex: number,
): Promise<string> {
	if ('hash' in event) return event.hash;
	const planId = await planOrDefault(context, ownPlanId, itemIndex);
	const events = (await allEvents(context, planId, itemIndex)).map((record): NamedRecord => ({
		hash: eventHashOf(record),
		name: eventTitleOf(record) ?? '',
		date: dateScheduledOf(record),
	}));
	return onlyMatch(context, itemIndex, events, { name: event.name, planId, words: EVENT_WORDS });
}

/**
 * The hash of a video that a user chose; the service searches for a name, in each form that Unicode has for it, and what it
 * finds is compared.
 *
 * @param ownPlanId the node's Plan ID, see {@link planOrDefault}; used only for a name
 * @throws NodeOperationError when no video or more than one has exactly this name; NodeApiError when the list cannot be read
 */
export async function resolveVideo(
	context: IExecuteFunctions,
	video: RecordReference,
	ownPlanId: string,
	itemIndex: number,
): Promise<string> {
	if ('hash' in video) return video.hash;
	const planId = await planOrDefault(context, ownPlanId, itemIndex);
	const found = new Map<string, IDataObject>();
	for (const name of new Set([video.name, video.name.normalize('NFC'), video.name.normalize('NFD')])) {
		const records = await firstRecords(videoPages(context, planId, { name }, itemIndex), Infinity);
		for (const record of records) found.set(videoHashOf(record) ?? JSON.stringify(record), record);
	}
	const videos = [...found.values()].map((record): NamedRecord => ({
		hash: videoHashOf(record),
		name: videoNameOf(record) ?? '',
		date: videoCreatedOf(record),
	}));
	return onlyMatch(context, itemIndex, videos, { name: video.name, planId, words: VIDEO_WORDS });
}

const EVENT_WORDS = { one: 'event', field: 'Event', name: 'title' };
const VIDEO_WORDS = { one: 'video', field: 'Video', name: 'name' };

/** @throws NodeOperationError unless exactly one record has the name */
function onlyMatch(
	context: IExecuteFunctions,
	itemIndex: number,
	records: NamedRecord[],
	{ name, planId, words }: { name: string; planId: string; words: typeof EVENT_WORDS },
): string {
	const matches = records.filter((record) => isSameName(record.name, name));
	const [first] = matches;
	if (first?.hash !== undefined && matches.length === 1) return first.hash;
	const listed = matches
		.slice(0, MOST_LISTED)
		.map(({ hash = 'without a hash', date = 'no date' }) => `${hash} (${date})`);
	const more = matches.length > MOST_LISTED ? ` and ${matches.length - MOST_LISTED} more` : '';
	const [message, description] = first
		? [
				`${matches.length} ${words.one}s have the ${words.name} "${name}": ${listed.join(', ')}${more}`,
				`Choose one of them in ${words.field} By Hash.`,
			]
		: [
				`The plan ${planId} has no ${words.one} with the ${words.name} "${name}"`,
				`Check ${words.field} and Plan ID. The ${words.name} must match exactly, including upper and lower case.`,
			];
	throw new NodeOperationError(context.getNode(), message, { itemIndex, description });
}

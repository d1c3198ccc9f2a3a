import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Reference } from '../parameters/references';
import { quoted } from '../parameters/values';
import { firstRecords } from './paging';
import { planOrDefault } from './plan';
import { allEvents } from './recordDirectory';
import {
	dateScheduledOf,
	eventHashOf,
	eventTitleOf,
	isSameName,
	spellingsOf,
	videoCreatedOf,
	videoHashOf,
	videoNameOf,
} from './recordFields';
import { videoPages } from './videos';
import { operationError } from '../transport/errors';

/** What a message calls the records of a list, and what a user knows them by. */
const EVENTS = {
	one: 'event',
	field: 'Event',
	name: 'title',
	hashOf: eventHashOf,
	nameOf: eventTitleOf,
	dateOf: dateScheduledOf,
};
const VIDEOS: typeof EVENTS = {
	one: 'video',
	field: 'Video',
	name: 'name',
	hashOf: videoHashOf,
	nameOf: videoNameOf,
	dateOf: videoCreatedOf,
};

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
	event: Reference,
	ownPlanId: string,
): Promise<string> {
	if ('id' in event) return event.id;
	const planId = await planOrDefault(context, ownPlanId);
	const events = await allEvents(context, planId);
	return onlyMatch(context, events, { ...EVENTS, planId, wanted: event.name });
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
	video: Reference,
	ownPlanId: string,
): Promise<string> {
	if ('id' in video) return video.id;
	const planId = await planOrDefault(context, ownPlanId);
	const found = new Map<string, IDataObject>();
	for (const name of spellingsOf([video.name])) {
		const records = await firstRecords(videoPages(context, planId, { name }), Infinity);
		for (const record of records) found.set(videoHashOf(record) ?? JSON.stringify(record), record);
	}
	return onlyMatch(context, [...found.values()], { ...VIDEOS, planId, wanted: video.name });
}

/** @throws NodeOperationError unless exactly one record has the name */
function onlyMatch(
	context: IExecuteFunctions,
	records: readonly IDataObject[],
	{ planId, wanted, ...list }: typeof EVENTS & { planId: string; wanted: string },
): string {
	const matches = records.filter((record) => isSameName(list.nameOf(record) ?? '', wanted));
	const hashes = matches.map(list.hashOf);
	if (hashes.length === 1 && hashes[0] !== undefined) return hashes[0];
	const listed = matches
		.slice(0, MOST_LISTED)
		.map((record, index) => `${hashes[index] ?? 'without a hash'} (${list.dateOf(record) ?? 'no date'})`);
	const more = matches.length > MOST_LISTED ? ` and ${matches.length - MOST_LISTED} more` : '';
	const [message, description] =
		matches.length > 0
			? [
					`${matches.length} ${list.one}s have the ${list.name} ${quoted(wanted)}: ${listed.join(', ')}${more}`,
					`Choose one of them in ${list.field} By Hash.`,
				]
			: [
					`The plan ${planId} has no ${list.one} with the ${list.name} ${quoted(wanted)}`,
					`Check ${list.field} and Plan ID. The ${list.name} must match exactly, including upper and lower case.`,
				];
	throw operationError(context, message, description);
}

import type { IDataObject } from 'n8n-workflow';

import type { ServiceContext } from '../transport/credential';
import { findEvent } from './events';
import { eventList } from './eventSchedule';
import { directoryPerPlan } from './recordDirectory';
import { eventHashOf, eventIdOf, planSecretOf } from './recordFields';
import { newestFirstIfSupported } from './timeSortedList';

/** The events of a plan, the newest first as far as the service sorts them so. */
const eventsOf = directoryPerPlan((context, planId, itemIndex) =>
	newestFirstIfSupported(eventList(context, planId, itemIndex)),
);

/**
 * The plan secret, which the list of all events alone is known to contain (docs/api-reference.md#search-all-events). Usually one
 * page is read: any event of the plan carries it.
 *
 * @returns `record`: the event itself when it is on a page that was read; `secret`: its own, else that of another event
 * @throws NodeApiError when a page cannot be read
 */
export async function findPlanSecret(
	context: ServiceContext,
	planId: string,
	hash: string,
	itemIndex: number,
): Promise<{ record?: IDataObject; secret?: string }> {
	const directory = eventsOf(context, planId, itemIndex);
	const other = await directory.find(context, (event) => planSecretOf(event) !== undefined);
	const record = directory.records.find((event) => eventHashOf(event) === hash);
	return { record, secret: (record && planSecretOf(record)) ?? (other && planSecretOf(other)) };
}

/**
 * The event with this hash as the list of all events contains it, which is read until the event is found.
 *
 * @throws NodeApiError when a page cannot be read
 */
export async function findListedEvent(
	context: ServiceContext,
	planId: string,
	hash: string,
	itemIndex: number,
): Promise<IDataObject | undefined> {
	const directory = eventsOf(context, planId, itemIndex);
	return await directory.find(context, (event) => eventHashOf(event) === hash);
}

/**
 * A record of the event with this hash that contains its numeric ID, if there is one: from the pages that were read, else from
 * docs/api-reference.md#search-an-event-by-hash, whose response is not documented, else from all pages.
 *
 * @throws NodeApiError when a page cannot be read
 */
export async function findEventWithId(
	context: ServiceContext,
	planId: string,
	hash: string,
	itemIndex: number,
): Promise<IDataObject | undefined> {
	const isIt = (event: IDataObject) =>
		(eventHashOf(event) ?? hash) === hash && eventIdOf(event) !== undefined;
	const { records } = eventsOf(context, planId, itemIndex);
	const read = records.find((event) => eventHashOf(event) === hash && isIt(event));
	if (read) return read;
	const { event } = await findEvent(context, planId, hash, itemIndex).catch(() => ({ event: undefined }));
	return event && isIt(event) ? event : await findListedEvent(context, planId, hash, itemIndex);
}

import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { eventList } from '../service/eventSchedule';
import { withoutSecrets } from '../transport/secrets';
import { latestOf, newestRecord } from './sample';
import type { TriggerSettings } from './settings';
import { watchedEvents } from './watchedEvents';

/**
 * The latest scheduled event that the trigger watches, without secrets; undefined when no event matches. How soon it starts
 * does not matter.
 *
 * @throws NodeApiError when a page cannot be read or the service does not find a hash
 */
export async function eventSample(
	context: IPollFunctions,
	settings: TriggerSettings,
	matches: (record: IDataObject) => boolean = () => true,
): Promise<IDataObject | undefined> {
	const list = eventList(context, settings.planId, undefined, settings.timezone);
	const { hashes, withinDays } = settings;
	const event =
		hashes.length === 0 && withinDays === undefined
			? await newestRecord(list, matches)
			: latestOf(
					(await watchedEvents(context, { ...settings, minutesBefore: undefined })).records,
					list.timeOf,
					matches,
				);
	return event && withoutSecrets(event);
}

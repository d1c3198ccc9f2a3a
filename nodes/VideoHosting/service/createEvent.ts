import type { IExecuteFunctions } from 'n8n-workflow';

import { toLocalText } from '../parameters/dates';
import { operationError } from '../transport/errors';
import type { Event } from './event';
import { eventCreations, eventsOfRun, forgetList } from './events';
import { comparableName, isSameName, parseServiceDate } from './record';

/** Title and date of an event to create. */
interface ScheduledEvent {
	planId: string;
	title: string;
	/** `YYYY-MM-DD HH:mm:ss` (docs/api-reference.md#event) */
	dateScheduled: string;
	/** Zone of `dateScheduled`; a date with an offset in a response is converted to it. */
	timezone: string;
}

/**
 * Creates an event, or returns the plan's event of the same title and date; see {@link Creations.once}.
 *
 * @param create sends the request; its response may contain only a part of the event
 * @param skipIfExists whether to look for the event first
 * @throws NodeApiError when a page cannot be read, or what `create` throws; NodeOperationError when an event cannot be compared
 */
export async function createEvent(
	context: IExecuteFunctions,
	wanted: ScheduledEvent,
	create: () => Promise<Event>,
	skipIfExists: boolean,
): Promise<{ item: Event; isNew: boolean }> {
	const { planId, title, dateScheduled } = wanted;
	return await eventCreations.once(context, {
		owner: planId,
		name: [comparableName(title), dateScheduled],
		find: skipIfExists
			? async (notBefore) => {
					const listed = await eventsOfRun(context, planId, notBefore).all();
					return findSame(context, await eventCreations.existing(context, listed), wanted);
				}
			: undefined,
		create: async () => {
			const event = await create();
			// The next item of this title and date looks the whole event up.
			if (event.hash === undefined) forgetList(context, planId);
			return event;
		},
	});
}

/** @throws NodeOperationError when an event may be the same, but its title or date is missing or cannot be read */
function findSame(
	context: IExecuteFunctions,
	events: readonly Event[],
	{ title, dateScheduled, timezone }: ScheduledEvent,
): Event | undefined {
	let problem: string | undefined;
	for (const event of events) {
		const { title: listedTitle, dateScheduled: listedDate = '' } = event;
		if (listedTitle !== undefined && !isSameName(listedTitle, title)) continue;
		const date = parseServiceDate(listedDate);
		if (date && toLocalText(date, timezone).padEnd(19, ' 00:00:00') !== dateScheduled) continue;
		if (date && listedTitle !== undefined) return event;
		problem ??=
			listedTitle === undefined
				? 'An event of the plan is listed without a title'
				: `The event "${listedTitle}" is listed without a date that can be read (${listedDate || 'none'})`;
	}
	if (problem === undefined) return undefined;
	throw operationError(
		context,
		`${problem}, so Skip If Exists cannot compare it`,
		'Switch Skip If Exists off to create the event anyway.',
	);
}

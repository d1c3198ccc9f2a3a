import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { eventPages } from '../service/events';
import {
	dateScheduledOf,
	eventHashOf,
	eventIdOf,
	eventStatusOf,
	eventTitleOf,
} from '../service/responseParsing';
import { pickerPage } from './pickerPage';
import { planIdOfEditor } from './planIdOfEditor';

/** Events of the plan for pickers that need the hash. */
export async function searchEvents(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: unknown,
): Promise<INodeListSearchResult> {
	return await eventPicker(this, eventHashOf, filter, paginationToken);
}

/** Events of the plan for Delete, which needs the numeric event ID (docs/api-reference.md#delete-events). */
export async function searchEventIds(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: unknown,
): Promise<INodeListSearchResult> {
	return await eventPicker(this, eventIdOf, filter, paginationToken);
}

async function eventPicker(
	context: ILoadOptionsFunctions,
	valueOf: (event: IDataObject) => string | number | undefined,
	filter: string | undefined,
	paginationToken: unknown,
): Promise<INodeListSearchResult> {
	const planId = await planIdOfEditor(context);
	return await pickerPage(eventPages(context, { planId }), {
		nameOf: eventLabel,
		valueOf,
		filter,
		paginationToken,
	});
}

function eventLabel(event: IDataObject): string {
	const details = [dateScheduledOf(event), eventStatusOf(event)].filter((detail) => detail !== undefined);
	const title = eventTitleOf(event) ?? eventHashOf(event) ?? 'Event without a title';
	return details.length > 0 ? `${title} (${details.join(', ')})` : title;
}

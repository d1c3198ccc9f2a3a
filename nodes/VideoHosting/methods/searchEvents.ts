import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { eventHashOf, eventIdOf } from '../service/recordFields';
import { eventEntryName } from './entryName';
import { newestEvents } from './newestFirst';
import { pickerPage } from './pickerPage';
import { planIdOfEditor } from './planIdOfEditor';

/** Events of the plan for pickers that need the hash, the latest scheduled first. */
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
	const timeZone = context.getTimezone();
	return await pickerPage(newestEvents(context, planId), {
		nameOf: (event) => eventEntryName(event, timeZone),
		valueOf,
		filter,
		paginationToken,
	});
}

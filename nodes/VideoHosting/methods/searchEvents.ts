import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { eventHashOf } from '../service/recordFields';
import { eventEntryName } from './entryName';
import { newestEvents } from './newestFirst';
import { withListErrors } from './listError';
import { pickerPage } from './pickerPage';
import { planIdOfEditor } from './planIdOfEditor';

/** Events of the plan, the latest scheduled first. */
export const searchEvents = withListErrors(async function (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: unknown,
): Promise<INodeListSearchResult> {
	const planId = await planIdOfEditor(this);
	const timeZone = this.getTimezone();
	return await pickerPage(newestEvents(this, planId), {
		nameOf: (event) => eventEntryName(event, timeZone),
		valueOf: eventHashOf,
		filter,
		paginationToken,
	});
});

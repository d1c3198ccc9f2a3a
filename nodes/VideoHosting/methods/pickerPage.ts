import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { toFilterText } from '../parameters/dates';
import { checked } from '../parameters/readParameter';
import { toText } from '../parameters/values';
import { planOrDefault } from '../service/plan';
import { dateScheduledOf, eventHashOf, eventTitleOf, identityOf } from '../service/recordFields';
import { parseServiceDate } from '../service/serviceDate';
import { withoutSecrets } from '../transport/secrets';

/** What a picker shows and returns for a record, and where the editor stands in the list. */
export interface PickerView {
	nameOf(record: IDataObject): string;
	/** What the parameter gets; a record without one cannot be picked and is left out. */
	valueOf(record: IDataObject): string | number | undefined;
	/** Only names that contain this text, whatever the case; for lists that the service itself cannot search. */
	filter?: string;
	/** What the page before returned: where this one begins. */
	paginationToken?: unknown;
	/** The whole list is on page 1. */
	onePage?: boolean;
}

type Position = { page: number; last: string };

/** A page without a match makes the editor show an empty list, so the search continues, up to a limit. */
const PAGES_AT_ONCE = 20;

/**
 * The next entries of a picker: the first page with at least one match. The list ends with an empty page, or with one
 * that is the same as the page before (a service that ignores the page number).
 *
 * @param readPage reads page 1, 2, …
 */
export async function pickerPage(
	readPage: (page: number) => Promise<IDataObject[]>,
	view: PickerView,
): Promise<INodeListSearchResult> {
	const wanted = view.filter?.trim().toLowerCase() ?? '';
	let position = positionIn(view.paginationToken);
	for (let read = 0; read < PAGES_AT_ONCE; read++) {
		const records = await readPage(position.page);
		const lastRecord = records.at(-1);
		if (lastRecord === undefined) return { results: [] };
		// It goes to the browser and back, where the plan secret of an event has no business.
		const last = identityOf(withoutSecrets(lastRecord));
		if (last === position.last) return { results: [] };

		position = { page: position.page + 1, last };
		const results = records
			.map((record) => ({ name: view.nameOf(record), value: view.valueOf(record) }))
			.filter((entry): entry is { name: string; value: string | number } => entry.value !== undefined)
			.filter(({ name }) => name.toLowerCase().includes(wanted));
		if (view.onePage) return { results };
		if (results.length > 0) return { results, paginationToken: JSON.stringify(position) };
	}
	return { results: [], paginationToken: JSON.stringify(position) };
}

/** The editor returns the token that it received, as text. */
function positionIn(token: unknown): Position {
	if (typeof token !== 'string') return { page: 1, last: '' };
	// Only {@link pickerPage} writes it.
	return JSON.parse(token) as Position;
}

/** A name, and in parentheses what is known besides it. */
export function entryName(name: string, details: Array<string | undefined>): string {
	const known = details.filter((detail) => detail !== undefined);
	return known.length > 0 ? `${name} (${known.join(', ')})` : name;
}

/**
 * An event as a list of the editor shows it: title and local time. The status is left out, because n8n stores this name
 * with the picked event, and the status changes.
 */
export function eventEntryName(event: IDataObject, timeZone: string): string {
	const date = dateScheduledOf(event);
	const title = eventTitleOf(event) ?? eventHashOf(event) ?? 'Event without a title';
	return entryName(title, [date === undefined ? undefined : localTime(date, timeZone)]);
}

/**
 * A date of the service as `YYYY-MM-DD HH:mm`. One with an offset is converted to the time zone, which then follows; what is
 * not a date is returned unchanged.
 */
export function localTime(text: string, timeZone: string): string {
	const date = parseServiceDate(text);
	if (!date) return text;
	const shown = toFilterText(date, timeZone).slice(0, 16);
	return date.kind === 'instant' ? `${shown} ${timeZone}` : shown;
}

/**
 * The plan that the pickers of a node list: its Plan ID as it is while the node is edited, else the credential's.
 *
 * @throws NodeOperationError when both are empty
 */
export async function planIdOfEditor(context: ILoadOptionsFunctions): Promise<string> {
	const own = checked(context, undefined, () =>
		toText('Plan ID', context.getCurrentNodeParameter('options.planId')),
	);
	return await planOrDefault(context, own);
}

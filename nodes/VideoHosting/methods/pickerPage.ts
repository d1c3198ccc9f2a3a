import type { IDataObject, INodeListSearchResult } from 'n8n-workflow';

import { identityOf } from '../service/recordFields';
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

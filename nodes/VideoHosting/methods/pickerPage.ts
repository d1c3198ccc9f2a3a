import type { IDataObject, INodeListSearchResult } from 'n8n-workflow';

import type { PageReader } from '../service/paging';
import { identityOf } from '../service/recordFields';
import { withoutSecrets } from '../transport/secrets';

/** What a list of the editor shows and returns for a record. */
export interface PickerView {
	nameOf: (record: IDataObject) => string;
	/** What the parameter gets; a record without one cannot be picked and is left out. */
	valueOf: (record: IDataObject) => string | undefined;
	/** Only names that contain this text, whatever the case; for lists that the service itself cannot search. */
	filter?: string;
}

type Position = { page: number; last: string };

/** A page without a match makes the editor show an empty list, so the search continues, up to a limit. */
const PAGES_AT_ONCE = 20;

/** The entries of a list for these records. */
export function entriesOf(
	records: IDataObject[],
	{ nameOf, valueOf, filter = '' }: PickerView,
): Array<{ name: string; value: string }> {
	const wanted = filter.trim().toLowerCase();
	return records
		.map((record) => ({ name: nameOf(record), value: valueOf(record) }))
		.filter((entry): entry is { name: string; value: string } => entry.value !== undefined)
		.filter(({ name }) => name.toLowerCase().includes(wanted));
}

/**
 * The next entries of a picker: the first page with at least one match. The list ends with an empty page, or with one
 * that is the same as the page before (a service that ignores the page number).
 *
 * @param paginationToken what the page before returned: where this one begins
 */
export async function pickerPage(
	readPage: PageReader,
	view: PickerView,
	paginationToken: unknown,
): Promise<INodeListSearchResult> {
	let position = positionIn(paginationToken);
	for (let read = 0; read < PAGES_AT_ONCE; read++) {
		const records = await readPage(position.page);
		const lastRecord = records.at(-1);
		if (lastRecord === undefined) return { results: [] };
		// It goes to the browser and back, where the plan secret of an event has no business.
		const last = identityOf(withoutSecrets(lastRecord));
		if (last === position.last) return { results: [] };

		position = { page: position.page + 1, last };
		const results = entriesOf(records, view);
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

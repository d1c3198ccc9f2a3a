import { ErrorResponse } from './responses';
import type { ServiceSettings } from './settings';

export interface Page<T> {
	records: T[];
	total: number;
	/** The number that was requested. */
	page: number;
	/** Records per page after the cap. */
	pageSize: number;
}

/** Cuts one page out of all matching records, as the settings on paging require; `firstPage` is the lowest page number. */
export function cutPage<T>(
	all: readonly T[],
	page: number,
	wantedSize: number,
	firstPage: number,
	settings: ServiceSettings,
): Page<T> {
	const pageSize = settings.pageSizeCap > 0 ? Math.min(wantedSize, settings.pageSizeCap) : wantedSize;
	const lastIndex = Math.max(0, Math.ceil(all.length / pageSize) - 1);
	let index = page - firstPage;
	if (settings.pastLastPage === 'lastPage') index = Math.min(index, lastIndex);
	return { records: all.slice(index * pageSize, (index + 1) * pageSize), total: all.length, page, pageSize };
}

/** Throws 404 for a page beyond the last one, where the setting `pastLastPage` requires it. */
export function checkPastLastPage(
	{ records, total, page, pageSize }: Page<unknown>,
	firstPage: number,
	{ pastLastPage }: ServiceSettings,
): void {
	const isPast = page > Math.max(1, firstPage + Math.ceil(total / pageSize) - 1);
	if (isPast && records.length === 0 && pastLastPage === '404') throw new ErrorResponse(404, 'No such page');
}

/** Sorts a copy by the given key, ascending unless `direction` is `desc` in any case. */
export function sorted<T>(
	all: readonly T[],
	key: (record: T) => string | number,
	direction: string | undefined,
): T[] {
	const sign = direction?.toLowerCase() === 'desc' ? -1 : 1;
	return [...all].sort((a, b) => {
		const [left, right] = [key(a), key(b)];
		return left < right ? -sign : left > right ? sign : 0;
	});
}

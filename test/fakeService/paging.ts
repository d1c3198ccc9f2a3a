import { ErrorResponse, type ResponseSpec } from './responses';
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
	let index = settings.pageNumberIgnored ? 0 : page - firstPage;
	if (settings.pastLastPage === 'lastPage') index = Math.min(index, lastIndex);
	return { records: all.slice(index * pageSize, (index + 1) * pageSize), total: all.length, page, pageSize };
}

/** The response to a page beyond the last one when `pastLastPage` is not one of the forms of a list. */
export function responsePastLastPage(
	{ records, total, page, pageSize }: Page<unknown>,
	firstPage: number,
	{ pastLastPage }: ServiceSettings,
): ResponseSpec | undefined {
	const isPast = page > Math.max(1, firstPage + Math.ceil(total / pageSize) - 1);
	if (!isPast || records.length > 0) return undefined;
	switch (pastLastPage) {
		case 'empty':
		case 'lastPage':
			return undefined;
		case '204':
			return { status: 204 };
		case 'emptyBody':
			return { status: 200 };
		case 'null':
			return { status: 200, json: null };
		default:
			throw new ErrorResponse(Number(pastLastPage), 'No such page');
	}
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

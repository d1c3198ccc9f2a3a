import { createHash } from 'node:crypto';

import { ErrorResponse, type ResponseSpec } from './call';
import type { ServiceSettings } from './settings';

/** The page of a list; `firstPage` is the number of the first one, and `size` what was requested. */
export function pageResponse(
	all: readonly object[],
	{ page, size, firstPage = 1 }: { page: number; size: number; firstPage?: number },
	settings: ServiceSettings,
): ResponseSpec {
	const { pageSizeCap } = settings;
	const pageSize = pageSizeCap > 0 ? Math.min(size, pageSizeCap) : size;
	const pages = Math.max(1, Math.ceil(all.length / pageSize));
	let index = page - firstPage;
	if (index >= pages && settings.pastLastPage === 'lastPage') index = pages - 1;
	if (index >= pages && settings.pastLastPage === '404') throw new ErrorResponse(404, 'No such page');
	const total = all.length;
	const items = all.slice(index * pageSize, (index + 1) * pageSize);
	const shapes = {
		array: items,
		data: { data: items, total },
		items: { items, total },
		'data.items': { data: { items, total } },
		'data+meta': { data: items, meta: { total } },
		'data+pages': { data: items, totalPages: pages },
	};
	return { status: 200, json: shapes[settings.listShape] };
}

/**
 * Sorts a copy by the given key, ascending unless `direction` is `desc` in any case.
 *
 * @param request with `settings.tiesShuffled`, entries with the same key have another order in each
 */
export function sorted<T extends { hash: string }>(
	all: readonly T[],
	key: (entry: T) => string,
	direction: string | undefined,
	{ tiesShuffled }: ServiceSettings,
	request: object,
): T[] {
	const sign = direction?.toLowerCase() === 'desc' ? -1 : 1;
	const shuffled = ({ hash }: T) =>
		createHash('md5')
			.update(`${JSON.stringify(request)}${hash}`)
			.digest('hex');
	const tieOf = (entry: T) => (tiesShuffled ? shuffled(entry) : '');
	const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
	return all.toSorted((a, b) => sign * compare(key(a), key(b)) || compare(tieOf(a), tieOf(b)));
}

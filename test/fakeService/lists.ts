import { ErrorResponse, type ResponseSpec } from './call';
import type { ServiceSettings } from './settings';

/** The page of a list; `firstPage` is the number of the first one, and `size` what was requested. */
export function pageResponse(
	all: readonly object[],
	{ page, size, firstPage = 1 }: { page: number; size: number; firstPage?: number },
	settings: ServiceSettings,
): ResponseSpec {
	const { defaultPageSize, pageSizeCap, pageSizeIgnored } = settings;
	const accepted = pageSizeIgnored ? defaultPageSize : size;
	const pageSize = pageSizeCap > 0 ? Math.min(accepted, pageSizeCap) : accepted;
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

/** Sorts a copy by the given key, ascending unless `direction` is `desc` in any case. */
export function sorted<T>(all: readonly T[], key: (entry: T) => string, direction: string | undefined): T[] {
	const sign = direction?.toLowerCase() === 'desc' ? -1 : 1;
	return [...all].sort((a, b) => {
		const [left, right] = [key(a), key(b)];
		return left < right ? -sign : left > right ? sign : 0;
	});
}

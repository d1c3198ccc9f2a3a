import type { IDataObject } from 'n8n-workflow';

import { fieldEntries, isRecord, normalizedName } from '../shared/jsonFields';
import { folderUuidOf } from './recordFields';

/** Fields in which a folder may contain others. */
const CHILDREN_NAMES = [
	'children',
	'childfolders',
	'subfolders',
	'folders',
	'subgalleries',
	'galleries',
	'childgalleries',
	'nodes',
];
const TOTAL_NAMES = [
	'total',
	'totalcount',
	'totalitems',
	'totalrecords',
	'totalelements',
	'totalresults',
	'count',
];
const PAGE_COUNT_NAMES = ['totalpages', 'pagecount', 'lastpage', 'numpages'];
const MORE_NAMES = ['hasnext', 'hasmore', 'hasnextpage'];
const NEXT_NAMES = ['next', 'nextpage', 'nextpageurl', 'nexturl'];

/** The folders of a list and, after each, those nested in it at any depth. Every record stays as the service returned it. */
export function withNestedFolders(folders: IDataObject[]): IDataObject[] {
	return folders.flatMap((folder) => [folder, ...withNestedFolders(childrenOf(folder))]);
}

function childrenOf(folder: IDataObject): IDataObject[] {
	return Object.entries(folder)
		.filter(([name]) => CHILDREN_NAMES.includes(normalizedName(name)))
		.flatMap(([, value]) => (Array.isArray(value) ? (value as unknown[]) : []))
		.filter((child): child is IDataObject => isRecord(child) && folderUuidOf(child) !== undefined);
}

/**
 * Whether a list response shows that it is one of several pages: a total larger than the number of records, more than one
 * page, or a reference to the next one.
 *
 * @param top number of records in the list itself
 * @param all the same with the nested ones
 * @returns undefined when nothing shows it; `total` when the response counts all records
 */
export function announcedPages(body: unknown, top: number, all: number): { total?: number } | undefined {
	if (Array.isArray(body)) {
		const [list, count] = body as unknown[];
		const isCounted = body.length === 2 && Array.isArray(list) && typeof count === 'number' && count > all;
		return isCounted ? { total: count } : undefined;
	}
	const fields = describingFields(body);
	const totals = numbersOf(fields, TOTAL_NAMES);
	const total = Math.max(0, ...totals);
	if (total > all) return { total };
	const pages = Math.max(0, ...numbersOf(fields, PAGE_COUNT_NAMES));
	const hasMore = fields.some(({ name, value }) => MORE_NAMES.includes(name) && value === true);
	const isFirstOfSeveral = (pages > 1 && top > 0) || hasMore || nextQuery(body) !== undefined;
	return isFirstOfSeveral ? {} : undefined;
}

/** The query of the next page as a response names it: by an address, or by a number. */
export function nextQuery(body: unknown): IDataObject | undefined {
	for (const { name, value } of describingFields(body)) {
		if (!NEXT_NAMES.includes(name)) continue;
		if (typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value)))
			return { page: Number(value) };
		if (typeof value === 'string' && URL.canParse(value, 'https://service')) {
			const query = Object.fromEntries(new URL(value, 'https://service').searchParams);
			if (Object.keys(query).length > 0) return query;
		}
	}
	return undefined;
}

/** The fields of a response that are not inside one of its lists. */
function describingFields(body: unknown): Array<{ name: string; value: unknown }> {
	return [...fieldEntries(withoutLists(body))].map(({ path, value }) => ({
		// `next: { href }` is named by its parent.
		name: normalizedName((path.at(-1) === 'href' ? path.at(-2) : path.at(-1)) ?? ''),
		value,
	}));
}

function withoutLists(value: unknown): unknown {
	if (!isRecord(value)) return Array.isArray(value) ? undefined : value;
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutLists(inner)]));
}

function numbersOf(fields: Array<{ name: string; value: unknown }>, names: string[]): number[] {
	return fields.flatMap(({ name, value }) =>
		names.includes(name) && typeof value === 'number' ? [value] : [],
	);
}

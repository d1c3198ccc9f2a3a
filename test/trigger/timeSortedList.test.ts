import * as fc from 'fast-check';
import { NodeApiError, type IDataObject, type INode } from 'n8n-workflow';

import {
	readPages,
	readTimeRange,
	type PageReader,
	type TimeSortedList,
} from '../../nodes/VideoHosting/service/timeSortedList';

const all = { firstPage: 1, hasTimeLeft: () => true };
const node: INode = { id: '1', name: 'Trigger', type: 't', typeVersion: 1, position: [0, 0], parameters: {} };

interface ListOptions {
	pageSize?: number;
	sorting?: Sorting;
	pastLastPage?: 'empty' | 'lastPage';
}

type Sorting = 'asRequested' | 'oldestFirst' | 'rejectsNewestFirst' | 'unsorted';

/** A list of records at the given times, as a service cuts it into pages; counts the pages that were requested. */
function listOf(
	times: number[],
	{ pageSize = 10, sorting = 'asRequested', pastLastPage = 'empty' }: ListOptions = {},
): { list: TimeSortedList; pages: number[] } {
	const pages: number[] = [];
	const records = times.map((time, number): IDataObject => ({ id: number + 1, time }));
	const ascending = [...records].sort((a, b) => Number(a.time) - Number(b.time));
	const lastPage = Math.max(1, Math.ceil(records.length / pageSize));
	const reader = (sorted: IDataObject[]): PageReader => {
		return async (page) => {
			pages.push(page);
			const number = pastLastPage === 'lastPage' ? Math.min(page, lastPage) : page;
			return await Promise.resolve(sorted.slice((number - 1) * pageSize, number * pageSize));
		};
	};
	const rejectOrder: PageReader = async () =>
		await Promise.reject(new NodeApiError(node, { message: 'Bad Request' }, { httpCode: '400' }));
	const documented = sorting === 'unsorted' ? records : ascending;
	const newestFirst = sorting === 'asRequested' ? reader([...ascending].reverse()) : reader(documented);
	return {
		pages,
		list: {
			newestFirst: sorting === 'rejectsNewestFirst' ? rejectOrder : newestFirst,
			defaultOrder: reader(documented),
			timeOf: (record) => (typeof record.time === 'number' ? record.time : undefined),
		},
	};
}

const span = (from: number, to: number) => ({ from: () => from, to });
const timesIn = (records: IDataObject[], from: number, to: number) =>
	records.map(({ time }) => Number(time)).filter((time) => time >= from && time <= to);

/** A list whose first page happens to be sorted is treated as a sorted one: the request asked for that order. */
const showsNoOrder = (times: number[]) =>
	times.some((time, index) => time > (times[index - 1] ?? time)) &&
	times.some((time, index) => time < (times[index - 1] ?? time));

describe('reading a span of time from a list', () => {
	it('finds every record in it, however the service sorts and cuts the list', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 120 }),
				fc.integer({ min: 1, max: 12 }),
				fc.constantFrom<Sorting>('asRequested', 'oldestFirst', 'rejectsNewestFirst', 'unsorted'),
				fc.constantFrom('empty' as const, 'lastPage' as const),
				fc.tuple(fc.integer({ min: -10, max: 210 }), fc.integer({ min: 0, max: 60 })),
				async (times, pageSize, sorting, pastLastPage, [from, length]) => {
					fc.pre(sorting !== 'unsorted' || showsNoOrder(times.slice(0, pageSize)));
					const { list } = listOf(times, { pageSize, sorting, pastLastPage });
					const { records, nextPage } = await readTimeRange(list, span(from, from + length), all);
					const wanted = times.filter((time) => time >= from && time <= from + length).sort((a, b) => a - b);
					const found = timesIn(records, from, from + length);
					expect(nextPage).toBeUndefined();
					expect([...found].sort((a, b) => a - b)).toEqual(wanted);
					if (sorting !== 'unsorted') expect(found).toEqual(wanted);
				},
			),
			{ numRuns: 400 },
		);
	});

	it('continues where it ran out of time, until every record was read', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 100 }),
				fc.integer({ min: 1, max: 12 }),
				fc.constantFrom<Sorting>('asRequested', 'oldestFirst', 'unsorted'),
				async (times, pageSize, sorting) => {
					fc.pre(sorting !== 'unsorted' || showsNoOrder(times.slice(0, pageSize)));
					const { list } = listOf(times, { pageSize, sorting });
					const found: IDataObject[] = [];
					let firstPage: number | undefined = 1;
					for (let reading = 0; firstPage !== undefined && reading <= 200; reading++) {
						const limits = { firstPage, hasTimeLeft: () => false };
						const { records, nextPage }: Awaited<ReturnType<typeof readTimeRange>> = await readTimeRange(
							list,
							span(50, 150),
							limits,
						);
						found.push(...records);
						firstPage = nextPage;
					}
					const wanted = times.filter((time) => time >= 50 && time <= 150).sort((a, b) => a - b);
					expect([...new Set(timesIn(found, 50, 150))].sort((a, b) => a - b)).toEqual([...new Set(wanted)]);
				},
			),
		);
	});

	it.each([100, 1_000, 10_000])('reads one page of a list with %i past records', async (past) => {
		const { list, pages } = listOf(
			Array.from({ length: past + 50 }, (_, number) => number),
			{ pageSize: 100 },
		);
		const { records } = await readTimeRange(list, span(past, past + 50), all);
		expect(timesIn(records, past, past + 50)).toHaveLength(50);
		expect(pages).toEqual([1]);
	});

	it.each(['asRequested', 'oldestFirst'] as const)(
		'skips 10,000 records in front of the span in a few steps (%s)',
		async (sorting) => {
			const times = Array.from({ length: 20_050 }, (_, number) => number);
			const { list, pages } = listOf(times, { pageSize: 100, sorting });
			const { records } = await readTimeRange(list, span(10_000, 10_049), all);
			expect(timesIn(records, 10_000, 10_049)).toHaveLength(50);
			expect(pages.length).toBeLessThanOrEqual(18);
		},
	);

	it('reads the only page of a service that ignores the page number', async () => {
		const { list } = listOf([300, 200, 100], { pageSize: 3 });
		const firstPageAlways = { ...list, newestFirst: async () => await list.newestFirst(1) };
		const { records } = await readTimeRange(firstPageAlways, span(0, 150), all);
		expect(timesIn(records, 0, 150)).toEqual([100]);
	});

	it('throws every error response except a rejection of the sort order', async () => {
		const { list } = listOf([1, 2, 3]);
		const broken: PageReader = async () =>
			await Promise.reject(new NodeApiError(node, { message: 'Internal Server Error' }, { httpCode: '500' }));
		await expect(readTimeRange({ ...list, newestFirst: broken }, span(0, 9), all)).rejects.toMatchObject({
			httpCode: '500',
		});
	});
});

describe('reading a list on', () => {
	it('returns the page on which it ran out of time', async () => {
		const { list, pages } = listOf([1, 2, 3, 4, 5, 6, 7], { pageSize: 2 });
		let left = 2;
		const listing = await readPages(list.defaultOrder, { firstPage: 1, hasTimeLeft: () => left-- > 0 });
		expect(listing).toEqual({ records: [1, 2, 3, 4, 5, 6].map((id) => ({ id, time: id })), nextPage: 4 });
		expect(pages).toEqual([1, 2, 3]);
	});
});

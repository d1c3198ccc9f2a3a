import { NodeApiError, type IDataObject, type INode } from 'n8n-workflow';

import type { PageReader } from '../../nodes/VideoHosting/service/paging';
import {
	readTimeRange,
	type ListOrder,
	type TimeSortedList,
} from '../../nodes/VideoHosting/service/timeSortedList';
import { fc } from '../execution/generated';

const node: INode = { id: '1', name: 'Trigger', type: 't', typeVersion: 1, position: [0, 0], parameters: {} };

/** What the service understands by the time that it is asked to sort by. */
type SortedBy = 'time' | 'creation' | 'nothing';

interface Service {
	records: IDataObject[];
	sortedBy: SortedBy;
	direction: 'asRequested' | 'oldestFirst' | 'rejectsNewestFirst';
	pageSize: number;
	pastLastPage: 'empty' | 'lastPage';
	/** The list is one that may be sorted by creation. */
	hasIds: boolean;
}

/** The list of a service that can change between two readings; counts the pages that were requested. */
function listOf(service: Service): { list: TimeSortedList; pages: number[] } {
	const pages: number[] = [];
	const reader =
		(newestFirst: boolean): PageReader =>
		async (page) => {
			const { records, sortedBy, direction, pageSize, pastLastPage } = service;
			pages.push(page);
			if (newestFirst && direction === 'rejectsNewestFirst')
				return await Promise.reject(new NodeApiError(node, { message: 'Bad Request' }, { httpCode: '400' }));
			const key = { time: 'time', creation: 'created', nothing: 'place' }[sortedBy];
			const sorted = records.toSorted((a, b) => Number(a[key] ?? -1) - Number(b[key] ?? -1));
			if (newestFirst && direction === 'asRequested' && sortedBy !== 'nothing') sorted.reverse();
			const lastPage = Math.max(1, Math.ceil(sorted.length / pageSize));
			const number = pastLastPage === 'lastPage' ? Math.min(page, lastPage) : page;
			return await Promise.resolve(sorted.slice((number - 1) * pageSize, number * pageSize));
		};
	return {
		pages,
		list: {
			newestFirst: reader(true),
			defaultOrder: reader(false),
			timeOf: ({ time }) => (typeof time === 'number' ? time : undefined),
			...(service.hasIds ? { idOf: ({ id }: IDataObject) => Number(id) } : {}),
		},
	};
}

const idsFrom = (records: IDataObject[], from: number) =>
	records
		.filter(({ time }) => typeof time === 'number' && time >= from)
		.map(({ id }) => Number(id))
		.sort((a, b) => a - b);

const time = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 200 }) }, fc.constant(undefined));

/** Records in the order of their creation, in places that no order explains. */
const recordsOf = (times: Array<number | undefined>, firstId = 1) =>
	times.map((at, index): IDataObject => ({
		id: firstId + index,
		created: firstId + index,
		time: at,
		place: ((firstId + index) * 7919) % 1009,
	}));

/** The IDs of some records are not in the order of their creation: swapped with the next one's, or from elsewhere. */
function withOddIds(records: IDataObject[], swapped: boolean[], imported: number[]): IDataObject[] {
	for (const [index, isSwapped] of swapped.entries()) {
		const [one, other] = records.slice(2 * index, 2 * index + 2);
		if (isSwapped && one && other) [one.id, other.id] = [other.id, one.id];
	}
	for (const [index, place] of imported.entries()) {
		const record = records[place % Math.max(1, records.length)];
		if (record) record.id = place % 2 === 0 ? 100_000 + index : -1 - index;
	}
	return records;
}

const services = fc
	.record({
		times: fc.array(time, { maxLength: 120, size: 'max' }),
		/** When a conference takes place that was created before all others. */
		early: fc.option(fc.nat({ max: 200 }), { nil: undefined }),
		/** Many plans create their events in the order in which they take place. */
		isInOrder: fc.boolean(),
		sortedBy: fc.constantFrom<SortedBy>('time', 'creation', 'nothing'),
		direction: fc.constantFrom('asRequested' as const, 'oldestFirst' as const, 'rejectsNewestFirst' as const),
		pageSize: fc.integer({ min: 1, max: 30 }),
		pastLastPage: fc.constantFrom('empty' as const, 'lastPage' as const),
		hasIds: fc.boolean(),
		swapped: fc.array(fc.boolean(), { maxLength: 60 }),
		imported: fc.array(fc.nat(), { maxLength: 3 }),
	})
	.map(({ times, early, isInOrder, swapped, imported, ...service }): Service => {
		const created = [early, ...(isInOrder ? times.toSorted((a, b) => (a ?? 0) - (b ?? 0)) : times)];
		// Without IDs, only a list that can be sorted by nothing but the time may be read in part.
		const sortedBy = service.hasIds || service.sortedBy !== 'creation' ? service.sortedBy : 'time';
		return { ...service, sortedBy, records: withOddIds(recordsOf(created), swapped, imported) };
	});

describe('A range of time in a list', () => {
	const clock = jest.spyOn(Date, 'now');
	afterAll(() => {
		clock.mockRestore();
	});

	it('is whole, however the service sorts and cuts the list, and whatever was proven before', async () => {
		await fc.assert(
			fc.asyncProperty(
				services,
				fc.array(fc.array(time, { maxLength: 15 }), { maxLength: 3 }),
				fc.integer({ min: -10, max: 210 }),
				fc.infiniteStream(fc.boolean()),
				fc.infiniteStream(fc.record({ place: fc.nat(), time })),
				async (service, added, from, timeLeft, rescheduled) => {
					let order: ListOrder = {};
					let now = 0;
					clock.mockImplementation(() => now);
					for (const times of [[], ...added]) {
						service.records = [...service.records, ...recordsOf(times, service.records.length + 1)];
						// A record that gets another time is found an hour later, whatever was proven.
						now += times.length % 2 === 0 ? 61 * 60_000 : 60_000;
						const moved = rescheduled.next().value;
						const record = moved && service.records[moved.place % service.records.length];
						if (record && times.length % 2 === 0) record.time = moved.time;
						const { list } = listOf(service);
						const found = new Map<unknown, IDataObject>();
						let firstPage = 1;
						for (let polls = 0; polls < 400; polls++) {
							// A trigger keeps what was proven as JSON.
							const known = JSON.parse(JSON.stringify(order)) as ListOrder;
							const limits = { firstPage, hasTimeLeft: () => timeLeft.next().value ?? true };
							const result = await readTimeRange(list, { from: () => from }, limits, known);
							for (const record of result.records) found.set(record.id, record);
							order = result.order;
							firstPage = result.nextPage ?? 1;
							if (result.nextPage === undefined) break;
						}
						expect(idsFrom([...found.values()], from)).toEqual(idsFrom(service.records, from));
					}
				},
			),
			{ numRuns: 200 },
		);
	});

	it('comes oldest first', async () => {
		await fc.assert(
			fc.asyncProperty(services, fc.integer({ min: 0, max: 200 }), async (service, from) => {
				const { records } = await readTimeRange(listOf(service).list, { from: () => from });
				const times = records.map((record) => Number(record.time ?? Infinity));
				expect(times).toEqual(times.toSorted((a, b) => a - b));
			}),
		);
	});

	/** 1,000 past records and 50 of the range. */
	const plan = (isProving: boolean, sortedBy: SortedBy = 'time') => {
		const records = recordsOf(Array.from({ length: 1_050 }, (_, number) => number));
		// Created in no order.
		if (isProving) for (const [index, record] of records.entries()) record.id = (index * 463) % 1_051;
		const service: Service = {
			...{ records, sortedBy, direction: 'asRequested', pageSize: 20, pastLastPage: 'empty', hasIds: true },
		};
		return { service, ...listOf(service) };
	};
	const range = { from: () => 1_000 };

	it('costs its pages where the first one proves the order', async () => {
		const { list, pages } = plan(true);
		await readTimeRange(list, range);
		expect(pages).toEqual([1, 2, 3]);
	});

	it.each(['time', 'creation'] as const)(
		'costs one page after the whole list was once in order, sorted by %s',
		async (sortedBy) => {
			const { service, list, pages } = plan(false, sortedBy);
			let { order } = await readTimeRange(list, range);
			expect(pages).toHaveLength(54);
			for (let created = 0; created < 100; created++) {
				service.records.push({ id: 20_000 + created, created: 20_000 + created, time: 1_050 + created });
				pages.length = 0;
				const { records, order: next } = await readTimeRange(
					list,
					{ from: () => 1_040 + created },
					undefined,
					order,
				);
				order = next;
				expect(idsFrom(records, 1_040 + created)).toHaveLength(11);
				expect(pages).toEqual([1]);
			}
		},
	);

	it('is read to the end of the list when a record of the list shows that the order has changed', async () => {
		const { service, list, pages } = plan(true);
		const { order } = await readTimeRange(list, range);
		expect(order.sortedUpTo).toBeDefined();
		service.sortedBy = 'nothing';
		pages.length = 0;
		const { records } = await readTimeRange(list, range, undefined, order);
		expect(idsFrom(records, 1_000)).toHaveLength(50);
		expect(pages).toHaveLength(54);
	});

	it('ends at the number of records that are enough, where the order is proven', async () => {
		const { list, pages } = plan(true);
		const atMost = { count: 30, matches: () => true };
		await readTimeRange(list, { from: () => -Infinity, atMost });
		expect(pages).toEqual([1, 2]);
	});
});

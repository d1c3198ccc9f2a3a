import type { IDataObject } from 'n8n-workflow';

import { firstRecords, LazyList, pagesOf } from '../../nodes/VideoHosting/service/paging';
import type { ServiceContext } from '../../nodes/VideoHosting/transport/credential';
import { fc } from '../execution/generated';

/** Only errors use it, and these readings have none. */
const context = {} as ServiceContext;

/** A service that cuts pages of a list. */
function cutPages(
	list: IDataObject[],
	{ pageSize, beyond }: { pageSize: number; beyond: 'empty' | 'last page' | 'first page' },
) {
	const requested: number[] = [];
	const readPage = (page: number): Promise<IDataObject[]> => {
		requested.push(page);
		const cut = (index: number) => list.slice(index * pageSize, (index + 1) * pageSize);
		const last = Math.max(0, Math.ceil(list.length / pageSize) - 1);
		if (page - 1 <= last || beyond === 'empty') return Promise.resolve(cut(page - 1));
		return Promise.resolve(cut(beyond === 'last page' ? last : 0));
	};
	return { requested, pages: () => pagesOf(context, readPage) };
}

const listOf = (size: number) => [...Array(size).keys()].map((n) => ({ hash: `hash-${n}` }));
const beyond = fc.constantFrom('empty' as const, 'last page' as const, 'first page' as const);
const pageSize = fc.integer({ min: 1, max: 12 });
const size = fc.nat({ max: 60 });

describe('Every record of a list', () => {
	it('comes once and in order, whatever the page size and whatever follows the last page', async () => {
		await fc.assert(
			fc.asyncProperty(size, pageSize, beyond, async (length, perPage, after) => {
				const list = listOf(length);
				const { requested, pages } = cutPages(list, { pageSize: perPage, beyond: after });
				expect(await firstRecords(pages())).toEqual(list);
				// The pages with records, and one that shows that nothing follows.
				expect(requested.length).toBeLessThanOrEqual(Math.ceil(length / perPage) + 1);
			}),
		);
	});

	it('is identified by its whole content when it has no hash, UUID or ID', async () => {
		const list = [{ title: 'a' }, { title: 'b' }, { title: 'a' }];
		const { pages } = cutPages(list, { pageSize: 2, beyond: 'empty' });
		expect(await firstRecords(pages())).toEqual([{ title: 'a' }, { title: 'b' }]);
	});
});

describe('The first records of a list', () => {
	it('that match are read with as few requests as there can be', async () => {
		await fc.assert(
			fc.asyncProperty(size, pageSize, fc.integer({ min: 1, max: 60 }), async (length, perPage, limit) => {
				const list = listOf(length);
				const wanted = list.filter((_, index) => index % 2 === 0);
				const { requested, pages } = cutPages(list, { pageSize: perPage, beyond: 'empty' });
				const found = await firstRecords(pages(), limit, (record) => wanted.some((one) => one === record));
				expect(found).toEqual(wanted.slice(0, limit));
				const needed =
					limit <= wanted.length ? Math.ceil((2 * limit - 1) / perPage) : Math.ceil(length / perPage) + 1;
				expect(requested).toHaveLength(Math.max(1, needed));
			}),
		);
	});
});

describe('A list for look-ups', () => {
	it('is read as far as they need, each page once', async () => {
		const list = listOf(30);
		const { requested, pages } = cutPages(list, { pageSize: 10, beyond: 'empty' });
		const lazy = new LazyList(pages);
		const find = async (hash: string, mostPages?: number) =>
			await lazy.find((record) => record.hash === hash, mostPages);
		expect(await find('hash-14')).toBe(list[14]);
		expect(await find('hash-3')).toBe(list[3]);
		expect(requested).toEqual([1, 2]);
		expect(await find('none', 1)).toBeUndefined();
		expect(requested).toEqual([1, 2, 3]);
		expect(await find('none')).toBeUndefined();
		expect(await lazy.all()).toEqual(list);
		expect(requested).toEqual([1, 2, 3, 4]);
	});

	it('begins anew after a page that could not be read', async () => {
		const list = listOf(30);
		const { requested, pages } = cutPages(list, { pageSize: 10, beyond: 'empty' });
		let failures = 1;
		const lazy = new LazyList(async function* () {
			for await (const page of pages()) {
				if (requested.length === 2 && failures-- > 0) throw new Error('Out of order');
				yield page;
			}
		});
		await expect(lazy.all()).rejects.toThrow('Out of order');
		expect(await lazy.all()).toEqual(list);
	});
});

import type { IDataObject } from 'n8n-workflow';

import { firstRecords, uniqueRecords } from '../../nodes/VideoHosting/service/paging';
import { fc } from '../execution/generated';

/** A service that cuts pages of a list, as far as it honors the page number. */
function pagesOf(
	list: () => IDataObject[],
	{ pageSize, beyond }: { pageSize: number; beyond: 'empty' | 'last page' | 'first page' },
) {
	const requested: number[] = [];
	const readPage = (page: number): Promise<IDataObject[]> => {
		requested.push(page);
		const records = list();
		const cut = (index: number) => records.slice(index * pageSize, (index + 1) * pageSize);
		const last = Math.max(0, Math.ceil(records.length / pageSize) - 1);
		if (page - 1 <= last || beyond === 'empty') return Promise.resolve(cut(page - 1));
		return Promise.resolve(cut(beyond === 'last page' ? last : 0));
	};
	return { requested, readPage };
}

async function allOf(readPage: (page: number) => Promise<IDataObject[]>): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	for await (const fresh of uniqueRecords(readPage)) records.push(...fresh);
	return records;
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
				const { requested, readPage } = pagesOf(() => list, { pageSize: perPage, beyond: after });
				expect(await allOf(readPage)).toEqual(list);
				// The pages with records, and the requests that show that nothing follows.
				expect(requested.length).toBeLessThanOrEqual(Math.ceil(length / perPage) + 2);
			}),
		);
	});

	it('comes once, when records are put in front while the list is read', async () => {
		await fc.assert(
			fc.asyncProperty(
				size,
				pageSize,
				fc.array(fc.nat({ max: 6 }), { maxLength: 40 }),
				async (length, perPage, inserted) => {
					const list: IDataObject[] = listOf(length);
					let request = 0;
					const { readPage } = pagesOf(() => list, { pageSize: perPage, beyond: 'empty' });
					const read = await allOf(async (page) => {
						const records = await readPage(page);
						// Less than a page at a time: more than that hides whole pages from every reader.
						const count = Math.min(inserted[request++] ?? 0, perPage - 1);
						for (let n = 0; n < count; n++) list.unshift({ hash: `new-${request}-${n}` });
						return records;
					});
					const hashes = read.map(({ hash }) => hash);
					expect(new Set(hashes).size).toBe(hashes.length);
					expect(hashes).toEqual(expect.arrayContaining(listOf(length).map(({ hash }) => hash)));
				},
			),
		);
	});

	it('is identified by its whole content when it has no hash, UUID or ID', async () => {
		const list = [{ title: 'a' }, { title: 'b' }, { title: 'a' }];
		const { readPage } = pagesOf(() => list, { pageSize: 2, beyond: 'empty' });
		expect(await allOf(readPage)).toEqual([{ title: 'a' }, { title: 'b' }]);
	});
});

describe('The first records of a list', () => {
	it('are read with as few requests as there can be', async () => {
		await fc.assert(
			fc.asyncProperty(size, pageSize, fc.integer({ min: 1, max: 60 }), async (length, perPage, limit) => {
				const list = listOf(length);
				const { requested, readPage } = pagesOf(() => list, { pageSize: perPage, beyond: 'empty' });
				expect(await firstRecords(readPage, limit)).toEqual(list.slice(0, limit));
				const needed = limit <= length ? Math.ceil(limit / perPage) : Math.floor(length / perPage) + 2;
				expect(requested.length).toBeLessThanOrEqual(needed);
			}),
		);
	});

	it('of those that match', async () => {
		const list = listOf(30);
		const { requested, readPage } = pagesOf(() => list, { pageSize: 10, beyond: 'empty' });
		const wanted = [list[3], list[14], list[25]];
		const found = await firstRecords(readPage, 2, (record) => wanted.some((one) => one === record));
		expect(found).toEqual([list[3], list[14]]);
		expect(requested).toEqual([1, 2]);
	});
});

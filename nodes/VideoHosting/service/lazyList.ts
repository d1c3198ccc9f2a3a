import { Lock } from '../shared/waiting';
import type { Pages } from './paging';

/** A list that is read no further than look-ups need, each page once. After a page that cannot be read, it starts again. */
export class LazyList<Item> {
	readonly openedAt = Date.now();

	/** Whether it was read to its end. */
	isWhole = false;

	/** How many pages were read. */
	pagesRead = 0;

	/** The records that were read so far, with the changes of the run. */
	private records: Item[] = [];

	private pages?: Pages<Item>;

	/** One look-up reads at a time: when page 3 fails for one item, another item that waits for page 4 would see an empty list. */
	private readonly reading = new Lock();

	constructor(private readonly open: () => Pages<Item>) {}

	get items(): readonly Item[] {
		return this.records;
	}

	/** Changes each of the records that were read; none instead of one removes it. */
	change(changed: (item: Item) => Item[]): void {
		this.records = this.records.flatMap(changed);
	}

	/**
	 * The first record that matches.
	 *
	 * @param mostPages of the list to read for it
	 * @throws ServiceError when a page cannot be read
	 */
	async find(matches: (item: Item) => boolean, mostPages = Infinity): Promise<Item | undefined> {
		const leave = await this.reading.enter();
		try {
			let found = this.records.find(matches);
			while (!found && !this.isWhole && this.pagesRead < mostPages) found = (await this.read()).find(matches);
			return found;
		} finally {
			leave();
		}
	}

	/** The whole list. */
	async all(): Promise<readonly Item[]> {
		await this.find(() => false);
		return this.records;
	}

	/** Reads the next page, and returns what it adds. */
	private async read(): Promise<Item[]> {
		this.pages ??= this.open();
		const { value, done } = await this.pages.next().catch((error: unknown) => {
			this.pages = undefined;
			this.pagesRead = 0;
			this.records = [];
			throw error;
		});
		if (done) {
			this.isWhole = true;
			return [];
		}
		this.pagesRead++;
		for (const item of value.items) this.records.push(item);
		return value.items;
	}
}

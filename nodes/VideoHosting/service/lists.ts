import { perRun } from '../shared/perRun';
import { ageOf, Lock } from '../shared/waiting';
import { serviceCredential, type ServiceContext } from '../transport/credential';
import type { Pages } from './paging';
import { isSameName, LAG_MS, type Listed } from './record';

/** How old a list of a run may become; milliseconds. */
const LONGEST_KEPT_MS = 5 * 60 * 1000;

/** How long a creation is remembered: no list is older that need not show it; milliseconds. */
export const CREATED_KEPT_MS = LONGEST_KEPT_MS + LAG_MS;

/** A hash or UUID, or a numeric ID. */
export type RecordId = string | number;

/** Which records were changed: by hash or UUID, or by numeric IDs. */
export interface Changed {
	ids: readonly RecordId[];
	/** The title or name before, if known: a creation without an ID of this type is found by it. */
	name?: string;
}

/** What a list is of. */
interface Kind<Item> {
	/** Reads the list of a plan; that of folders has none. */
	open: (context: ServiceContext, planId: string) => Pages<Item>;
	/** The hash or UUID and the numeric ID that a record contains, in this order. */
	idsOf: (item: Item) => RecordId[];
	nameOf: (item: Item) => string | undefined;
	/** How old a list may become; milliseconds. */
	keptMs?: number;
}

/** What this process has created. */
interface Created<Item> {
	account: string;
	planId: string;
	key: string;
	item: Item;
	/** Milliseconds since 1970. */
	at: number;
}

/**
 * The lists that a run has read, with what it has renamed and deleted since. The process knows what it has created: it counts as listed in
 * each list that was requested within half a minute after, or before. Renamed or deleted here, it is left to the service's list.
 */
export class ListsOfRun<Item extends Listed> {
	private readonly lists = perRun(() => new Map<string, LazyList<Item>>());

	/** The latest last. */
	private created: Array<Created<Item>> = [];

	constructor(private readonly kind: Kind<Item>) {}

	/**
	 * The list of a plan as the service shows it, which look-ups read no further than needed.
	 *
	 * @param notBefore an older list is read anew; milliseconds since 1970
	 */
	of(context: ServiceContext, planId: string, notBefore = 0): LazyList<Item> {
		const { keptMs = LONGEST_KEPT_MS, open } = this.kind;
		const lists = this.lists(context);
		const known = lists.get(planId);
		if (known && known.openedAt >= Math.max(notBefore, Date.now() - keptMs)) return known;
		const list = new LazyList(() => open(context, planId));
		lists.set(planId, list);
		return list;
	}

	/**
	 * The whole list of a plan, and what this process has created there: for look-ups by title or name.
	 *
	 * @throws NodeApiError when a page cannot be read
	 */
	async withCreated(context: ServiceContext, planId: string): Promise<readonly Item[]> {
		const list = this.of(context, planId);
		const listed = await list.all();
		const account = await accountOf(context);
		const created = this.created.filter(
			(each) => each.account === account && each.planId === planId && mayLack(list, each),
		);
		// Each item of a run may look up a title in a long list.
		if (created.length === 0) return listed;
		const { idsOf } = this.kind;
		const known = new Set(listed.flatMap(idsOf));
		// Without an ID, the list may show it.
		const isMissing = ([id]: RecordId[]) => id !== undefined && !known.has(id);
		return [...listed, ...created.map(({ item }) => item).filter((item) => isMissing(idsOf(item)))];
	}

	/** What this process has created under a key, and a list may lack. */
	createdAs(key: string, list: LazyList<Item>): Created<Item> | undefined {
		return this.created.findLast((each) => each.key === key && mayLack(list, each));
	}

	/** Notes what this process has created under a key, see {@link keyOf}. */
	async add(context: ServiceContext, planId: string, key: string, item: Item): Promise<void> {
		const account = await accountOf(context);
		this.created = this.created.filter(({ at }) => ageOf(at) <= CREATED_KEPT_MS);
		this.created.push({ account, planId, key, item, at: Date.now() });
	}

	/** Notes that records were changed. */
	async replace(context: ServiceContext, changed: Changed, toItem: (item: Item) => Item): Promise<void> {
		await this.forgetCreated(context, changed);
		for (const list of this.lists(context).values())
			list.change((item) => (this.isOneOf(changed, item) === true ? toItem(item) : item));
	}

	/** Notes that records were deleted. */
	async remove(context: ServiceContext, changed: Changed): Promise<void> {
		await this.forgetCreated(context, changed);
		const lists = this.lists(context);
		for (const [planId, list] of lists) {
			// The next page would begin after records that have moved to this one.
			if (!list.isWhole) lists.delete(planId);
			list.change((item) => (this.isOneOf(changed, item) === true ? undefined : item));
		}
	}

	private async forgetCreated(context: ServiceContext, changed: Changed): Promise<void> {
		const account = await accountOf(context);
		const { nameOf } = this.kind;
		const listed = [...this.lists(context).values()].flatMap(
			(list) => list.known((item) => this.isOneOf(changed, item) === true) ?? [],
		);
		const names = [changed.name, ...listed.map(nameOf)];
		const isIt = (item: Item) =>
			this.isOneOf(changed, item) ?? names.some((name) => isSameName(name, nameOf(item)));
		this.created = this.created.filter((each) => each.account !== account || !isIt(each.item));
	}

	/** Whether a record has one of the IDs; undefined when it contains none of their type. */
	private isOneOf({ ids }: Changed, item: Item): boolean | undefined {
		const own = this.kind.idsOf(item).find((id) => typeof id === typeof ids[0]);
		return own === undefined ? undefined : ids.includes(own);
	}
}

/** Whether a list was requested so early that it need not show what was created. */
function mayLack(list: { openedAt: number }, { at }: { at: number }): boolean {
	return list.openedAt < at + LAG_MS;
}

/** The key of what is to exist once in a plan of an account: by its title or name, and what else makes it another record. */
export async function keyOf(context: ServiceContext, planId: string, ...names: string[]): Promise<string> {
	return JSON.stringify([await accountOf(context), planId, ...names]);
}

/** Identifies the account of a run: what is created in one is not seen in another. */
async function accountOf(context: ServiceContext): Promise<string> {
	const { applicationId, baseUrl, email } = await serviceCredential(context);
	return JSON.stringify([baseUrl, email, applicationId.toLowerCase()]);
}

/** A list that is read no further than look-ups need, each page once. After a page that cannot be read, it starts again. */
export class LazyList<Item> {
	readonly openedAt = Date.now();

	/** Whether it was read to its end. */
	isWhole = false;

	/** How many pages were read. */
	pagesRead = 0;

	private items: Item[] = [];

	private pages?: Pages<Item>;

	/** One look-up reads at a time: another one that meets the end of a failed reading would see an empty list. */
	private readonly reading = new Lock();

	constructor(private readonly open: () => Pages<Item>) {}

	/** The first match among the records that were read so far. */
	known(matches: (item: Item) => boolean): Item | undefined {
		return this.items.find(matches);
	}

	/** Changes the records that were read so far, or leaves them out. */
	change(toItem: (item: Item) => Item | undefined): void {
		this.items = this.items.flatMap((item) => toItem(item) ?? []);
	}

	/**
	 * The first record that matches.
	 *
	 * @param mostPages of the list to read for it
	 * @throws NodeApiError when a page cannot be read
	 */
	async find(matches: (item: Item) => boolean, mostPages = Infinity): Promise<Item | undefined> {
		const leave = await this.reading.enter();
		try {
			let found = this.known(matches);
			while (!found && !this.isWhole && this.pagesRead < mostPages) found = (await this.read()).find(matches);
			return found;
		} finally {
			leave();
		}
	}

	/** The whole list. */
	async all(): Promise<readonly Item[]> {
		await this.find(() => false);
		return this.items;
	}

	/** Reads the next page, and returns what it adds. */
	private async read(): Promise<Item[]> {
		this.pages ??= this.open();
		const { value, done } = await this.pages.next().catch((error: unknown) => {
			this.pages = undefined;
			this.pagesRead = 0;
			this.items = [];
			throw error;
		});
		if (done) {
			this.isWhole = true;
			return [];
		}
		this.pagesRead++;
		for (const item of value.items) this.items.push(item);
		return value.items;
	}
}

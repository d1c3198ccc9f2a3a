import { perRun } from '../shared/perRun';
import { ageOf, Lock } from '../shared/waiting';
import { serviceCredential, type ServiceContext } from '../transport/credential';
import { mayBeCarriedOut } from '../transport/errorMeaning';
import { cancelSignal } from '../transport/request';
import { CHECK_FIRST } from '../transport/requestError';
import { OperationError } from '../transport/serviceError';
import { LazyList } from './lazyList';
import type { Naming } from './onlyMatch';
import type { Pages } from './paging';
import { comparableName, isSameName, LAG_MS, type Listed } from './record';

/** How old a list of a run may become; milliseconds. */
const LONGEST_KEPT_MS = 5 * 60 * 1000;

/** What a list is of. */
interface Kind<Item> {
	/** Reads the list of a plan; that of folders has none. */
	open: (context: ServiceContext, planId: string) => Pages<Item>;
	/** The record under a new title or name. */
	rename: (item: Item, name: string) => Item;
	/** How old a list may become; milliseconds. */
	keptMs?: number;
}

/**
 * Finds one of all records of a plan.
 *
 * @param recent what this process has created under the same key, which need not be among all: its response may have shown no ID
 */
type Find<Item> = (all: readonly Item[], recent: Item | undefined) => Item | undefined;

/** `isNew`: whether this call created it. */
interface Found<Item> {
	item: Item;
	isNew: boolean;
}

/** What this process has created, or may have created. */
interface Created<Item> {
	account: string;
	/** Of what is to exist once, see {@link ListsOfRun.findOrCreate}. */
	key: string;
	planId: string;
	/** Undefined when the response was lost. */
	item?: Item;
	/** Milliseconds since 1970. */
	at: number;
}

/** Records that were renamed or deleted. */
interface Change {
	/** All that are known of their hashes, UUIDs and numeric IDs. */
	ids: ReadonlyArray<string | number | undefined>;
	/** If known: what was created without an ID is found by it. */
	oldName?: string;
	/** Undefined for deleted records. */
	newName?: string;
}

/**
 * The lists that a run has read, with what it has renamed and deleted since. The process knows what it has created: it counts as listed in
 * each list that was requested within half a minute after, or before. So the second of two items with Skip If Exists finds the folder that
 * the first has created. Deleted here, it is left to the service's list.
 */
export class ListsOfRun<Item extends Listed> {
	private readonly lists = perRun(() => new Map<string, LazyList<Item>>());

	/** The latest last. */
	private created: Array<Created<Item>> = [];

	/** By key: for the same one, creations wait for each other. */
	private readonly locks = new Map<string, Lock>();

	constructor(
		private readonly naming: Naming<Item>,
		private readonly kind: Kind<Item>,
	) {}

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
	 * @param notBefore as for {@link of}
	 * @throws ServiceError when a page cannot be read
	 */
	async all(context: ServiceContext, planId: string, notBefore?: number): Promise<readonly Item[]> {
		return (await this.read(context, planId, notBefore)).all;
	}

	/**
	 * Finds a record or creates it, one call after the other for the same one in this process.
	 *
	 * @param once what makes it another one than others of its plan: name or title, and for some kinds a date
	 * @param find looks in all records, see {@link all}. Without this function, the record is created in any case.
	 * @param create sends the request; the record that it returns may have no ID
	 * @param finish what else the next call must wait for
	 * @throws what `find`, `create` and `finish` throw, ServiceError when the list cannot be read; an error for {@link LAG_MS} after a creation without
	 * a response, unless the list shows the record
	 */
	async findOrCreate(
		context: ServiceContext,
		planId: string,
		once: readonly string[],
		find: false | Find<Item>,
		create: () => Promise<Item>,
		finish: (found: Found<Item>) => Promise<void> = async () => {},
	): Promise<Found<Item>> {
		const account = await accountOf(context);
		const key = JSON.stringify([account, planId, ...once.map(comparableName)]);
		const lock = this.locks.get(key) ?? new Lock();
		this.locks.set(key, lock);
		const leave = await lock.enter(cancelSignal(context));
		const note = (item?: Item) => {
			this.created = this.created.filter(({ at }) => ageOf(at) <= LONGEST_KEPT_MS + LAG_MS);
			this.created.push({ account, key, planId, item, at: Date.now() });
		};
		try {
			const existing = find && (await this.existing(context, planId, key, find));
			if (existing) {
				await finish({ item: existing, isNew: false });
				return { item: existing, isNew: false };
			}
			const item = await create().catch((error: unknown) => {
				if (mayBeCarriedOut(error)) note();
				throw error;
			});
			note(item);
			await finish({ item, isNew: true });
			return { item, isNew: true };
		} finally {
			leave();
			if (lock.isFree) this.locks.delete(key);
		}
	}

	/** Notes that records were renamed or deleted. */
	async change(context: ServiceContext, { ids, oldName, newName }: Change): Promise<void> {
		const nameOf = (item: Item) => this.naming.shown(item).name;
		const account = await accountOf(context);
		const lists = this.lists(context);
		const changed = ids.map((id) => String(id).toLowerCase());
		const isChanged = (item: Item) => item.ids.some((id) => changed.includes(id));
		const listed = [...lists.values()].flatMap(({ items }) => items.find(isChanged) ?? []);
		const names = [oldName, ...listed.map(nameOf)];
		const isMeant = (item: Item) =>
			item.ids.length > 0 ? isChanged(item) : names.some((name) => isSameName(name, nameOf(item)));
		const renamed = (item: Item) => (newName === undefined ? [] : [this.kind.rename(item, newName)]);
		this.created = this.created.flatMap((each) => {
			if (each.account !== account || !each.item || !isMeant(each.item)) return [each];
			return renamed(each.item).map((item) => ({ ...each, key: '', item }));
		});
		for (const [planId, list] of lists) {
			list.change((item) => (isChanged(item) ? renamed(item) : [item]));
			// After a deletion on page 1, the first record of page 2 has moved to page 1, and page 2 lacks it.
			if (newName === undefined && !list.isWhole) lists.delete(planId);
		}
	}

	/** What `find` finds, or else what was created under the key: the run before created the event five seconds ago, and no list shows it yet. */
	private async existing(context: ServiceContext, planId: string, key: string, find: Find<Item>) {
		const same = this.created.findLast((each) => each.key === key);
		// The response was lost, or was `{ success: true }`: a later list may show more.
		const notBefore = same?.item?.key === undefined ? same?.at : undefined;
		const { all, created } = await this.read(context, planId, notBefore);
		const recent = same && created.includes(same) ? same : undefined;
		const found = find(all, recent?.item);
		if (found || !recent || recent.item) return found;
		const unknown = 'What an earlier creation of the same name has created is not known yet.';
		throw new OperationError(unknown, CHECK_FIRST, { mayBeCarriedOut: true });
	}

	/** What was created in a plan and its list may lack, and all records: those of the list, and of these what it lacks. */
	private async read(context: ServiceContext, planId: string, notBefore?: number) {
		const list = this.of(context, planId, notBefore);
		const listed = await list.all();
		const account = await accountOf(context);
		const created = this.created.filter(
			(each) => each.account === account && each.planId === planId && list.openedAt < each.at + LAG_MS,
		);
		// Each item of a run may look up a title in a long list.
		if (created.length === 0) return { all: listed, created };
		const known = new Set(listed.flatMap(({ ids }) => ids));
		// Without an ID, the list may show it.
		const isMissing = ({ ids: [id] }: Item) => id !== undefined && !known.has(id);
		return { all: [...listed, ...created.flatMap(({ item }) => item ?? []).filter(isMissing)], created };
	}
}

/** Identifies the account of a run: what is created in one is not seen in another. */
async function accountOf(context: ServiceContext): Promise<string> {
	const { applicationId, baseUrl, email } = await serviceCredential(context);
	return JSON.stringify([baseUrl, email, applicationId.toLowerCase()]);
}

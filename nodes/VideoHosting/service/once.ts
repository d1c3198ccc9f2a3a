import { ageOf, Lock } from '../shared/waiting';
import { serviceCredential, type ServiceContext } from '../transport/credential';
import {
	CHECK_FIRST,
	mayBeCarriedOut,
	noteCarriedOut,
	operationError,
	toNodeError,
} from '../transport/errors';
import { cancelSignal } from '../transport/request';
import type { LazyList } from './paging';
import { comparableName, type Listed } from './record';

/** How long a creation counts although no list shows it, and a deletion although lists still show the record; milliseconds. */
export const REMEMBERED_MS = 10 * 60 * 1000;

/** How long lists may lack what is new; milliseconds. */
export const LAG_MS = 30 * 1000;

const LOST = 'What an earlier creation of the same name has created is not known yet.';

/** What is to exist once. */
interface Wanted<Item> {
	/** The plan of an event, the application of a folder. */
	owner: string;
	/** Unique key within the owner; it begins with the title or name. */
	name: readonly string[];
	/** Looks in a list that is not older than a time, in milliseconds since 1970. Without this function, the record is created in any case. */
	find?: (notBefore: number) => Promise<Item | undefined>;
	create: () => Promise<Item>;
}

interface Created<Item> extends Pick<Wanted<Item>, 'owner' | 'name'> {
	baseUrl: string;
	/** Undefined when there was no response. */
	item?: Item;
	/** Milliseconds since 1970. */
	at: number;
	/** Whether it may have been deleted or renamed: from then on lists decide. */
	isUncertain: boolean;
}

/** A hash or UUID, or a numeric ID. */
export type RecordId = string | number;

/** Finds or creates records of one kind, once for all items and executions of this process, and remembers what was created and deleted. */
export class Creations<Item extends Listed> {
	/** The latest last. */
	private created: Array<Created<Item>> = [];

	/** Keyed by base URL, owner and name. */
	private readonly locks = new Map<string, Lock>();

	/** What this process has renamed and, without `newName`, deleted; the latest last. */
	private changed: Array<{ baseUrl: string; ids: readonly RecordId[]; newName?: string; at: number }> = [];

	/**
	 * @param idsOf the hash or UUID and the numeric ID that a record contains, in this order
	 * @param withName the record under another title or name
	 */
	constructor(
		private readonly idsOf: (item: Item) => RecordId[],
		private readonly withName: (item: Item, name: string) => Item,
	) {}

	/**
	 * Finds a record or creates it. Calls with the same key are serialized.
	 *
	 * @returns `isNew`: whether this call created it
	 * @throws what `find` and `create` throw; an error for {@link LAG_MS} after a creation without a response
	 */
	async once(
		context: ServiceContext,
		{ owner, name, find, create }: Wanted<Item>,
	): Promise<{ item: Item; isNew: boolean }> {
		const { baseUrl } = await serviceCredential(context);
		const key = keyOf({ baseUrl, owner, name });
		const lock = this.locks.get(key) ?? new Lock();
		this.locks.set(key, lock);
		const leave = await lock.enter(cancelSignal(context));
		try {
			const ofKey = () => this.remembered().filter((each) => keyOf(each) === key);
			const lostAt = ofKey().findLast(({ item }) => !item)?.at;
			// From then on a list shows what was created without a response.
			const shownAt = lostAt === undefined ? 0 : lostAt + LAG_MS;
			const listed = await find?.(Math.min(shownAt, Date.now()));
			const existing = listed ?? (find && ofKey().findLast(({ item }) => item)?.item);
			if (existing) return { item: existing, isNew: false };
			if (find && lostAt !== undefined && ageOf(lostAt) < LAG_MS)
				throw noteCarriedOut(operationError(context, LOST, CHECK_FIRST));
			const remember = (item?: Item) =>
				this.created.push({ baseUrl, owner, name, item, at: Date.now(), isUncertain: false });
			try {
				const item = await create();
				remember(item);
				return { item, isNew: true };
			} catch (error) {
				const failure = toNodeError(context, error);
				if (mayBeCarriedOut(failure)) remember();
				throw failure;
			}
		} finally {
			leave();
			if (lock.isFree) this.locks.delete(key);
		}
	}

	/**
	 * Notes a change of records: a renamed creation counts under its new name, a deleted record no longer.
	 *
	 * @param ids of one type
	 * @param oldName if known: a creation without the identifier is the record if it has this name
	 * @param newName undefined for a deletion
	 */
	async note(
		context: ServiceContext,
		ids: readonly RecordId[],
		oldName: string | undefined,
		newName?: string,
	): Promise<void> {
		const { baseUrl } = await serviceCredential(context);
		this.changed = this.changed.filter(({ at }) => ageOf(at) <= REMEMBERED_MS);
		this.changed.push({ baseUrl, ids, newName, at: Date.now() });
		this.created = this.remembered().flatMap((entry) => {
			const { item, name } = entry;
			if (entry.baseUrl !== baseUrl || !item) return entry;
			const hasOldName = oldName === undefined ? undefined : comparableName(oldName) === name[0];
			const isIts = this.isOneOf(ids, item) ?? hasOldName;
			if (isIts === undefined) return { ...entry, isUncertain: true };
			if (!isIts) return entry;
			if (newName === undefined || this.isOneOf(ids, item) === undefined) return [];
			const renamed = this.withName(item, newName);
			return { ...entry, name: [comparableName(newName), ...name.slice(1)], item: renamed };
		});
	}

	/**
	 * The records of a list under the names that this process has given them, without those that it has deleted: the list may be older.
	 *
	 * @throws NodeApiError when a page cannot be read
	 */
	async existing(context: ServiceContext, list: LazyList<Item>): Promise<Item[]> {
		const listed = await list.all();
		const { baseUrl } = await serviceCredential(context);
		const changed = this.changed.filter(
			({ at, newName, ...each }) =>
				each.baseUrl === baseUrl &&
				ageOf(at) <= REMEMBERED_MS &&
				(newName === undefined || list.openedAt < at),
		);
		const changes = new Map(changed.flatMap((change) => change.ids.map((id) => [id, change])));
		return listed.flatMap((each) => {
			let item: Item | undefined = each;
			for (const { newName } of this.idsOf(each).flatMap((id) => changes.get(id) ?? []))
				if (item) item = newName === undefined ? undefined : this.withName(item, newName);
			return item ?? [];
		});
	}

	/** The {@link existing} records, and those that this process has created for their owner and that the list need not show. */
	async withCreated(context: ServiceContext, owner: string, list: LazyList<Item>): Promise<Item[]> {
		const listed = await this.existing(context, list);
		const { baseUrl } = await serviceCredential(context);
		const ids = new Set(listed.flatMap((item) => this.idsOf(item)));
		const created = this.created.filter(
			({ at, isUncertain, ...each }) =>
				each.baseUrl === baseUrl && each.owner === owner && !isUncertain && list.openedAt < at + LAG_MS,
		);
		const isNew = ([id]: RecordId[]) => id !== undefined && !ids.has(id);
		const items = created.flatMap(({ item }) => item ?? []).filter((item) => isNew(this.idsOf(item)));
		return [...listed, ...items];
	}

	/** Whether a record has one of these IDs; undefined when it contains none of their type. */
	isOneOf(ids: readonly RecordId[], item: Item): boolean | undefined {
		const own = this.idsOf(item).find((id) => typeof id === typeof ids[0]);
		return own === undefined ? undefined : ids.includes(own);
	}

	/** Forgets old creations. */
	private remembered(): Array<Created<Item>> {
		this.created = this.created.filter(
			({ at, isUncertain }) => ageOf(at) <= (isUncertain ? LAG_MS : REMEMBERED_MS),
		);
		return this.created;
	}
}

function keyOf({ baseUrl, owner, name }: Pick<Created<unknown>, 'baseUrl' | 'owner' | 'name'>): string {
	return JSON.stringify([baseUrl, owner, ...name]);
}

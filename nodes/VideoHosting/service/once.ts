import { ageOf, Lock } from '../shared/waiting';
import { serviceCredential, type ServiceContext } from '../transport/credential';
import { mayBeCarriedOut, noteCarriedOut, operationError, toNodeError } from '../transport/errors';
import { cancelSignal } from '../transport/request';
import { comparableName, type Listed } from './record';

/** How long a creation counts although no list shows it, and a deletion although lists show the record; milliseconds. */
const REMEMBERED_MS = 10 * 60 * 1000;

/** When lists show what is new, in milliseconds after its creation. */
const LISTED_AFTER_MS = 30 * 1000;

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
	/** The texts of the error when there was no response. */
	result: { item: Item } | { message: string; description: string };
	/** Milliseconds since 1970. */
	at: number;
}

/** Finds or creates records of one kind, once for all items and executions of this process, and remembers what was created and deleted. */
export class Creations<Item extends Listed> {
	/** Keyed by base URL, owner and name. */
	private readonly created = new Map<string, Created<Item>>();

	/** By the same key. */
	private readonly locks = new Map<string, Lock>();

	private deleted: Array<{ baseUrl: string; isIt: (item: Item) => boolean; at: number }> = [];

	/** @param idOf the hash or UUID that a record contains */
	constructor(private readonly idOf: (item: Item) => string | undefined) {}

	/**
	 * Finds a record or creates it. Calls with the same key are serialized.
	 *
	 * @returns `isNew`: whether this call created it
	 * @throws what `find` and `create` throw; the error of an earlier uncertain creation for {@link LISTED_AFTER_MS}
	 */
	async once(
		context: ServiceContext,
		{ owner, name, find, create }: Wanted<Item>,
	): Promise<{ item: Item; isNew: boolean }> {
		const { baseUrl } = await serviceCredential(context);
		const { created } = this;
		const key = keyOf({ baseUrl, owner, name });
		return await this.inTurn(key, cancelSignal(context), async () => {
			this.dropOld();
			const earlier = created.get(key);
			// From then on a list shows what was created without a response.
			const shownAt = earlier && 'message' in earlier.result ? earlier.at + LISTED_AFTER_MS : 0;
			const listed = await find?.(Math.min(shownAt, Date.now()));
			if (listed) return { item: listed, isNew: false };
			const known = find && created.get(key)?.result;
			if (known && 'item' in known) return { item: known.item, isNew: false };
			if (known && Date.now() < shownAt)
				throw noteCarriedOut(operationError(context, known.message, known.description));
			const remember = (result: Created<Item>['result']) =>
				created.set(key, { baseUrl, owner, name, result, at: Date.now() });
			try {
				const item = await create();
				remember({ item });
				return { item, isNew: true };
			} catch (error) {
				const failure = toNodeError(context, error);
				const { message, description } = failure;
				if (mayBeCarriedOut(failure)) remember({ message, description: description ?? '' });
				throw failure;
			}
		});
	}

	/**
	 * Notes a change of a record: a renamed creation counts under its new name, a deleted record no longer.
	 *
	 * @param oldName if known: a creation without hash and UUID may be the record, unless its name is another one
	 * @param change the new name, if it changes, and the changed record; undefined for a deletion
	 */
	async note(
		context: ServiceContext,
		isIt: (item: Item) => boolean,
		oldName: string | undefined,
		change?: { name?: string; apply: (item: Item) => Item },
	): Promise<void> {
		if (change && change.name === undefined) return;
		const { baseUrl } = await serviceCredential(context);
		if (!change) this.deleted.push({ baseUrl, isIt, at: Date.now() });
		for (const [key, entry] of [...this.created]) {
			const { name, result } = entry;
			if (entry.baseUrl !== baseUrl || !('item' in result)) continue;
			const isIdentified = this.idOf(result.item) !== undefined;
			const hasOldName = oldName === undefined || comparableName(oldName) === name[0];
			if (isIdentified ? !isIt(result.item) : !hasOldName) continue;
			this.created.delete(key);
			if (change?.name === undefined || !isIdentified) continue;
			const next = { ...entry, name: [comparableName(change.name), ...name.slice(1)] };
			this.created.set(keyOf(next), { ...next, result: { item: change.apply(result.item) } });
		}
	}

	/** The listed records that this process has not deleted. Lists may still contain the others. */
	async existing(context: ServiceContext, listed: readonly Item[]): Promise<Item[]> {
		this.dropOld();
		const { baseUrl } = await serviceCredential(context);
		const deleted = this.deleted.filter((each) => each.baseUrl === baseUrl);
		return listed.filter((item) => !deleted.some(({ isIt }) => isIt(item)));
	}

	/** The listed records, and those that this process has created for their owner and that a list need not show yet. */
	async withCreated(context: ServiceContext, owner: string, listed: readonly Item[]): Promise<Item[]> {
		const { baseUrl } = await serviceCredential(context);
		const ids = new Set([undefined, ...listed.map(this.idOf)]);
		const created = [...this.created.values()].filter(
			(each) => each.baseUrl === baseUrl && each.owner === owner && ageOf(each.at) < LISTED_AFTER_MS,
		);
		const items = created.flatMap(({ result }) => ('item' in result ? result.item : []));
		return [...listed, ...items.filter((item) => !ids.has(this.idOf(item)))];
	}

	private async inTurn<T>(
		key: string,
		signal: AbortSignal | undefined,
		action: () => Promise<T>,
	): Promise<T> {
		const lock = this.locks.get(key) ?? new Lock();
		this.locks.set(key, lock);
		const leave = await lock.enter(signal);
		try {
			return await action();
		} finally {
			leave();
			if (lock.isFree) this.locks.delete(key);
		}
	}

	private dropOld(): void {
		for (const [key, entry] of this.created) if (ageOf(entry.at) > REMEMBERED_MS) this.created.delete(key);
		this.deleted = this.deleted.filter((each) => ageOf(each.at) <= REMEMBERED_MS);
	}
}

function keyOf({ baseUrl, owner, name }: Pick<Created<unknown>, 'baseUrl' | 'owner' | 'name'>): string {
	return JSON.stringify([baseUrl, owner, ...name]);
}

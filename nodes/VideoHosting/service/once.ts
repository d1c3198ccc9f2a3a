import { Lock } from '../shared/lock';
import { serviceCredential, type ServiceContext } from '../transport/credential';
import { mayBeCarriedOut, noteCarriedOut, operationError, toNodeError } from '../transport/errors';
import { cancelSignal } from '../transport/request';
import { comparableName } from './record';

/** How long an item of this process counts as listed, in milliseconds. */
const REMEMBERED_MS = 10 * 60 * 1000;

/** How long after its creation a list may miss an item, in milliseconds. */
const LISTED_AFTER_MS = 30 * 1000;

/** An item to find or create. */
interface Wanted<Item> {
	/** The plan of an event, the application of a folder. */
	owner: string;
	/** Unique key within the owner; it begins with the title or name. */
	name: readonly string[];
	/** Looks in a list read after a time, in milliseconds since 1970; without this function, the item is always created. */
	find?: (notBefore: number) => Promise<Item | undefined>;
	create: () => Promise<Item>;
}

interface Created<Item> extends Pick<Wanted<Item>, 'name'> {
	/** The item, or the error's texts when there was no response. */
	result: { item: Item } | { message: string; description: string };
	/** Milliseconds since 1970. */
	at: number;
}

/** Find or create, once for all items and executions of this process. */
export class Creations<Item> {
	/** Keyed by base URL, owner and name. */
	private readonly created = new Map<string, Created<Item>>();

	/** Keyed like `created`. */
	private readonly locks = new Map<string, Lock>();

	/** @param isIdentified whether a record contains its hash or UUID */
	constructor(private readonly isIdentified: (item: Item) => boolean) {}

	/**
	 * Finds or creates an item. Calls with the same key are serialized.
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
		const key = JSON.stringify([baseUrl, owner, ...name]);
		return await this.inTurn(key, cancelSignal(context), async () => {
			this.dropOld();
			const earlier = created.get(key);
			// After this time, lists show what was created without a response.
			const shownAt = earlier && 'message' in earlier.result ? earlier.at + LISTED_AFTER_MS : 0;
			const listed = await find?.(Math.min(shownAt, Date.now()));
			if (listed) return { item: listed, isNew: false };
			const known = find && created.get(key)?.result;
			if (known && 'item' in known) return { item: known.item, isNew: false };
			if (known && Date.now() < shownAt)
				throw noteCarriedOut(operationError(context, known.message, known.description));
			const remember = (result: Created<Item>['result']) =>
				created.set(key, { name, result, at: Date.now() });
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
	 * Forgets a renamed or deleted item, and any item without hash and UUID, which may be the same.
	 *
	 * @param newName undefined for a deletion
	 */
	forget(isIt: (item: Item) => boolean, newName: string | undefined): void {
		for (const [key, { name, result }] of this.created) {
			const keepsName = newName !== undefined && name[0] === comparableName(newName);
			const mayBeIt = 'item' in result && (!this.isIdentified(result.item) || isIt(result.item));
			if (mayBeIt && !keepsName) this.created.delete(key);
		}
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
		// The system's clock may have been set back.
		for (const [key, { at }] of this.created)
			if (Math.abs(Date.now() - at) > REMEMBERED_MS) this.created.delete(key);
	}
}

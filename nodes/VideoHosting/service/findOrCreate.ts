import { ageOf, Lock } from '../shared/waiting';
import type { ServiceContext } from '../transport/credential';
import {
	CHECK_FIRST,
	mayBeCarriedOut,
	noteCarriedOut,
	operationError,
	toNodeError,
} from '../transport/errors';
import { cancelSignal } from '../transport/request';
import { CREATED_KEPT_MS } from './lists';
import { LAG_MS } from './record';

const LOST = 'What an earlier creation of the same name has created is not known yet.';

const locks = new Map<string, Lock>();

/** When the response to a creation was lost, by key; milliseconds since 1970. */
const lost = new Map<string, number>();

/**
 * Finds a record or creates it, one call after the other for the same key in this process.
 *
 * @param key of the account, the plan, and what is to exist once
 * @param find looks in a list that is not older than a time, in milliseconds since 1970. Without this function, the record is created in
 * any case.
 * @returns `isNew`: whether this call created it
 * @throws what `find` and `create` throw; an error for {@link LAG_MS} after a creation without a response, unless `find` finds the record
 */
export async function findOrCreate<Item>(
	context: ServiceContext,
	key: string,
	find: ((notBefore: number) => Promise<Item | undefined>) | undefined,
	create: () => Promise<Item>,
): Promise<{ item: Item; isNew: boolean }> {
	const lock = locks.get(key) ?? new Lock();
	locks.set(key, lock);
	const leave = await lock.enter(cancelSignal(context));
	try {
		const lostAt = lost.get(key);
		// From then on a list shows what was created without a response.
		const shownAt = lostAt === undefined ? 0 : lostAt + LAG_MS;
		const existing = await find?.(Math.min(shownAt, Date.now()));
		if (existing !== undefined) return { item: existing, isNew: false };
		if (find && lostAt !== undefined && ageOf(lostAt) < LAG_MS)
			throw noteCarriedOut(operationError(context, LOST, CHECK_FIRST));
		try {
			return { item: await create(), isNew: true };
		} catch (error) {
			const failure = toNodeError(context, error);
			if (mayBeCarriedOut(failure)) noteLost(key);
			throw failure;
		}
	} finally {
		leave();
		if (lock.isFree) locks.delete(key);
	}
}

function noteLost(key: string): void {
	for (const [other, at] of lost) if (ageOf(at) > CREATED_KEPT_MS) lost.delete(other);
	lost.set(key, Date.now());
}

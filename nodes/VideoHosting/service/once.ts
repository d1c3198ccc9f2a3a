import type { IDataObject } from 'n8n-workflow';

import { Lock } from '../shared/lock';
import { serviceCredential, type ServiceContext } from '../transport/credential';
import { mayBeCarriedOut, noteCarriedOut, operationError, toNodeError } from '../transport/errors';
import { cancelSignal } from '../transport/request';
import { comparableName, eventHashOf, folderUuidOf } from './recordFields';

/** How long what this process created counts although no list shows it, in milliseconds. */
const REMEMBERED_MS = 10 * 60 * 1000;

/** How long lists may lack what is new, in milliseconds. */
const LAG_MS = 30 * 1000;

const IDENTITIES = { event: eventHashOf, folder: folderUuidOf };

type CreationKind = keyof typeof IDENTITIES;

/** What is to exist once. */
interface Wanted {
	kind: CreationKind;
	/** The plan of an event, the application of a folder. */
	owner: string;
	/** What no other one of its owner has. */
	name: readonly string[];
	/** Looks for it in a list that is not older than a time; without this function it is created in any case. */
	find?: (notBefore: number) => Promise<IDataObject | undefined>;
	create: () => Promise<IDataObject>;
}

interface Created extends Pick<Wanted, 'kind' | 'name'> {
	/** The texts of the error when there was no response. */
	result: { record: IDataObject } | { message: string; description: string };
	/** Milliseconds since 1970. */
	at: number;
}

/** By what is to exist once. */
const created = new Map<string, Created>();

/** By the same key. */
const locks = new Map<string, Lock>();

/**
 * Finds something or creates it, for all items and executions of this process one after the other.
 *
 * @returns `isNew`: whether this call created it
 * @throws what `find` and `create` throw; the error of a creation that may have been carried out again, until a list would show it
 */
export async function once(
	context: ServiceContext,
	{ kind, owner, name, find, create }: Wanted,
): Promise<{ record: IDataObject; isNew: boolean }> {
	const { baseUrl } = await serviceCredential(context);
	const key = JSON.stringify([baseUrl, kind, owner, ...name]);
	return await inTurn(key, cancelSignal(context), async () => {
		dropOld();
		const earlier = created.get(key);
		// From then on a list shows what was created without a response.
		const shownAt = earlier && 'message' in earlier.result ? earlier.at + LAG_MS : 0;
		const listed = await find?.(Math.min(shownAt, Date.now()));
		if (listed) return { record: listed, isNew: false };
		const known = find && created.get(key)?.result;
		if (known && 'record' in known) return { record: known.record, isNew: false };
		if (known && Date.now() < shownAt)
			throw noteCarriedOut(operationError(context, known.message, known.description));
		const remember = (result: Created['result']) => created.set(key, { kind, name, result, at: Date.now() });
		try {
			const record = await create();
			remember({ record });
			return { record, isNew: true };
		} catch (error) {
			const failure = toNodeError(context, error);
			const { message, description } = failure;
			if (mayBeCarriedOut(failure)) remember({ message, description: description ?? '' });
			throw failure;
		}
	});
}

/**
 * Forgets what this process created, once it is renamed or deleted; what has no identity may be it.
 *
 * @param newName undefined for a deletion
 */
export function forgetCreated(
	changed: CreationKind,
	isIt: (record: IDataObject) => boolean,
	newName: string | undefined,
): void {
	for (const [key, { kind, name, result }] of created) {
		if (newName !== undefined && name[0] === comparableName(newName)) continue;
		const mayBeIt =
			'record' in result && (IDENTITIES[kind](result.record) === undefined || isIt(result.record));
		if (kind === changed && mayBeIt) created.delete(key);
	}
}

async function inTurn<T>(key: string, signal: AbortSignal | undefined, action: () => Promise<T>): Promise<T> {
	const lock = locks.get(key) ?? new Lock();
	locks.set(key, lock);
	const leave = await lock.enter(signal);
	try {
		return await action();
	} finally {
		leave();
		if (lock.isFree) locks.delete(key);
	}
}

function dropOld(): void {
	// The system's clock may have been set back.
	for (const [key, { at }] of created) if (Math.abs(Date.now() - at) > REMEMBERED_MS) created.delete(key);
}

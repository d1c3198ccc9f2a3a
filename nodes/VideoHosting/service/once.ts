import type { IDataObject } from 'n8n-workflow';

import { raceSignal } from '../shared/pause';
import { serviceCredential, type ServiceContext } from '../transport/credential';
import { cancelSignal } from '../transport/request';

/** How long what this process created counts although no list shows it, in milliseconds. */
const REMEMBERED_MS = 10 * 60 * 1000;

type CreationKind = 'event' | 'folder';

/** What is to exist once. */
interface Wanted {
	kind: CreationKind;
	/** The plan of an event, the application of a folder. */
	owner: string;
	/** What no other one of its owner has. */
	name: readonly string[];
	/** Looks for it in a list; without this function it is created in any case. */
	find?: () => Promise<IDataObject | undefined>;
	create: () => Promise<IDataObject>;
}

interface Created {
	group: string;
	record: IDataObject;
	/** Milliseconds since 1970. */
	at: number;
}

const created = new Map<string, Created>();

/** The last action for each key; it never rejects. */
const turns = new Map<string, Promise<void>>();

/**
 * Finds something or creates it, for all items and executions of this process one after the other.
 *
 * @returns `isNew`: whether this call created it
 * @throws what `find` and `create` throw
 */
export async function once(
	context: ServiceContext,
	{ kind, owner, name, find, create }: Wanted,
): Promise<{ record: IDataObject; isNew: boolean }> {
	const { baseUrl } = await serviceCredential(context);
	const key = JSON.stringify([baseUrl, kind, owner, ...name]);
	return await inTurn(key, cancelSignal(context), async () => {
		dropOld();
		const found = find && ((await find()) ?? created.get(key)?.record);
		if (found) return { record: found, isNew: false };
		const record = await create();
		created.set(key, { group: groupOf(baseUrl, kind), record, at: Date.now() });
		return { record, isNew: true };
	});
}

/** Forgets what this process created, once it is changed or deleted. */
export async function forgetCreated(
	context: ServiceContext,
	kind: CreationKind,
	isIt: (record: IDataObject) => boolean,
): Promise<void> {
	const { baseUrl } = await serviceCredential(context);
	for (const [key, { group, record }] of created)
		if (group === groupOf(baseUrl, kind) && isIt(record)) created.delete(key);
}

async function inTurn<T>(key: string, signal: AbortSignal | undefined, action: () => Promise<T>): Promise<T> {
	const before = turns.get(key) ?? Promise.resolve();
	const result = before.then(async () => {
		signal?.throwIfAborted();
		return await action();
	});
	const turn = result
		.then(
			() => {},
			() => {},
		)
		.then(() => {
			if (turns.get(key) === turn) turns.delete(key);
		});
	turns.set(key, turn);
	await raceSignal(before, signal);
	return await result;
}

function groupOf(baseUrl: string, kind: CreationKind): string {
	return JSON.stringify([baseUrl, kind]);
}

function dropOld(): void {
	// The system's clock may have been set back.
	for (const [key, { at }] of created) if (Math.abs(Date.now() - at) > REMEMBERED_MS) created.delete(key);
}

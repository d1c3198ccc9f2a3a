import type { IDataObject } from 'n8n-workflow';

import { raceSignal } from '../shared/pause';
import { serviceCredential, type ServiceContext } from '../transport/credential';
import { mayBeCarriedOut, noteRepeatable, toNodeError } from '../transport/errors';
import { cancelSignal } from '../transport/request';

/** How long something new that no list shows is known, in milliseconds. */
const UNLISTED_MS = 10 * 60 * 1000;

/** What one request has created, perhaps. */
interface Attempt {
	/** With what identifies it; undefined while neither a response nor a list contained that. */
	record?: IDataObject;
	/** There was no response: it may not exist. */
	isUncertain: boolean;
	/** No list showed it before, and nobody was told that it was created. */
	isUnreported: boolean;
	/** In milliseconds since the epoch. */
	at: number;
}

/** What this process knows of something that is to exist once. */
interface Memory {
	/** Those whose creation may still exist, the latest one last. */
	attempts: Attempt[];
	/** When the last response to an attempt came, or its failure; a list that was read before may not show it. */
	triedAt: number;
}

export type CreationKind = 'event' | 'folder';

/** How something is found that is to exist once. */
export interface Lookup {
	/**
	 * Finds it in the list.
	 *
	 * @param since a list that does not show it must have been read after this time, in milliseconds since the epoch
	 * @returns `readAt`: when the list was read
	 */
	findListed(since: number): Promise<{ record: IDataObject; readAt: number } | undefined>;
	/** What identifies a record, if it contains that. */
	identityOf(record: IDataObject): string | undefined;
	/** Whether the service still has under its name what the list does not show. */
	isThere(record: IDataObject): Promise<boolean>;
	/** Creates it by {@link Creation.send}. */
	create(): Promise<IDataObject>;
	/** The error for what was or, when that is uncertain, may have been created, and cannot be found. */
	unlistedError(isUncertain: boolean): Error;
}

/** By base URL and kind, then by these, owner and name. */
const memories = new Map<string, Map<string, Memory>>();

/** The last action of each name. */
const turns = new Map<string, Promise<void>>();

/** Something that is to exist once, such as a folder with a certain name, for all executions of this process. */
export class Creation {
	/** Whether its list was read in this turn and did not show it. */
	private isMissing = false;

	private constructor(
		private readonly context: ServiceContext,
		private readonly siblings: Map<string, Memory>,
		private readonly key: string,
	) {}

	/**
	 * @param owner what it belongs to: the plan ID of an event; nothing for a folder, which belongs to the credential's application
	 * @param name what no other one of its owner has
	 */
	static async of(
		context: ServiceContext,
		kind: CreationKind,
		owner: string | undefined,
		...name: string[]
	): Promise<Creation> {
		const { baseUrl, applicationId } = await serviceCredential(context);
		const key = JSON.stringify([baseUrl, kind, owner ?? applicationId, ...name]);
		const siblings = memoriesOf(baseUrl, kind);
		for (const [each, memory] of siblings) if (isForgotten(memory)) siblings.delete(each);
		return new Creation(context, siblings, key);
	}

	/**
	 * Finds it or creates it when no other execution of this process does the same. What it throws need not be final: a retry looks
	 * for it again.
	 *
	 * @returns `isNew`: whether it was created for this call, or for one that failed before it could tell
	 * @throws what the lookup throws, and its error for what cannot be found
	 */
	async findOrCreate(lookup: Lookup): Promise<{ record: IDataObject; isNew: boolean }> {
		const found = this.inTurn(async () => {
			const listed = await lookup.findListed(this.memory().triedAt);
			if (listed) return { record: listed.record, isNew: this.noteFound(listed, lookup) };
			for (const attempt of this.memory().attempts.toReversed()) {
				if (!attempt.record) continue;
				if (await lookup.isThere(attempt.record)) return { record: attempt.record, isNew: false };
				const memory = this.memory();
				memory.attempts = memory.attempts.filter((each) => each !== attempt);
			}
			const unlisted = this.memory().attempts.at(-1);
			if (unlisted) throw lookup.unlistedError(unlisted.isUncertain);
			this.isMissing = true;
			const record = await lookup.create();
			this.noteFound({ record, readAt: Date.now() }, lookup);
			return { record, isNew: true };
		});
		return await found.catch((error: unknown) => {
			throw noteRepeatable(toNodeError(this.context, error));
		});
	}

	/**
	 * Notes that it is there, and returns whether nobody was told before that it was created.
	 *
	 * @param found `readAt`: when that was seen, in milliseconds since the epoch; it is no later attempt
	 */
	noteFound(found: { record: IDataObject; readAt: number }, lookup: Pick<Lookup, 'identityOf'>): boolean {
		const memory = this.memory();
		const identity = lookup.identityOf(found.record);
		const attempt =
			memory.attempts.find(({ record }) => record && lookup.identityOf(record) === identity) ??
			memory.attempts.find(({ record, at }) => !record && at <= found.readAt);
		const record = identity === undefined ? attempt?.record : found.record;
		const isThere = { record, isUncertain: false, isUnreported: false };
		if (!attempt) {
			// It replaces what was created, unless it may be an older one of the name.
			if (record && memory.attempts.length > 0 && memory.attempts.every((each) => each.record))
				memory.attempts.push({ ...isThere, at: Date.now() });
			return false;
		}
		const isNew = attempt.isUnreported;
		Object.assign(attempt, isThere);
		// Where a later one shows, those before it show, too, or are not there.
		const first = memory.attempts.indexOf(attempt);
		memory.attempts = memory.attempts.filter((each, place) => each.record || place >= first);
		return isNew;
	}

	/** Runs an action when no other execution of this process does the same for it. */
	async inTurn<T>(action: () => Promise<T>): Promise<T> {
		const { key } = this;
		const before = turns.get(key) ?? Promise.resolve();
		let leave = () => {};
		const left = new Promise<void>((resolve) => {
			leave = resolve;
		});
		const turn = before.then(async () => {
			await left;
		});
		turns.set(key, turn);
		try {
			await raceSignal(before, cancelSignal(this.context));
			return await action();
		} finally {
			leave();
			void turn.then(() => {
				if (turns.get(key) === turn) turns.delete(key);
			});
		}
	}

	/**
	 * Sends the request that creates it, and remembers what has come of it.
	 *
	 * @param recordIn the record in a response, if that contains what identifies it
	 */
	async send<T>(request: () => Promise<T>, recordIn: (response: T) => IDataObject | undefined): Promise<T> {
		try {
			const response = await request();
			this.remember({ record: recordIn(response), isUncertain: false });
			return response;
		} catch (error) {
			if (mayBeCarriedOut(error)) this.remember({ isUncertain: true });
			// Nothing was created, but whoever has read the list before reads it again.
			else this.memory().triedAt = Date.now();
			throw toNodeError(this.context, error);
		}
	}

	private remember(attempt: Pick<Attempt, 'record' | 'isUncertain'>): void {
		const memory = this.memory();
		memory.triedAt = Date.now();
		memory.attempts.push({
			...attempt,
			isUnreported: this.isMissing && !attempt.record,
			at: memory.triedAt,
		});
	}

	private memory(): Memory {
		const known = this.siblings.get(this.key);
		// What is not known any more may have been created since.
		const memory = known && !isForgotten(known) ? known : { attempts: [], triedAt: Date.now() - UNLISTED_MS };
		memory.attempts = memory.attempts.filter(({ at }) => !isOld(at));
		this.siblings.set(this.key, memory);
		return memory;
	}
}

/** Also after the system's clock was set back. */
function isOld(at: number): boolean {
	return Math.abs(Date.now() - at) > UNLISTED_MS;
}

function isForgotten({ attempts, triedAt }: Memory): boolean {
	return isOld(triedAt) && attempts.every(({ at }) => isOld(at));
}

function memoriesOf(baseUrl: string, kind: CreationKind): Map<string, Memory> {
	const key = JSON.stringify([baseUrl, kind]);
	const known = memories.get(key) ?? new Map<string, Memory>();
	memories.set(key, known);
	return known;
}

/**
 * Forgets what this process has created once it is renamed or deleted.
 *
 * @param isIt recognizes its record; what has none stays, since it may be another one of the same name
 */
export async function forgetCreated(
	context: ServiceContext,
	kind: CreationKind,
	isIt: (record: IDataObject) => boolean,
): Promise<void> {
	const { baseUrl } = await serviceCredential(context);
	for (const memory of memoriesOf(baseUrl, kind).values()) {
		memory.attempts = memory.attempts.filter(({ record }) => !(record && isIt(record)));
	}
}

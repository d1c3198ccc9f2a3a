import type { IDataObject } from 'n8n-workflow';

import { raceSignal } from '../shared/pause';
import { serviceCredential, type ServiceContext } from '../transport/credential';
import { mayBeCarriedOut, noteRepeatable, toNodeError } from '../transport/errors';
import { cancelSignal } from '../transport/request';

/** How long something new that no list shows is known, in milliseconds. */
const UNLISTED_MS = 10 * 60 * 1000;

/** What this process has created, perhaps, a short time ago. */
interface Created {
	/** With what identifies it; undefined when neither a response nor a list contained that. */
	record?: IDataObject;
	/** Whether the record is of one that was created before the last one. */
	isEarlier: boolean;
	/** Of the last one. `uncertain`: there was no response, so that it may not exist. */
	status: 'created' | 'uncertain' | 'rejected';
	/** Whether no list showed it before, and nobody was told that it was created. */
	isUnreported: boolean;
	/** When it was created, in milliseconds since the epoch. */
	at: number;
	/** When the last response came, or its failure. */
	triedAt: number;
}

/** Events of one plan or, without a plan ID, of all; folders of the credential's application. */
export type CreationScope = { kind: 'event'; planId?: string } | { kind: 'folder' };

/** How something is found that is to exist once. */
export interface Lookup {
	/**
	 * Finds it in the list.
	 *
	 * @param since the list must have been read at this time or later, in milliseconds since the epoch
	 */
	findListed(since: number): Promise<IDataObject | undefined>;
	/** Whether a record contains what identifies it. */
	isIdentified(record: IDataObject): boolean;
	/** Whether the service still has under its name what the list does not show. */
	isThere(record: IDataObject): Promise<boolean>;
	/** Creates it by {@link Creation.send}. */
	create(): Promise<IDataObject>;
	/** The error for what was or, when that is uncertain, may have been created, and cannot be found. */
	unlistedError(isUncertain: boolean): Error;
}

/** Base URL, kind, and plan or application. */
const SCOPE_PARTS = 3;

/** By scope and name. */
const created = new Map<string, Created>();

/** The last action of each scope and name. */
const turns = new Map<string, Promise<void>>();

/** Something that is to exist once, such as a folder with a certain name, for all executions of this process. */
export class Creation {
	/** Whether its list was read in this turn and did not show it. */
	private isMissing = false;

	private constructor(
		private readonly context: ServiceContext,
		private readonly key: string,
	) {}

	/** @param name what no other one of its scope has */
	static async of(context: ServiceContext, scope: CreationScope, ...name: string[]): Promise<Creation> {
		return new Creation(context, JSON.stringify([...(await partsOf(context, scope)), ...name]));
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
			const known = recent().get(this.key);
			// What is not known any more may have been created since.
			const listed = await lookup.findListed(known?.triedAt ?? Date.now() - UNLISTED_MS);
			if (listed && known) {
				const record = lookup.isIdentified(listed) ? listed : known.record;
				created.set(this.key, { ...known, record, isEarlier: false, status: 'created', isUnreported: false });
			}
			if (listed) return { record: listed, isNew: known?.isUnreported === true };
			if (known?.record && (await lookup.isThere(known.record)))
				return { record: known.record, isNew: false };
			if (known?.record) forgetRecord(this.key, known);
			const left = created.get(this.key);
			if (left && left.status !== 'rejected') throw lookup.unlistedError(left.status === 'uncertain');
			this.isMissing = true;
			return { record: await lookup.create(), isNew: true };
		});
		return await found.catch((error: unknown) => {
			throw noteRepeatable(toNodeError(this.context, error));
		});
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
			this.remember(recordIn(response), 'created');
			return response;
		} catch (error) {
			if (mayBeCarriedOut(error)) this.remember(undefined, 'uncertain');
			else this.rememberRejection();
			throw toNodeError(this.context, error);
		}
	}

	/** @param record undefined when it is not known: then an earlier one stays */
	remember(record: IDataObject | undefined, status: 'created' | 'uncertain'): void {
		const earlier = recent().get(this.key)?.record;
		const now = Date.now();
		created.set(this.key, {
			record: record ?? earlier,
			isEarlier: record === undefined && earlier !== undefined,
			status,
			isUnreported: this.isMissing && record === undefined,
			at: now,
			triedAt: now,
		});
	}

	/** Nothing was created. Whoever has read the list before reads it again. */
	private rememberRejection(): void {
		const now = Date.now();
		const nothing = { isEarlier: false, status: 'rejected', isUnreported: false, at: now } as const;
		created.set(this.key, { ...nothing, ...recent().get(this.key), triedAt: now });
	}
}

/** What was created after the one with the record may still exist. */
function forgetRecord(key: string, known: Created): void {
	if (known.isEarlier) created.set(key, { ...known, record: undefined, isEarlier: false });
	else created.delete(key);
}

/** Without what is too old, also after the system's clock was set back. */
function recent(): Map<string, Created> {
	for (const [key, { at }] of created) if (Math.abs(Date.now() - at) > UNLISTED_MS) created.delete(key);
	return created;
}

async function partsOf(context: ServiceContext, scope: CreationScope): Promise<string[]> {
	const { baseUrl, applicationId } = await serviceCredential(context);
	const owner = scope.kind === 'folder' ? applicationId : scope.planId;
	return [baseUrl, scope.kind, ...(owner === undefined ? [] : [owner])];
}

/**
 * Forgets what this process has created once it is renamed or deleted.
 *
 * @param isIt recognizes its record
 * @param name that it had, as far as that is known: what has no record is recognized by it
 */
export async function forgetCreated(
	context: ServiceContext,
	scope: CreationScope,
	isIt: (record: IDataObject) => boolean,
	name: string[],
): Promise<void> {
	const scopeParts = await partsOf(context, scope);
	for (const [key, known] of created) {
		// Written by Creation.of().
		const parts = JSON.parse(key) as string[];
		if (!scopeParts.every((part, index) => parts[index] === part)) continue;
		const isNamed = name.length > 0 && name.every((part, index) => parts[SCOPE_PARTS + index] === part);
		if (known.record && isIt(known.record)) forgetRecord(key, known);
		else if (!known.record && known.status === 'created' && isNamed) created.delete(key);
	}
}

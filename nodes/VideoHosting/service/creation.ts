import type { IDataObject } from 'n8n-workflow';

import { raceSignal } from '../shared/pause';
import { serviceCredential, type ServiceContext } from '../transport/credential';
import { mayBeCarriedOut, noteRepeatable, toNodeError } from '../transport/errors';
import { cancelSignal } from '../transport/request';

/** How long something new that no list shows is known, in milliseconds. */
const UNLISTED_MS = 10 * 60 * 1000;

/** What this process has created, perhaps, and no list has shown since. */
interface Created {
	/** With what identifies it; undefined when no response contained that. */
	record?: IDataObject;
	/** Whether there was no response, so that it may not exist. */
	isUncertain: boolean;
	/** In milliseconds since the Unix epoch. */
	at: number;
}

/** By account and identity. */
const created = new Map<string, Created>();

/** The last action of each account and identity. */
const turns = new Map<string, Promise<void>>();

/** Something that is to exist once, such as a folder with a certain name, for all executions of this process. */
export class Creation {
	private constructor(
		private readonly context: ServiceContext,
		private readonly key: string,
	) {}

	/** @param identity what it is, and what no other one has */
	static async of(context: ServiceContext, ...identity: string[]): Promise<Creation> {
		const { baseUrl, applicationId } = await serviceCredential(context);
		return new Creation(context, JSON.stringify([baseUrl, applicationId, ...identity]));
	}

	/** What this process has created a short time ago, or may have. */
	get known(): Created | undefined {
		return recent().get(this.key);
	}

	/**
	 * Finds it or creates it when no other execution of this process does the same. What it throws need not be final: a retry looks
	 * for it again.
	 */
	async findOrCreate<T>(action: () => Promise<T>): Promise<T> {
		return await this.inTurn(action).catch((error: unknown) => {
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
	 * Sends the request that creates it, and remembers it unless the service has rejected the request.
	 *
	 * @param recordIn the record in a response, if that contains what identifies it
	 */
	async send<T>(request: () => Promise<T>, recordIn: (response: T) => IDataObject | undefined): Promise<T> {
		try {
			const response = await request();
			this.remember({ record: recordIn(response) ?? this.known?.record, isUncertain: false });
			return response;
		} catch (error) {
			if (mayBeCarriedOut(error)) this.remember({ record: this.known?.record, isUncertain: true });
			throw toNodeError(this.context, error);
		}
	}

	remember(now: Pick<Created, 'record' | 'isUncertain'>): void {
		recent().set(this.key, { ...now, at: Date.now() });
	}

	/** From now on the list alone counts, also when it is deleted. */
	forget(): void {
		created.delete(this.key);
	}
}

/** Without what is too old, also after the system's clock was set back. */
function recent(): Map<string, Created> {
	for (const [key, { at }] of created) if (Math.abs(Date.now() - at) > UNLISTED_MS) created.delete(key);
	return created;
}

/** Forgets what this process has created once it is changed or deleted. What has no record may be it. */
export function forgetCreated(isIt: (record: IDataObject) => boolean): void {
	for (const [key, { record, isUncertain }] of created)
		if (record ? isIt(record) : !isUncertain) created.delete(key);
}

import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { serviceCredential } from '../transport/credential';
import type { LedgerEntry, OpenEntry } from './ledgerEntry';
import { storeEntries, storedEntries } from './ledgerStorage';
import { SlotQueue } from './slotQueue';

/** An upload without news for this long is forgotten, in milliseconds: a week. */
export const EXPIRY_MS = 7 * 24 * 60 * 60 * 1000;

/** Most uploads of one application that a process remembers; the oldest go first. */
const MOST_ENTRIES = 1_000;

/** By application. A restart of n8n empties it; tests stand for one by clearing it. */
export const ledgers = new Map<string, Ledger>();

/**
 * All that this process knows of the uploads of one application: the one memory that is asked before anything is sent, resumed,
 * skipped or renamed, and again after each wait. What a restart of n8n must not lose is also in the static data of the workflow,
 * as far as that may be written (ledgerStorage.ts). None of it need be right: before it is used, it is checked against the
 * service's offset and the file's content.
 */
export class Ledger {
	private readonly entries = new Map<string, OpenEntry>();

	/** The line for the upload slot of the application. */
	readonly queue = new SlotQueue();

	/** When the service last created an upload here; the ones left unfinished before do not hold the upload slot. */
	private lastCreated = 0;

	private constructor(readonly application: string) {}

	/** The ledger of the node's application, with what the workflow has stored. */
	static async of(context: IExecuteFunctions): Promise<Ledger> {
		const { baseUrl, applicationId } = await serviceCredential(context);
		const application = createHash('sha256')
			.update(JSON.stringify([baseUrl, applicationId]))
			.digest('hex')
			.slice(0, 32);
		const ledger = ledgers.get(application) ?? new Ledger(application);
		ledgers.set(application, ledger);
		ledger.load(context);
		return ledger;
	}

	find(uploadId: string): OpenEntry | undefined {
		return this.entries.get(uploadId);
	}

	/** Entries for which `matches` returns true, the newest first. */
	all(matches: (entry: OpenEntry) => boolean): OpenEntry[] {
		const isKnown = (entry: OpenEntry) => Date.now() - entry.at < EXPIRY_MS && matches(entry);
		return [...this.entries.values()].filter(isKnown).sort((one, other) => other.at - one.at);
	}

	/** Uploads that nobody works on and that began after the last one that was created: one of them may hold the upload slot. */
	idle(status: 'unfinished' | 'reserved'): OpenEntry[] {
		return this.all((entry) => entry.status === status && !entry.busy && entry.at >= this.lastCreated);
	}

	/**
	 * Records an upload, or what has changed of it, in this process and, where it is of use after a restart, in the workflow.
	 *
	 * @param change has `createdAt` when the service has just created the upload
	 */
	record(
		context: IExecuteFunctions,
		uploadId: string,
		change: Partial<OpenEntry> & Pick<LedgerEntry, 'status'>,
	): OpenEntry {
		const before = this.entries.get(uploadId);
		const workflowId = context.getWorkflow().id;
		if ('createdAt' in change) this.lastCreated = Date.now();
		const entry: OpenEntry = Object.assign(
			before ?? {
				uploadId,
				application: this.application,
				file: { name: '', size: 0 },
				checksums: [],
				isCorrupt: false,
				title: '',
			},
			{ at: Date.now(), workflowId },
			change,
		);
		// The newest last, so that the oldest are dropped first.
		this.entries.delete(uploadId);
		this.entries.set(uploadId, entry);
		for (const [oldest, { busy }] of this.entries)
			if (this.entries.size > MOST_ENTRIES && !busy) this.entries.delete(oldest);
		const isOwn = (other: OpenEntry) => other.workflowId === workflowId;
		if (change.status !== 'sending') storeEntries(context, this.application, this.all(isOwn));
		return entry;
	}

	private load(context: IExecuteFunctions): void {
		for (const stored of storedEntries(context)) {
			if (stored.application !== this.application || this.entries.has(stored.uploadId)) continue;
			const workflowId = context.getWorkflow().id;
			if (Date.now() - stored.at < EXPIRY_MS) this.entries.set(stored.uploadId, { ...stored, workflowId });
		}
	}
}

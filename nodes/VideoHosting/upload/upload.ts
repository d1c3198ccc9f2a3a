import type { IExecuteFunctions } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { formatBytes } from '../shared/formatBytes';
import { RangeReader } from '../sources/rangeReader';
import { ContentMismatchError, TransferError, WrongSizeError } from '../sources/transferErrors';
import { cancelSignal } from '../transport/request';
import { findExistingVideo, LISTED_WITHIN_MS } from './existingVideo';
import { UploadIdentity } from './identity';
import { Ledger } from './ledger';
import { claim, type OpenEntry } from './ledgerEntry';
import { markedName } from './videoMatch';
import { NewVideos } from './newVideo';
import { UploadRecovery } from './retry';
import { UploadSlot } from './slot';
import { Transfer, type TransferParts } from './transfer';
import {
	interruptedError,
	newState,
	type ExistingVideo,
	type UploadJob,
	type UploadState,
} from './uploadJob';
import { UploadLog } from './uploadLog';

/** What an upload has come to. */
export type UploadResult =
	/** The service has the whole file. `entry` is claimed until {@link release} is called for it. */
	| { kind: 'complete'; state: UploadState; entry: OpenEntry }
	/** The file need not be sent. */
	| { kind: 'exists'; state: UploadState; existing: ExistingVideo };

/**
 * Uploads a file, unless it need not be: another item or execution may have uploaded it meanwhile. After an interruption it
 * requests the service's offset and resumes there, so no acknowledged byte is sent twice.
 *
 * @throws UploadInterruptedError with the reason and how far it got
 */
export async function uploadFile(context: IExecuteFunctions, job: UploadJob): Promise<UploadResult> {
	const upload = new Upload(context, job, await Ledger.of(context));
	try {
		return await upload.run();
	} catch (error) {
		upload.leave(error);
		throw interruptedError(error, upload.state);
	}
}

/** One upload from the question whether it is needed to its last byte. */
class Upload implements TransferParts {
	readonly state: UploadState;

	private hasBegun = false;

	private hasStartedOver = false;

	readonly reader: RangeReader;

	readonly slot: UploadSlot;

	readonly identity: UploadIdentity;

	readonly log: UploadLog;

	private readonly transfer: Transfer;

	private readonly recovery: UploadRecovery;

	constructor(
		private readonly context: IExecuteFunctions,
		readonly job: UploadJob,
		readonly ledger: Ledger,
	) {
		this.state = newState(job.uploadId);
		const { idleTimeoutMs, source } = job;
		this.reader = new RangeReader(source, { idleTimeoutMs, cancelled: cancelSignal(context) });
		this.log = new UploadLog(context, job.file, this.state);
		this.slot = new UploadSlot(context, ledger, job.maxWaitMs, this.state);
		this.identity = new UploadIdentity(context, job, this.reader, ledger);
		this.transfer = new Transfer(context, this);
		this.recovery = new UploadRecovery(context, this);
	}

	async run(): Promise<UploadResult> {
		cancelSignal(this.context)?.throwIfAborted();
		try {
			const early = await this.existing();
			if (early && early !== 'busy') return early;
			await this.slot.acquire(this.job.uploadId !== undefined || this.identity.candidate() !== undefined);
			for (;;) {
				// What was seen before a wait may have changed meanwhile.
				const hasWaited = early === 'busy' || this.state.waitedMs > 0;
				const existing = hasWaited ? await this.existing(this.slot) : undefined;
				if (existing && existing !== 'busy') return existing;
				if (await this.send()) return this.completed();
			}
		} finally {
			this.reader.close();
			this.slot.release();
		}
	}

	/** Records the upload that ends unfinished, so that it can be resumed, and is known if it holds the slot. */
	leave(error: unknown): void {
		const { job, log, state, transfer } = this;
		// Without a new upload, the one that the service reported as unknown is the only one to resume.
		if (state.uploadId === undefined) {
			state.uploadId = state.lost?.uploadId;
			state.offset = state.lost?.offset ?? state.offset;
		} else if (!transfer.verified.has(state.uploadId) && state.uploadId !== job.uploadId) {
			state.ending ??= 'unverified';
		}
		log.write(`ends unfinished at ${state.offset} of ${job.file.size} bytes: ${errorMessage(error)}`);
		if (error instanceof WrongSizeError && transfer.isTakenOn) state.ending = 'corrupt';
		const status = state.ending === 'unknown' ? 'lost' : 'unfinished';
		transfer.leave(status, state.ending === 'corrupt');
	}

	/**
	 * Asks the ledger and the service's list whether the file need not be sent.
	 *
	 * @param slot when it is held: what others work on is waited for, so that its end decides
	 * @returns `busy` without a slot, when that is not decided yet
	 */
	private async existing(slot?: UploadSlot): Promise<UploadResult | 'busy' | undefined> {
		const { context, identity, job, state } = this;
		const { planId, skipIfExists } = job;
		const complete = await identity.completed();
		if (complete) {
			claim(complete);
			Object.assign(state, { uploadId: complete.uploadId, offset: job.file.size });
			return { kind: 'complete', state, entry: complete };
		}
		for (;;) {
			if (!skipIfExists || planId === undefined) return undefined;
			const existing = await findExistingVideo(context, planId, job);
			const busy = existing && 'entry' in existing ? existing.entry.busy : undefined;
			if (existing && !busy) return { kind: 'exists', state, existing };
			if (!busy || !slot) return busy && 'busy';
			await slot.waitFor(busy);
		}
	}

	/** @returns false after a wait, when it has to be asked again whether the upload is needed */
	private async send(): Promise<boolean> {
		const { identity, job, log, reader, recovery, state, transfer } = this;
		transfer.choose(job.uploadId ?? state.uploadId ?? identity.candidate()?.uploadId);
		// Once, however often it waits.
		if (!this.hasBegun)
			log.write(`${state.uploadId === undefined ? 'starts' : 'is continued'}: ${formatBytes(job.file.size)}`);
		this.hasBegun = true;
		for (;;) {
			let failure = await failureOf(transfer.run());
			if (!failure) return true;
			reader.close();
			if (this.leavesFor(failure)) continue;
			const next = await recovery.recover(failure);
			if (next === 'waited' && state.uploadId === undefined) return false;
			if (next === 'again' || next === 'waited') continue;
			if (next === 'unknown') {
				if (transfer.entry?.sent === 'accepted' || (await this.isListed())) {
					// All of it is there: of this file, or of another one with its name and size.
					failure = await failureOf(identity.check(state.uploadId ?? '', job.file.size));
					if (!failure) return true;
				}
				if (this.leavesFor(failure)) continue;
				this.checkNotPending();
				if (this.startOver()) continue;
				state.ending = 'unknown';
			}
			const { lost, slotHolder } = state;
			if (lost && slotHolder?.entry.uploadId === lost.uploadId) {
				log.write('is known to the service again, so it is resumed');
				Object.assign(state, { lost: undefined, slotHolder: undefined });
				transfer.choose(lost.uploadId);
				state.offset = lost.offset;
				continue;
			}
			await transfer.refreshOffset();
			throw failure;
		}
	}

	private completed(): UploadResult {
		const { job, log, state, transfer } = this;
		state.offset = job.file.size;
		log.write(`is complete: ${formatBytes(job.file.size)}, resumed ${state.resumes} times`);
		return { kind: 'complete', state, entry: transfer.complete() };
	}

	/** Whether an upload is left because it is another file's, so that the next one is chosen. */
	private leavesFor(error: unknown): boolean {
		const { identity, log, state, transfer } = this;
		const { uploadId } = state;
		if (!(error instanceof ContentMismatchError) || uploadId === undefined) return false;
		log.write(`is not continued: ${error.reason}`);
		if (error.isCorrupt) state.ending = 'corrupt';
		const { isOwn } = transfer;
		transfer.leave('unfinished', error.isCorrupt);
		const next = identity.reject(uploadId, error, isOwn);
		state.ending = undefined;
		state.abandoned.push({ uploadId, reason: error.reason });
		this.replaceBy(next?.uploadId);
		return true;
	}

	/** Once, and never in place of an upload that the user named. */
	private startOver(): boolean {
		const { identity, job, log, state, transfer } = this;
		const { uploadId, offset } = state;
		if (uploadId === undefined || job.uploadId !== undefined || this.hasStartedOver) return false;
		log.write('is unknown to the service, so it starts over');
		this.hasStartedOver = true;
		state.lost = { uploadId, offset, isAllSent: transfer.entry?.sent !== undefined };
		transfer.leave('unfinished');
		identity.exclude(uploadId);
		this.replaceBy(undefined);
		return true;
	}

	/** Another upload takes the place of the present one. */
	private replaceBy(uploadId: string | undefined): void {
		this.state.offset = 0;
		this.recovery.startOver();
		this.transfer.choose(uploadId);
	}

	/**
	 * A video with a mark shows later whether the service had all bytes: until then the file is not sent again.
	 *
	 * @throws TransferError while its video may still be listed
	 */
	private checkNotPending(): void {
		const { at = 0, file, mark, sent } = this.transfer.entry ?? {};
		if (!sent || !file || mark === undefined || Date.now() - at >= LISTED_WITHIN_MS) return;
		const name = markedName(file.name, mark);
		this.state.ending = 'pending';
		throw new TransferError(
			`All bytes were sent, but the service no longer knows the upload and does not list its video "${name}" yet`,
		);
	}

	/** Whether the service lists the video of an upload that it no longer knows: its last response was lost. */
	private async isListed(): Promise<boolean> {
		const { context, job, transfer } = this;
		const { entry } = transfer;
		if (!entry?.sent || job.planId === undefined) return false;
		const videos = await NewVideos.of(context, job.planId);
		return (await videos.find(entry, { isProof: true })).video !== undefined;
	}
}

/** @returns what the promise is rejected with; undefined when it is not */
async function failureOf(promise: Promise<void>): Promise<Error | undefined> {
	return await promise.then(
		() => undefined,
		(error: unknown) => (error instanceof Error ? error : new Error(errorMessage(error))),
	);
}

import type { IExecuteFunctions } from 'n8n-workflow';

import { serviceCredential } from '../service/credential';
import { growingPause, pause } from '../service/pause';
import { requestOnce, cancelSignal } from '../service/request';
import { decide } from './recovery/decision';
import { retryPolicy } from './recovery/retryPolicy';
import { acquireUploadSlot } from './recovery/uploadSlot';
import { RangeReader } from './source/rangeReader';
import { createTusUpload, type TusTransfer } from './tus/tusUpload';
import { fingerprintOf, rememberedSize, UnfinishedUploads } from './recovery/unfinishedUploads';
import { extractUploadId } from './tus/uploadUrl';
import { WrongSizeError } from './recovery/wrongSizeError';
import { UploadInterruptedError } from './recovery/uploadInterruptedError';
import type { UploadFigures, UploadJob } from './uploadJob';
import { uploadOffsetOf, fileMismatchError, stateRequest, type UploadFile } from './tus/uploadRequests';

/**
 * Brings a file to the service, whatever comes in between: after any interruption it asks the service for its offset and
 * goes on from there, so nothing that was acknowledged is sent twice.
 *
 * @throws UploadInterrupted with what happened and the figures
 */
export async function uploadFile(context: IExecuteFunctions, job: UploadJob): Promise<UploadFigures> {
	const upload = new Upload(context, job);
	try {
		await upload.run();
		return upload.figures;
	} catch (error) {
		const { uploadId } = upload.figures;
		if (error instanceof WrongSizeError && uploadId !== undefined) upload.unfinished.forget(uploadId);
		else upload.unfinished.persist();
		throw interruptedError(error, upload);
	}
}

function interruptedError(error: unknown, { figures, signal }: Upload): UploadInterruptedError {
	return new UploadInterruptedError(error, figures, signal?.aborted === true);
}

class Upload {
	readonly figures: UploadFigures;

	readonly signal: AbortSignal | undefined;

	readonly unfinished: UnfinishedUploads;

	private readonly reader: RangeReader;

	private readonly file: UploadFile;

	/** Tries since the service's offset last moved, the present one included. */
	private tries = 0;

	/** The service's offset at the last fault, in bytes. */
	private offsetAtLastError = 0;

	/** What `bytesSent` was when the service last said its offset. */
	private sentAtOffset = 0;

	private slotTries = 0;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly job: UploadJob,
	) {
		const { source, fileName, folder, uploadId } = job;
		this.file = { fileName, folder, size: source.size };
		this.reader = new RangeReader(source);
		this.unfinished = new UnfinishedUploads(context);
		this.signal = cancelSignal(context);
		this.figures = {
			uploadId,
			offset: 0,
			bytesSent: 0,
			resumes: 0,
			waitedMs: 0,
			forgottenUploadId: undefined,
		};
	}

	async run(): Promise<void> {
		this.signal?.throwIfAborted();
		await this.checkSize();
		const { baseUrl, applicationId } = await serviceCredential(this.context);
		const asked = Date.now();
		const giveSlotBack = await acquireUploadSlot(
			`${applicationId} ${baseUrl}`,
			this.job.maxWaitMs,
			this.signal,
		);
		this.figures.waitedMs = Date.now() - asked;
		try {
			await this.transfer();
		} finally {
			this.reader.close();
			giveSlotBack();
		}
	}

	/** The service need not say what size an upload was created with; the workflow may remember it. */
	private async checkSize(): Promise<void> {
		const { context, job, file } = this;
		if (job.uploadId === undefined) return;
		const size = await rememberedSize(context, job.uploadId);
		if (size === undefined || size === file.size) return;
		throw fileMismatchError(context, `is for a file of ${size} bytes`, file.size, job.itemIndex);
	}

	private async transfer(): Promise<void> {
		const fingerprint = await fingerprintOf(this.context, this.file, this.job.source.version);
		if (this.figures.uploadId === undefined && this.job.resumeUnfinished) {
			const [remembered] = await this.unfinished.findUploadsByFingerprint(fingerprint);
			this.figures.uploadId = extractUploadId(remembered?.uploadUrl ?? undefined);
		}
		let tus = await this.createTransfer(fingerprint);
		for (;;) {
			const fault = await this.attempt(tus);
			if (fault === undefined) {
				if (this.figures.uploadId !== undefined) this.unfinished.forget(this.figures.uploadId);
				return;
			}
			if (await this.recover(fault.reason)) continue;
			await this.unfinished.removeUpload(fingerprint);
			tus = await this.createTransfer(fingerprint);
		}
	}

	private async createTransfer(fingerprint: string): Promise<TusTransfer> {
		const { figures, job, context, file } = this;
		this.log(figures.uploadId === undefined ? 'starts' : 'is taken up');
		return await createTusUpload(
			this.reader,
			{
				context,
				itemIndex: job.itemIndex,
				file,
				fingerprint,
				unfinished: this.unfinished,
				idleTimeoutMs: job.idleTimeoutMs,
				maxRequestBytes: job.maxRequestBytes,
				onUploadKnown: (uploadId) => {
					if (figures.uploadId !== undefined && figures.offset + figures.bytesSent > 0) figures.resumes++;
					figures.uploadId = uploadId;
				},
				onOffset: (offset) => {
					figures.offset = offset;
					this.sentAtOffset = figures.bytesSent;
				},
				onSent: (bytes) => (figures.bytesSent += bytes),
				onProgress: job.onProgress,
			},
			figures.uploadId,
		);
	}

	/** @returns the fault that ended the attempt; undefined when the upload is complete */
	private async attempt(tus: TusTransfer): Promise<{ reason: unknown } | undefined> {
		try {
			await tus.run();
			this.figures.offset = this.file.size;
			this.log('is complete');
			return undefined;
		} catch (error) {
			this.reader.close();
			return { reason: error };
		}
	}

	/**
	 * Waits as long as the fault asks for.
	 *
	 * @returns true to go on with the same upload, false to start over with a new one
	 * @throws the fault when nothing more can be done
	 */
	private async recover(fault: unknown): Promise<boolean> {
		const { figures, job } = this;
		this.signal?.throwIfAborted();
		this.tries = figures.offset > this.offsetAtLastError ? 1 : this.tries + 1;
		this.offsetAtLastError = figures.offset;
		const decision = decide(fault, { tries: this.tries, isCreated: figures.uploadId !== undefined });

		if (decision.kind === 'waitForSlot' && figures.waitedMs < job.maxWaitMs) {
			this.tries--;
			await this.waitForSlot(decision.retryAfterMs);
			return true;
		}
		if (decision.kind === 'tryAgain' && this.tries < retryPolicy.tries) {
			const { firstMs, longestMs } = retryPolicy.faultPause;
			// A service may ask for hours: what the user allows as a wait for the slot is allowed here as well.
			const askedMs = Math.min(decision.retryAfterMs, job.maxWaitMs);
			const pauseMs = Math.max(growingPause(this.tries, firstMs, longestMs), askedMs);
			this.log(`was interrupted and goes on in ${pauseMs} ms: ${messageOf(fault)}`);
			await pause(pauseMs, this.signal);
			return true;
		}
		const mayStartOver = job.uploadId === undefined && figures.forgottenUploadId === undefined;
		if (decision.kind === 'startOver' && mayStartOver) {
			this.log('is unknown to the service, so it starts over');
			figures.forgottenUploadId = figures.uploadId;
			figures.uploadId = undefined;
			figures.offset = this.offsetAtLastError = this.tries = 0;
			return false;
		}
		await this.refreshOffset();
		throw fault;
	}

	/** The service may have taken more than its last answer said: whoever goes on wants to know. */
	private async refreshOffset(): Promise<void> {
		const { context, figures, job } = this;
		if (figures.uploadId === undefined || figures.bytesSent === this.sentAtOffset) return;
		const request = { ...stateRequest(figures.uploadId, job.itemIndex), timeout: job.idleTimeoutMs };
		const answer = await requestOnce(context, request).catch(() => undefined);
		figures.offset = (answer && uploadOffsetOf(answer)) ?? figures.offset;
	}

	private async waitForSlot(retryAfterMs: number): Promise<void> {
		const { figures, job } = this;
		const { firstMs, longestMs } = retryPolicy.slotPause;
		const pauseMs = Math.max(growingPause(++this.slotTries, firstMs, longestMs), retryAfterMs);
		this.log(`waits ${pauseMs} ms for the upload slot`);
		const from = Date.now();
		await pause(Math.min(pauseMs, job.maxWaitMs - figures.waitedMs), this.signal);
		figures.waitedMs += Math.max(1, Date.now() - from);
	}

	private log(what: string): void {
		const { uploadId, offset } = this.figures;
		this.context.logger.debug(`Video upload ${what}`, { uploadId, offset, size: this.file.size });
	}
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

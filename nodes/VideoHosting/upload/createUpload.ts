import type { IExecuteFunctions } from 'n8n-workflow';

import { requestOnce } from '../transport/request';
import { decide } from './decision';
import { SlotHeldError } from './slotHeldError';
import { leaveUpload, recordCreation } from './slotHolder';
import { UnfinishedUploads } from './unfinishedUploads';
import { UploadSlot } from './uploadSlot';
import { createdUploadId, createRequest, type UploadFile } from './tus/uploadRequests';

/**
 * Creates an upload without sending its file. Waits for the upload slot as an upload does; a create that failed for any
 * other reason is not retried, because the service may have created the upload.
 *
 * @param patience `maxWaitMs` is how long to wait for the slot, in milliseconds
 * @returns the ID of the upload
 * @throws SlotHeldError when waiting for the slot is of no use; what requestOnce() throws
 */
export async function createUpload(
	context: IExecuteFunctions,
	file: UploadFile,
	{ maxWaitMs, itemIndex }: { maxWaitMs: number; itemIndex: number },
): Promise<string> {
	const slot = await UploadSlot.acquire(context, { maxWaitMs, itemIndex });
	try {
		const uploadId = await createInSlot(context, file, slot, itemIndex);
		recordCreation(slot.application);
		// An empty file is complete at once.
		if (file.size > 0) {
			(await UnfinishedUploads.open(context)).remember(file, uploadId);
			leaveUpload(slot.application, { ...file, uploadId, isSpoiled: false });
		}
		return uploadId;
	} finally {
		slot.release();
	}
}

async function createInSlot(
	context: IExecuteFunctions,
	file: UploadFile,
	slot: UploadSlot,
	itemIndex: number,
): Promise<string> {
	for (;;) {
		const outcome = await requestOnce(context, createRequest(file, itemIndex)).catch(
			async (error: unknown) => await waitOrReject(error, slot),
		);
		if (outcome instanceof Error) throw outcome;
		if (outcome !== 'retry') return createdUploadId(context, outcome, itemIndex);
	}
}

/** @returns what to throw, or that the slot may be free now */
async function waitOrReject(error: unknown, slot: UploadSlot): Promise<'retry' | Error> {
	const situation = { tries: 1, isCreated: false, isReachable: true, isLastByteAccepted: false };
	const decision = decide(error, situation);
	if (decision.kind !== 'waitForSlot') return error instanceof Error ? error : new Error(String(error));
	const wait = await slot.waitForService(undefined, decision.retryAfterMs);
	if (wait.kind === 'retry') return 'retry';
	return new SlotHeldError(error, wait.kind === 'held' ? wait.holder : undefined);
}

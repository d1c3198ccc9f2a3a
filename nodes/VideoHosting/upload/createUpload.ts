import type { IExecuteFunctions } from 'n8n-workflow';

import { quoted } from '../parameters/values';
import { isSlotBusy } from '../transport/errors';
import { requestWithRetry, type requestOnce } from '../transport/request';
import { UploadMemory } from './memory';
import { UploadSlot } from './slot';
import { createdUploadId, createRequest, type UploadFile } from './tus/uploadRequests';
import { UploadLog } from './uploadLog';
import { firstName } from './videoNames';

/**
 * Creates an upload without sending its file. Waits for the upload slot.
 *
 * @param maxWaitMs how long to wait for the slot, in milliseconds
 * @returns the ID of the upload
 * @throws NodeApiError or NodeOperationError with the reason; TransferError when the wait was too long
 */
export async function createUpload(
	context: IExecuteFunctions,
	file: UploadFile,
	maxWaitMs: number,
): Promise<string> {
	const memory = await UploadMemory.of(context);
	const log = new UploadLog(context, file, { uploadId: undefined });
	const slot = new UploadSlot(context, memory, { maxWaitMs }, { log, progress: { waitedMs: 0 } });
	const post = async () => await postUpload(context, memory, { file }, requestWithRetry);
	try {
		await slot.enter();
		let uploadId: string | undefined;
		while (uploadId === undefined)
			uploadId = await post().catch(async (error: unknown) => {
				if (isSlotBusy(error) && (await slot.waits(error))) return undefined;
				throw error;
			});
		// Resume compares the size and what an earlier one has sent; the next Upload of the file takes it.
		memory.put({ uploadId, file, title: '', offset: 0, isSent: false, at: 0 });
		return uploadId;
	} finally {
		slot.leave();
	}
}

/**
 * Creates an upload. The log gets its ID, so that Resume can complete it after a crash.
 *
 * @returns the ID of the upload
 * @throws what `send` throws; NodeOperationError when the response has no ID
 */
export async function postUpload(
	context: IExecuteFunctions,
	memory: UploadMemory,
	{ file, mark }: { file: UploadFile; mark?: string },
	send: typeof requestOnce,
): Promise<string> {
	const name = firstName(file.name, mark);
	const uploadId = createdUploadId(context, await send(context, createRequest({ ...file, name })));
	memory.lastCreated = uploadId;
	const log = new UploadLog(context, file, { uploadId });
	log.write(`was created as ${quoted(name)}: Upload → Resume with this ID completes it`);
	return uploadId;
}

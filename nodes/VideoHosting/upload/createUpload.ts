import type { IExecuteFunctions } from 'n8n-workflow';

import { quoted } from '../parameters/values';
import { requestOnce } from '../transport/request';
import { UploadProgress } from './job';
import { newPending, UploadMemory } from './memory';
import { Recovery } from './recovery';
import { UploadSlot } from './slot';
import { createdUploadId, createRequest, type UploadFile } from './tus/uploadRequests';
import { UploadLog } from './uploadLog';
import { firstName } from './videoNames';

/**
 * Creates an upload without sending its file. Waits for the upload slot.
 *
 * @param maxWaitMs how long to wait for the slot, in milliseconds
 * @returns the ID of the upload
 * @throws OperationError with the reason; TransferError when the wait was too long
 */
export async function createUpload(
	context: IExecuteFunctions,
	file: UploadFile,
	maxWaitMs: number,
): Promise<string> {
	const memory = await UploadMemory.of(context);
	const progress = new UploadProgress(undefined);
	const log = new UploadLog(context, file, progress);
	const slot = new UploadSlot(context, memory, { maxWaitMs }, { log, progress });
	const recovery = new Recovery(context, log, slot);
	const attempt = async () => {
		await slot.enter();
		const uploadId = await postUpload(context, { log, progress }, file);
		// What Upload has left no longer has the slot.
		memory.lastCreated = undefined;
		// Resume compares the size and what an earlier one has sent; the next Upload of the file takes it.
		memory.put(newPending({ uploadId, file }));
		return uploadId;
	};
	try {
		for (;;) {
			const uploadId = await attempt().catch(async (error: unknown) => {
				if (!(await recovery.isRetried(error, false))) throw error;
			});
			if (uploadId !== undefined) return uploadId;
		}
	} finally {
		slot.leave();
	}
}

/**
 * Creates an upload. The log gets its ID, so that Resume can complete it after a crash.
 *
 * @returns the ID of the upload
 * @throws ServiceError as {@link requestOnce}; OperationError when the response has no ID
 */
export async function postUpload(
	context: IExecuteFunctions,
	{ log, progress }: { log: UploadLog; progress: UploadProgress },
	file: UploadFile,
	mark?: string,
): Promise<string> {
	const name = firstName(file.name, mark);
	const uploadId = createdUploadId(await requestOnce(context, createRequest({ ...file, name })));
	Object.assign(progress, { uploadId, offset: 0 });
	log.write(`was created as ${quoted(name)}: Upload → Resume with this ID completes it`);
	return uploadId;
}

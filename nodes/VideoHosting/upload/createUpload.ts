import type { IExecuteFunctions } from 'n8n-workflow';

import { requestWithRetry, type requestOnce } from '../transport/request';
import { UploadMemory, type UploadRecord } from './memory';
import { UploadSlot } from './slot';
import { createdUploadId, createRequest, serviceTimeOf, type UploadFile } from './tus/uploadRequests';
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
	const fields = { file, status: 'reserved', isBusy: false } as const;
	try {
		await slot.enter(true);
		for (;;) {
			try {
				return (await postUpload(context, memory, fields, requestWithRetry)).uploadId;
			} catch (error) {
				await slot.waitForService(error);
			}
		}
	} finally {
		slot.leave();
	}
}

/**
 * Creates an upload and remembers it. The log gets its ID, so that Resume can complete it after a crash.
 *
 * @throws what `send` throws; NodeOperationError when the response has no ID
 */
export async function postUpload(
	context: IExecuteFunctions,
	memory: UploadMemory,
	fields: Pick<UploadRecord, 'file' | 'isBusy' | 'mark' | 'status'>,
	send: typeof requestOnce,
): Promise<UploadRecord> {
	const { file, mark } = fields;
	const name = firstName(file.name, mark);
	const response = await send(context, createRequest({ ...file, name }));
	const uploadId = createdUploadId(context, response);
	memory.lastInSlot = memory.add({ ...fields, uploadId, createdAt: serviceTimeOf(response) });
	const log = new UploadLog(context, file, { uploadId });
	log.write(`was created as "${name}": Upload → Resume with this ID completes it`);
	return memory.lastInSlot;
}

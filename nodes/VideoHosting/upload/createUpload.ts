import type { IExecuteFunctions } from 'n8n-workflow';

import { nodeRunOf } from '../shared/nodeRun';
import { requestOnce } from '../transport/request';
import type { ServiceResponse } from '../transport/serviceRequest';
import { Ledger } from './ledger';
import { UploadRecovery } from './retry';
import { UploadSlot } from './slot';
import { createdUploadId, createRequest, serviceTimeOf, type UploadFile } from './tus/uploadRequests';
import { interruptedError, newState } from './uploadJob';
import { UploadLog } from './uploadLog';

/**
 * Creates an upload without sending its file. Waits for the upload slot and repeats the request as an upload does: an upload
 * without bytes is not a video, so that one too many does no harm but to hold the slot until the service drops it.
 *
 * @param maxWaitMs how long to wait for the slot, in milliseconds
 * @returns the ID of the upload
 * @throws UploadInterruptedError with the reason
 */
export async function createUpload(
	context: IExecuteFunctions,
	file: UploadFile,
	maxWaitMs: number,
): Promise<string> {
	const ledger = await Ledger.of(context);
	const state = newState();
	const slot = new UploadSlot(context, ledger, maxWaitMs, state);
	const log = new UploadLog(context, file, state);
	const recovery = new UploadRecovery(context, { job: { maxWaitMs }, state, slot, log });
	try {
		await slot.acquire(false);
		let response: ServiceResponse | undefined;
		while (!response) {
			response = await requestOnce(context, createRequest(file)).catch(async (error: unknown) => {
				const next = await recovery.recover(error);
				if (next === 'again' || next === 'waited') return undefined;
				throw error;
			});
		}
		const uploadId = createdUploadId(context, response);
		const createdAt = serviceTimeOf(response);
		ledger.record(context, uploadId, {
			status: 'reserved',
			file,
			createdAt,
			run: new WeakRef(nodeRunOf(context)),
		});
		return uploadId;
	} catch (error) {
		throw interruptedError(error, state);
	} finally {
		slot.release();
	}
}

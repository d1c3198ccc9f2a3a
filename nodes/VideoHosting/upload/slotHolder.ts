import type { IExecuteFunctions } from 'n8n-workflow';

import { requestOnce } from '../transport/request';
import { stateRequest, uploadOffsetOf } from './tus/uploadRequests';
import { UnfinishedUploads } from './unfinishedUploads';

/** An upload that was left unfinished, so that it may hold the upload slot of its application. */
export interface LeftUpload {
	uploadId: string;
	fileName: string;
	/** Bytes of the whole file. */
	size: number;
	/** Whether the service has bytes that belong to no file, so that nothing can complete it. */
	isSpoiled: boolean;
}

/** A left upload that the service still reports as unfinished. */
export interface SlotHolder extends LeftUpload {
	/** Bytes that the service has. */
	offset: number;
}

/** All are requested at once, so this is also the limit of the whole search. */
const REQUEST_TIMEOUT_MS = 4_000;
/** Uploads that are remembered per application, and requested in search of the holder: the latest ones. */
const MOST_LEFT = 10;

/** The uploads that this process left unfinished, by application, the oldest first. */
const leftUploads = new Map<string, LeftUpload[]>();

/** When the service last created an upload of an application in this process, in milliseconds since 1970. */
const createdAt = new Map<string, number>();

/** Records that the service created an upload: those left unfinished before it do not hold the slot. */
export function recordCreation(application: string): void {
	createdAt.set(application, Date.now());
	leftUploads.delete(application);
}

/** Records an upload that ends unfinished. */
export function leaveUpload(application: string, upload: LeftUpload): void {
	const others = othersOf(application, upload.uploadId);
	leftUploads.set(application, [...others.slice(1 - MOST_LEFT), upload]);
}

/** Removes an upload that is complete or unknown to the service. */
export function forgetLeftUpload(application: string, uploadId: string | undefined): void {
	const others = othersOf(application, uploadId);
	if (others.length > 0) leftUploads.set(application, others);
	else leftUploads.delete(application);
}

function othersOf(application: string, uploadId: string | undefined): LeftUpload[] {
	return (leftUploads.get(application) ?? []).filter((left) => left.uploadId !== uploadId);
}

/**
 * The unfinished upload of this workflow or process that the service has, if there is one. It holds the upload slot, and
 * nobody in this process sends it as long as the caller is at the head of the slot queue.
 *
 * @param exceptId ID of the upload that needs the slot
 */
export async function findSlotHolder(
	context: IExecuteFunctions,
	application: string,
	exceptId: string | undefined,
	itemIndex: number,
): Promise<SlotHolder | undefined> {
	const candidates = [
		...(await rememberedUploads(context, application)),
		...(leftUploads.get(application) ?? []),
	];
	const latest = new Map(candidates.reverse().map((upload) => [upload.uploadId, upload]));
	latest.delete(exceptId ?? '');
	const spoiled = candidates.filter(({ isSpoiled }) => isSpoiled).map(({ uploadId }) => uploadId);
	const found = await Promise.all(
		[...latest.values()].slice(0, MOST_LEFT).map(async (upload) => {
			const request = { ...stateRequest(upload.uploadId, itemIndex), timeout: REQUEST_TIMEOUT_MS };
			// An upload whose state cannot be read is not known to hold the slot.
			const response = await requestOnce(context, request).catch(() => undefined);
			const offset = response && uploadOffsetOf(response);
			if (offset === undefined || offset === upload.size) return undefined;
			return { ...upload, offset, isSpoiled: spoiled.includes(upload.uploadId) || offset > upload.size };
		}),
	);
	return found.find((holder) => holder !== undefined);
}

async function rememberedUploads(context: IExecuteFunctions, application: string): Promise<LeftUpload[]> {
	const since = createdAt.get(application) ?? 0;
	const unfinished = (await UnfinishedUploads.open(context)).all();
	return unfinished.filter(({ leftAt }) => leftAt >= since).reverse();
}

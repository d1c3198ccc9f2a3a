import type { IExecuteFunctions } from 'n8n-workflow';
import type { PreviousUpload, UrlStorage } from 'tus-js-client';

import { serviceCredential } from '../service/credential';
import { isRecord } from '../service/records';
import { uploadAddress, uploadIdIn } from './uploadAddress';
import type { UploadFile } from './uploadRequests';

const FIELD = 'videoHostingUnfinishedUploads';
/** Static data is loaded and saved with the workflow as a whole, so it stays small: the oldest entries go. */
const MOST_REMEMBERED = 50;

/**
 * tus-js-client's URL storage over the workflow's static data, which n8n saves when an execution ends, also when it
 * failed or was cancelled (fact 10a). All nodes of a workflow share it, as they share the service's one upload slot.
 *
 * n8n saves static data as a whole and an execution works on a copy: saving takes back what a polling trigger of the same
 * workflow remembered in the meantime. So an upload is written only when it is left unfinished, see {@link keep}.
 */
export class UnfinishedUploads implements UrlStorage {
	private underWay: [string, PreviousUpload] | undefined;

	constructor(private readonly context: Pick<IExecuteFunctions, 'getWorkflowStaticData'>) {}

	findAllUploads(): Promise<PreviousUpload[]> {
		return Promise.resolve(Object.values(this.read()));
	}

	findUploadsByFingerprint(fingerprint: string): Promise<PreviousUpload[]> {
		const upload = this.read()[fingerprint];
		return Promise.resolve(upload ? [{ ...upload, urlStorageKey: fingerprint }] : []);
	}

	removeUpload(urlStorageKey: string): Promise<void> {
		this.underWay = undefined;
		if (urlStorageKey in this.read()) this.write(this.entriesWithout(urlStorageKey));
		return Promise.resolve();
	}

	/** @returns the key to remove it with */
	addUpload(fingerprint: string, upload: PreviousUpload): Promise<string> {
		this.underWay = [fingerprint, upload];
		return Promise.resolve(fingerprint);
	}

	/** Writes down the upload that was added and not removed since, if there is one. */
	keep(): void {
		if (!this.underWay) return;
		const others = this.entriesWithout(this.underWay[0]).slice(1 - MOST_REMEMBERED);
		this.write([...others, this.underWay]);
	}

	private read(): Record<string, PreviousUpload> {
		const stored = this.context.getWorkflowStaticData('global')[FIELD];
		// Only keep() writes it, with what tus-js-client gave.
		return isRecord(stored) ? (stored as Record<string, PreviousUpload>) : {};
	}

	/** n8n notices assignments at the top level only (fact 12). */
	private write(uploads: Array<[string, PreviousUpload]>): void {
		this.context.getWorkflowStaticData('global')[FIELD] = Object.fromEntries(uploads);
	}

	private entriesWithout(fingerprint: string): Array<[string, PreviousUpload]> {
		return Object.entries(this.read()).filter(([key]) => key !== fingerprint);
	}
}

/** What makes two uploads the same: the application, the gallery, the size, the name, and the source's own version. */
export async function fingerprintOf(
	context: IExecuteFunctions,
	{ fileName, size, folder }: UploadFile,
	version = '',
): Promise<string> {
	const { baseUrl, applicationId } = await serviceCredential(context);
	return JSON.stringify([baseUrl, applicationId, folder ?? null, size, fileName, version]);
}

/** Remembers an upload that was created outside of tus-js-client. */
export async function rememberUpload(
	context: IExecuteFunctions,
	file: UploadFile,
	uploadId: string,
): Promise<void> {
	const { baseUrl } = await serviceCredential(context);
	const fingerprint = await fingerprintOf(context, file);
	const unfinished = new UnfinishedUploads(context);
	await unfinished.addUpload(fingerprint, {
		size: file.size,
		metadata: { filename: file.fileName },
		creationTime: new Date().toString(),
		urlStorageKey: fingerprint,
		uploadUrl: uploadAddress(baseUrl, uploadId),
		parallelUploadUrls: null,
	});
	unfinished.keep();
}

/** The size that a remembered upload was created with, in bytes. */
export async function rememberedSize(
	context: IExecuteFunctions,
	uploadId: string,
): Promise<number | undefined> {
	const uploads = await new UnfinishedUploads(context).findAllUploads();
	return uploads.find(({ uploadUrl }) => uploadIdIn(uploadUrl ?? undefined) === uploadId)?.size ?? undefined;
}

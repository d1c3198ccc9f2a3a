import type { IExecuteFunctions } from 'n8n-workflow';
import type { PreviousUpload, UrlStorage } from 'tus-js-client';

import { serviceCredential } from '../../service/credential';
import { isRecord } from '../../service/responseParsing';
import { uploadUrl, extractUploadId } from '../tus/uploadUrl';
import type { UploadFile } from '../tus/uploadRequests';

const FIELD = 'videoHostingUnfinishedUploads';
/** Static data is loaded and saved with the workflow as a whole, so it stays small: the oldest entries go. */
const MOST_REMEMBERED = 50;

type Uploads = Readonly<Record<string, PreviousUpload>>;

/** The unfinished uploads of each workflow that were left in this process. */
const inProcess = new Map<string, Uploads>();

/**
 * tus-js-client's URL storage over two memories: the workflow's static data, which n8n saves when a production execution
 * succeeded or failed, and this process, because n8n saves nothing after a manual or a cancelled one (workflow-execute.js
 * of n8n-core 2.41.1, processSuccessExecution). All nodes of a workflow share it, as they share the service's one upload slot.
 *
 * n8n saves static data as a whole and an execution works on a copy: saving takes back what a polling trigger of the same
 * workflow remembered in the meantime. So an upload is written only when it is left unfinished, see {@link persist}.
 */
export class UnfinishedUploads implements UrlStorage {
	private current: [string, PreviousUpload] | undefined;

	constructor(private readonly context: Pick<IExecuteFunctions, 'getWorkflow' | 'getWorkflowStaticData'>) {}

	findAllUploads(): Promise<PreviousUpload[]> {
		return Promise.resolve(Object.values(this.all()));
	}

	findUploadsByFingerprint(fingerprint: string): Promise<PreviousUpload[]> {
		const upload = this.all()[fingerprint];
		return Promise.resolve(upload ? [{ ...upload, urlStorageKey: fingerprint }] : []);
	}

	removeUpload(urlStorageKey: string): Promise<void> {
		this.current = undefined;
		this.remove((key) => key === urlStorageKey);
		return Promise.resolve();
	}

	/** @returns the key to remove it with */
	addUpload(fingerprint: string, upload: PreviousUpload): Promise<string> {
		this.current = [fingerprint, upload];
		return Promise.resolve(fingerprint);
	}

	/** Writes down the upload that was added and not removed since, if there is one. */
	persist(): void {
		if (!this.current) return;
		const [fingerprint, upload] = this.current;
		const added = (uploads: Uploads) => {
			const others = Object.entries(uploads).filter(([key]) => key !== fingerprint);
			return Object.fromEntries([...others.slice(1 - MOST_REMEMBERED), [fingerprint, upload]]);
		};
		inProcess.set(this.workflowId(), added(this.processUploads()));
		this.store(added(this.storedUploads()));
	}

	/** Takes a finished upload out, whatever it was remembered as. */
	forget(uploadId: string): void {
		this.current = undefined;
		this.remove((_key, { uploadUrl }) => extractUploadId(uploadUrl ?? undefined) === uploadId);
	}

	private remove(isMeant: (key: string, upload: PreviousUpload) => boolean): void {
		const others = (uploads: Uploads) =>
			Object.fromEntries(Object.entries(uploads).filter(([key, upload]) => !isMeant(key, upload)));
		inProcess.set(this.workflowId(), others(this.processUploads()));
		const stored = this.storedUploads();
		const kept = others(stored);
		if (Object.keys(kept).length < Object.keys(stored).length) this.store(kept);
	}

	/** What this process saw last is newer than an execution's copy of the static data. */
	private all(): Uploads {
		return { ...this.storedUploads(), ...this.processUploads() };
	}

	private processUploads(): Uploads {
		return inProcess.get(this.workflowId()) ?? {};
	}

	private storedUploads(): Uploads {
		const stored = this.context.getWorkflowStaticData('global')[FIELD];
		// Only store() writes it, with what tus-js-client gave.
		return isRecord(stored) ? (stored as Uploads) : {};
	}

	/** n8n notices assignments at the top level only (fact 12). */
	private store(uploads: Uploads): void {
		this.context.getWorkflowStaticData('global')[FIELD] = uploads;
	}

	private workflowId(): string {
		return this.context.getWorkflow().id ?? '';
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
		uploadUrl: uploadUrl(baseUrl, uploadId),
		parallelUploadUrls: null,
	});
	unfinished.persist();
}

/** The size that a remembered upload was created with, in bytes. */
export async function rememberedSize(
	context: IExecuteFunctions,
	uploadId: string,
): Promise<number | undefined> {
	const uploads = await new UnfinishedUploads(context).findAllUploads();
	return (
		uploads.find(({ uploadUrl }) => extractUploadId(uploadUrl ?? undefined) === uploadId)?.size ?? undefined
	);
}

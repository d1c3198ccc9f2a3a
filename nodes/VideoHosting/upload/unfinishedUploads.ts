import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { serviceCredential } from '../transport/credential';
import { isRecord } from '../shared/jsonFields';
import type { UploadFile } from './tus/uploadRequests';
import type { ContentEvidence } from '../sources/contentDigest';
import { mayWriteStaticData } from './staticData';

const FIELD = 'videoHostingUnfinishedUploads';
/** Static data is loaded and saved with the workflow as a whole, so it stays small: the oldest entries go. */
const MOST_REMEMBERED = 50;
/** An upload that was left longer ago is no longer remembered, in milliseconds: a week. */
export const EXPIRY_MS = 7 * 24 * 60 * 60 * 1000;

/** An upload that was left unfinished. JSON, as it is stored in static data. */
export interface UnfinishedUpload {
	uploadId: string;
	/** Hash of the service and the application. */
	application: string;
	/** Hash of application, folder, size and file name. */
	file: string;
	fileName: string;
	/** Bytes. */
	size: number;
	/** When it was left, in milliseconds since 1970. */
	leftAt: number;
	/** What is known of the bytes that were sent; none when none was. */
	evidence: ContentEvidence[];
	/** Whether bytes of two different files were sent, so that no file can complete it. */
	isSpoiled: boolean;
}

/** The unfinished uploads of each workflow that were left in this process, and the IDs of those that were finished in it. */
const inProcess = new Map<string, { left: UnfinishedUpload[]; finished: string[] }>();

/**
 * The uploads that a workflow left unfinished, of one application, in two memories: this process, and the workflow's static
 * data, which survives a restart of n8n. All nodes of a workflow share them, as they share the service's one upload slot.
 *
 * n8n saves static data as a whole from the copy that the execution works on, so it is written only when an upload is left
 * unfinished or a stored one is finished, and only where that loses nothing of another node, see mayWriteStaticData(). Neither
 * memory need be right: what is remembered is checked against the service's offset and the file's content before it is used.
 */
export class UnfinishedUploads {
	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly application: string,
	) {}

	static async open(context: IExecuteFunctions): Promise<UnfinishedUploads> {
		const { baseUrl, applicationId } = await serviceCredential(context);
		return new UnfinishedUploads(context, hash([baseUrl, applicationId]));
	}

	/** @returns those left last first */
	all(): UnfinishedUpload[] {
		const { left, finished } = this.ofProcess();
		const known = new Map<string, UnfinishedUpload>();
		for (const upload of newestFirst([...left, ...storedUploads(this.context)])) {
			const isMeant = upload.application === this.application && !finished.includes(upload.uploadId);
			if (isMeant && !known.has(upload.uploadId)) known.set(upload.uploadId, upload);
		}
		return [...known.values()];
	}

	/** Uploads of a file of this name, size and folder, those left last first. */
	ofFile(file: UploadFile): UnfinishedUpload[] {
		const wanted = this.hashOf(file);
		return this.all().filter((upload) => upload.file === wanted);
	}

	/** An upload by its ID, also one that another workflow left in this process: an ID is valid in all of them. */
	find(uploadId: string): UnfinishedUpload | undefined {
		const isMeant = (upload: UnfinishedUpload) =>
			upload.uploadId === uploadId && upload.application === this.application;
		const elsewhere = () => [...inProcess.values()].flatMap(({ left }) => left).filter(isRecent);
		return this.all().find(isMeant) ?? newestFirst(elsewhere()).find(isMeant);
	}

	/** @param evidence of the bytes that were sent; left out, what is known of them already stays */
	remember(
		file: UploadFile,
		uploadId: string,
		{ evidence, isSpoiled = false }: { evidence?: ContentEvidence[]; isSpoiled?: boolean } = {},
	): void {
		const before = this.find(uploadId);
		const upload: UnfinishedUpload = {
			uploadId,
			application: this.application,
			file: before?.file ?? this.hashOf(file),
			fileName: before?.fileName ?? file.fileName,
			size: before?.size ?? file.size,
			leftAt: Date.now(),
			evidence: evidence ?? before?.evidence ?? [],
			isSpoiled: isSpoiled || before?.isSpoiled === true,
		};
		const { left, finished } = this.ofProcess();
		const added = (uploads: UnfinishedUpload[]) =>
			newestFirst([upload, ...uploads.filter((other) => other.uploadId !== uploadId)]);
		this.keepInProcess({ left: added(left), finished: finished.filter((id) => id !== uploadId) });
		this.store(added([...this.all(), ...this.storedOfOthers()]));
	}

	/** Removes a finished upload, whatever file it is remembered for. */
	forget(uploadId: string): void {
		const { left, finished } = this.ofProcess();
		const others = (uploads: UnfinishedUpload[]) => uploads.filter((upload) => upload.uploadId !== uploadId);
		const isStored = storedUploads(this.context).some((upload) => upload.uploadId === uploadId);
		this.keepInProcess({ left: others(left), finished: isStored ? [...finished, uploadId] : finished });
		if (isStored) this.store(others([...this.all(), ...this.storedOfOthers()]));
	}

	private hashOf({ fileName, size, folder }: UploadFile): string {
		return hash([this.application, folder ?? null, size, fileName]);
	}

	private ofProcess(): { left: UnfinishedUpload[]; finished: string[] } {
		const { left, finished } = inProcess.get(this.workflowId()) ?? { left: [], finished: [] };
		return { left: left.filter(isRecent), finished };
	}

	private keepInProcess({ left, finished }: { left: UnfinishedUpload[]; finished: string[] }): void {
		inProcess.set(this.workflowId(), {
			left: left.slice(0, MOST_REMEMBERED),
			finished: finished.slice(-MOST_REMEMBERED),
		});
		for (const [workflowId, uploads] of inProcess) {
			if (uploads.left.filter(isRecent).length + uploads.finished.length === 0) inProcess.delete(workflowId);
		}
	}

	private storedOfOthers(): UnfinishedUpload[] {
		return storedUploads(this.context).filter(({ application }) => application !== this.application);
	}

	private store(uploads: UnfinishedUpload[]): void {
		if (!mayWriteStaticData(this.context, FIELD)) return;
		// n8n notices assignments at the top level only (n8n-workflow 2.41.0, dist/cjs/observable-object.js).
		this.context.getWorkflowStaticData('global')[FIELD] = uploads.slice(0, MOST_REMEMBERED);
	}

	private workflowId(): string {
		return this.context.getWorkflow().id ?? '';
	}
}

function storedUploads(context: IExecuteFunctions): UnfinishedUpload[] {
	const stored: unknown = context.getWorkflowStaticData('global')[FIELD];
	return Array.isArray(stored) ? (stored as unknown[]).filter(isUnfinishedUpload).filter(isRecent) : [];
}

/** Anyone may write static data: a Code node, an import, an earlier version of this package. */
function isUnfinishedUpload(value: unknown): value is UnfinishedUpload {
	return (
		isRecord(value) &&
		['uploadId', 'application', 'file', 'fileName'].every((field) => typeof value[field] === 'string') &&
		['size', 'leftAt'].every((field) => Number.isSafeInteger(value[field])) &&
		typeof value.isSpoiled === 'boolean' &&
		Array.isArray(value.evidence) &&
		value.evidence.every(isEvidence)
	);
}

function isEvidence(value: unknown): value is ContentEvidence {
	return (
		isRecord(value) &&
		['from', 'to'].every((field) => Number.isSafeInteger(value[field])) &&
		['key', 'tag'].every((field) => /^[0-9a-f]{32}$/.test(String(value[field])))
	);
}

function isRecent({ leftAt }: UnfinishedUpload): boolean {
	return Date.now() - leftAt < EXPIRY_MS;
}

function newestFirst(uploads: UnfinishedUpload[]): UnfinishedUpload[] {
	return [...uploads].sort((one, other) => other.leftAt - one.leftAt);
}

function hash(parts: unknown): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

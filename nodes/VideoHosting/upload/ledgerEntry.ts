import type { IDataObject } from 'n8n-workflow';

import type { NodeRun } from '../shared/nodeRun';
import type { ContentChecksum } from '../sources/contentChecksum';
import type { UploadFile } from './tus/uploadRequests';

/**
 * Where an upload stands: `reserved` by Upload → Create, `sending`, left `unfinished`, `complete` (the service has all bytes, but
 * its video does not have its title or thumbnail yet), `done`, or `lost`: the service does not know it.
 */
export type UploadStatus = 'reserved' | 'sending' | 'unfinished' | 'complete' | 'done' | 'lost';

/** What is known of one upload. JSON, as far as it is stored. */
export interface LedgerEntry {
	uploadId: string;
	/** Hash of the service and the application. */
	application: string;
	status: UploadStatus;
	/** When this was recorded, in milliseconds since 1970. */
	at: number;
	/** As the user knows it: the name is without a mark. */
	file: UploadFile;
	/** The random part of the name under which the video appears; undefined when it appears under the file name. */
	mark?: string;
	/** When the service created the upload, by its own clock; milliseconds since 1970. */
	createdAt?: number;
	/** Of an upload that was created elsewhere: when the service first reported it here as unfinished, by the same clock. */
	unfinishedAt?: number;
	/** What is known of the bytes that were sent. */
	checksums: ContentChecksum[];
	/** Whether bytes of two different files were sent, so that no file can complete it. */
	isCorrupt: boolean;
	/** Whether all bytes were handed to the connection, or the service has even accepted the last one. */
	sent?: 'all' | 'accepted';
	planId?: string;
	/** The title that the video is to have; '' for none. */
	title: string;
	/** Whether it is to have a thumbnail. */
	hasThumbnail?: boolean;
	/** Hash of the video, once it was identified. */
	videoHash?: string;
}

/** An entry of this process, and who works on it. */
export interface OpenEntry extends LedgerEntry {
	/** The folder that its Resume states, where that is another one than it was created for. The service may use either. */
	resumedInto?: string;
	/** The workflow that knows it. */
	workflowId?: string;
	/** The run of the node that reserved it or worked on it last, if that was in this process. Weak: its items may hold files. */
	run?: WeakRef<NodeRun>;
	/** Settles when no item works on the upload any more; undefined while none does. */
	busy?: Promise<void>;
	/** How many do. */
	claims?: number;
	free?: () => void;
	/** The video, once it was identified in this process. */
	video?: IDataObject;
}

/** Keeps other items and executions from taking an upload on, until {@link release} was called as often. */
export function claim(entry: OpenEntry): void {
	entry.claims = (entry.claims ?? 0) + 1;
	entry.busy ??= new Promise((resolve) => (entry.free = resolve));
}

/** An item that works on an upload has ended. */
export function release(entry: OpenEntry): void {
	entry.claims = (entry.claims ?? 1) - 1;
	if (entry.claims > 0) return;
	entry.free?.();
	entry.busy = undefined;
}

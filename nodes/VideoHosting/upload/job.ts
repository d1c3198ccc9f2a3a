import type { Video } from '../service/video';
import { errorMessage } from '../shared/errorMessage';
import type { Source } from '../sources/source';
import type { ImageFile } from './finishVideo';
import type { UploadRecord } from './memory';
import type { UploadFile } from './tus/uploadRequests';

/** One file to upload, and the limits of its waits. */
export interface UploadJob {
	source: Source;
	/** As the user knows it: the name has no mark. */
	file: UploadFile;
	/** The title that the video is to have; '' for none. */
	title: string;
	/** The thumbnail that the video is to have. */
	thumbnail?: ImageFile;
	planId?: string;
	/** ID of the upload to resume; no other is created then. */
	uploadId?: string;
	/** Whether to resume an unfinished upload of the same file that this process remembers. */
	resumeUnfinished: boolean;
	/** Whether a video that exists makes the upload unnecessary; needs `planId`. */
	skipIfExists: boolean;
	/** How long to wait for the upload slot in total, in milliseconds. */
	maxWaitMs: number;
	/** The connection is closed when no byte moved for this many milliseconds. */
	idleTimeoutMs: number;
	/** Most bytes of one PATCH; Infinity for the whole remainder. */
	maxRequestBytes: number;
}

type Wishes = Pick<UploadRecord, 'hasThumbnail' | 'planId' | 'title'>;

/** Whether title or thumbnail of the new video are set after the upload, so that its first name needs a mark. */
export function changesVideo({ thumbnail, title }: Pick<UploadJob, 'thumbnail' | 'title'>): boolean {
	return thumbnail !== undefined || title !== '';
}

/**
 * What the video of an upload is to become. A run that needs no plan does not replace the one that is known; an upload that the user
 * named keeps the title and thumbnail that it was created for, unless Resume has a title.
 */
export function wishesOf({ planId, thumbnail, title, uploadId }: UploadJob): Partial<Wishes> {
	const isNew = uploadId === undefined;
	return {
		...(planId !== undefined && { planId }),
		...((isNew || title !== '') && { title }),
		...(isNew && { hasThumbnail: thumbnail !== undefined }),
	};
}

/** How far an upload got. */
export interface UploadProgress {
	uploadId: string | undefined;
	/** Bytes that the service has, as it reported; undefined when that is not known. */
	offset: number | undefined;
	/** Bytes of the file that were sent in this run. */
	bytesSent: number;
	/** How often the upload was resumed at the service's offset. */
	resumes: number;
	/** How long it waited for the upload slot, in milliseconds. */
	waitedMs: number;
	/** The upload that could not be resumed, so that a new one was needed, and why, as a clause. */
	replaced?: { uploadId: string; reason: string };
}

/** What makes an upload unnecessary: a listed video, or a complete upload of this process whose video a list need not show yet. */
export type ExistingVideo = { video: Video } | { record: UploadRecord };

/** The service has the whole file, and the record stays busy until its video is finished. Or the file need not be sent. */
export type UploadResult =
	| { kind: 'complete'; progress: UploadProgress; record: UploadRecord }
	| { kind: 'exists'; progress: UploadProgress; existing: ExistingVideo };

/** An upload that did not complete. */
export class UploadInterruptedError extends Error {
	constructor(
		readonly reason: unknown,
		readonly progress: UploadProgress,
	) {
		super(errorMessage(reason));
	}
}

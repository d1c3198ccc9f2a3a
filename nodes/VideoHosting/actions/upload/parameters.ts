import type { UploadJob } from '../../upload/uploadJob';
import { createFolderOption } from '../fields';
import type { Item } from '../item';
import { thumbnailOption, titleOption, uploadOptions } from './fields';

const BYTES_PER_MEGABYTE = 1_048_576;

type UploadOptions = ReturnType<typeof uploadOptionsOf>;

/**
 * The options of Upload and Resume, with their defaults. Some are of Upload alone.
 *
 * @throws NodeOperationError when a value is of an unexpected type or out of its range
 */
export function uploadOptionsOf(item: Item) {
	return {
		createFolder: item.read(createFolderOption),
		idleTimeoutSeconds: item.read(uploadOptions.idleTimeoutSeconds),
		maxRequestMegabytes: item.read(uploadOptions.maxRequestMegabytes),
		maxWaitMinutes: item.read(uploadOptions.maxWaitMinutes),
		resumeUnfinished: item.read(uploadOptions.resumeUnfinished),
		returnVideo: item.read(uploadOptions.returnVideo),
		skipIfExists: item.read(uploadOptions.skipIfExists),
		title: item.read(titleOption),
		thumbnailField: item.read(thumbnailOption),
	};
}

/** The options as whole numbers of milliseconds and bytes: timers, headers and ranges accept no others. */
export function limitsOf({
	idleTimeoutSeconds,
	maxRequestMegabytes,
	maxWaitMinutes,
}: UploadOptions): Pick<UploadJob, 'idleTimeoutMs' | 'maxRequestBytes' | 'maxWaitMs'> {
	return {
		idleTimeoutMs: Math.max(1, Math.round(idleTimeoutSeconds * 1000)),
		maxRequestBytes:
			maxRequestMegabytes === 0
				? Infinity
				: Math.max(1, Math.round(maxRequestMegabytes * BYTES_PER_MEGABYTE)),
		maxWaitMs: Math.round(maxWaitMinutes * 60_000),
	};
}

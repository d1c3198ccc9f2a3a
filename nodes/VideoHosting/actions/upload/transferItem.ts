import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { resolveFolder } from '../../service/folderLookup';
import { createProgressReporter } from '../../transfer/progress';
import type { Source } from '../../transfer/source/source';
import { uploadFile } from '../../transfer/upload';
import type { UploadFigures, UploadJob } from '../../transfer/uploadJob';
import { addHint } from '../hints';
import { optionalFolderParameter, ownPlanIdParameter, textParameter } from '../parameters';
import { fileNameOf, sourceOf, transferOptionsOf, type TransferOptions } from './fields';
import { toUploadError } from './uploadError';
import { videoFinder, type VideoFinder } from './videoFinder';

const BYTES_PER_MEGABYTE = 1_048_576;

/**
 * Uploads the file of one input item.
 *
 * @param givenUploadId reads the ID of the upload to resume; without it one is created, or a remembered one resumed
 * @throws NodeApiError or NodeOperationError with the {@link ErrorDetails} of the upload
 */
export async function transferItem(
	context: IExecuteFunctions,
	itemIndex: number,
	givenUploadId: () => string | undefined = () => undefined,
): Promise<IDataObject> {
	const startedAt = Date.now();
	let source: Source | undefined;
	let uploadId: string | undefined;
	try {
		uploadId = givenUploadId();
		const options = transferOptionsOf(context, itemIndex);
		const chosenFolder = optionalFolderParameter(context, itemIndex);
		// Checked here, as the file is opened before they are used.
		ownPlanIdParameter(context, itemIndex);
		textParameter(context, itemIndex, 'fileName', 'File Name');
		const limits = limitsOf(options);
		source = await sourceOf(context, itemIndex, limits.idleTimeoutMs);
		const fileName = fileNameOf(context, itemIndex, source);
		if (source.size === 0) throw emptyFileError(context, itemIndex, fileName);
		const createIfMissing = options.createFolder;
		const folder =
			chosenFolder && (await resolveFolder(context, chosenFolder, { itemIndex, createIfMissing }));
		const file = { fileName, size: source.size, folder: folder ?? null };
		const finder = await videoFinder(context, itemIndex, fileName, options);
		if (options.skipIfExists && finder?.existing) {
			const figures = {
				uploadId: uploadId ?? null,
				offset: source.size,
				complete: true,
				bytesSent: 0,
				resumes: 0,
				waitedMs: 0,
			};
			return {
				...file,
				...figures,
				durationMs: Date.now() - startedAt,
				skipped: true,
				video: finder.existing,
			};
		}
		const figures = await uploadFile(context, {
			source,
			fileName,
			folder,
			uploadId,
			resumeUnfinished: options.resumeUnfinished,
			...limits,
			itemIndex,
			onProgress: createProgressReporter(context, fileName, source.size),
		});
		addHints(context, fileName, figures);
		const wasComplete = figures.bytesSent === 0 && source.size > 0;
		const video = options.returnVideo ? await findVideo(context, fileName, finder, wasComplete) : null;
		return {
			uploadId: figures.uploadId ?? null,
			...file,
			offset: figures.offset,
			complete: true,
			bytesSent: figures.bytesSent,
			resumes: figures.resumes,
			waitedMs: figures.waitedMs,
			durationMs: Date.now() - startedAt,
			skipped: false,
			video,
		};
	} catch (error) {
		throw toUploadError(context, error, { itemIndex, size: source?.size, uploadId });
	}
}

/** The options as whole numbers of milliseconds and bytes: timers, headers and ranges accept no others. */
function limitsOf({
	idleTimeoutSeconds,
	maxRequestMegabytes,
	maxWaitMinutes,
}: TransferOptions): Pick<UploadJob, 'idleTimeoutMs' | 'maxRequestBytes' | 'maxWaitMs'> {
	return {
		idleTimeoutMs: Math.max(1, Math.round(idleTimeoutSeconds * 1000)),
		maxRequestBytes:
			maxRequestMegabytes === 0
				? Infinity
				: Math.max(1, Math.round(maxRequestMegabytes * BYTES_PER_MEGABYTE)),
		maxWaitMs: Math.round(maxWaitMinutes * 60_000),
	};
}

function emptyFileError(context: IExecuteFunctions, itemIndex: number, fileName: string): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		`"${fileName}" is empty (0 bytes), so it was not uploaded`,
		{
			itemIndex,
			description: 'Check the node or the address that the file comes from.',
		},
	);
}

async function findVideo(
	context: IExecuteFunctions,
	fileName: string,
	finder: VideoFinder | undefined,
	wasComplete: boolean,
): Promise<IDataObject | null> {
	if (!finder) return null;
	const video = await finder.find(wasComplete);
	if (!video) {
		addHint(
			context,
			`"${fileName}" is uploaded, but the service does not list the video yet. Find it later with Video → Search.`,
		);
	}
	return video ?? null;
}

/** What a user should know of an upload that went well in the end. */
function addHints(context: IExecuteFunctions, fileName: string, figures: UploadFigures): void {
	const { abandoned, forgotten, resumes, waitedMs } = figures;
	for (const { uploadId, reason } of abandoned) {
		addHint(
			context,
			`"${fileName}" was not added to the unfinished upload ${uploadId}: ${reason}. It was uploaded from its beginning.`,
		);
	}
	if (forgotten) {
		addHint(
			context,
			`The service no longer knew the upload ${forgotten.uploadId} of "${fileName}", so the file was sent again from its beginning.`,
		);
	}
	if (resumes > 0) addHint(context, `The upload of "${fileName}" was interrupted and resumed (${resumes}×).`);
	if (waitedMs >= 1000) {
		addHint(
			context,
			`"${fileName}" waited ${Math.round(waitedMs / 1000)} seconds for the upload slot of the application.`,
		);
	}
}

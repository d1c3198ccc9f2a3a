import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { toText } from '../../parameters/values';
import { resolveFolder } from '../../service/folderLookup';
import { optionalPlanOrDefault } from '../../service/plan';
import { videoFolderOf } from '../../service/recordFields';
import { withoutSecrets } from '../../transport/secrets';
import { createProgressReporter } from '../../upload/progress';
import type { Source } from '../../sources/source';
import { uploadFile } from '../../upload/upload';
import type { UploadJob } from '../../upload/uploadJob';
import { PendingResult } from '../operation';
import { planIdOption } from '../fields';
import { itemParameters, planIdOf, toOptionalFolder, type ItemParameters } from '../parameters';
import { binaryImage } from '../video/thumbnailImage';
import { changeNewVideo } from './changeNewVideo';
import { findExistingVideo, onlyVideoOf, rememberUploaded, uploadedBefore } from './existingVideo';
import { fileNameField, thumbnailOption, uploadFolderField } from './fields';
import { addNoPlanHint, addNoVideoHint, addUploadHints } from './hints';
import type { LookupResult } from './matchVideos';
import { transferOptionsOf, type TransferOptions } from './parameters';
import { fileNameOf, sourceOf } from './sourceParameters';
import { toUploadError } from './uploadError';
import { VideoLookups } from './videoLookups';

const BYTES_PER_MEGABYTE = 1_048_576;

/**
 * Uploads the file of one input item. The new video is looked up, renamed and so on in a {@link PendingResult}, while the next
 * item is uploaded.
 *
 * @param givenUploadId reads the ID of the upload to resume; without it one is created, or a remembered one resumed
 * @throws NodeApiError or NodeOperationError with the {@link ErrorDetails} of the upload
 */
export async function transferItem(
	context: IExecuteFunctions,
	itemIndex: number,
	givenUploadId: () => string | undefined = () => undefined,
): Promise<PendingResult | IDataObject> {
	const startedAt = Date.now();
	let source: Source | undefined;
	let uploadId: string | undefined;
	try {
		const item = itemParameters(context, itemIndex);
		uploadId = givenUploadId();
		const options = transferOptionsOf(item);
		const { skipIfExists, returnVideo, thumbnailField, title } = options;
		const chosenFolder = item.read(uploadFolderField, toOptionalFolder);
		// Checked here, as the file is opened before they are used.
		item.option(planIdOption, toText);
		item.read(fileNameField, toText);
		const limits = limitsOf(options);
		const thumbnail =
			thumbnailField === ''
				? undefined
				: await binaryImage(context, itemIndex, thumbnailField, thumbnailOption.displayName);
		source = await sourceOf(item, limits.idleTimeoutMs);
		const { size } = source;
		const fileName = fileNameOf(item, source);
		if (size === 0) throw emptyFileError(context, itemIndex, fileName);
		const changes = { title, thumbnail };
		const hasChanges = title !== '' || thumbnail !== undefined;
		const planId = await planOf(item, skipIfExists || hasChanges);
		const createIfMissing = options.createFolder;
		const folder =
			chosenFolder && (await resolveFolder(context, chosenFolder, { itemIndex, createIfMissing }));
		const file = { fileName, size, folder: folder ?? null };
		const wanted = { fileName, title, folder };

		if (skipIfExists && planId !== undefined) {
			const skipped = (video: IDataObject | undefined) => ({
				...file,
				...{ uploadId: uploadId ?? null, offset: size, complete: true },
				...{ bytesSent: 0, resumes: 0, waitedMs: 0, durationMs: Date.now() - startedAt },
				skipped: true,
				// Without its record, the video is one that this run uploaded into the same folder.
				folder: (video ? videoFolderOf(video).uuid : folder) ?? null,
				video: video ? withoutSecrets(video) : null,
			});
			const earlier = uploadedBefore(context, planId, wanted);
			if (earlier) return new PendingResult(earlier.then(skipped), () => {});
			const existing = await findExistingVideo(context, planId, wanted, itemIndex);
			if (existing) return skipped(existing);
		}

		const isVideoWanted = returnVideo || hasChanges;
		if (isVideoWanted && planId === undefined) addNoPlanHint(context);
		const lookup =
			isVideoWanted && planId !== undefined
				? await VideoLookups.of(context, planId).start(file, itemIndex)
				: undefined;
		const figures = await uploadFile(context, {
			source,
			fileName,
			folder,
			uploadId,
			resumeUnfinished: options.resumeUnfinished,
			...limits,
			itemIndex,
			onProgress: createProgressReporter(context, fileName, size),
		}).catch((error: unknown) => {
			lookup?.giveUp();
			throw error;
		});
		addUploadHints(context, fileName, figures);
		const output = (video: IDataObject | null) => ({
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
		});
		if (planId === undefined) return output(null);

		// The service had the whole file before, so that its video may be an old one.
		const wasComplete = figures.bytesSent === 0;
		const result = (async (): Promise<LookupResult> => {
			// An old video of that name may be another one: it is returned, but never changed.
			const mayBeOld = wasComplete && !hasChanges;
			const old = mayBeOld ? await onlyVideoOf(context, planId, file, itemIndex) : undefined;
			if (old) lookup?.giveUp();
			return old ?? (await lookup?.find()) ?? { problem: 'notListed' };
		})();
		const found = result.then(({ video }) => video);
		const changed = hasChanges
			? result.then(async (lookedUp) => {
					const { uploadId: id } = figures;
					const upload = { planId, uploadId: id, fileName, size, itemIndex, wasComplete };
					return await changeNewVideo(context, lookedUp, changes, upload);
				})
			: undefined;
		// A change that fails is the error of this item alone.
		rememberUploaded(context, planId, wanted, changed?.catch(async () => await found) ?? found);
		if (!isVideoWanted) return output(null);
		const state = { isAbandoned: false };
		const complete = async () => {
			const lookedUp = await result;
			if (changed) return output(withoutSecrets(await changed));
			if (lookedUp.video) return output(withoutSecrets(lookedUp.video));
			if (!state.isAbandoned) addNoVideoHint(context, fileName, lookedUp.problem);
			return output(null);
		};
		return new PendingResult(complete(), () => {
			// The changes that the user chose are still made.
			if (hasChanges) return;
			state.isAbandoned = true;
			lookup?.giveUp();
		});
	} catch (error) {
		throw toUploadError(context, error, { itemIndex, size: source?.size, uploadId });
	}
}

/** @throws NodeOperationError when a plan is required and none is set */
async function planOf(item: ItemParameters, isRequired: boolean): Promise<string | undefined> {
	return isRequired
		? await planIdOf(item)
		: await optionalPlanOrDefault(item.context, item.option(planIdOption, toText));
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

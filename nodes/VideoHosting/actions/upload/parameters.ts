import { quoted, toText } from '../../parameters/values';
import { resolveFolder } from '../../service/folders';
import { optionalPlanOrDefault, planOrDefault } from '../../service/plan';
import { excerpt } from '../../shared/text';
import { addHint } from '../../shared/runHints';
import { binarySource } from '../../sources/binarySource';
import { FileReader } from '../../sources/fileReader';
import { NoVideoError } from '../../sources/noVideo';
import type { Source } from '../../sources/source';
import type { SourceLimits } from '../../sources/transfer';
import { urlSource } from '../../sources/urlSource';
import { cancelSignal } from '../../transport/request';
import { OperationError } from '../../transport/serviceError';
import type { UploadJob } from '../../upload/job';
import { UploadMemory } from '../../upload/memory';
import { ALL_FILES, binaryFile, binaryFileOf, binaryFilesOf } from '../binaryFile';
import { binaryField, createFolderOption, planIdOption, sourceField, urlField } from '../fields';
import { Item, type BinaryReference, type Parts } from '../operation';
import { binaryImage } from '../video/thumbnailImage';
import { fileNameField, thumbnailOption, titleField, uploadFolderField, uploadOptions } from './fields';
import { toUploadError } from './uploadError';

const BYTES_PER_MEGABYTE = 1_048_576;

/**
 * Reads all parameters of Upload and Resume before the first request, then the image, looks at the file, and looks up or creates its
 * folder. Milliseconds and bytes are whole numbers, as timers, headers and ranges require.
 *
 * @param uploadId the upload to resume
 * @param onSize called once the size of the file is known, in bytes
 * @throws OperationError when a value is of an unexpected type or out of its range, or the file has no name or no bytes
 */
export async function uploadJob(
	item: Item,
	uploadId: string | undefined,
	onSize: (size: number) => void,
): Promise<UploadJob> {
	const { context } = item;
	const megabytes = item.read(uploadOptions.maxRequestMegabytes);
	const limits = {
		idleTimeoutMs: idleTimeoutMsOf(item),
		maxRequestBytes: megabytes === 0 ? Infinity : Math.max(1, Math.round(megabytes * BYTES_PER_MEGABYTE)),
		maxWaitMs: maxWaitMsOf(item),
	};
	const wishes = {
		resumeUnfinished: item.read(uploadOptions.resumeUnfinished),
		returnVideo: item.read(uploadOptions.returnVideo),
		skipIfExists: item.read(uploadOptions.skipIfExists),
		title: item.read(titleField),
	};
	const isFolderCreated = item.read(createFolderOption);
	const chosenFolder = item.read(uploadFolderField);
	const fileName = item.read(fileNameField);
	const thumbnailField = item.read(thumbnailOption);
	const needsPlan = wishes.skipIfExists || wishes.title !== '' || thumbnailField !== '';
	const planOf = needsPlan ? planOrDefault : optionalPlanOrDefault;
	// Resume uses the plan of its upload, where this process knows it.
	const planOfUpload = (await UploadMemory.of(context)).planOf(uploadId) ?? '';
	const planId = await planOf(context, item.read(planIdOption) || planOfUpload);

	const isImage = thumbnailField !== '';
	const thumbnail = isImage
		? await binaryImage(item, thumbnailField, thumbnailOption.displayName)
		: undefined;
	const source = await sourceOf(item, limits.idleTimeoutMs);
	const { size } = source;
	onSize(size);
	const name = fileName || lastSegment(toText('The name of the file', source.fileName));
	if (name === '')
		throw new OperationError(
			'File Name is empty and the file has no name',
			'Enter one, or name the file before this node.',
		);
	if (size === 0)
		throw new OperationError(
			`${quoted(name)} is empty (0 bytes), so it was not uploaded`,
			'Check the node or the address that the file comes from.',
		);
	if (isFolderCreated && !chosenFolder)
		addHint(context, 'Create Folder If Missing does nothing, as Folder is empty or No Folder.');
	// Resume creates no folder.
	const createIfMissing = uploadId === undefined ? isFolderCreated : undefined;
	const folder = chosenFolder && (await resolveFolder(context, chosenFolder, createIfMissing));
	return { ...limits, ...wishes, file: { name, size, folder }, planId, source, thumbnail, uploadId };
}

/** The last segment of a path: some nodes store the whole path as the name of a file. */
function lastSegment(path: string): string {
	return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Max Wait in milliseconds; Create has the option, too. */
export function maxWaitMsOf(item: Item): number {
	return Math.round(item.read(uploadOptions.maxWaitMinutes) * 60_000);
}

function idleTimeoutMsOf(item: Item): number {
	return Math.round(item.read(uploadOptions.idleTimeoutSeconds) * 1000);
}

/**
 * Divides an input item into one part per file, but for those that `*` selects and that are plainly no videos. Where the node stops on
 * errors, looks up all files before the first one is sent.
 *
 * @throws OperationError also when a parameter names one video, and several files are selected
 */
export async function uploadParts(item: Item): Promise<Parts> {
	const { context } = item;
	const leftOut: string[] = [];
	try {
		if (item.read(sourceField) === 'url') return { items: [item], leftOut };
		let files = binaryFilesOf(item, binaryField, item.read(thumbnailOption));
		if (item.read(binaryField)[0] === ALL_FILES) files = await videosAmong(item, files, leftOut);
		if (files.length > 1) {
			const named = [fileNameField, titleField].find((field) => item.read(field) !== '')?.displayName;
			if (named !== undefined)
				throw new OperationError(
					`${named} names one video, but ${binaryField.displayName} selects ${files.length} files`,
					`Leave ${named} empty.`,
				);
			if (!context.continueOnFail()) files.forEach((file) => binaryFile(item, file));
		}
		return { items: files.map((file) => new Item(context, item.itemIndex, file)), leftOut };
	} catch (error) {
		throw toUploadError(context, error, {});
	}
}

/**
 * The files that may be videos: an email has pictures of signatures, too. One that cannot be read is an error in its turn.
 *
 * @param leftOut gets the others: `"signature.png" (a picture)`
 * @throws OperationError that names the others when none is left
 */
async function videosAmong(item: Item, files: BinaryReference[], leftOut: string[]) {
	const limits = { idleTimeoutMs: idleTimeoutMsOf(item), cancelled: cancelSignal(item.context) };
	const videos: BinaryReference[] = [];
	for (const file of files) {
		const noVideo = await noVideoIn(item, file, limits).catch(() => undefined);
		if (noVideo === undefined) videos.push(file);
		else leftOut.push(noVideo);
	}
	if (videos.length > 0) return videos;
	throw new OperationError(
		`No file of the item is a video: ${excerpt(leftOut.join(', '))}`,
		'Check the node before this one. If items without a video are normal, set On Error to Continue.',
	);
}

async function noVideoIn(item: Item, file: BinaryReference, limits: SourceLimits) {
	const binary = binaryFile(item, file);
	const source = await binarySource(item.context, binary);
	const reader = new FileReader(source, limits, item.read(fileNameField));
	const error = await reader.open(0).catch((thrown: unknown) => thrown);
	reader.close();
	return error instanceof NoVideoError
		? `${quoted(binary.fileName || file)} (${error.kind.what})`
		: undefined;
}

/**
 * The file to upload, from the item's binary data or from its URL.
 *
 * @param timeoutMs how long the server of a URL may take to start its response, in milliseconds
 * @throws OperationError when there is no such binary data or the URL is not valid; TransferError when the
 * server of the URL rejects the request or does not return the size
 */
async function sourceOf(item: Item, timeoutMs: number): Promise<Source> {
	const { context } = item;
	if (item.read(sourceField) === 'url') return await urlSource(context, item.read(urlField), timeoutMs);
	return await binarySource(context, binaryFile(item, item.file ?? binaryFileOf(item, binaryField)));
}

import type { IDataObject } from 'n8n-workflow';

import {
	isSameName,
	isSameUuid,
	videoCreatedOf,
	videoFolderOf,
	videoNameOf,
	videoSizeOf,
} from '../service/recordFields';
import { createdTimeOf } from '../service/serviceDate';
import type { OpenEntry } from './ledgerEntry';
import { beforeMark, hasMark, videoNamesOf } from './names';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How much the clocks of the parts of a service may differ; milliseconds. */
export const CLOCK_TOLERANCE_MS = 2_000;

/** Names that the service is asked for; the mark of an upload that was created elsewhere is not known. */
export function searchedNames({ createdAt, file, mark }: OpenEntry): string[] {
	if (mark !== undefined) return [mark];
	return [...videoNamesOf(file.name), ...(createdAt === undefined ? [beforeMark(file.name)] : [])];
}

/** Whether a video can be that of an upload without a known mark. */
export function canBeOf({ createdAt, file, resumedInto }: OpenEntry, video: IDataObject): boolean {
	const name = videoNameOf(video) ?? '';
	const size = videoSizeOf(video);
	const { uuid } = videoFolderOf(video);
	const created = createdTimeOf(video);
	const toleranceMs = granularityMs(videoCreatedOf(video) ?? '') + CLOCK_TOLERANCE_MS;
	const isOlder = created !== undefined && createdAt !== undefined && created < createdAt - toleranceMs;
	// Of an upload that was created elsewhere, neither its mark nor its folder is known.
	const isFromElsewhere = createdAt === undefined;
	return (
		(videoNamesOf(file.name).some((own) => isSameName(own, name)) ||
			(isFromElsewhere && hasMark(file.name, name))) &&
		(size === undefined || size === file.size) &&
		(uuid === undefined ||
			isFromElsewhere ||
			[file.folder, resumedInto ?? file.folder].some((folder) => isSameUuid(uuid, folder))) &&
		!isOlder
	);
}

/**
 * Whether a video that can be that of an upload is not an older one. An upload that was created here began with its creation. For
 * any other, and for a proof, the date of the video has to show it.
 */
export function isNewEnough(
	{ createdAt, unfinishedAt }: OpenEntry,
	video: IDataObject,
	isProof: boolean,
): boolean {
	if (createdAt !== undefined && !isProof) return true;
	const created = createdTimeOf(video);
	const from = createdAt ?? unfinishedAt;
	return created !== undefined && from !== undefined && created >= from;
}

/** Of a date as the service wrote it: days, minutes, or less. */
function granularityMs(date: string): number {
	if (/^\d{4}-\d\d-\d\d$/.test(date)) return DAY_MS;
	return /\d:\d\d(?!:?\d)/.test(date) && !/:\d\d:\d\d/.test(date) ? 60_000 : 0;
}

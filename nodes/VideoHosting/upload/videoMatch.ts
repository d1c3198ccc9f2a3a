import { randomBytes } from 'crypto';

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
import type { UploadFile } from './tus/uploadRequests';

/** Extensions that a service may leave out of a video's name. Any other dot is part of the name: `Lesson 1.2`. */
const KNOWN_EXTENSION =
	/\.(3g2|3gp|aac|aif|aiff|asf|avi|avif|bmp|divx|f4v|flac|flv|gif|heic|jpe?g|m2ts|m2v|m4a|m4v|mkv|mov|mp3|mp4|mpe?g|mts|mxf|oga|ogg|ogv|opus|png|qt|rm|rmvb|tiff?|ts|vob|wav|webm|webp|wma|wmv)$/i;

/** Of the file name, what is part of a name with a mark: a service may cut off the end of a long name. Characters. */
const SHOWN_CHARACTERS = 40;

/** The names that a file's video may have: the file name, and the same without a known extension. */
export function videoNamesOf(fileName: string): string[] {
	return [...new Set([fileName, fileName.replace(KNOWN_EXTENSION, '') || fileName])];
}

/** Whether two files have the same name, size and folder. */
export function isSameFile(one: UploadFile, other: UploadFile): boolean {
	return one.name === other.name && one.size === other.size && isSameUuid(one.folder, other.folder);
}

/**
 * A part of a name that no other video has: letters and digits, which every service keeps. 80 random bits in Crockford's base
 * 32, in lower case.
 */
export function newMark(): string {
	return [...randomBytes(16)].map((byte) => '0123456789abcdefghjkmnpqrstvwxyz'.charAt(byte % 32)).join('');
}

/** Whether a video has a name that was made of the file name and a mark, whichever. */
export function hasMark(fileName: string, videoName: string): boolean {
	const [, mark] = /-([0-9a-hjkmnp-tv-z]{16})(?=\.|$)/.exec(videoName) ?? [];
	return (
		mark !== undefined && videoNamesOf(markedName(fileName, mark)).some((name) => isSameName(name, videoName))
	);
}

/** The file name with a mark in front of its last dot: a service may cut off what follows it. */
export function markedName(fileName: string, mark: string): string {
	return `${beforeMark(fileName)}${mark}${split(fileName).extension}`;
}

/** The beginning of all names with a mark that are made of the file name. */
function beforeMark(fileName: string): string {
	// Half of a character at the end is none.
	const shown = split(fileName)
		.name.slice(0, SHOWN_CHARACTERS)
		.replace(/\p{Surrogate}$/u, '');
	return `${shown}-`;
}

/**
 * The name of a video without its mark: the file name, without its extension where the service leaves that out.
 *
 * @param listedName name of the video as the service lists it
 */
export function unmarkedName(fileName: string, listedName: string): string {
	const { name, extension } = split(fileName);
	return listedName.toLowerCase().endsWith(extension.toLowerCase()) ? fileName : name;
}

function split(fileName: string): { name: string; extension: string } {
	const extension = /(?<=.)\.[^.]*$/.exec(fileName)?.[0] ?? '';
	return { name: fileName.slice(0, fileName.length - extension.length), extension };
}

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

import { randomBytes } from 'crypto';

import { isSameName } from '../service/record';

/** Extensions that a service may leave out of a video's name. Any other dot is part of the name: `Lesson 1.2`. */
const EXTENSION =
	/\.(3g[2p]|avi|flac|flv|m2ts|m4[av]|mkv|mov|mp[34]|mpe?g|mts|mxf|og[agv]|ts|vob|wav|webm|wmv)$/i;

/** The names that a video may have: its title, else the name of its file, with or without a known extension. */
export function namesOf(fileName: string, title = ''): string[] {
	return title === '' ? [...new Set([fileName, fileName.replace(EXTENSION, '') || fileName])] : [title];
}

/** Whether a video has one of these names. */
export function isAmong(names: readonly string[], name: string | undefined): boolean {
	return names.some((each) => isSameName(each, name));
}

/** Unique part of a video's first name: 64 random bits, as lower-case letters and digits, which every service keeps. */
export function newMark(): string {
	return randomBytes(8).toString('hex');
}

/** Whether a listed name has this mark. */
export function hasMark(listed: string | undefined, mark: string | undefined): boolean {
	return mark !== undefined && listed?.toLowerCase().includes(mark) === true;
}

/** The name that a file is uploaded with: the mark is in front of the last dot, as a service may cut off an extension. */
export function firstName(fileName: string, mark: string | undefined): string {
	if (mark === undefined) return fileName;
	const { extension, shown } = partsOf(fileName);
	return `${shown}-${mark}${extension}`;
}

/** Whether a video may be named like a file, with an unknown mark or without one: keynote.mp4, or keynote-0123456789abcdef.mp4. */
export function isNamedLike(listed: string | undefined, fileName: string): boolean {
	const [mark] = /[\da-f]{16}(?=(\.[^.]*)?$)/i.exec(listed ?? '') ?? [];
	return [fileName, firstName(fileName, mark)].some((name) => isAmong(namesOf(name), listed));
}

/** Of the name, 20 characters are shown before a mark: a service may cut off what comes after 40. */
function partsOf(fileName: string): { shown: string; extension: string } {
	const extension = /(?<=.)\.[^.]*$/.exec(fileName)?.[0] ?? '';
	const [shown = ''] = /^.{0,20}/su.exec(fileName.slice(0, fileName.length - extension.length)) ?? [];
	return { shown, extension };
}

import { randomBytes } from 'crypto';

import { comparableName, isSameName } from '../service/record';

/** Extensions that a service may leave out of a video's name. Any other dot is part of the name: `Lesson 1.2`. */
const EXTENSION =
	/\.(3g[2p]|avi|flac|flv|m2ts|m4[av]|mkv|mov|mp[34]|mpe?g|mts|mxf|og[agv]|ts|vob|wav|webm|wmv)$/i;

/** Characters of the file name in a name with a mark: a service may cut off the end of a long name. */
const SHOWN_CHARACTERS = 40;

/** The names that a file's video may have: the file name, and the same without a known extension. */
export function videoNamesOf(fileName: string): string[] {
	return [...new Set([fileName, fileName.replace(EXTENSION, '') || fileName])];
}

/** The names that the video of an upload may have in the end: its title, else those of its file. */
export function namesOf({ file, title }: { file: { name: string }; title: string }): string[] {
	return title === '' ? videoNamesOf(file.name) : [title];
}

/** Whether the video of an upload may have this name in the end. */
export function isNamed(upload: Parameters<typeof namesOf>[0], name: string | undefined): boolean {
	return namesOf(upload).some((own) => isSameName(own, name));
}

/** Crockford's base 32, in lower case: letters and digits, which every service keeps. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Unique part of a video's first name: 80 random bits. */
export function newMark(): string {
	return [...randomBytes(16)].map((byte) => ALPHABET.charAt(byte % 32)).join('');
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

/** Whether a video may be named like a file, with an unknown mark or without one. */
export function beginsLike(listed: string | undefined, fileName: string): boolean {
	return listed !== undefined && comparableName(listed).startsWith(comparableName(partsOf(fileName).shown));
}

function partsOf(fileName: string): { shown: string; extension: string } {
	const extension = /(?<=.)\.[^.]*$/.exec(fileName)?.[0] ?? '';
	// A character has at most two units.
	const name = Array.from(
		fileName.slice(0, Math.min(fileName.length - extension.length, 2 * SHOWN_CHARACTERS)),
	);
	return { shown: name.slice(0, SHOWN_CHARACTERS).join(''), extension };
}

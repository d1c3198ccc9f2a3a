import type { IDataObject } from 'n8n-workflow';

import { videoNameOf, videoSizeOf } from '../../service/recordFields';

/** An uploaded file whose video is looked for. */
export interface UploadedFile {
	/** Names that its video may have; the last one is the file's own. */
	names: string[];
	/** Bytes. */
	size: number;
}

/**
 * Why a lookup found no video: none is listed in time, several are and it is not certain which one it is, or the only ones
 * have another size than the file.
 */
export type LookupProblem = 'notListed' | 'several' | 'otherSize';

/** The new video, or why it was not found. */
export type LookupResult = { video: IDataObject } | { video?: undefined; problem: LookupProblem };

/** A file's video, or `several` when more new videos fit than files. */
export type Match = { video: IDataObject } | 'several';

/**
 * Finds the videos of uploaded files with the same name among new ones. A video belongs to a file of its name and, where its record contains a
 * size, of its size. Files of the same size get their videos in the order in which both were created, once there
 * are as many videos as files; with more videos, none of them is certain.
 *
 * @param files in the order in which they were uploaded
 * @param candidates new videos with a name of these files, oldest first
 * @returns the files that are decided; the others wait for more videos
 */
export function matchVideos<File extends UploadedFile>(
	files: readonly File[],
	candidates: readonly IDataObject[],
): Map<File, Match> {
	const matches = new Map<File, Match>();
	const assign = (group: readonly File[], videos: readonly IDataObject[]) => {
		const left = [...videos];
		for (const file of group) {
			const own = left.findIndex((video) => videoNameOf(video) === file.names.at(-1));
			const [video] = left.splice(Math.max(0, own), 1);
			if (videos.length > group.length) matches.set(file, 'several');
			else if (video) matches.set(file, { video });
		}
	};
	for (const size of new Set(files.map((file) => file.size))) {
		const group = files.filter((file) => file.size === size);
		const videos = candidates.filter((video) => videoSizeOf(video) === size);
		if (videos.length >= group.length) assign(group, videos);
	}
	const undecided = files.filter((file) => !matches.has(file));
	const unsized = candidates.filter((video) => videoSizeOf(video) === undefined);
	// A video of such a size is one of these files; which one is open until the others are listed.
	const isPartlyListed = undecided.some(({ size }) =>
		candidates.some((video) => videoSizeOf(video) === size),
	);
	if (undecided.length > 0 && !isPartlyListed && unsized.length >= undecided.length)
		assign(undecided, unsized);
	return matches;
}

/** Whether a new video has the name of a file, but another size. */
export function hasOtherSize({ names, size }: UploadedFile, newVideos: readonly IDataObject[]): boolean {
	return newVideos.some(
		(video) => names.includes(videoNameOf(video) ?? '') && ![undefined, size].includes(videoSizeOf(video)),
	);
}

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { uniqueRecords } from '../../service/paging';
import { videoCreatedOf, videoNameOf } from '../../service/recordFields';
import { videoPages } from '../../service/videos';

/** Of more videos whose names contain the file's, the rest is not looked through. */
const MOST_CANDIDATES = 200;

/**
 * Videos whose name is the file's, with or without its extension. How the service compares the filter is not
 * documented (docs/api-reference.md#search-videos-by-name), so both are requested unless the shorter name found some.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function videosNamed(
	context: IExecuteFunctions,
	planId: string,
	fileName: string,
	itemIndex: number,
): Promise<IDataObject[]> {
	const names = namesOf(fileName);
	for (const name of names) {
		const videos: IDataObject[] = [];
		let read = 0;
		for await (const records of uniqueRecords(videoPages(context, planId, { name }, itemIndex))) {
			videos.push(...records.filter((video) => names.includes(videoNameOf(video) ?? '')));
			read += records.length;
			if (read >= MOST_CANDIDATES) break;
		}
		if (videos.length > 0) return videos;
	}
	return [];
}

/** By creation, as far as the records contain it. */
export function oldestFirst(videos: IDataObject[]): IDataObject[] {
	const createdAt = (video: IDataObject) => Date.parse(videoCreatedOf(video) ?? '') || 0;
	return videos.toSorted((a, b) => createdAt(a) - createdAt(b));
}

/** The names that the service may list a file's video under: without its extension, and whole. One name when there is no extension. */
export function namesOf(fileName: string): string[] {
	return [...new Set([fileName.replace(/(?<=.)\.[^.]+$/, ''), fileName])];
}

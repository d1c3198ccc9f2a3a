import type { IPollFunctions } from 'n8n-workflow';

import { FolderFilter } from '../service/folderFilter';
import type { Video } from '../service/video';
import { newestVideos } from '../service/videos';
import { comparable, compare, withoutForgotten, type Reader, type Source } from './changes';
import type { TriggerSettings } from './settings';

/**
 * How far before the last poll a video may be dated, in milliseconds: a long upload or transcoding is listed later than others
 * that were created after it.
 */
const LOOK_BACK_MS = 48 * 60 * 60 * 1000;

const VIDEO: Reader<Video> = {
	keyOf: ({ identity }) => identity,
	valueOf: () => '',
	needs: 'a hash or an ID',
};

/** A video that was not known and is not older than {@link LOOK_BACK_MS}; one without a date counts as new. */
export const videoAdded: Source = {
	async poll(context, settings, before) {
		const since = (before?.at ?? Date.now()) - LOOK_BACK_MS;
		const { all, watched } = await watchedVideos(context, settings, since);
		const recent = watched.filter(({ created = since }) => created >= since);
		const listed = comparable(context, 'Video', recent.reverse(), VIDEO);
		const isEmpty = all.length === 0;
		const { changes, state } = compare(before, listed, { scope: settings.scope, isEmpty });
		return { items: changes.map(({ item }) => ({ ...item.record })), state: withoutForgotten(state) };
	},

	async sample(context, settings) {
		const { watched } = await watchedVideos(context, settings, settings.folder ? -Infinity : Infinity);
		return watched[0] && { ...watched[0].record };
	},
};

/**
 * Reads the videos of the plan, newest first.
 *
 * @param since no further than to videos created before, in milliseconds since 1970
 * @returns `watched`: those of `all` that are in the folder, if one is chosen. The record of a video does not document its
 * folder (docs/api-reference.md#what-is-not-documented): it is compared by UUID or, without one, by name
 * @throws NodeApiError when a list cannot be read; NodeOperationError unless exactly one folder is meant, and for videos without
 * any field for a folder
 */
async function watchedVideos(
	context: IPollFunctions,
	{ planId, folder: wanted }: TriggerSettings,
	since: number,
): Promise<{ all: Video[]; watched: Video[] }> {
	const folder = await FolderFilter.of(context, wanted);
	const all = await newestVideos(context, planId, since);
	const watched = all.filter((video) => folder.matches(video));
	folder.check(context, 'option');
	return { all, watched };
}

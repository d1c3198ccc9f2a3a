import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Reference } from '../parameters/references';
import { findFolder } from '../service/folders';
import { findFolderByName } from '../service/leftovers/lists';
import { isInFolder, videoHashOf, videoIdOf } from '../service/recordFields';
import { newestRecord, readTimeRange } from '../service/leftovers/timeSortedList';
import { videoList } from '../service/leftovers/lists';
import { operationError } from '../transport/errors';
import { compare, SEEN, type Identity, type KnownRecord } from './diff/knownRecords';
import type { PollSource } from './pollSource';

/**
 * How far back of the newest video a list sorted by creation is read again, in milliseconds: a video may be listed later
 * than others that were created after it (a long upload, a long transcoding).
 */
export const LOOK_BACK_MS = 48 * 60 * 60 * 1000;

/** How many of the newest videos are read again, however old they are: an imported video may have an old date. */
export const LOOK_BACK_VIDEOS = 100;

/** Fires when a video is listed for the first time. Of a long list only the recent part is read. */
export const videoAdded: PollSource = {
	kind: 'video',

	async read(context, { planId, folder }, { since, baseline, known, order: proven }, limits) {
		const inFolder = await watchedFolder(context, folder);
		const list = videoList(context, planId);
		const now = Date.now();
		const isFirstReading = baseline?.readings === 0;
		const { records, nextPage, completeFrom, order } = await readTimeRange(
			list,
			isFirstReading
				? { from: (newest) => Math.min(newest, now) - LOOK_BACK_MS, atLeast: LOOK_BACK_VIDEOS }
				: { from: () => since ?? -Infinity },
			limits,
			proven,
		);
		const created = records.map(list.timeOf).filter((time) => time !== undefined);
		// A list that breaks off looks like one that ends. While videos are added, only the known ones at its end prove the end:
		// what is not read yet must not count as old.
		const isProven = baseline !== undefined || completeFrom !== -Infinity || hasKnownEnd(known, records);
		const next =
			completeFrom === undefined || !isProven ? since : nextSince(since, created, completeFrom, now);
		// What the baseline does not watch from now on need not be remembered.
		const oldest = (baseline ? next : since) ?? -Infinity;
		return {
			records: inFolder(records.filter((record) => (list.timeOf(record) ?? oldest) >= oldest)),
			order,
			nextPage,
			since: next,
		};
	},

	identityOf: identityOfVideo,
	valueOf: () => '',

	notComparable: 'The videos of this plan have neither a hash nor an ID, so new videos cannot be detected',
	needs: 'the field hash',

	report: ({ previousValue, record }) => (previousValue === undefined ? record : undefined),

	async newest(context, { planId, folder }) {
		const inFolder = await watchedFolder(context, folder);
		return await newestRecord(videoList(context, planId), (record) => inFolder([record]).length > 0);
	},
};

function identityOfVideo(video: IDataObject): Identity {
	return { hash: videoHashOf(video), id: videoIdOf(video) };
}

/** Whether a reading contains every video that was known before, so that it reached the end of the list. */
function hasKnownEnd(known: readonly KnownRecord[], records: readonly IDataObject[]): boolean {
	const listed = records.map((record) => ({ identity: identityOfVideo(record), value: '', record }));
	return known.length > 0 && compare(known, listed).known.every(({ missed }) => missed === SEEN);
}

/**
 * The time before which videos count as old after a list was read: the earlier of {@link LOOK_BACK_MS} before the newest
 * and the creation of the oldest of the newest {@link LOOK_BACK_VIDEOS}. It never moves back: what lies before it may
 * never have been read.
 *
 * @param since what it was before; milliseconds since the epoch
 * @param created of the records that were read, in milliseconds since the epoch
 * @param completeFrom everything created at this time or later was read; `-Infinity` for the whole list
 * @param now milliseconds since the epoch; a record dated in the future counts as created now
 * @returns undefined while the whole list is to be read
 */
function nextSince(
	since: number | undefined,
	created: readonly number[],
	completeFrom: number,
	now: number,
): number | undefined {
	if (created.length === 0) return since;
	const newestFirst = created.map((time) => Math.min(time, now)).sort((a, b) => b - a);
	const newest = newestFirst[0] ?? now;
	const byCount =
		newestFirst.length > LOOK_BACK_VIDEOS ? (newestFirst[LOOK_BACK_VIDEOS - 1] ?? -Infinity) : -Infinity;
	const next = Math.max(since ?? -Infinity, completeFrom, Math.min(newest - LOOK_BACK_MS, byCount));
	return next === -Infinity ? undefined : next;
}

/**
 * A filter for the videos of a folder, all videos when none is chosen. The record of a video does not document its folder
 * (docs/api-reference.md#what-is-not-documented), so it is compared by UUID or, without one, by name.
 *
 * @returns a function that throws a NodeOperationError for videos without any field for a folder
 * @throws NodeApiError when the folders cannot be listed; NodeOperationError unless exactly one folder is meant
 */
async function watchedFolder(
	context: IPollFunctions,
	wanted: Reference | undefined,
): Promise<(videos: IDataObject[]) => IDataObject[]> {
	if (!wanted) return (videos) => videos;
	const folder =
		'id' in wanted ? await findFolder(context, wanted.id) : await findFolderByName(context, wanted.name);
	if (!folder) {
		const which = 'id' in wanted ? `UUID ${wanted.id}` : `name "${wanted.name}"`;
		const message = `The application has no folder with the ${which}`;
		throw operationError(
			context,
			message,
			'Check the option Folder. The folder may have been deleted or renamed.',
		);
	}
	return (videos) => {
		const isInside = videos.map((video) => isInFolder(video, folder));
		if (videos.length > 0 && isInside.every((each) => each === undefined)) {
			throw operationError(
				context,
				'The records of the videos do not contain their folder, so the option Folder cannot be applied',
				'Remove this option, or check the output of Video → Get Many: the trigger needs a field such as folder_uuid or folder.',
			);
		}
		return videos.filter((_video, index) => isInside[index]);
	};
}

import { folderLocator, toRequiredFolder } from '../../parameters/references';
import { parameter } from '../../parameters/parameter';
import { firstRecords } from '../../service/paging';
import type { Video } from '../../service/video';
import { newestVideoPages, newestVideos, placementsFor, videosIn } from '../../service/videos';
import { ifAdded, kindOf, planIdOption } from '../kind';

/**
 * How far before the last poll a video may be dated, in milliseconds: a long upload or transcoding is listed later than others
 * that were created after it.
 */
const LOOK_BACK_MS = 48 * 60 * 60 * 1000;

const folderOption = parameter(ifAdded(toRequiredFolder), {
	...folderLocator,
	collection: 'options',
	description: 'Folder of the videos to watch. Without it, all videos are watched.',
});

/** A video that was not known and is not older than {@link LOOK_BACK_MS}; one without a date counts as new. */
export const videoAdded = kindOf({
	name: 'Video Added',
	description:
		'When a video is added to the plan, whoever uploads it. Later changes of the video are not reported.',
	change: 'a video is added',
	record: 'video',
	fields: { planId: planIdOption, folder: folderOption },
	async list(context, { folder, planId }, isProven, since) {
		const placed = await placementsFor(context, folder);
		// The newest videos may be in no folder, and their records then lack the field.
		const oldest = folder && !isProven ? -Infinity : since - LOOK_BACK_MS;
		const videos = await newestVideos(context, planId, oldest);
		const found = new Set(videosIn(placed, videos, 'option', !isProven));
		return videos.map((video) => ({ ...video, isInFolder: found.has(video) })).reverse();
	},
	valueOf: () => '',
	needs: 'a hash or an ID',
	isRemembered: ({ watched: { created = Infinity } }, _settings, since) => created >= since - LOOK_BACK_MS,
	/** With one value for all, only a new record is a change. A known video that is moved into the folder is not reported. */
	isReported: ({ watched }) => watched.isInFolder,
	async samples(context, { folder, planId }) {
		const placed = await placementsFor(context, folder);
		// Ends where the list proves to be the newest first; any other list is whole.
		let videos = await newestVideos(context, planId, Infinity);
		if (!videos.some((video) => placed(video) === 'in')) {
			const read: Video[] = [];
			const isFound = (video: Video) => read.push(video) > 0 && placed(video) === 'in';
			await firstRecords(newestVideoPages(context, planId), 1, isFound);
			videos = read;
		}
		const found = videosIn(placed, videos, 'option');
		found.sort((one, other) => (other.created ?? 0) - (one.created ?? 0));
		return found.map((video) => ({ ...video, isInFolder: true }));
	},
});

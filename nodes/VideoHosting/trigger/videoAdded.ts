import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { LOOK_BACK_MS, recentAdditions } from '../changes/additions';
import { identityOf, videoCreatedOf, videoHashOf } from '../service/responseParsing';
import { withoutSecrets } from '../service/secrets';
import { readTimeRange, type TimeSortedList } from '../service/timeSortedList';
import { videoPages } from '../service/videos';
import { newestRecord } from './sample';
import { emptyPollState, type PollSource } from './pollSource';

/** Fires when a video is listed that was never listed before. Of the list only the recent end is read. */
export const videoAdded: PollSource = {
	async poll(context, settings, known, hasTimeLeft) {
		const memory = known ?? emptyPollState(settings.scope);
		const list = videoList(context, settings.planId);
		const now = Date.now();
		const { records, nextPage } = await readTimeRange(
			list,
			{ from: (newest) => memory.since ?? Math.min(newest, now) - LOOK_BACK_MS, to: Infinity },
			{ firstPage: memory.nextPage, hasTimeLeft },
		);
		const readings = records.map((record) => ({
			key: videoHashOf(record) ?? identityOf(record),
			created: list.timeOf(record),
			record,
		}));
		const { added, next } = recentAdditions(memory, readings, { ended: nextPage === undefined, now });
		return {
			found: memory.complete ? added.map(withoutSecrets) : [],
			memory: {
				...memory,
				...next,
				nextPage: nextPage ?? 1,
				complete: memory.complete || nextPage === undefined,
			},
		};
	},

	async sample(context, settings) {
		const video = await newestRecord(videoList(context, settings.planId), () => true);
		return video && withoutSecrets(video);
	},

	noSample: 'No video was found. Upload a video to the plan and test again.',
};

/** The plan's videos, sorted by when they were created. */
function videoList(context: IPollFunctions, planId: string): TimeSortedList {
	return {
		newestFirst: videoPages(context, planId, { orderBy: 'created_date', sort: 'DESC' }),
		defaultOrder: videoPages(context, planId, { orderBy: 'created_date' }),
		timeOf: (video: IDataObject) => {
			const time = Date.parse(videoCreatedOf(video) ?? '');
			return Number.isNaN(time) ? undefined : time;
		},
	};
}

import type { IDataObject } from 'n8n-workflow';

import { videoHashOf, videoIdOf } from '../service/recordFields';
import { readTimeRange } from '../service/timeSortedList';
import { videoList } from '../service/videos';
import { withoutSecrets } from '../transport/secrets';
import { notListed, type Identity, type KnownRecord } from './diff/knownRecords';
import { LOOK_BACK_MS, LOOK_BACK_VIDEOS, nextSince } from './diff/lookBack';
import type { PollSource } from './pollSource';
import { newestRecord } from './sample';
import { watchedFolder } from './watchedFolder';

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
			...(nextPage === undefined ? {} : { nextPage }),
			...(next === undefined ? {} : { since: next }),
		};
	},

	comparable(record) {
		const identity = identityOfVideo(record);
		return identity && { identity, value: '' };
	},

	notComparable: {
		message: 'The videos of this plan have neither a hash nor an ID, so new videos cannot be detected',
		description: 'Check the output of Video → Get Many: the trigger needs the field hash.',
	},

	report({ previousValue, record }) {
		return previousValue === undefined ? withoutSecrets(record) : undefined;
	},

	async sample(context, { planId, folder }) {
		const inFolder = await watchedFolder(context, folder);
		const video = await newestRecord(videoList(context, planId), (record) => inFolder([record]).length > 0);
		return video && withoutSecrets(video);
	},
};

/** What identifies a video in its plan; undefined when its record has neither hash nor ID. */
function identityOfVideo(video: IDataObject): Identity | undefined {
	const hash = videoHashOf(video);
	const id = videoIdOf(video);
	return hash === undefined && id === undefined ? undefined : { hash, id };
}

/** Whether a reading contains every video that was known before, so that it reached the end of the list. */
function hasKnownEnd(known: readonly KnownRecord[], records: readonly IDataObject[]): boolean {
	const identities = records.map(identityOfVideo).filter((identity) => identity !== undefined);
	return known.length > 0 && notListed(known, identities).length === 0;
}

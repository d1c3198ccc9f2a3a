import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { identityOf, videoCreatedOf } from '../../service/recordFields';
import { videoPages } from '../../service/videos';
import { videosNamed } from './videosByName';

/** What the plan listed before an upload, by identity. */
export interface VideosBeforeUpload {
	identities: ReadonlySet<string>;
	/** `newest`: the first page of the list with the newest first; `named`: the videos of that name. */
	kind: 'newest' | 'named';
}

/** Records what a plan lists before the uploads of one run. One reading serves uploads that start shortly after it. */
export class VideoBaselines {
	private newest: { at: number; baseline: VideosBeforeUpload | undefined } | undefined;

	/** @param policy `baselineMs`: how long a reading is used, in milliseconds; read at each upload */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly planId: string,
		private readonly policy: Readonly<{ baselineMs: number }>,
	) {}

	/** @throws NodeApiError when the list cannot be read */
	async before(fileName: string, itemIndex: number): Promise<VideosBeforeUpload> {
		const at = Date.now();
		if (!this.newest || at - this.newest.at > this.policy.baselineMs) {
			// An earlier reading of this run stays usable where a later one proves nothing.
			const previous = this.newest?.baseline;
			const latest = await this.newestBaseline(itemIndex).catch(() => undefined);
			this.newest = { at, baseline: latest ?? previous };
		}
		const newest = this.newest.baseline;
		if (newest) return newest;
		// The order of a list does not change: from now on by name.
		this.newest = { at: Infinity, baseline: undefined };
		const named = await videosNamed(this.context, this.planId, fileName, itemIndex);
		return { identities: new Set(named.map(identityOf)), kind: 'named' };
	}

	/** @returns undefined when page 1 does not show that the newest come first */
	private async newestBaseline(itemIndex: number): Promise<VideosBeforeUpload | undefined> {
		const page = await newestVideoPages(this.context, this.planId, itemIndex)(1);
		const times = page.map((video) => Date.parse(videoCreatedOf(video) ?? ''));
		const isSorted = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? NaN));
		const isProven = page.length === 0 || (isSorted && (times.at(-1) ?? NaN) < (times[0] ?? NaN));
		return isProven ? { identities: new Set(page.map(identityOf)), kind: 'newest' } : undefined;
	}
}

/** The pages of a plan's videos, requested with the newest first. */
export function newestVideoPages(
	context: IExecuteFunctions,
	planId: string,
	itemIndex: number,
): (page: number) => Promise<IDataObject[]> {
	return videoPages(context, planId, { orderBy: 'created_date', sort: 'DESC' }, itemIndex);
}

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { uniqueRecords } from '../../service/paging';
import { growingPause, pause } from '../../service/pause';
import { identityOf, videoCreatedOf, videoNameOf } from '../../service/recordFields';
import { cancelSignal } from '../../service/request';
import { videoPages } from '../../service/videos';
import { namesOf, oldestFirst, videosNamed } from './videosByName';

/** How long a new video is looked for after the last byte, and the pauses between; milliseconds. */
export const videoPolicy = { waitMs: 30_000, firstMs: 1_000, longestMs: 1_500, baselineMs: 5_000 };

const MOST_PAGES = 50;

/** What the plan listed before an upload, by identity. */
interface VideosBeforeUpload {
	identities: ReadonlySet<string>;
	/** `newest`: the first page of the list with the newest first; `named`: the videos of that name. */
	kind: 'newest' | 'named';
}

/** The video of one upload. */
export interface VideoLookup {
	/** Waits until the plan lists the new video; undefined when none is listed in time, or the list cannot be read. */
	find: () => Promise<IDataObject | undefined>;
	/** Ends the lookup: there is no new video, or nobody needs it. */
	giveUp: () => void;
}

interface Member {
	names: string[];
	baseline: VideosBeforeUpload;
	itemIndex: number;
	/** Undefined while the file is uploaded. */
	waiting?: { until: number; resolve: (video: IDataObject | undefined) => void };
}

const runs = new WeakMap<IExecuteFunctions, Map<string, VideoLookups>>();

/**
 * The lookups of new videos of one plan in one run of the node: the service reports no video in its responses to an upload
 * (docs/api-reference.md#send-bytes), so its list is read until a video of the file's name is there that was not there
 * before. They run while further files are uploaded, and one reading of the list serves all that wait.
 *
 * The list is read with the newest first where the service sorts it so, which page 1 shows; otherwise by name, for one file
 * after the other. Several files of one name are looked up once all of them are uploaded, and get their videos in the order
 * in which both were created.
 */
export class VideoLookups {
	private readonly members = new Set<Member>();

	private newest: { at: number; baseline: VideosBeforeUpload | undefined } | undefined;

	private isPolling = false;

	private wake = new AbortController();

	private readonly taken = new Set<string>();

	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly planId: string,
	) {}

	static of(context: IExecuteFunctions, planId: string): VideoLookups {
		const ofRun = runs.get(context) ?? new Map<string, VideoLookups>();
		runs.set(context, ofRun);
		const lookups = ofRun.get(planId) ?? new VideoLookups(context, planId);
		ofRun.set(planId, lookups);
		return lookups;
	}

	/**
	 * Records what is listed before an upload.
	 *
	 * @returns undefined when the list cannot be read
	 */
	async start(fileName: string, itemIndex: number): Promise<VideoLookup | undefined> {
		const baseline = await this.baseline(fileName, itemIndex).catch(() => undefined);
		if (!baseline) return undefined;
		const member: Member = { names: namesOf(fileName), baseline, itemIndex };
		this.members.add(member);
		return {
			find: async () =>
				await new Promise((resolve) => {
					// The lookup may be given up before somebody waits for it.
					if (!this.members.has(member)) {
						resolve(undefined);
						return;
					}
					member.waiting = { until: Date.now() + videoPolicy.waitMs, resolve };
					this.poll();
				}),
			giveUp: () => {
				this.end(member, undefined);
			},
		};
	}

	private end(member: Member, video: IDataObject | undefined): void {
		if (video) this.taken.add(identityOf(video));
		this.members.delete(member);
		member.waiting?.resolve(video);
		if (![...this.members].some(({ waiting }) => waiting)) this.wake.abort();
	}

	private async baseline(fileName: string, itemIndex: number): Promise<VideosBeforeUpload> {
		const at = Date.now();
		if (!this.newest || at - this.newest.at > videoPolicy.baselineMs) {
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
		const page = await this.newestPages(itemIndex)(1);
		const times = page.map((video) => Date.parse(videoCreatedOf(video) ?? ''));
		const isSorted = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? NaN));
		const isProven = page.length === 0 || (isSorted && (times.at(-1) ?? NaN) < (times[0] ?? NaN));
		return isProven ? { identities: new Set(page.map(identityOf)), kind: 'newest' } : undefined;
	}

	private newestPages(itemIndex: number): (page: number) => Promise<IDataObject[]> {
		return videoPages(this.context, this.planId, { orderBy: 'created_date', sort: 'DESC' }, itemIndex);
	}

	private poll(): void {
		if (this.isPolling) return;
		this.isPolling = true;
		// A rejection is the end of the execution: what waits ends with it.
		void this.pollUntilDone()
			.catch(() => {
				for (const member of [...this.members]) this.end(member, undefined);
			})
			.finally(() => (this.isPolling = false));
	}

	private async pollUntilDone(): Promise<void> {
		const cancelled = cancelSignal(this.context);
		for (let attempt = 1; ; attempt++) {
			await this.readOnce();
			cancelled?.throwIfAborted();
			const pauseMs = growingPause(attempt, videoPolicy.firstMs, videoPolicy.longestMs);
			for (const group of this.ready()) {
				// Together: alone, the one that waits longer would get a video that may be the other's.
				const until = Math.max(...group.map(({ waiting }) => waiting?.until ?? Infinity));
				if (Date.now() + pauseMs > until) for (const member of group) this.end(member, undefined);
			}
			if (![...this.members].some(({ waiting }) => waiting)) return;
			this.wake = new AbortController();
			const { signal } = this.wake;
			const either = cancelled ? AbortSignal.any([cancelled, signal]) : signal;
			await pause(pauseMs, either).catch(() => undefined);
			cancelled?.throwIfAborted();
			if (![...this.members].some(({ waiting }) => waiting)) return;
		}
	}

	/** The members that wait, by name, without the names of which a file is still uploaded. */
	private ready(): Member[][] {
		const groups: Member[][] = [];
		for (const member of this.members) {
			const group = groups.find((others) => others.some((other) => other.names[0] === member.names[0]));
			if (group) group.push(member);
			else groups.push([member]);
		}
		return groups.filter((group) => group.every(({ waiting }) => waiting));
	}

	private async readOnce(): Promise<void> {
		const groups = this.ready();
		const isNewest = (group: Member[]) => group.every(({ baseline }) => baseline.kind === 'newest');
		const shared = groups.filter(isNewest);
		if (shared.length > 0) await this.readNewest(shared).catch(() => undefined);
		for (const group of groups.filter((one) => !isNewest(one))) {
			const [first] = group;
			if (!first) continue;
			const found = await videosNamed(
				this.context,
				this.planId,
				first.names.at(-1) ?? '',
				first.itemIndex,
			).catch(() => []);
			// The earliest: the baseline of a later file of the name may contain the video of an earlier one.
			const { identities } = first.baseline;
			this.assign(group, oldestFirst(found.filter((video) => !identities.has(identityOf(video)))));
		}
	}

	/**
	 * What is listed in front of a video that was there before is new: videos that were further down the list before stay
	 * behind it.
	 */
	private async readNewest(groups: Member[][]): Promise<void> {
		const open = new Set(groups);
		const listed: IDataObject[] = [];
		const itemIndex = groups[0]?.[0]?.itemIndex ?? 0;
		let pages = 0;
		for await (const page of uniqueRecords(this.newestPages(itemIndex))) {
			listed.push(...page);
			const identities = listed.map(identityOf);
			for (const group of [...open]) {
				// The earliest, as by name.
				const known = group[0]?.baseline.identities ?? new Set();
				const lastKnown = identities.findLastIndex((identity) => known.has(identity));
				const fresh = listed.filter(
					(_, index) => !known.has(identities[index] ?? '') && (known.size === 0 || index < lastKnown),
				);
				const isAllKnownSeen =
					known.size > 0 && identities.filter((one) => known.has(one)).length >= known.size;
				if (this.assign(group, fresh.reverse()) || isAllKnownSeen) open.delete(group);
			}
			if (open.size === 0 || ++pages >= MOST_PAGES) return;
		}
	}

	/**
	 * @param fresh new videos, oldest first
	 * @returns whether every file of the group has its video
	 */
	private assign(group: Member[], fresh: IDataObject[]): boolean {
		const names = new Set(group.flatMap((member) => member.names));
		const candidates = fresh.filter(
			(video) => names.has(videoNameOf(video) ?? '') && !this.taken.has(identityOf(video)),
		);
		if (candidates.length < group.length) return false;
		const newest = candidates.slice(-group.length);
		for (const member of group) {
			const own = newest.findIndex((video) => videoNameOf(video) === member.names.at(-1));
			const [video] = newest.splice(Math.max(0, own), 1);
			this.end(member, video);
		}
		return true;
	}
}

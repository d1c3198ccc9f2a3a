import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { uniqueRecords } from '../../service/paging';
import { backoffDelay, pause } from '../../shared/pause';
import { identityOf, videoNameOf } from '../../service/recordFields';
import { cancelSignal } from '../../transport/request';
import {
	hasOtherSize,
	matchVideos,
	type LookupProblem,
	type LookupResult,
	type UploadedFile,
} from './matchVideos';
import { VideoBaselines, newestVideoPages, type VideosBeforeUpload } from './videoBaselines';
import { namesOf, oldestFirst, videosNamed } from './videosByName';

/** How long a new video is looked for after the last byte, and the pauses between; milliseconds. */
export const videoPolicy = { waitMs: 30_000, firstMs: 1_000, longestMs: 1_500, baselineMs: 5_000 };

const MOST_PAGES = 50;

/** The video of one upload. */
export interface VideoLookup {
	/** Waits until the plan lists the new video. */
	find: () => Promise<LookupResult>;
	/** Ends the lookup: there is no new video, or nobody needs it. */
	giveUp: () => void;
}

interface Member extends UploadedFile {
	baseline: VideosBeforeUpload;
	itemIndex: number;
	/** Undefined while the file is uploaded. */
	waiting?: { until: number; resolve: (result: LookupResult) => void };
	/** What the lookup reports when it ends without a video. */
	problem: LookupProblem;
}

const runs = new WeakMap<IExecuteFunctions, Map<string, VideoLookups>>();

/**
 * The lookups of new videos of one plan in one run of the node: the service reports no video in its responses to an upload
 * (docs/api-reference.md#send-bytes), so its list is read until a video of the file's name is there that was not there
 * before. They run while further files are uploaded, and one reading of the list serves all that wait.
 *
 * The list is read with the newest first where the service sorts it so, which page 1 shows; otherwise by name, for one file
 * after the other. Several files of one name are looked up once all of them are uploaded; {@link matchVideos} decides which
 * video is whose.
 */
export class VideoLookups {
	private readonly members = new Set<Member>();

	/** Uploads whose video was not listed in time: it may be listed later, next to that of a later file of the name. */
	private late: Member[] = [];

	private readonly baselines: VideoBaselines;

	private isPolling = false;

	private wake = new AbortController();

	private readonly assigned = new Set<string>();

	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly planId: string,
	) {
		this.baselines = new VideoBaselines(context, planId, videoPolicy);
	}

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
	async start(
		{ fileName, size }: { fileName: string; size: number },
		itemIndex: number,
	): Promise<VideoLookup | undefined> {
		const baseline = await this.baselines.before(fileName, itemIndex).catch(() => undefined);
		if (!baseline) return undefined;
		const names = namesOf(fileName);
		const member: Member = { names, size, baseline, itemIndex, problem: 'notListed' };
		this.members.add(member);
		return {
			find: async () =>
				await new Promise((resolve) => {
					// The lookup may be abandoned before somebody waits for it.
					if (!this.members.has(member)) {
						resolve({ problem: member.problem });
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
		if (video) this.assigned.add(identityOf(video));
		this.members.delete(member);
		this.late = this.late.filter((other) => other !== member);
		member.waiting?.resolve(video ? { video } : { problem: member.problem });
		if (![...this.members].some(({ waiting }) => waiting)) this.wake.abort();
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
			const pauseMs = backoffDelay(attempt, videoPolicy.firstMs, videoPolicy.longestMs);
			for (const group of this.ready()) {
				// Together: alone, the one that waits longer would get a video that may be the other's.
				const until = Math.max(...group.map(({ waiting }) => waiting?.until ?? Infinity));
				if (Date.now() + pauseMs <= until) continue;
				for (const member of group) this.end(member, undefined);
				this.late.push(...group);
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
			const group = groups.find((others) => others.some((other) => isSameName(other, member)));
			if (group) group.push(member);
			else groups.push([member]);
		}
		return groups.filter((group) => group.every(({ waiting }) => waiting));
	}

	private async readOnce(): Promise<void> {
		const groups = this.ready();
		const isNewest = (group: Member[]) =>
			this.withLate(group).every(({ baseline }) => baseline.kind === 'newest');
		const shared = groups.filter(isNewest);
		if (shared.length > 0) await this.readNewest(shared).catch(() => undefined);
		for (const group of groups.filter((one) => !isNewest(one))) {
			const [first] = this.withLate(group);
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
		for await (const page of uniqueRecords(newestVideoPages(this.context, this.planId, itemIndex))) {
			listed.push(...page);
			const identities = listed.map(identityOf);
			for (const group of [...open]) {
				// The earliest, as by name.
				const known = this.withLate(group)[0]?.baseline.identities ?? new Set();
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

	/** The files of a group, after those of the same name whose video may be listed late. */
	private withLate(group: Member[]): Member[] {
		return [...this.late.filter((member) => group.some((other) => isSameName(member, other))), ...group];
	}

	/**
	 * @param fresh new videos, oldest first
	 * @returns whether every file of the group is decided
	 */
	private assign(group: Member[], fresh: IDataObject[]): boolean {
		const names = new Set(group.flatMap((member) => member.names));
		const candidates = fresh.filter(
			(video) => names.has(videoNameOf(video) ?? '') && !this.assigned.has(identityOf(video)),
		);
		const matches = matchVideos(this.withLate(group), candidates);
		for (const [member, match] of matches) {
			if (match === 'several') member.problem = 'several';
			this.end(member, match === 'several' ? undefined : match.video);
		}
		if ([...matches.values()].includes('several')) {
			// They were listed before a later file of the name is uploaded, so none of them is its video.
			for (const video of candidates) this.assigned.add(identityOf(video));
		}
		for (const member of group) {
			if (!matches.has(member) && hasOtherSize(member, candidates)) member.problem = 'otherSize';
		}
		return group.every((member) => matches.has(member));
	}
}

function isSameName(one: UploadedFile, other: UploadedFile): boolean {
	return one.names[0] === other.names[0];
}

import { NodeApiError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { uniqueRecords, type PageReader } from '../service/leftovers/paging';
import { videoHashOf, videoNameOf } from '../service/recordFields';
import { createdTimeOf } from '../service/serviceDate';
import { newestFirstIfSupported } from '../service/leftovers/timeSortedList';
import { videoPages, type VideoListQuery } from '../service/leftovers/lists';
import { anySignal, backoffDelay, pause, raceSignal } from '../shared/pause';
import { perRun } from '../shared/perRun';
import { cancelSignal } from '../transport/request';
import { Ledger } from './ledger';
import type { OpenEntry } from './ledgerEntry';
import { canBeOf, CLOCK_TOLERANCE_MS, isNewEnough, searchedNames } from './videoMatch';

/** How long a new video is looked for after the last byte, and the pauses between; milliseconds. */
export const videoPolicy = { waitMs: 30_000, firstMs: 1_000, longestMs: 1_500, requestMs: 10_000 };

/** For how long an upload whose video was not identified may be the one of a video that is listed late; milliseconds. */
const LATE_MS = 60 * 60 * 1000;

/** The new video, or why it was not found, as a part of a sentence. */
export type LookupResult = { video: IDataObject; reason?: undefined } | { video?: undefined; reason: string };

const NOT_LISTED = 'the service does not list the video yet';
const UNCERTAIN = 'the service lists one or several videos of that name, and which one is new is not certain';

/** So many different times that only fall are no accident. */
const TIMES_OF_PROOF = 10;

interface Member {
	entry: OpenEntry;
	/** Whether the upload counts as complete if a video is found: then nothing is taken for granted. */
	isProof: boolean;
	/** Why no video was found so far. */
	problem: string;
}

const plansOfRun = perRun(() => new Map<string, NewVideos>());

/**
 * The videos of complete uploads, which the service lists sooner or later: its responses to an upload name none
 * (docs/api-reference.md#send-bytes). All lookups of one plan in one run of the node share the reading of the list.
 *
 * An upload with a mark has a name that no other video has. Of any other, a video is returned only when it is the only one that
 * can be the new one: it has the file's name and, where its record contains them, folder, size and a creation not before the
 * upload, and no other upload of this process can be its own.
 */
export class NewVideos {
	private readonly members = new Set<Member>();

	private reading: Promise<void> | undefined;

	/** Readings since somebody waits. */
	private readings = 0;

	private wake = new AbortController();

	/** Why the last reading failed. */
	private failure: string | undefined;

	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly planId: string,
		private readonly ledger: Ledger,
	) {}

	static async of(context: IExecuteFunctions, planId: string): Promise<NewVideos> {
		const ledger = await Ledger.of(context);
		const plans = plansOfRun(context);
		const videos = plans.get(planId) ?? new NewVideos(context, planId, ledger);
		plans.set(planId, videos);
		return videos;
	}

	/**
	 * Waits until the plan lists the video of an upload, for 30 seconds at most, requests that hang included.
	 *
	 * @param options `stop` ends the wait early; `isProof`: the video is the proof that the service has the file
	 * @throws the cancel signal's reason when the execution is cancelled
	 */
	async find(
		entry: OpenEntry,
		{ stop, isProof = false }: { stop?: AbortSignal; isProof?: boolean } = {},
	): Promise<LookupResult> {
		const cancelled = cancelSignal(this.context);
		const ended = anySignal(AbortSignal.timeout(videoPolicy.waitMs), cancelled, stop);
		const member: Member = { entry, isProof, problem: NOT_LISTED };
		// The reading of earlier members may not have noticed yet that they are gone.
		if (this.members.size === 0) {
			this.wake = new AbortController();
			this.readings = 0;
		}
		this.members.add(member);
		try {
			while (!entry.video) {
				this.reading ??= this.read().finally(() => (this.reading = undefined));
				await raceSignal(this.reading, ended);
			}
		} catch {
			cancelled?.throwIfAborted();
		} finally {
			this.members.delete(member);
			if (this.members.size === 0) this.wake.abort();
		}
		return entry.video ? { video: entry.video } : { reason: this.failure ?? member.problem };
	}

	private async read(): Promise<void> {
		try {
			if (this.readings > 0) await pause(backoffDelay(this.readings, videoPolicy), this.wake.signal);
			this.readings++;
			await this.readOnce();
			this.failure = undefined;
		} catch (error) {
			// A list that cannot be read now may be readable later.
			if (!this.wake.signal.aborted) this.failure = failureText(error);
		}
	}

	/**
	 * Reads the list with the newest first until all that can be new was read. Where the service does not sort it so, each video
	 * is searched by its name, and one with a mark among all videos as well. Who joins meanwhile waits for the next reading.
	 */
	private async readOnce(): Promise<void> {
		const members = [...this.members];
		const oldest = Math.min(...members.map(({ entry }) => entry.createdAt ?? -Infinity));
		const listed: IDataObject[] = [];
		for await (const page of this.pages()) {
			listed.push(...page);
			if (this.assignMarked(page)) return;
			const times = listed.map((video) => createdTimeOf(video) ?? NaN);
			if (!times.every((time, index) => time <= (times[index - 1] ?? Infinity))) {
				await this.searchByName(members);
				return;
			}
			const isProven = new Set(times).size >= TIMES_OF_PROOF;
			if (isProven && (times.at(-1) ?? Infinity) < oldest - CLOCK_TOLERANCE_MS) break;
		}
		for (const member of members) this.assignOnly(member, listed);
	}

	private async searchByName(members: readonly Member[]): Promise<void> {
		for (const member of members) {
			const named: IDataObject[] = [];
			for (const name of this.members.has(member) ? searchedNames(member.entry) : []) {
				for await (const page of this.pages(name)) {
					named.push(...page);
					if (this.assignMarked(page)) return;
				}
			}
			this.assignOnly(member, named);
		}
		const isMissing = (member: Member) => member.entry.mark !== undefined && this.members.has(member);
		if (!members.some(isMissing)) return;
		for await (const page of this.pages()) if (this.assignMarked(page)) return;
	}

	/** @param name that the service is to search for; without it all videos, the newest first where the service can sort them so */
	private pages(name?: string): AsyncGenerator<IDataObject[], void, undefined> {
		const reader =
			(query: VideoListQuery): PageReader =>
			async (page) => {
				const signal = anySignal(AbortSignal.timeout(videoPolicy.requestMs), this.wake.signal);
				return await raceSignal(videoPages(this.context, this.planId, query, signal)(page), signal);
			};
		if (name !== undefined) return uniqueRecords(reader({ name }));
		const newestFirst = reader({ orderBy: 'created_date', sort: 'DESC' });
		return uniqueRecords(newestFirstIfSupported({ newestFirst, defaultOrder: reader({}) }));
	}

	/** @returns whether nobody waits for a video any more */
	private assignMarked(records: readonly IDataObject[]): boolean {
		const texts = records.map((record) => JSON.stringify(record).toLowerCase());
		for (const member of [...this.members]) {
			const { mark } = member.entry;
			const video = mark === undefined ? undefined : records[texts.findIndex((text) => text.includes(mark))];
			if (video) this.assign(member, video);
		}
		return this.members.size === 0;
	}

	/** @param records all that can be the new video, and others */
	private assignOnly(member: Member, records: readonly IDataObject[]): void {
		const { entry, isProof } = member;
		if (entry.mark !== undefined || !this.members.has(member)) return;
		const unique = new Map(records.map((record) => [videoHashOf(record) ?? JSON.stringify(record), record]));
		const possible = [...unique.values()].filter(
			(video) => canBeOf(entry, video) && !this.isTaken(entry, video),
		);
		const candidates = possible.filter((video) => isNewEnough(entry, video, isProof));
		const [video] = candidates;
		// An earlier upload whose own video is listed cannot be that of this one.
		const hasOwn = (other: OpenEntry) =>
			records.some((each) => canBeOf(other, each) && !canBeOf(entry, each) && !this.isTaken(other, each));
		const isRival = (other: OpenEntry) =>
			video !== undefined &&
			other !== entry &&
			this.isUnidentified(other) &&
			canBeOf(other, video) &&
			(isProof || !hasOwn(other));
		if (video && candidates.length === 1 && this.ledger.all(isRival).length === 0) this.assign(member, video);
		else if (possible.length > 0) member.problem = UNCERTAIN;
	}

	private assign(member: Member, video: IDataObject): void {
		Object.assign(member.entry, { video, videoHash: videoHashOf(video) });
		this.members.delete(member);
	}

	/** Whether a video is known to be that of another upload. */
	private isTaken(entry: OpenEntry, video: IDataObject): boolean {
		const hash = videoHashOf(video);
		const name = videoNameOf(video)?.toLowerCase() ?? '';
		const isIts = ({ mark, videoHash }: OpenEntry) =>
			(hash !== undefined && videoHash === hash) || (mark !== undefined && name.includes(mark));
		return this.ledger.all((other) => other !== entry && isIts(other)).length > 0;
	}

	private isUnidentified({ at, mark, planId, status, videoHash }: OpenEntry): boolean {
		const isOpen = mark === undefined && videoHash === undefined && Date.now() - at < LATE_MS;
		return isOpen && status !== 'reserved' && status !== 'lost' && (planId ?? this.planId) === this.planId;
	}
}

/** A reading that takes too long is aborted. */
function failureText(error: unknown): string {
	const reason = error instanceof NodeApiError ? error.message : 'The service did not respond in time';
	return `the list of videos cannot be read: ${reason.replace(/\.$/, '')}`;
}

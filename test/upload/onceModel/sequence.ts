import { fc } from '../../execution/generated';
import type { Fault, ServiceSettings } from '../../fakeService';

/** One input item; the numbers are places in the pools below. */
export interface Item {
	content: number;
	name: number;
	title: number;
	folder: number;
}

export const NAMES = ['clip.mp4', 'clip', 'Lesson 1.1', 'u\u0308ber (1).mp4'];
export const TITLES = ['Lecture 1', 'Lecture 2', 'clip', '\u00dcber uns'];
/** The first one exists. */
export const FOLDERS = ['Existing', 'New', 'Other'];

export interface Options {
	title: boolean;
	thumbnail: boolean;
	skipIfExists: boolean;
	resumeUnfinished: boolean;
	returnVideo: boolean;
	/** Uploads into folders by name; missing ones are created. */
	folders: boolean;
}

/** One execution of a workflow: Upload → Upload, at most `tries` times (Retry On Fail). */
export interface Execution {
	items: Item[];
	options: Options;
	tries: number;
	/** Upload runs once per item, in a Loop Over Items. */
	loop: boolean;
	continues: boolean;
}

export type Step =
	| { kind: 'executions'; executions: Execution[]; overlap: boolean; faults: Fault[] }
	/** Another n8n process, which has the static data of this one. */
	| { kind: 'restart' };

/** A video of another program. */
interface Foreign {
	name: string;
	folder: number | undefined;
	appearsAfterMs: number;
}

export interface Sequence {
	settings: Partial<ServiceSettings>;
	foreign: Foreign[];
	steps: Step[];
}

/** Listed never, as far as the wait for a new video is concerned, until the end of the sequence. */
const LATE_MS = 60_000;

const often = <T>(value: T, ...others: T[]) =>
	fc.oneof({ weight: 2 + others.length, arbitrary: fc.constant(value) }, fc.constantFrom(value, ...others));

const settings: fc.Arbitrary<Partial<ServiceSettings>> = fc.record({
	videoAppearsAfterMs: often(0, 20, 60, LATE_MS),
	videoLagSpreadMs: often(0, 80),
	videoLagSeed: fc.nat(),
	folderAppearsAfterMs: often(0, 100, LATE_MS),
	videoSizes: fc.boolean(),
	videoFolders: fc.boolean(),
	videoDates: fc.constantFrom('milliseconds', 'seconds', 'day', 'epoch', 'none'),
	videoDatedAt: fc.constantFrom('completion', 'creation', 'listing'),
	clockOffsetMinutes: often(0, -90, 90),
	videoNameKeepsExtension: often(true, false),
	videoNameSanitized: often(false, true),
	videoNameLowerCase: often(false, true),
	videoNameForm: fc.constantFrom('given', 'NFC', 'NFD'),
	videoNameFilter: fc.constantFrom('contains', 'prefix', 'exact', 'ignored'),
	videoNameFilterCase: often('ignored', 'compared'),
	videoNameFilterForm: often('given', 'NFC'),
	videoOrder: fc.constantFrom('oldestFirst', 'newestFirst', 'random'),
	videoOrderByIgnored: fc.boolean(),
	videoSortRejected: often(false, true),
	defaultPageSize: fc.constantFrom(2, 20),
	dropsFinishedUploads: fc.boolean(),
	uploadIds: fc.constantFrom('uuid', 'numeric'),
	slotHeldBy: often('transferring', 'unfinished'),
	// Otherwise an upload whose creation got no response would hold the slot to the end.
	unfinishedUploadExpiryMs: fc.constantFrom(200),
	writeResponse: fc.constantFrom('record', 'success', 'empty'),
});

const strikes = { times: fc.constantFrom(1, 1, 2, 4), skip: fc.nat({ max: 3 }) };
const CALLS = [
	'videoList',
	'videoEdit',
	'videoThumbnail',
	'uploadCreate',
	'uploadPatch',
	'uploadHead',
] as const;

const fault: fc.Arbitrary<Fault> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('status'),
			on: fc.constantFrom(...CALLS, 'folderList', 'folderCreate'),
			status: fc.constantFrom(400, 429, 500, 503),
			...strikes,
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('lostResponse'),
			on: fc.constantFrom(...CALLS.slice(1), 'folderCreate'),
			...strikes,
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('reset'),
			on: fc.constant('uploadPatch'),
			afterBytes: fc.constantFrom(0, 500),
			...strikes,
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('shortList'),
			on: fc.constant('videoList'),
			records: fc.nat({ max: 1 }),
			...strikes,
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('hang'),
			on: fc.constant('videoList'),
			times: fc.constant(1),
			skip: strikes.skip,
		}),
	},
);

const item: fc.Arbitrary<Item> = fc.record({
	content: fc.nat({ max: 3 }),
	name: often(0, 1, 2, 3),
	title: often(0, 1, 2, 3),
	folder: fc.nat({ max: FOLDERS.length - 1 }),
});

const execution: fc.Arbitrary<Execution> = fc.record({
	items: fc.array(item, { minLength: 1, maxLength: 4, size: 'small' }),
	options: fc.record({
		title: fc.boolean(),
		thumbnail: often(false, true),
		skipIfExists: fc.boolean(),
		resumeUnfinished: often(true, false),
		returnVideo: fc.boolean(),
		folders: fc.boolean(),
	}),
	tries: fc.constantFrom(1, 1, 2, 3),
	loop: often(false, true),
	continues: often(false, true),
});

const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			kind: fc.constant('executions' as const),
			executions: fc.oneof(
				{ weight: 3, arbitrary: fc.array(execution, { minLength: 1, maxLength: 1 }) },
				fc.array(execution, { minLength: 2, maxLength: 4 }),
			),
			overlap: fc.boolean(),
			faults: fc.array(fault, { maxLength: 3 }),
		}),
	},
	{ weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

const foreign: fc.Arbitrary<Foreign> = fc.record({
	name: fc.constantFrom(...NAMES, ...TITLES),
	folder: fc.option(fc.constant(0), { nil: undefined }),
	appearsAfterMs: often(0, 50, LATE_MS),
});

/**
 * Without what no client can know: a folder that is neither listed nor in a response that arrived, or that an earlier
 * process created and that is not listed yet, would be created twice.
 */
function withKnownFolders({ settings: given, steps, foreign: videos }: Sequence): Sequence {
	const hasRestart = steps.some(({ kind }) => kind === 'restart');
	const isLost = (each: Fault) => each.kind === 'lostResponse' && each.on === 'folderCreate';
	const hasLost = steps.some((each) => each.kind === 'executions' && each.faults.some(isLost));
	const settingsOfAll = hasRestart || hasLost ? { ...given, folderAppearsAfterMs: 0 } : given;
	return { settings: settingsOfAll, steps, foreign: videos };
}

export const sequences: fc.Arbitrary<Sequence> = fc
	.record({
		settings,
		foreign: fc.array(foreign, { maxLength: 3 }),
		steps: fc.array(step, { minLength: 1, maxLength: 3 }),
	})
	.map(withKnownFolders);

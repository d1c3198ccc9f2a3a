import { fc } from '../../execution/generated';
import type { Fault, ServiceSettings } from '../../fakeService';

/** A file of the pool. All files of one name and size class have the same size and differ in content. */
export interface PoolFile {
	name: 'a.mp4' | 'b.mp4';
	/** Index into {@link Sequence.sizes}. */
	sizeClass: number;
	/** 0 is the original; others differ from it in their last part, or in one byte. */
	variant: 0 | 1 | 2;
}

type SourceMode = 'memory' | 'filesystem' | 'database' | 's3' | 'url';

/** How the web server of a URL source behaves. */
interface WebHabits {
	validator: 'strong' | 'weak' | 'lastModified' | 'none';
	ranges: boolean;
	breaksOffAfter: number[];
}

export interface Item extends PoolFile {
	mode: SourceMode;
	web: WebHabits;
}

/** One execution of Upload → Upload. */
export interface Run {
	kind: 'run';
	items: Item[];
	faults: Fault[];
	/** 0 for the whole remainder. */
	maxRequestMegabytes: number;
	idleTimeoutSeconds: number;
	/** n8n saves static data after a production execution only. */
	mode: 'trigger' | 'manual';
	/** The execution is cancelled when so many requests of it have arrived; undefined for never. */
	cancelAfterRequests: number | undefined;
}

export type Step =
	| Run
	/** Another n8n process: it has the static data that was saved, or not even that. */
	| { kind: 'restart'; keepsStaticData: boolean }
	/** A person resumes the unfinished upload by its ID elsewhere, with the file that it was started with. */
	| { kind: 'finishElsewhere' }
	/** The service drops its unfinished uploads. */
	| { kind: 'serviceForgets' };

export interface Sequence {
	/** Bytes. */
	sizes: number[];
	/** Makes the contents. */
	contentSeed: number;
	settings: Partial<ServiceSettings>;
	steps: Step[];
}

const HTML = '<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>';
const uploadOperation = fc.constantFrom(
	'uploadCreate' as const,
	'uploadPatch' as const,
	'uploadHead' as const,
);
const afterBytes = fc.oneof(
	fc.constant(0),
	fc.constantFrom(1, 1_000, 65_536, 262_144),
	fc.nat({ max: 400_000 }),
);
const strikes = {
	times: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.constantFrom(12, 40)),
	skip: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 4 })),
};

const fault: fc.Arbitrary<Fault> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({ kind: fc.constant('reset'), on: uploadOperation, ...strikes, afterBytes }),
	},
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constant('status'),
			on: uploadOperation,
			...strikes,
			afterBytes,
			status: fc.constantFrom(400, 408, 409, 423, 429, 500, 502, 503),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('status'),
			on: fc.constantFrom('uploadPatch', 'uploadHead'),
			...strikes,
			afterBytes,
			status: fc.constantFrom(404, 410, 413),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('status'),
			on: uploadOperation,
			...strikes,
			afterBytes,
			status: fc.constantFrom(404, 502, 503),
			body: fc.constant(HTML),
			headers: fc.constant({ 'content-type': 'text/html' }),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({ kind: fc.constant('lostResponse'), on: uploadOperation, ...strikes }),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('storeFewer'),
			on: fc.constant('uploadPatch'),
			...strikes,
			bytes: fc.nat({ max: 300_000 }),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({ kind: fc.constant('expireToken'), on: uploadOperation, ...strikes, afterBytes }),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('forget'),
			on: fc.constantFrom('uploadPatch', 'uploadHead'),
			times: fc.constant(1),
			skip: strikes.skip,
		}),
	},
	{
		// Each costs the idle timeout.
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('hang'),
			on: uploadOperation,
			times: fc.constant(1),
			skip: strikes.skip,
			afterBytes,
		}),
	},
);

/**
 * A service that accepts the last PATCH, stores only a part of it, reports no offset and then denies the upload cannot be
 * distinguished from one that drops finished uploads.
 */
function isDenial(each: Fault): boolean {
	const isUnknown = each.kind === 'status' && [404, 410].includes(each.status) && each.body === undefined;
	return each.kind === 'forget' || isUnknown;
}

const web: fc.Arbitrary<WebHabits> = fc.record({
	validator: fc.constantFrom('strong', 'weak', 'lastModified', 'none'),
	ranges: fc.boolean(),
	breaksOffAfter: fc.array(fc.nat({ max: 400_000 }), { maxLength: 2 }),
});

const item: fc.Arbitrary<Item> = fc.record({
	name: fc.oneof({ weight: 4, arbitrary: fc.constant('a.mp4') }, fc.constant('b.mp4')),
	sizeClass: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constant(1)),
	variant: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.constantFrom(1, 2)),
	mode: fc.constantFrom('memory', 'filesystem', 'database', 's3', 'url', 'url'),
	web,
});

const run: fc.Arbitrary<Run> = fc
	.record({
		kind: fc.constant('run'),
		items: fc.oneof(
			{ weight: 3, arbitrary: fc.array(item, { minLength: 1, maxLength: 1 }) },
			fc.array(item, { minLength: 2, maxLength: 3 }),
		),
		faults: fc.array(fault, { maxLength: 4 }),
		maxRequestMegabytes: fc.constantFrom(0, 0, 0.25, 0.125),
		mode: fc.constantFrom('trigger', 'trigger', 'manual'),
		cancelAfterRequests: fc.option(fc.integer({ min: 1, max: 8 }), { freq: 5, nil: undefined }),
	})
	.map((one) => ({
		...one,
		faults: one.faults.filter(
			(each) => !isDenial(each) || !one.faults.some(({ kind }) => kind === 'storeFewer'),
		),
		// Where nothing hangs, a loaded machine is no reason to interrupt.
		idleTimeoutSeconds: one.faults.some(({ kind }) => kind === 'hang') ? 0.4 : 20,
	}));

const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 10, arbitrary: run },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('restart'), keepsStaticData: fc.boolean() }) },
	{ weight: 2, arbitrary: fc.constant({ kind: 'finishElsewhere' }) },
	{ weight: 1, arbitrary: fc.constant({ kind: 'serviceForgets' }) },
);

const size = fc.oneof(
	{ weight: 5, arbitrary: fc.integer({ min: 1_000, max: 400_000 }) },
	fc.constantFrom(0, 1, 262_144, 700_000),
);

export const sequences: fc.Arbitrary<Sequence> = fc.record({
	sizes: fc.tuple(size, size),
	contentSeed: fc.nat(),
	settings: fc.record(
		{
			patchReturnsOffset: fc.boolean(),
			headReturnsLength: fc.boolean(),
			slotHeldBy: fc.constantFrom('unfinished', 'transferring'),
			tokenLifetimeRequests: fc.constantFrom(0, 0, 4),
			expiredTokenStatus: fc.constantFrom(401, 403),
			concurrentPatchStatus: fc.constantFrom(409, 423, 429),
			locationForm: fc.constantFrom('protocolRelative', 'absolute', 'path'),
		},
		{ requiredKeys: [] },
	),
	steps: fc.array(step, { minLength: 2, maxLength: 5 }),
});

import { fc } from '../../execution/generated';
import type { Fault } from '../../fakeService';
import { WEB_PAGE } from '../uploading';

const uploads = fc.constantFrom('uploadCreate' as const, 'uploadPatch' as const, 'uploadHead' as const);
const afterBytes = fc.oneof(fc.constantFrom(0, 1, 1_000, 65_536, 262_144), fc.nat({ max: 400_000 }));
const strikes = {
	times: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.constantFrom(12, 40)),
	skip: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 4 })),
};
const few = {
	on: fc.constantFrom('videoList' as const, 'videoEdit' as const),
	times: fc.constantFrom(1, 1, 2, 4),
	skip: fc.nat({ max: 3 }),
};
const page = { body: fc.constant(WEB_PAGE.body), headers: fc.constant(WEB_PAGE.headers) };
const later = fc.constantFrom('uploadPatch' as const, 'uploadHead' as const);

type Generated<T> = T extends fc.Arbitrary<infer Value> ? Value : never;
type Fields = Record<string, fc.Arbitrary<unknown>>;

/** A fault of one kind, of any request about an upload unless `more` says another. */
const faultOf = (weight: number, kind: Fault['kind'], more: Fields = {}) => ({
	weight,
	// The fields belong to the kind.
	arbitrary: fc.record({ kind: fc.constant(kind), on: uploads, ...strikes, ...more }) as fc.Arbitrary<Fault>,
});
const statusOf = (weight: number, statuses: number[], more: Fields = {}) =>
	faultOf(weight, 'status', { status: fc.constantFrom(...statuses), ...more });

const fault = fc.oneof(
	faultOf(6, 'reset', { afterBytes }),
	// The service rejects the request: it stores nothing of it.
	statusOf(4, [400, 401, 403, 408, 409, 413, 423, 429]),
	statusOf(2, [500, 502, 503], { afterBytes }),
	statusOf(2, [404, 410], { on: later }),
	statusOf(2, [404, 502, 503], { afterBytes, ...page }),
	faultOf(3, 'lostResponse'),
	faultOf(2, 'storeFewer', { on: fc.constant('uploadPatch'), bytes: fc.nat({ max: 300_000 }) }),
	faultOf(3, 'expireToken', { afterBytes }),
	faultOf(1, 'forget', { on: later, times: fc.constant(1), skip: fc.constant(0) }),
	// Each costs the idle timeout.
	faultOf(1, 'hang', { times: fc.constant(1), afterBytes }),
	statusOf(3, [400, 429, 500, 503], few),
	faultOf(1, 'lostResponse', { ...few, on: fc.constant('videoEdit') }),
);

/** Whether a fault makes the service report an upload as unknown that it has, or drop it. */
export function isDenial(each: Fault): boolean {
	return (
		each.kind === 'forget' ||
		(each.kind === 'status' && [404, 410].includes(each.status) && each.body === undefined)
	);
}

/** All files of one name and size class have the same size and differ in content. */
const item = fc.record({
	name: fc.oneof({ weight: 4, arbitrary: fc.constant('a.mp4') }, fc.constant('b.mp4')),
	/** Index into the sizes of the sequence. */
	sizeClass: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constant(1)),
	/** 0 is the original; others differ from it in their last part, or in one byte. */
	variant: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.constantFrom(1, 2)),
	mode: fc.constantFrom('memory', 'filesystem', 'database', 's3', 'url', 'url'),
	/** How the web server of a URL source behaves. */
	web: fc.record({
		validator: fc.constantFrom('strong', 'weak', 'none'),
		ranges: fc.boolean(),
		breaksOffAfter: fc.array(fc.nat({ max: 400_000 }), { maxLength: 2 }),
	}),
});
export type Item = Generated<typeof item>;

const oneOrMore = <T>(arbitrary: fc.Arbitrary<T>) =>
	fc.oneof(
		{ weight: 3, arbitrary: fc.array(arbitrary, { minLength: 1, maxLength: 1 }) },
		fc.array(arbitrary, { minLength: 2, maxLength: 3 }),
	);

/** One execution of Upload → Upload, or of Upload → Resume. */
const execution = fc.record({
	items: oneOrMore(item),
	/** Of its videos; '' for none. */
	title: fc.constantFrom('', '', 'First', 'Second'),
	skipIfExists: fc.boolean(),
	/** Whether n8n tries the node again after an error. */
	retryOnFail: fc.boolean(),
	/** Instead of Upload, Resume of one of the unfinished uploads, with the same file; undefined for Upload. */
	resume: fc.option(fc.nat(), { freq: 4, nil: undefined }),
	/** 0 for the whole remainder. */
	maxRequestMegabytes: fc.constantFrom(0, 0, 0.25, 0.125),
	/** The execution is cancelled when so many requests have arrived; undefined for never. */
	cancelAfterRequests: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 5, nil: undefined }),
});
export type Execution = Generated<typeof execution>;

/** Executions that overlap. */
const executions = fc.record({
	kind: fc.constant('executions'),
	executions: oneOrMore(execution),
	// A service that accepts the last PATCH, stores a part of it, and then denies the upload cannot be distinguished from one
	// that drops finished uploads.
	faults: fc
		.array(fault, { maxLength: 4 })
		.map((all) => all.filter((one) => !isDenial(one) || all.every(({ kind }) => kind !== 'storeFewer'))),
});
export type Executions = Generated<typeof executions>;

const step = fc.oneof(
	{ weight: 10, arbitrary: executions },
	// Another n8n process, which remembers nothing.
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('restart') }) },
	// The service drops its unfinished uploads.
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('serviceForgets') }) },
);
export type Step = Generated<typeof step>;

const size = fc.oneof(
	{ weight: 5, arbitrary: fc.integer({ min: 1_000, max: 400_000 }) },
	fc.constantFrom(1, 262_144, 700_000),
);

export const sequences = fc.record({
	/** Bytes. */
	sizes: fc.tuple(size, size),
	/** Makes the contents. */
	contentSeed: fc.nat(),
	settings: fc.record(
		{
			patchReturnsOffset: fc.boolean(),
			headReturnsLength: fc.boolean(),
			slotHeldBy: fc.constantFrom('unfinished', 'transferring'),
			dropsFinishedUploads: fc.boolean(),
			expiredTokenStatus: fc.constantFrom(401, 403),
			locationForm: fc.constantFrom('protocolRelative', 'absolute', 'path'),
			// The last one is longer than anybody waits.
			videoAppearsAfterMs: fc.constantFrom(0, 0, 40, 1_000),
			videoOrderByIgnored: fc.boolean(),
		},
		{ requiredKeys: [] },
	),
	steps: fc.array(step, { minLength: 2, maxLength: 5 }),
});
export type Sequence = Generated<typeof sequences>;

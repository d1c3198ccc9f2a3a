import { retryPolicy } from '../../nodes/VideoHosting/shared/retryPolicy';
import { videoPolicy } from '../../nodes/VideoHosting/upload/newVideo';
import { fc, seedFor } from '../execution/generated';
import { sequences } from './model/sequence';
import { digest, World, type ItemResult } from './model/world';

/** How many sequences, and which: see CONTRIBUTING.md, Run one test. */
const SEQUENCES = Number(process.env.UPLOAD_SEQUENCES ?? 300);
const SEED = Number(process.env.UPLOAD_SEED ?? seedFor(2_124_523_870));
const PATH = process.env.UPLOAD_PATH ?? '';

/** Far above what the faults of one run can cause, and far below a loop without end. */
const MOST_REQUESTS_PER_ITEM = 400;

/** Of message and description of an error together. */
const MOST_SENTENCES = 4;

const WAY_ON =
	/run this again|Upload → (Resume|Create|Upload)|Try again|and retry|Max Wait|Max Request Size|\bcheck |Download it first|The execution was cancelled/i;

Object.assign(retryPolicy, {
	errorPause: { firstMs: 1, longestMs: 4 },
	slotPause: { firstMs: 2, longestMs: 10 },
	unreachablePause: { firstMs: 1, longestMs: 4 },
});
// All videos are listed at once: one that is not there is not waited for.
Object.assign(videoPolicy, { waitMs: 1_000, firstMs: 5, longestMs: 20 });

it(
	`keeps what an upload promises through ${SEQUENCES} sequences of faults, restarts and sources`,
	async () => {
		// The seed is what a failure is repeated with, also one that ends the process.
		process.stdout.write(`Upload sequences: UPLOAD_SEED=${SEED}\n`);
		await fc.assert(fc.asyncProperty(sequences, checkSequence), {
			numRuns: SEQUENCES,
			seed: SEED,
			path: PATH,
			// Of one sequence: whatever takes longer hangs, also on a busy machine.
			timeout: 120_000,
			includeErrorInReport: true,
		});
	},
	120_000 + SEQUENCES * 5_000,
);

async function checkSequence(sequence: Parameters<typeof World.start>[0]): Promise<void> {
	const world = await World.start({ ...sequence, settings: { ...sequence.settings, keepBytes: true } });
	try {
		for (const step of sequence.steps) {
			const expected =
				step.kind === 'run' && step.items.length === 1 ? world.expectedUploadOf(step.items[0]) : undefined;
			const results = await world.runStep(step);
			checkUploads(world);
			for (const result of results) checkResult(world, result);
			if (expected !== undefined && results[0]) checkResumed(world, results[0], expected);
		}
	} finally {
		await world.close();
	}
}

/** Whatever the node reports: each completed upload is one of the files that were offered under its name. */
function checkUploads({ uploads, offered }: World): void {
	for (const { filename, complete, sha256, size, bytesReceived, patches, offset } of uploads) {
		if (complete && !offered.get(filename)?.has(sha256 ?? '')) {
			throw new Error(
				`The service holds a "${filename}" of ${size} bytes that is not one of the files offered`,
			);
		}
		const discarded = patches.reduce((sum, { received, stored }) => sum + received - stored, 0);
		if (bytesReceived - discarded !== offset)
			throw new Error(`Acknowledged bytes of "${filename}" were sent again`);
	}
}

function checkResult(
	world: World,
	{ output, error, content, requests, isCancelled, created, mayLoseConfirmed }: ItemResult,
): void {
	if (requests > MOST_REQUESTS_PER_ITEM * 3) throw new Error(`One run made ${requests} requests`);
	if (output) {
		const upload = [...world.uploads].find(({ id }) => id === output.uploadId);
		const isLost = mayLoseConfirmed && upload?.complete === false;
		if (!isLost && (!upload?.complete || upload.sha256 !== digest(content))) {
			throw new Error('Reported as complete, but the service does not hold the file');
		}
		return;
	}
	if (isCancelled) return;
	if (content.length === 0 && error?.includes('is empty (0 bytes)') === true) return;
	if (!WAY_ON.test(error ?? '')) throw new Error(`An error does not say how to continue: ${error}`);
	const sentences = error?.match(/[.!?](?=\s|$)/g)?.length ?? 0;
	if (sentences > MOST_SENTENCES) throw new Error(`An error has ${sentences} sentences: ${error}`);
	const unfinished = created.filter(({ complete, id }) => !complete && error?.includes(id) !== true);
	// The ID of an upload whose creation got no response is unknown to the client.
	const isKnown = error?.includes('an upload may block others') !== true;
	if (isKnown && created.length > 0 && unfinished.length === created.length) {
		throw new Error(`An upload was created, and the error does not name it: ${error}`);
	}
}

/** A file that is resumed continues its upload, so no acknowledged byte of it goes to another one. */
function checkResumed(world: World, { created, mayForget, isCancelled }: ItemResult, expected: string): void {
	const exists = world.service.state.uploads.some(({ id }) => id === expected);
	if (!exists || mayForget || isCancelled || created.length === 0) return;
	throw new Error(`Upload ${expected} was left at its offset, and the file was sent again from byte 0`);
}

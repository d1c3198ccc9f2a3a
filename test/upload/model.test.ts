import { fc, seedFor } from '../execution/generated';
import { policies } from '../execution/policies';
import { sequences, type Sequence } from './model/sequence';
import { fileNameOf, nameOf, World, type ItemResult, type StepResult } from './model/world';
import { sha256 } from './uploading';

/** How many sequences, and which: see CONTRIBUTING.md, Tests. */
const SEQUENCES = Number(process.env.UPLOAD_SEQUENCES ?? 50);
const SEED = Number(process.env.UPLOAD_SEED ?? seedFor(2_124_523_870));

/** Far above what the faults of one step can cause, and far below a loop without end. */
const MOST_REQUESTS_PER_ITEM = 600;

const NEXT_STEP =
	/run this again|Upload → (Resume|Create|Upload)|Try again|Max Wait|Max Request Size|check |may have been deleted|ask for the limit|look for the video before|The (execution|request) was cancelled/i;

it(
	`Uploads keep their promises through ${SEQUENCES} sequences of faults, restarts and overlaps`,
	async () => {
		// The seed is what a failure is repeated with, also one that ends the process.
		process.stdout.write(`Upload sequences: UPLOAD_SEED=${SEED}\n`);
		policies.newVideo.passes.totalMs = 500;
		policies.requestMs = 5_000;
		await fc.assert(fc.asyncProperty(sequences, checkSequence), {
			numRuns: SEQUENCES,
			seed: SEED,
			// Of one sequence: whatever takes longer hangs, also on a busy machine.
			timeout: 120_000,
			includeErrorInReport: true,
			endOnFailure: true,
		});
	},
	120_000 + SEQUENCES * 5_000,
);

/** The unfinished upload of a file, by {@link keyOf}, that the same file resumes. A restart of n8n empties it. */
type Unfinished = Map<string, { uploadId: string; sha256: string }>;

async function checkSequence(sequence: Sequence): Promise<void> {
	const world = await World.start(sequence);
	const unfinished: Unfinished = new Map();
	try {
		for (const step of sequence.steps) {
			if (step.kind === 'restart') unfinished.clear();
			const before = world.service.state.uploads.filter(({ complete }) => !complete).map(({ id }) => id);
			const result = await world.runStep(step);
			checkUploads(world);
			if (!result) continue;
			for (const item of result.items) checkItem(world, item);
			checkErrors(result);
			checkResumed(result, unfinished, before);
			remember(result, unfinished);
		}
	} finally {
		await world.close();
	}
}

/** Whatever the node reports: bytes are those of one file, none is sent again that was acknowledged, and one upload runs at a time. */
function checkUploads({ offered, service, uploads }: World): void {
	for (const upload of uploads) {
		const files = offered.get(fileNameOf(upload)) ?? [];
		if (upload.complete && !files.some((content) => sha256(content) === upload.sha256))
			throw new Error(`The service holds a "${upload.filename}" that is not one of the files offered`);
	}
	if (service.requests.some(({ reason }) => reason?.startsWith('Upload-Offset is') === true))
		throw new Error('Bytes were sent from another offset than that of the service');
	if (service.state.maxSimultaneousPatches > 1) throw new Error('Two uploads ran at the same time');
}

/** An item that is complete has its file, its title and its own video at the service; any other has an error with a next step. */
function checkItem(
	{ service, uploads }: World,
	{ content, error, execution, isCancelled, item, output, resumed }: ItemResult,
): void {
	const { videos } = service.state;
	if (!output) {
		if (!isCancelled && !NEXT_STEP.test(error ?? ''))
			throw new Error(`An error does not say how to continue: ${error}`);
		return;
	}
	const name = nameOf(execution, item);
	const returned = videos.find(({ hash }) => hash === (output.video as { hash?: unknown } | null)?.hash);
	if (output.skipped === true) {
		// A later run of its file may have corrected its title.
		const { name: found } = output.video as { name?: unknown };
		if (!execution.skipIfExists || !returned || found !== name)
			throw new Error(`"${name}" was skipped for "${String(found)}"`);
		return;
	}
	const upload = [...uploads].find(({ id }) => id === output.uploadId);
	if (!upload?.complete || upload.sha256 !== sha256(content))
		throw new Error('Reported as complete, but the service does not hold the file');
	const video = videos.find(({ uploadId }) => uploadId === output.uploadId);
	// Resume without a title leaves the name, or sets the one that the upload was begun with.
	const isNamedHere = resumed === undefined || execution.title !== '';
	if (isNamedHere && video?.name !== name)
		throw new Error(`The video is called "${video?.name}" instead of "${name}"`);
	if (returned && returned !== video) throw new Error('The video of another upload was returned');
	if (execution.title !== '' && !returned) throw new Error('A video with a title was not returned');
}

/** The error of an item names the unfinished upload that it created. */
function checkErrors({ announced, created, items, only, requests }: StepResult): void {
	if (requests > MOST_REQUESTS_PER_ITEM * items.length) throw new Error(`One step made ${requests} requests`);
	// Without an ID in the error, a request of an execution that was cancelled before may have created the upload.
	if (only?.error === undefined || only.isCancelled || only.uploadId === undefined) return;
	// The client does not know the ID of an upload whose creation got no response.
	const known = created.filter(({ id }) => announced.includes(id));
	if (known.length > 0 && !known.some(({ complete, id }) => complete || only.error?.includes(id)))
		throw new Error(`An upload was created, and the error does not name it: ${only.error}`);
}

/** A file whose upload is unfinished continues it, so no acknowledged byte of it goes to another one. */
function checkResumed(
	{ created, mayForget, only }: StepResult,
	unfinished: Unfinished,
	before: string[],
): void {
	if (!only || only.isCancelled || mayForget || created.length === 0) return;
	const expected = unfinished.get(keyOf(only));
	if (expected?.sha256 !== sha256(only.content) || !before.includes(expected.uploadId)) return;
	throw new Error(`Upload ${expected.uploadId} was left, and the file was sent again from byte 0`);
}

function remember({ items, mayForget }: StepResult, unfinished: Unfinished): void {
	for (const result of items) {
		const { content, isCancelled, output, resumed, uploadId } = result;
		if (resumed !== undefined) {
			// It is the latest one of its file now, whatever the latest one was.
			unfinished.clear();
			continue;
		}
		// What a denied or cancelled upload leaves behind is not promised to be remembered.
		if (output || uploadId === undefined || isCancelled || mayForget) unfinished.delete(keyOf(result));
		else unfinished.set(keyOf(result), { uploadId, sha256: sha256(content) });
	}
}

function keyOf({ content, execution, item }: ItemResult): string {
	return `${item.name} ${content.length} ${execution.title === ''}`;
}

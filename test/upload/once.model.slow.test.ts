import { fc, seedFor } from '../execution/generated';
import { matchesName, nameAfterRename, nameOfUpload } from '../fakeService/videoNames';
import type { Upload, Video } from '../fakeService';
import { FOLDERS, NAMES, sequences, TITLES, type Item, type Sequence } from './onceModel/sequence';
import { contentOf, digest, thumbnailOf, World, type Outcome } from './onceModel/world';

/** How many sequences, and which: as UPLOAD_SEQUENCES and UPLOAD_SEED of model.test.ts. */
const SEQUENCES = Number(process.env.ONCE_SEQUENCES ?? 200);
const SEED = Number(process.env.ONCE_SEED ?? seedFor(1_903_117_264));
const PATH = process.env.ONCE_PATH ?? '';

const WAY_ON =
	/run this again|Upload → (Resume|Create|Upload)|Video → (Update|Get|Set)|try again|retry|later|Max Wait|check |appear|Rename/i;

/** They mostly wait, so some run side by side; the path of a failure is one of its own seed. */
const PARTS = PATH === '' ? 3 : 1;

it(
	`keeps files, titles and folders right through ${SEQUENCES} sequences of executions, tries and restarts`,
	async () => {
		const seeds = Array.from({ length: PARTS }, (_, part) => SEED + part);
		process.stdout.write(`Once sequences: ONCE_SEED=${seeds.join(', ')}\n`);
		const runs = seeds.map(async (seed) => {
			await fc.assert(fc.asyncProperty(sequences, checkSequence), {
				numRuns: Math.ceil(SEQUENCES / PARTS),
				seed,
				path: PATH,
				timeout: 120_000,
				includeErrorInReport: true,
				endOnFailure: process.env.ONCE_SHRINK === undefined,
			});
		});
		// All have ended before the test does.
		for (const run of await Promise.allSettled(runs)) if (run.status === 'rejected') throw run.reason;
	},
	120_000 + SEQUENCES * 5_000,
);

async function checkSequence(sequence: Sequence): Promise<void> {
	const world = await World.start(sequence);
	try {
		for (const step of sequence.steps) await world.runStep(step);
		for (const { error } of world.outcomes) {
			if (error !== undefined && !WAY_ON.test(error))
				throw new Error(`An error does not say how to continue: ${error}`);
		}
		await world.finish();
		checkFiles(world, sequence);
		checkVideos(world, sequence);
		checkFolders(world);
	} finally {
		await world.service.close();
	}
}

const keyOf = ({ content, name, folder, options }: Outcome) =>
	[content, name, options.folders ? folder : ''].join();

/** Each input file is at the service exactly once, or was skipped for a video that really is there. */
function checkFiles(world: World, sequence: Sequence): void {
	const { outcomes, complete, service } = world;
	const reported = new Set<unknown>();
	for (const outcome of outcomes) {
		const { output, error, content, isUnreported } = outcome;
		if (isUnreported) continue;
		if (!output && mayStayUndone(world, sequence, outcome)) continue;
		if (!output) throw new Error(`A healthy service does not complete "${NAMES[outcome.name]}": ${error}`);
		if (output.skipped === true) {
			checkSkipped(world, outcome);
			continue;
		}
		const upload = [...complete.keys()].find(({ id }) => id === output.uploadId);
		if (upload?.sha256 !== digest(contentOf(content)))
			throw new Error('Reported as complete, but the file is not there');
		if (reported.has(output.uploadId)) throw new Error(`Two items report upload ${upload.id}`);
		reported.add(output.uploadId);
		if (output.folder !== upload.folder)
			throw new Error('The output names another folder than the file is in');
		if (outcome.options.folders && folderName(world, upload.folder) !== FOLDERS[outcome.folder]) {
			throw new Error(`The file is in the folder "${folderName(world, upload.folder)}"`);
		}
		checkNotExisting(world, sequence, outcome);
	}
	// What no item reports was sent twice.
	const orphans = [...complete].filter(([{ id }]) => !reported.has(id));
	const places = new Map<string, number>();
	for (const outcome of outcomes) {
		const { options, output } = outcome;
		// Of a file without a mark whose last response was lost, nothing proves which of several videos is its own.
		const isAmbiguous =
			world.service.settings.dropsFinishedUploads &&
			!options.title &&
			!options.thumbnail &&
			losesPatches(sequence);
		const mayBeSentAgain =
			outcome.isUnreported || output?.skipped === true || !options.resumeUnfinished || isAmbiguous;
		places.set(keyOf(outcome), (places.get(keyOf(outcome)) ?? 0) + (mayBeSentAgain ? 5 : 0));
	}
	// Static data of overlapping executions overwrite each other, so a restart may forget one.
	const hasLost = (beforeRestarts: number) =>
		beforeRestarts < world.restarts &&
		sequence.steps.some((step) => step.kind === 'executions' && step.overlap);
	for (const [upload, beforeRestarts] of orphans) {
		const keys = outcomes.filter((outcome) => isOf(world, upload, outcome)).map(keyOf);
		const allowing = keys.find((key) => (places.get(key) ?? 0) > 0);
		if (allowing !== undefined) places.set(allowing, (places.get(allowing) ?? 0) - 1);
		else if (!hasLost(beforeRestarts)) {
			throw new Error(
				`"${upload.filename}" was sent again: ${[...complete.keys()].filter(({ sha256 }) => sha256 === upload.sha256).length} uploads of its content`,
			);
		}
	}
	if (service.state.maxSimultaneousPatches > 1) throw new Error('Two uploads ran at the same time');
}

/** Whether an item may stay an error for some minutes, because an upload that is complete, or may be, is not listed yet. */
function mayStayUndone({ outcomes, service }: World, sequence: Sequence, outcome: Outcome): boolean {
	const { error = '', name, options } = outcome;
	// The service forgets complete and expired uploads alike.
	if (error.includes('does not list its video')) return losesPatches(sequence);
	if (!options.skipIfExists) return false;
	// A service that stores files under other names lists none that shows it.
	const stored = nameOfUpload(NAMES[name] ?? '', service.settings).normalize('NFC');
	if (error.includes('its video is not listed yet')) return !finalNames(outcome).includes(stored);
	// Only its own file gives that video its name, and nobody runs that item again.
	const isLeft = (other: Outcome) => other.isUnreported && (other.options.title || other.options.thumbnail);
	return error.includes('its video does not have its name yet') && outcomes.some(isLeft);
}

function isOf(world: World, upload: Upload, { content, folder, options }: Outcome): boolean {
	const wanted = options.folders ? FOLDERS[folder] : undefined;
	return upload.sha256 === digest(contentOf(content)) && folderName(world, upload.folder) === wanted;
}

function folderName({ service }: World, uuid: string | null): string | undefined {
	return service.state.folders.find((folder) => folder.uuid === uuid)?.name;
}

/** Names that count as this upload's, in NFC. */
function finalNames({ name, title, options }: Outcome): string[] {
	const fileName = NAMES[name] ?? '';
	const names = options.title ? [TITLES[title] ?? ''] : [fileName, fileName.replace(/\.mp4$/, '')];
	return names.map((each) => each.normalize('NFC'));
}

function losesPatches({ steps }: Sequence): boolean {
	return steps.some(
		(step) =>
			step.kind === 'executions' && step.faults.some(({ on }) => on === 'uploadPatch' || on === 'uploadHead'),
	);
}

/** A video may be anywhere when the service does not report its folder; a hint says so. */
function isInFolder(world: World, video: Video, { folder, options }: Outcome): boolean {
	if (!world.service.settings.videoFolders) return true;
	return !options.folders || folderName(world, video.folder) === FOLDERS[folder];
}

function checkSkipped(world: World, outcome: Outcome): void {
	const { settings, state } = world.service;
	if (!outcome.options.skipIfExists) throw new Error('Skipped, although Skip If Exists is off');
	const stored = storedNames(world, outcome);
	const isIt = (video: Video) =>
		[...finalNames(outcome), ...stored].includes(video.name.normalize('NFC')) &&
		isInFolder(world, video, outcome);
	if (!state.videos.some(isIt)) {
		throw new Error(
			`Skipped, but no video is named ${JSON.stringify(finalNames(outcome))} in ${settings.videoNameFilter}`,
		);
	}
	const hash = hashOf(outcome);
	const returned = state.videos.find((video) => video.hash === hash);
	if (returned && !isIt(returned)) throw new Error(`Skipped for "${returned.name}", which is another video`);
}

/** What the service makes of the names that this upload could end with. */
function storedNames({ service: { settings } }: World, { name, title, options }: Outcome): string[] {
	const fileName = NAMES[name] ?? '';
	// Where the service leaves the extension out, so does the name that an upload with a thumbnail gets.
	const shown = settings.videoNameKeepsExtension ? fileName : fileName.replace(/\.[^.]+$/, '');
	const names = options.title
		? [nameAfterRename(TITLES[title] ?? '', settings)]
		: [nameOfUpload(fileName, settings), ...[fileName, shown].map((each) => nameAfterRename(each, settings))];
	return names.map((each) => each.normalize('NFC'));
}

/** A file whose name existed from the beginning, or that was uploaded before with Skip If Exists, is not uploaded. */
function checkNotExisting(world: World, sequence: Sequence, outcome: Outcome): void {
	const isShort = hasFault(sequence, 'shortList', 'videoList');
	if (!outcome.options.skipIfExists || isShort || world.restarts > 0) return;
	const existed = sequence.foreign.some(({ name, folder, appearsAfterMs }, index) => {
		const video = world.foreign[index];
		const isFound = matchesName(name, name.normalize('NFC'), world.service.settings);
		return (
			appearsAfterMs === 0 &&
			video !== undefined &&
			// Without the folder in records, the one of a video is not known.
			(world.service.settings.videoFolders || !outcome.options.folders) &&
			isFound &&
			finalNames(outcome).includes(name.normalize('NFC')) &&
			(!outcome.options.folders || folder === outcome.folder)
		);
	});
	if (existed) throw new Error(`${JSON.stringify(finalNames(outcome))} existed and was uploaded again`);
	const others = world.outcomes.filter(
		(other) =>
			other.output?.skipped === false &&
			other.options.skipIfExists &&
			!other.hadFailed &&
			other.options.title === outcome.options.title &&
			other.options.folders === outcome.options.folders &&
			(!outcome.options.folders || other.folder === outcome.folder) &&
			finalNames(other).join() === finalNames(outcome).join(),
	);
	if (others.length > 1)
		throw new Error(`${JSON.stringify(finalNames(outcome))} was uploaded ${others.length} times`);
}

function hashOf({ output }: Outcome): unknown {
	const video = output?.video;
	return video?.hash ?? video?.video_hash ?? video?.videoHash;
}

/** Titles and thumbnails are on the videos with the bytes of their items, and nobody else's video is changed. */
function checkVideos(world: World, sequence: Sequence): void {
	const { outcomes, foreign, service } = world;
	for (const [index, video] of foreign.entries()) {
		if (video.name !== sequence.foreign[index]?.name || video.thumbnail) {
			throw new Error(`A video of another program was changed to "${video.name}"`);
		}
	}
	for (const outcome of outcomes) {
		const { output, options } = outcome;
		if (!output || output.skipped === true) continue;
		const video = service.state.videos.find(({ uploadId }) => uploadId === output.uploadId);
		if (!video) throw new Error('The upload has no video');
		if (!storedNames(world, outcome).includes(video.name.normalize('NFC'))) {
			throw new Error(
				`The video is named "${video.name}", not ${JSON.stringify(storedNames(world, outcome))}`,
			);
		}
		if (options.thumbnail && video.thumbnail?.sha256 !== digest(thumbnailOf(outcome))) {
			throw new Error('The thumbnail is not on the video');
		}
		const hash = hashOf(outcome);
		if (hash === undefined || hash === video.hash) continue;
		const isChanged = options.title || options.thumbnail;
		if (isChanged || isProvable(world, sequence)) throw new Error('The video of another file is returned');
	}
	for (const { uploadId, sha256, name, thumbnail } of service.state.videos) {
		if (uploadId === null) continue;
		const its = outcomes.filter((outcome) => digest(contentOf(outcome.content)) === sha256);
		const isTitled = TITLES.some((title) => nameAfterRename(title, service.settings) === name);
		const isNamed = its.some((outcome) => storedNames(world, outcome).includes(name.normalize('NFC')));
		if (isTitled && !isNamed) throw new Error(`The title "${name}" is on a video with other bytes`);
		const isIllustrated = its.some((outcome: Item) => digest(thumbnailOf(outcome)) === thumbnail?.sha256);
		if (thumbnail && !isIllustrated) throw new Error('A thumbnail is on a video with other bytes');
	}
}

/** Whether the records show which video cannot be the new one. */
function isProvable({ restarts, service: { settings } }: World, sequence: Sequence): boolean {
	const hasLateForeign = sequence.foreign.some(({ appearsAfterMs }) => appearsAfterMs > 0);
	const isDated = settings.videoDates !== 'none' && settings.videoDates !== 'day';
	return restarts === 0 && isDated && !hasLateForeign && !hasFault(sequence, 'shortList', 'videoList');
}

function checkFolders({ service }: World): void {
	for (const name of FOLDERS) {
		const created = service.state.folders.filter((folder) => folder.name === name).length;
		if (created > 1) throw new Error(`The folder "${name}" was created ${created} times`);
	}
}

function hasFault({ steps }: Sequence, kind: string, on: string): boolean {
	return steps.some(
		(step) =>
			step.kind === 'executions' && step.faults.some((fault) => fault.kind === kind && fault.on === on),
	);
}

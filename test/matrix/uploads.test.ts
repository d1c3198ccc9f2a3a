import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INode } from 'n8n-workflow';

import { MINUTE_MS } from '../execution/clock';
import { by } from '../execution/locator';
import type { RunningService } from '../fakeService';
import { createUpload, metadata, patch, signedIn } from '../fakeService/axiosClient';
import { errorOf, outputOf } from '../n8n/execution';
import { expectArrived, onePixelPng, sha256, writeTestFile, type TestFile } from '../n8n/files';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import { n8n2 } from '../n8n/releases';
import { expectSuccess, type StoredCredential, type WorkflowJson } from '../n8n/rest';
import * as nodes from '../n8n/workflow';
import { startFileServer } from '../sources/fileServer';
import { startTusServer } from '../upload/tusServer';
import { credentialFor, inEachRelease, startTimeout } from './place';

const SIZE = 1_000_000;
const CUT = 600_000;

/** What uploads meet outside the node: memory, tokens, error outputs, other programs, servers and spellings, files that are gone, lists that are late, waits that end. */
inEachRelease((place) => {
	let n8n: RunningN8n;
	let service: RunningService;
	let credential: StoredCredential;

	beforeAll(async () => {
		n8n = await place.n8n({
			N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
			NODE_OPTIONS: `--require=${require.resolve('../n8n/clock')}`,
		});
	}, startTimeout);
	beforeEach(async () => {
		service = await place.service();
		credential = await credentialFor(n8n, service);
	});

	describe('a file whose name is written in two Unicode forms', () => {
		let composed: TestFile;
		let decomposed: TestFile;
		beforeEach(() => {
			composed = writeTestFile(n8n.filesFolder, 'Über uns é.mp4'.normalize('NFC'), SIZE);
			decomposed = writeTestFile(n8n.filesFolder, composed.name.normalize('NFD'), composed.bytes);
		});

		it('is skipped for a video that is listed under the other form, and gets its title on its own video', async () => {
			const listed = ['Über A'.normalize('NFC'), 'Über B'.normalize('NFD')];
			service.seedVideos([composed.name, ...listed].map((name) => ({ name })));
			for (const title of [listed[0]?.normalize('NFD'), listed[1]?.normalize('NFC')]) {
				const skipped = await outputsOf(uploadOf(decomposed, { options: { title, skipIfExists: true } }));
				expect(skipped).toMatchObject([{ skipped: true, bytesSent: 0 }]);
			}
			expect(service.state.uploads).toEqual([]);
			const title = 'Über uns';
			await outputsOf(uploadOf(decomposed, { options: { title } }));
			expect(service.state.videos.map(({ name }) => name)).toEqual([composed.name, ...listed, title]);
			expect(service.state.videos[3]?.sha256).toBe(composed.sha256);
		});

		// The memory of uploads compares names letter by letter (isSameFile in upload/memory.ts).
		it('continues under one form what was cut under the other', async () => {
			service.settings.slotHeldBy = 'transferring';
			service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: CUT });
			expect(await failureOf(uploadOf(composed))).toContain('Upload → Resume');
			expect(await outputsOf(uploadOf(decomposed))).toMatchObject([{ bytesSent: SIZE - CUT }]);
			expect(service.state.uploads).toMatchObject([{ bytesReceived: SIZE }]);
		});
	});

	it.each([401, 403] as const)(
		'uploads through a cut and tokens that are rejected with %i, and sends no byte twice',
		async (status) => {
			const file = writeTestFile(n8n.filesFolder, `faults-${status}.mp4`, SIZE);
			service.settings.expiredTokenStatus = status;
			service.injectFault({ on: 'uploadCreate', kind: 'expireToken' });
			service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
			service.injectFault({ on: 'uploadPatch', kind: 'expireToken', afterBytes: CUT / 3 });
			await outputsOf(uploadOf(file));
			expect(expectArrived(service.state.uploads, file).bytesReceived).toBe(SIZE);
		},
	);

	it('uploads 210 MB in less than 64 MiB of memory, over a connection that stalls once', async () => {
		const file = writeTestFile(n8n.filesFolder, 'large.mp4', 210 * SIZE);
		const options = { returnVideo: false, idleTimeoutSeconds: 5 };
		// The first upload of a process grows the heap of n8n once and for all.
		await outputsOf(uploadOf(file, { options }));
		service.state.uploads = [];
		service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 30 * SIZE });
		let executionId = '';
		const growth = await n8n.memoryGrowth(async () => {
			executionId = await start(uploadOf(file, { options }));
			await service.until(() => service.state.uploads[0]?.complete === true);
		});
		expectSuccess(await n8n.rest.waitForExecution(executionId));
		expect(expectArrived(service.state.uploads, file).bytesReceived).toBe(file.bytes.length);
		expect(growth).toBeLessThan(64 * 2 ** 20);
	}, 300_000);

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'passes on with %s what Upload → Resume needs to finish an interrupted upload',
		async (onError) => {
			const file = writeTestFile(n8n.filesFolder, `error-item-${onError}.mp4`, SIZE);
			service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: CUT });
			const resume = nodes.upload(credential, {
				operation: 'resume',
				uploadId: '={{ $json.error.uploadId }}',
			});
			const workflow = uploadOf(file);
			const output = onError === 'continueErrorOutput' ? 1 : 0;
			Object.assign(workflow.nodes.at(-1) ?? {}, { onError });
			workflow.nodes.push({ ...resume, name: 'Resume' });
			const wire = nodes.to('Resume').main?.[0] ?? null;
			workflow.connections[nodes.UPLOAD] = { main: output === 1 ? [[], wire] : [wire] };
			const execution = await n8n.rest.runToSuccess(workflow);

			const { id, bytesReceived } = expectArrived(service.state.uploads, file);
			expect(bytesReceived).toBe(SIZE);
			expect(outputOf(execution, nodes.UPLOAD, output)).toMatchObject([
				{
					json: { fileName: file.name, error: { uploadId: id, offset: CUT, size: SIZE } },
					pairedItem: { item: 0 },
				},
			]);
			expect(outputOf(execution, 'Resume')).toMatchObject([{ json: { uploadId: id } }]);
		},
	);

	it.each([
		['with ranges', '"v1"'],
		['without ranges', undefined],
	])(
		'sends a file from a URL %s to an independent TUS server through a cut, and Resume completes what a 403 ended',
		async (_ranges, etag) => {
			const tus = await startTusServer();
			place.endLater(async () => await tus.close());
			credential = await credentialFor(n8n, service, { baseUrl: tus.baseUrl });
			const bytes = randomBytes(3 * SIZE);
			const files = await serve(bytes);
			Object.assign(files, { etag, ranges: etag !== undefined });
			const uploadUrl = (more: IDataObject) =>
				upload({ source: 'url', url: files.url, options: { returnVideo: false }, ...more });
			// The first of two responses shows name and size.
			const cutOnce = () => files.breaksOffAfter.push(Infinity, SIZE);

			cutOnce();
			const [first] = await outputsOf(uploadUrl({}));
			expect(first).toMatchObject({ complete: true, resumes: 1 });
			expect(tus.stored(first?.uploadId as string).equals(bytes)).toBe(true);

			cutOnce();
			files.statuses = [200, 200, 403];
			const error = await failureOf(uploadUrl({ fileName: 'second.mp4' }));
			const [, uploadId = '', offset] = / Upload (\S+) has (\d+) of 3000000 bytes/.exec(error) ?? [];
			const [resumed] = await outputsOf(uploadUrl({ operation: 'resume', uploadId }));
			expect(resumed).toMatchObject({ uploadId, bytesSent: bytes.length - Number(offset) });
			expect(tus.stored(uploadId).equals(bytes)).toBe(true);
		},
	);

	it('lets only the first of ten executions ask for a slot that another program holds, and sends each file once', async () => {
		const release = await holdSlot();
		const names = Array.from({ length: 10 }, (_, number) => `waiting-${number}.mp4`);
		const files = names.map((name) => writeTestFile(n8n.filesFolder, name, SIZE));
		const ids: string[] = [];
		for (const file of files) ids.push(await start(uploadOf(file)));
		await poll('ten uploads to wait', 60_000, () => {
			const log = n8n.log();
			return names.every((name) => log.includes(`Upload of "${name}" starts`)) || undefined;
		});
		const { length } = refused();
		await service.until(() => refused().length >= length + 2);
		expect(new Set(refused().map(({ headers }) => headers['upload-metadata'])).size).toBe(1);

		await release();
		for (const id of ids) expectSuccess(await n8n.rest.waitForExecution(id));
		for (const file of files) expectArrived(service.state.uploads, file);
		expect(service.state.uploads).toHaveLength(11);
		expect(service.state.maxSimultaneousPatches).toBe(1);
		expect(service.state.videos.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
	}, 120_000);

	it.each([
		['URL that expired', /returned status 403/],
		['stored file that was deleted', /n8n no longer has the file/],
	])(
		'completes an upload that waits with its source open in spite of a %s, and ends one that is cut, which Resume completes',
		async (kind, reason) => {
			const file = writeTestFile(n8n.filesFolder, `${kind}.mp4`, SIZE);
			const files = await serve(file.bytes);
			const fresh = (more: IDataObject = {}) => {
				files.statuses = [];
				const url = `${files.origin}/file?signature=${randomUUID()}`;
				if (kind.startsWith('URL')) return upload({ source: 'url', url, fileName: file.name, ...more });
				return uploadOf(file, more);
			};
			const takeAway = () => {
				files.statuses = Array<number>(20).fill(403);
				// Of n8n 2.x and of 1.x.
				for (const folder of ['storage', 'binaryData'])
					rmSync(join(n8n.userFolder, '.n8n', folder), { recursive: true, force: true });
			};

			const release = await holdSlot();
			const waiting = await start(fresh());
			await service.until(() => refused().length > 0);
			takeAway();
			await release();
			expectSuccess(await n8n.rest.waitForExecution(waiting));
			expectArrived(service.state.uploads, file);

			service.state.uploads = [];
			service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
			const interrupted = await start(fresh());
			await service.until(() => service.state.uploads[0]?.offset === CUT);
			takeAway();
			const error = errorOf(await n8n.rest.waitForExecution(interrupted));
			const uploadId = service.state.uploads[0]?.id ?? '';
			expect(error).toMatch(reason);
			expect(error).toContain(`Upload ${uploadId} has ${CUT} of ${SIZE} bytes`);

			const resumed = await outputsOf(fresh({ operation: 'resume', uploadId }));
			expect(resumed).toMatchObject([{ bytesSent: SIZE - CUT, video: { name: file.name } }]);
			expect(expectArrived(service.state.uploads, file).bytesReceived).toBe(SIZE);
		},
	);

	it('completes what Create announced after another upload, in one workflow and in three executions', async () => {
		const announced = writeTestFile(n8n.filesFolder, 'announced.mp4', SIZE);
		const between = writeTestFile(n8n.filesFolder, 'between.mp4', SIZE);
		const expectBoth = () => [announced, between].map((file) => expectArrived(service.state.uploads, file));
		const create = { operation: 'create', fileName: announced.name, size: SIZE };
		// In the binary mode `combined` of n8n 2.x, files are in the JSON, and an item is its JSON. n8n 1.x does not have it.
		const [file, json] = place.release === n8n2 ? ['_files.data', ''] : ['data', '.json'];
		const uploadId = `={{ $('Create').first()${json}.uploadUrl }}`;
		service.settings.slotHeldBy = 'transferring';
		const chain = [
			nodes.manualTrigger(),
			{ ...nodes.upload(credential, create), name: 'Create' },
			nodes.readFiles(between.path, 'Read Between'),
			{ ...nodes.upload(credential, { binaryPropertyName: file }), name: 'Between' },
			nodes.readFiles(announced.path, 'Read Announced'),
			nodes.upload(credential, { operation: 'resume', binaryPropertyName: file, uploadId }),
		];
		await n8n.rest.runToSuccess(nodes.workflowOf('Combined', chain, { binaryMode: 'combined' }));
		expectBoth();

		service.state.uploads = [];
		service.settings.slotHeldBy = 'unfinished';
		const [created] = await outputsOf(upload(create));
		const waiting = await start(uploadOf(between));
		await service.until(() => refused().length > 0);
		await outputsOf(uploadOf(announced, { operation: 'resume', uploadId: created?.uploadId }));
		expectSuccess(await n8n.rest.waitForExecution(waiting));
		expectBoth();
	});

	it('sends each file of one name once in loops of two executions, with lists that are late and whatever fails', async () => {
		Object.assign(service.settings, { videoAppearsAfterMs: 25_000, folderAppearsAfterMs: 3_000 });
		const complete = () => service.state.uploads.filter((each) => each.complete).length;
		void service.until(() => complete() === 2).then(() => (service.settings.videoAppearsAfterMs = 0));
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, skip: 2 });
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 503, afterBytes: 3 });
		service.injectFault({ on: ['videoThumbnail', 'videoEdit'], kind: 'status', status: 400, times: 2 });
		const titles = ['Lecture 1', 'Lecture 2', 'Lecture 3', 'Lecture 4'];
		const image = { mimeType: 'image/png', fileName: 'image.png', data: onePixelPng.toString('base64') };
		const items = titles.map((title) => {
			const data = Buffer.from(`Film of ${title}`).toString('base64');
			const film = { mimeType: 'video/mp4', fileName: 'Film.mp4', data };
			return { json: { title }, binary: { data: film, image } };
		});
		const wanted = { title: '={{ $json.title }}', thumbnailBinaryPropertyName: 'image', createFolder: true };
		const folder = { __rl: true, mode: 'name', value: 'New' };
		const node = nodes.upload(credential, { folder, options: wanted });
		const loops = [items.slice(0, 2), items.slice(2)].map((half) => nodes.loopOver(node, 1, half));
		const executions = await Promise.all(loops.map(async (loop) => await n8n.rest.runToSuccess(loop)));

		const { folders, uploads, videos } = service.state;
		expect(folders.map(({ name }) => name)).toEqual(['New']);
		expect(uploads).toHaveLength(titles.length);
		// The 400 to a creation costs a try, and those to a thumbnail and a title one together; the 503 and the late list cost none.
		expect(n8n.log().split('Upload of "Film.mp4" starts').length - 1).toBe(titles.length + 2);
		const output = executions.flatMap((execution) => outputOf(execution, nodes.UPLOAD));
		expect(output.map(({ json }) => json)).toMatchObject(titles.map((name) => ({ video: { name } })));
		expect(videos.toSorted((one, other) => one.name.localeCompare(other.name))).toMatchObject(
			titles.map((name) => ({
				...{ name, folder: folders[0]?.uuid, sha256: sha256(`Film of ${name}`) },
				thumbnail: { sha256: sha256(onePixelPng) },
			})),
		);
	}, 120_000);

	it('waits once in a run of 200 files for a slot that a lost upload holds, and opens no source anew meanwhile', async () => {
		await holdSlot();
		const files = await serve(randomBytes(1_000));
		const numbers = Array.from({ length: 200 }, (_, number) => number);
		const workflow = upload({
			...{ source: 'url', url: `={{ "${files.origin}/" + $json.number }}` },
			...{ fileName: '={{ $json.number }}.mp4', options: { maxWaitMinutes: 0.05 } },
		});
		Object.assign(workflow.nodes.at(-1) ?? {}, { onError: 'continueRegularOutput' });
		workflow.pinData = { [nodes.MANUAL_TRIGGER]: numbers.map((number) => ({ json: { number } })) };
		const message = expect.stringMatching(/^Too many simultaneous uploads/) as string;
		expect(await outputsOf(workflow)).toMatchObject(
			numbers.map((number) => ({ number, error: { message } })),
		);

		const asked = numbers.map((number) => {
			const name = metadata(`${number}.mp4`);
			return refused().filter(({ headers }) => headers['upload-metadata'] === name).length;
		});
		expect(asked[0]).toBeGreaterThan(2);
		expect(asked.slice(1)).toEqual(numbers.slice(1).map(() => 1));
		const opened = numbers.map((number) => files.requests.filter(({ url }) => url === `/${number}`).length);
		expect(new Set(opened)).toEqual(new Set([opened[0]]));
		const waits = n8n.log().match(/Upload of "\d+\.mp4" waits for the upload slot/g);
		expect(waits).toEqual(['Upload of "0.mp4" waits for the upload slot']);
	});

	it.each(['folderList', 'videoList'] as const)(
		'does not take a rate limit of %s for the slot: it waits as long as the service asks for, or reports it',
		async (on) => {
			service.seedFolders([{ name: 'Talks' }]);
			const file = writeTestFile(n8n.filesFolder, `limited-${on}.mp4`, SIZE);
			const parameters = { folder: by('name', 'Talks'), options: { skipIfExists: true } };
			const limit = (seconds: string) =>
				service.injectFault({
					...{ on, kind: 'status', status: 429, error: 'Slow down', headers: { 'Retry-After': seconds } },
				});
			limit('900');
			const error = await failureOf(uploadOf(file, parameters));
			expect(error).toMatch(/Slow down[^]*Run this again later\./);
			expect(error).not.toContain('Max Wait');
			limit('1');
			const [output] = await outputsOf(uploadOf(file, parameters));
			expect(output).toMatchObject({ complete: true, resumes: 0 });
			expect(output?.waitedMs).toBeLessThan(500);
			expect(service.requestsOf('uploadCreate')).toHaveLength(1);
		},
	);

	it.each([
		['speaks no TLS', () => service.baseUrl.replace('http:', 'https:')],
		['does not exist', () => 'https://video-hosting.invalid'],
	])('fails in seconds, as any operation does, at a Base URL whose host %s', async (_host, baseUrl) => {
		const file = writeTestFile(n8n.filesFolder, 'nowhere.mp4', SIZE);
		credential = await credentialFor(n8n, service, { baseUrl: baseUrl() });
		const startedAt = performance.now();
		const error = await failureOf(uploadOf(file));
		expect(performance.now() - startedAt).toBeLessThan(20_000);
		const [reason = ''] = errorOf(await n8n.rest.runToEnd(nodes.countFolders(credential))).split('\n');
		expect(reason).not.toBe('');
		expect(error).toContain(reason);
	});

	// The last one: the clock of n8n stays ahead.
	it('uploads a file again, ten minutes later, when the video that was to get its title is gone', async () => {
		const run = uploadOf(writeTestFile(n8n.filesFolder, 'gone.mp4', SIZE), {
			options: { title: 'Interview' },
		});
		let aheadMs = 0;
		/** Five and a half minutes pass while the video is looked for. */
		const laterFailure = async () => {
			const { length } = service.requestsOf('videoList');
			const id = await start(run);
			await service.until(() => service.requestsOf('videoList').length > length);
			aheadMs += 5.5 * MINUTE_MS;
			writeFileSync(join(n8n.userFolder, 'clock'), String(aheadMs));
			return errorOf(await n8n.rest.waitForExecution(id));
		};
		service.settings.videoAppearsAfterMs = MINUTE_MS;
		expect(await laterFailure()).toContain('Run this again with the same file: it is not sent again.');
		service.state.videos = [];
		service.settings.videoAppearsAfterMs = 0;
		const late = await laterFailure();
		expect(late).toMatch(/its title could not be set: somebody has deleted or renamed the video/);
		expect(late).toContain('If the video was deleted, run this again to upload the file again.');
		expect(service.state.uploads).toHaveLength(1);
		expect(await outputsOf(run)).toMatchObject([{ bytesSent: SIZE, video: { name: 'Interview' } }]);
	});

	/** Another program, with a token of its own, holds the slot until the returned function is called. */
	async function holdSlot(): Promise<() => Promise<unknown>> {
		const other = await signedIn(service);
		const uploadId = await createUpload(other, 1);
		return async () => await patch(other, uploadId, 0, Buffer.alloc(1));
	}

	/** Requests of uploads that came while the slot was held. */
	function refused() {
		return service.requestsOf('uploadCreate').filter(({ status }) => status === 429);
	}

	async function serve(bytes: Buffer) {
		const files = await startFileServer(bytes);
		place.endLater(async () => await files.close());
		return files;
	}

	async function start(workflow: WorkflowJson): Promise<string> {
		return await n8n.rest.runWorkflow(await n8n.rest.createWorkflow(workflow));
	}

	async function outputsOf(workflow: WorkflowJson): Promise<IDataObject[]> {
		return outputOf(await n8n.rest.runToSuccess(workflow), nodes.UPLOAD).map(({ json }) => json);
	}

	async function failureOf(workflow: WorkflowJson): Promise<string> {
		return errorOf(await n8n.rest.runToEnd(workflow));
	}

	function upload(parameters: IDataObject, ...before: INode[]): WorkflowJson {
		const chain = [nodes.manualTrigger(), ...before, nodes.upload(credential, parameters)];
		return nodes.workflowOf('Upload', chain);
	}

	function uploadOf({ path }: TestFile, parameters: IDataObject = {}): WorkflowJson {
		return upload(parameters, nodes.readFiles(path));
	}
});

import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Ledger, ledgers } from '../../nodes/VideoHosting/upload/ledger';
import { NewVideos, videoPolicy } from '../../nodes/VideoHosting/upload/newVideo';
import { executeContext, executeNode, itemWithFileInMemory, type NodeRun } from '../execution/executeNode';
import type { Fault, RunningService, ServiceSettings } from '../fakeService';
import { createUpload, signedIn } from '../fakeService/axiosClient';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { failureOf, listLate, shortenPauses, upload, type UploadRunResult } from './uploading';

shortenPauses();

const SIZE = 10_000;
const bytes = randomBytes(SIZE);
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(50)]);
const thumbnail = { data: png.toString('base64'), mimeType: 'image/png', fileName: 'thumbnail.png' };

let service: RunningService;
serviceForEachTest((started) => (service = started), { slotHeldBy: 'transferring' });

const film = (fileName: string, content = bytes): INodeExecutionData =>
	itemWithFileInMemory(content, { fileName, mimeType: 'video/mp4' });
const withThumbnail = (): INodeExecutionData => {
	const { json, binary } = film('keynote.mp4');
	return { json, binary: { ...binary, thumbnail } };
};
const titleAndThumbnail = { title: 'Interview', thumbnailBinaryPropertyName: 'thumbnail' };

/** Upload → Upload, with Return Video on. */
const run = async (items: INodeExecutionData[], options: IDataObject = {}, more: Partial<NodeRun> = {}) =>
	await executeNode({
		...{ service, items, ...more },
		parameters: {
			resource: 'upload',
			operation: 'upload',
			options,
			...more.parameters,
		} as NodeRun['parameters'],
	});
const textOf = ({ hints }: Pick<UploadRunResult, 'hints'>) => hints.map(({ message }) => message).join(' ');
const videoOf = (uploadId: unknown) => service.state.videos.find((video) => video.uploadId === uploadId);
const videoNames = () => service.state.videos.map(({ name }) => name);
const fail = (on: Fault['on'], more: Partial<Fault> = {}) =>
	service.injectFault({ on, kind: 'status', status: 400, ...more } as Fault);
const listAll = () => {
	for (const video of service.state.videos) video.appearsAt = 0;
};

describe('Return Video', () => {
	it.each<Partial<ServiceSettings>>([
		{ videoAppearsAfterMs: 60 },
		{ videoNameKeepsExtension: false },
		{ videoSortRejected: true },
	])('returns the new video of a service with %j', async (settings) => {
		Object.assign(service.settings, settings);
		const { items } = await run([film('keynote.mp4')]);
		expect(items[0]?.json.video).toMatchObject({ hash: service.state.videos[0]?.hash });
		const titled = await run([film('b.mp4')], { title: 'Interview' });
		expect(titled.items[0]?.json.video).toMatchObject({ name: 'Interview' });
	});

	it.each([0, 45])(
		'returns each video in order while later files are uploaded (%i videos before)',
		async (count) => {
			const names = Array.from({ length: 30 }, (_, number) => `video ${number}.mp4`);
			service.seedVideos(
				Array.from({ length: count }, (_, n) => ({ createdDate: new Date(1.7e12 + n * 1000).toISOString() })),
			);
			service.settings.videoAppearsAfterMs = 1_000;
			const { items } = await run(names.map((name) => film(name)));
			expect(items.map(({ json, pairedItem }) => [json.fileName, pairedItem])).toEqual(
				names.map((name, item) => [name, { item }]),
			);
			for (const { json } of items) expect(json.video).toMatchObject({ hash: videoOf(json.uploadId)?.hash });
			// None was searched by its name: one reading of the list serves all.
			const searches = service.requestsOf('videoList').filter(({ query }) => query.name !== undefined);
			expect(searches).toEqual([]);
		},
	);

	it('returns the new one of several videos of the same name, unless another can be new, too', async () => {
		service.seedVideos([
			{ name: 'keynote.mp4', createdDate: '2020-01-01T00:00:00.000Z' },
			{ name: 'keynote.mp4 (copy)', createdDate: '2099-01-01T00:00:00.000Z' },
		]);
		const { items } = await run([film('keynote.mp4')]);
		expect(items[0]?.json.video).toMatchObject({ hash: service.state.videos.at(-1)?.hash });
		videoPolicy.waitMs = 250;
		service.seedVideos([{ name: 'keynote.mp4', size: SIZE, createdDate: '2099-01-01T00:00:00.000Z' }]);
		const again = await run([film('keynote.mp4')]);
		expect(again.items[0]?.json.video).toBeNull();
		expect(textOf(again)).toContain('several videos');
	});

	it('is no reason to fail where videos cannot be listed', async () => {
		videoPolicy.waitMs = 250;
		fail('videoList', { status: 403, error: 'No rights', times: 100 });
		const result = await run([film('keynote.mp4')]);
		expect(textOf(result)).toContain('but the list of videos cannot be read: No rights');
		expect(result.items[0]?.json).toMatchObject({ complete: true, video: null });
	});

	it('looks up nothing where no plan is known, and explains it once', async () => {
		const result = await run([film('a.mp4'), film('b.mp4')], {}, { credential: { planId: '' } });
		expect(result.hints.map(({ message }) => message)).toEqual([expect.stringMatching(/^No plan is set/)]);
		expect(result.items.map(({ json }) => json.video)).toEqual([null, null]);
		expect(service.requestsOf('videoList')).toEqual([]);
	});

	it('ends when a later item fails', async () => {
		listLate(service, 60_000);
		await run([film('a.mp4')], { returnVideo: false });
		const parameters = { operation: 'resume', uploadId: service.state.uploads[0]?.id ?? '' };
		const running = run([film('a.mp4'), { json: {} }], {}, { parameters: parameters });
		await expect(running).rejects.toThrow(/binary/i);
	});

	it('ends when the execution is cancelled', async () => {
		listLate(service, 60_000);
		const abort = new AbortController();
		const running = run([film('a.mp4'), film('b.mp4')], {}, { abortSignal: abort.signal });
		running.catch(() => undefined);
		await service.until(() => service.state.uploads.filter(({ complete }) => complete).length === 2);
		await service.until(() => service.requestsOf('videoList').length > 6);
		abort.abort();
		await running.catch(() => undefined);
		const { length } = service.requests;
		await sleep(200);
		expect(service.requests).toHaveLength(length);
	});
});

describe('a video of the same name that another program adds during the upload', () => {
	/** Uploads a.mp4, and meanwhile another program adds a video. */
	async function uploadWhile(size: number, options: IDataObject = {}) {
		service.injectFault({ on: 'uploadPatch', kind: 'delay', ms: 50 });
		const running = run([film('a.mp4')], options);
		await service.until(() => service.requestsOf('uploadPatch').length === 1);
		service.seedVideos([{ name: 'a.mp4', size }]);
		return await running;
	}

	it.each(['camelCase', 'snake_case', 'plain', 'nestedPlan'] as const)(
		'is not the new one when it has another size (records in %s)',
		async (recordNames) => {
			Object.assign(service.settings, { recordNames, videoAppearsAfterMs: 100 });
			const { items } = await uploadWhile(77);
			expect(JSON.stringify(items[0]?.json.video)).toContain(videoOf(service.state.uploads[0]?.id)?.hash);
		},
	);

	it.each([
		['is not returned when the new one is not listed in time', true, 77, 'does not list the video yet'],
		['is not guessed to be the other one without sizes', false, 77, 'several videos'],
		['is not guessed to be the other one of the same size', true, SIZE, 'several videos'],
	])('%s', async (_what, videoSizes, size, hint) => {
		listLate(service);
		if (hint === 'several videos') service.settings.videoAppearsAfterMs = 0;
		service.settings.videoSizes = videoSizes;
		const result = await uploadWhile(size);
		expect(result.items[0]?.json).toMatchObject({ complete: true, video: null });
		expect(result.hints).toHaveLength(1);
		expect(textOf(result)).toContain(hint);
	});
});

describe('Skip If Exists', () => {
	it.each<[string, string, IDataObject]>([
		['a.mp4', 'a.mp4', {}],
		['a.mp4', 'a.mp4', { title: 'Interview' }],
		['a.mp4', 'b.mp4', { title: 'Interview' }],
	])(
		'after %s of the same run, %s with %j returns its video as it is in the end',
		async (one, other, options) => {
			service.settings.videoAppearsAfterMs = 200;
			const { items } = await run([film(one), film(other)], { ...options, skipIfExists: true });
			expect(items.map(({ json }) => json.skipped)).toEqual([false, true]);
			expect(items[1]?.json.video).toEqual(items[0]?.json.video);
			expect(items[1]?.json.video).toMatchObject({ name: options.title ?? one });
			expect(service.state.uploads).toHaveLength(1);
		},
	);
});

describe('Title and Thumbnail', () => {
	it('fail with the ID of the complete upload when the video is not listed, and upload nothing again', async () => {
		listLate(service);
		const options = { ...titleAndThumbnail, skipIfExists: true };
		const more = { onError: 'continueRegularOutput' } as const;
		const { items } = await run([withThumbnail()], options, more);
		const { id } = service.state.uploads[0] ?? {};
		expect(items[0]?.json.error).toMatchObject({
			message: expect.stringMatching(/is complete .*It will appear as "keynote-\w{16}\.mp4"/) as string,
			...{ uploadId: id, complete: true },
		});
		listAll();
		const again = await run([withThumbnail()], options, more);
		expect(again.items[0]?.json).toMatchObject({ skipped: false, video: { name: 'Interview' } });
		expect(service.state.videos).toMatchObject([{ name: 'Interview', thumbnail: { bytes: png.length } }]);
		expect(service.state.uploads).toHaveLength(1);
	});

	it('fail with a message of whole sentences when the service rejects them', async () => {
		fail('videoThumbnail', { error: 'Bad image' });
		const { message } = await failureOf(run([withThumbnail()], titleAndThumbnail));
		expect(message).toMatch(/: Bad image\. Run this again/);
	});

	it('name Thumbnail Binary Field when the item has no such file', async () => {
		await expect(run([film('a.mp4')], titleAndThumbnail)).rejects.toThrow('It has "data"');
		expect(service.state.uploads).toEqual([]);
	});

	it('are not given up for the 404 page of a gateway, which does not stand for a deleted video', async () => {
		fail('videoEdit', { status: 404, body: '<html>404</html>' });
		await failureOf(run([film('a.mp4')], { title: 'Lecture 1' }));
		const { items } = await run([film('a.mp4')], { title: 'Lecture 1' });
		expect(items[0]?.json).toMatchObject({ bytesSent: 0 });
		expect(videoNames()).toEqual(['Lecture 1']);
	});

	it('of a video of an earlier process are set in an unsorted list, next to a new video that is not listed', async () => {
		service.seedVideos(Array.from({ length: 30 }, (_, index) => ({ name: `other ${index}` })));
		Object.assign(service.settings, { videoOrder: 'oldestFirst', videoOrderByIgnored: true });
		const titled = { ...film('a.mp4'), json: { title: 'Interview' } };
		const title = { title: '={{ $json.title }}' };
		const staticData: IDataObject = {};
		const workflow = { staticData, mode: 'trigger', workflowId: randomUUID() } as const;
		fail('videoEdit');
		await failureOf(run([titled], title, workflow));

		// The new one is waited for as long as possible, so both are looked for in the same readings.
		listLate(service, 1_000);
		const stored = JSON.parse(JSON.stringify(staticData)) as {
			global: { videoHostingUploads: IDataObject[] };
		};
		for (const entry of stored.global.videoHostingUploads) delete entry.videoHash;
		ledgers.clear();
		const items = [{ ...film('b.mp4'), json: { title: '' } }, titled];
		const output = await run(items, title, { ...workflow, staticData: stored });
		expect(output.items.map(({ json }) => json)).toMatchObject([
			{ video: null },
			{ video: { name: 'Interview' } },
		]);
	});
});

describe('Upload → Resume of an upload of which this n8n knows nothing, or less than its user wants', () => {
	const resume = async (uploadId: string): Promise<UploadRunResult> =>
		await upload(service, {
			...{ operation: 'resume', bytes, workflowId: randomUUID() },
			...{ parameters: { uploadId }, options: { returnVideo: true } },
		});
	/** An upload that ends after some of its bytes; n8n's log of it. */
	const cutUpload = async (options: IDataObject, item = film('keynote.mp4')) => {
		fail('uploadPatch', { afterBytes: 6_000 });
		const { log } = await run([item], options, { onError: 'continueRegularOutput' });
		return { uploadId: service.state.uploads.at(-1)?.id ?? '', log: log.join('\n') };
	};
	const older = () =>
		service.seedVideos([
			{ name: 'keynote.mp4', size: SIZE, createdDate: new Date(Date.now() - 5_000).toISOString() },
		]);

	it.each(['milliseconds', 'seconds', 'epoch', 'day', 'none'] as const)(
		'returns no older video of the same name and size that is listed before it, with dates of %s',
		async (videoDates) => {
			service.settings.videoDates = videoDates;
			listLate(service);
			older();
			const result = await resume(await createUpload(await signedIn(service), SIZE, 'keynote.mp4'));
			expect(result.output).toMatchObject({ complete: true, video: null });
			expect(textOf(result)).toContain('which one is new is not certain');
		},
	);

	it('returns the video whose date proves that it is the new one', async () => {
		older();
		const uploadId = await createUpload(await signedIn(service), SIZE, 'keynote.mp4');
		const { output } = await resume(uploadId);
		expect(output).toMatchObject({ complete: true, video: { hash: videoOf(uploadId)?.hash } });
	});

	it('guesses none when the upload was complete before', async () => {
		older();
		await upload(service, { bytes });
		const uploadId = service.state.uploads[0]?.id ?? '';
		ledgers.clear();
		videoPolicy.waitMs = 250;
		service.state.videos = service.state.videos.filter((video) => video.uploadId === null);
		expect((await resume(uploadId)).output).toMatchObject({ complete: true, video: null });
	});

	it('returns the name that only its own run could change, which a hint and the log of that run contain', async () => {
		const { log, uploadId } = await cutUpload({ title: 'Interview' });
		ledgers.clear();
		const result = await resume(uploadId);
		const name = videoOf(uploadId)?.name;
		expect(name).toMatch(/^keynote-\w{16}\.mp4$/);
		expect(result.output).toMatchObject({ complete: true, video: { name } });
		expect(textOf(result)).toMatch(/Video → Update/);
		for (const text of [textOf(result), log]) expect(text).toContain(`"${name}"`);
	});

	it('reports the thumbnail that it cannot set', async () => {
		const { uploadId } = await cutUpload(titleAndThumbnail, withThumbnail());
		const result = await resume(uploadId);
		expect(videoOf(uploadId)).toMatchObject({ name: 'Interview', thumbnail: null });
		expect(result.output).toMatchObject({ complete: true, video: { name: 'Interview' } });
		expect(textOf(result)).toContain('Video → Set Thumbnail');

		// With the image at hand both are set, and nothing is left to report.
		const again = await cutUpload(titleAndThumbnail, withThumbnail());
		const second = await run([withThumbnail()], titleAndThumbnail);
		expect(second.items[0]?.json.uploadId).toBe(again.uploadId);
		expect(textOf(second)).not.toContain('Set Thumbnail');
		expect(videoOf(again.uploadId)).toMatchObject({
			name: 'Interview',
			thumbnail: { contentType: 'image/png' },
		});
	});

	it('sets the title when it is repeated after the service has forgotten the upload', async () => {
		service.settings.dropsFinishedUploads = true;
		const { uploadId } = await cutUpload({ title: 'Lecture 1' });
		fail('videoEdit');
		await failureOf(resume(uploadId));
		expect((await resume(uploadId)).output).toMatchObject({ complete: true });
		expect(videoNames()).toEqual(['Lecture 1']);
	});

	it('sets the title of the upload, not that of another file which was not sent to it', async () => {
		const { uploadId } = await cutUpload({ title: 'Lecture 1' });
		await run([film('keynote.mp4', randomBytes(SIZE))], { title: 'Lecture 2' });
		await resume(uploadId);
		expect(videoNames().sort()).toEqual(['Lecture 1', 'Lecture 2']);
		expect(videoOf(uploadId)).toMatchObject({ name: 'Lecture 1' });
	});
});

describe('an upload whose last response is lost, at a service that forgets finished uploads', () => {
	const video = film('a.mp4');
	const again = async () => (await run([video], { title: 'Interview' })).items[0]?.json;
	beforeEach(() => {
		service.settings.dropsFinishedUploads = true;
	});

	it('is not sent again while its video may still be listed', async () => {
		listLate(service);
		service.injectFault({ on: 'uploadPatch', kind: 'lostResponse' });
		expect((await failureOf(again())).message).toMatch(
			/does not list its video .* yet\. Run this again in a few minutes/,
		);
		listAll();
		expect(await again()).toMatchObject({ complete: true, bytesSent: 0 });
		expect(videoNames()).toEqual(['Interview']);
	});

	it('is sent again without a title, and a hint says that a second video may be listed', async () => {
		listLate(service);
		service.injectFault({ on: 'uploadPatch', kind: 'lostResponse' });
		const { output, hints } = await upload(service, { item: video });
		expect(output).toMatchObject({ complete: true, bytesSent: 2 * SIZE });
		expect(videoNames()).toEqual(['a.mp4', 'a.mp4']);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(
				/no longer knew the upload .+ sent again from its beginning\. The service may list a second video of this file later: check, and delete one\.$/,
			),
		]);
	});

	it('is sent again when the service rejected its bytes or has not listed it for long', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'forget' });
		expect(await again()).toMatchObject({ complete: true, bytesSent: 2 * SIZE });

		listLate(service);
		service.injectFault({ on: 'uploadPatch', kind: 'lostResponse' });
		await failureOf(again());
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 20 * 60_000);
		service.settings.videoAppearsAfterMs = 0;
		const output = await again().finally(() => now.mockRestore());
		expect(output).toMatchObject({ complete: true, bytesSent: SIZE });
	});

	it('does not keep another file of its name and size from being sent', async () => {
		fail('uploadHead');
		await failureOf(upload(service, { item: video }));
		const other = await upload(service, { item: film('a.mp4', randomBytes(SIZE)) });
		expect(other.output).toMatchObject({ bytesSent: SIZE });
		expect((await upload(service, { item: video })).output).toMatchObject({ complete: true, bytesSent: 0 });
		expect(service.state.uploads).toHaveLength(2);
	});
});

describe('a lookup that joins others', () => {
	const entryOf = async (uploadId: string, createdAt: number) => {
		const { context } = await executeContext({ service, parameters: {} });
		const ledger = await Ledger.of(context);
		const file = { name: 'a.mp4', size: SIZE };
		return { context, entry: ledger.record(context, uploadId, { status: 'done', file, createdAt }) };
	};

	it('waits for its turn when the one before has just ended', async () => {
		listLate(service, 600);
		const { context, entry } = await entryOf('one', Date.now());
		const videos = await NewVideos.of(context, 'plan-1001');
		const { entry: second } = await entryOf('two', Date.now());
		const stop = new AbortController();
		const first = videos.find(entry, { stop: stop.signal });
		await sleep(50);
		stop.abort();
		await first;
		const before = service.requests.length;
		expect(await videos.find(second)).toMatchObject({ reason: expect.stringContaining('does not list') });
		// It paused between its readings.
		expect(service.requests.length - before).toBeLessThan(videoPolicy.waitMs / 2);
	});

	it('is not judged by a list that was read for later uploads only', async () => {
		const at = (ms: number) => new Date(Date.now() - ms).toISOString();
		const minute = 60_000;
		service.seedVideos([
			...Array.from({ length: 25 }, (_, index) => ({ name: 'x', createdDate: at((index + 1) * minute) })),
			{ name: 'a.mp4', size: SIZE, createdDate: at(40 * minute) },
			{ name: 'a.mp4', size: SIZE, createdDate: at(10_000) },
			{ name: 'b.mp4', size: SIZE, createdDate: at(0) },
		]);
		service.settings.videoOrder = 'newestFirst';
		videoPolicy.waitMs = 600;
		const { context, entry } = await entryOf('new', Date.now() - 5_000);
		entry.file = { name: 'b.mp4', size: SIZE };
		const { entry: old } = await entryOf('old', Date.now() - 50 * minute);
		const videos = await NewVideos.of(context, 'plan-1001');
		service.injectFault({ on: 'videoList', kind: 'delay', ms: 60 });
		const first = videos.find(entry);
		await service.until(() => service.requestsOf('videoList').length > 0);
		expect(await videos.find(old)).toMatchObject({ reason: expect.stringContaining('not certain') });
		expect(await first).toMatchObject({ video: { name: 'b.mp4' } });
	});
});

import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { POLICIES } from '../../nodes/VideoHosting/shared/policies';
import { memories } from '../../nodes/VideoHosting/upload/memory';
import { clockAhead, MINUTE_MS } from '../execution/clock';
import { by } from '../execution/locator';
import { executeNode } from '../execution/executeNode';
import { policies } from '../execution/policies';
import { runWorkflow } from '../execution/runWorkflow';
import type { Fault, ServiceSettings } from '../fakeService';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { startFileServer } from '../sources/fileServer';
import { expectArrived, failureOf, film, leaveUnfinished, listLate, onlyUpload, upload } from './uploading';

serviceForEachTest();

const TITLED = { title: 'Interview' };
const IMAGE = { data: 'iVBORw0KGgo=', mimeType: 'image/png', fileName: 'i.png' };

async function filmWithImage(bytes: Buffer) {
	const item = await film(bytes);
	return { ...item, binary: { ...item.binary, image: IMAGE } };
}

/** Uploads with Retry On Fail. */
async function retried(items: INodeExecutionData[], options: INodeParameters) {
	const { runs } = await runWorkflow({
		...{ service, rounds: [items], settings: { retryOnFail: true, maxTries: 3 } },
		parameters: { resource: 'upload', operation: 'upload', options },
	});
	return runs[0];
}

describe('Return Video', () => {
	it.each<Partial<ServiceSettings>>([
		{ videoAppearsAfterMs: 60 },
		{ videoNameFilter: 'exact' },
		{ videoNameKeepsExtension: false },
		{ videoSizes: false, videoFolders: 'none' },
	])('returns the new video (%j)', async (settings) => {
		Object.assign(service.settings, settings);
		service.seedVideos([
			{ name: 'keynote.mp4', createdDate: '2020-01-01T00:00:00.000Z' },
			{ name: 'other.mp4' },
		]);
		service.seedVideos(5);
		const { output } = await upload(service, { options: { returnVideo: true } });
		const video = service.state.videos.find(({ uploadId }) => uploadId === output.uploadId);
		expect(Object.values(output.video as IDataObject)).toContain(video?.hash);
	});

	it.each<[string, () => Promise<unknown>]>([
		['was not sent yet', async () => await leaveUnfinished(service, {})],
		['is to get a title', async () => await failureOf(upload(service, { options: TITLED }))],
		['was sent a minute ago', async () => await clockAhead(-MINUTE_MS, async () => await upload(service))],
	])(
		'returns the new video at once although another upload of its name and size %s',
		async (_what, first) => {
			service.settings.slotHeldBy = 'transferring';
			service.injectFault({ on: 'videoEdit', kind: 'status', status: 400 });
			listLate(service, 100);
			await first();
			service.requests.splice(0);
			service.settings.videoAppearsAfterMs = 0;
			const { output } = await upload(service, { options: { returnVideo: true } });
			const own = service.state.videos.find(({ uploadId }) => uploadId === output.uploadId)?.hash;
			expect(output.video).toMatchObject({ hash: own });
			// Two pages each.
			expect(service.requestsOf('videoList').map(({ query }) => query.name)).toEqual(
				['keynote.mp4', 'keynote'].flatMap((name) => [name, name]),
			);
		},
	);

	it.each<[string, Partial<ServiceSettings>, () => void]>([
		[
			'when another program adds one of the same name',
			{},
			() =>
				service.seedVideos([
					{ name: 'keynote.mp4', size: 1_000_000, createdDate: new Date(Date.now() + 5_000).toISOString() },
				]),
		],
		['without dates, where an old one cannot be told from it', { videoDates: 'none' }, () => {}],
		['when it is not listed in time', { videoAppearsAfterMs: 3_600_000 }, () => {}],
	])('returns null and a hint %s', async (_when, settings, prepare) => {
		Object.assign(service.settings, settings);
		policies.newVideo.passes.totalMs = 200;
		prepare();
		const { hints, output } = await upload(service, { options: { returnVideo: true } });
		expect(output).toMatchObject({ complete: true, video: null });
		expect(hints[0]?.message).toMatch(
			/^"keynote.mp4" is uploaded, but .* Find it later with Video → Search\.$/,
		);
	});

	it.each([
		[25, 'keynote.mp4'],
		[40, undefined],
	])('waits 30 seconds for a video that is listed after %d', async (seconds, name) => {
		service.settings.videoAppearsAfterMs = seconds * 1_000;
		policies.newVideo = POLICIES.newVideo;
		// Each request for a list lets two seconds pass.
		const passedMs = () => 2_000 * service.requestsOf('videoList').length;
		const [date, time] = [Date.now.bind(Date), performance.now.bind(performance)];
		jest.spyOn(Date, 'now').mockImplementation(() => date() + passedMs());
		jest.spyOn(performance, 'now').mockImplementation(() => time() + passedMs());
		const running = upload(service, { options: { returnVideo: true } });
		const { output } = await running.finally(() => jest.restoreAllMocks());
		expect((output.video as IDataObject | null)?.name).toBe(name);
	});

	it('never returns the video of an upload that began while the list was read', async () => {
		service.settings.videoAppearsAfterMs = 1_500;
		service.injectFault({ on: 'videoList', kind: 'delay', ms: 600 });
		const first = upload(service, { options: { returnVideo: true } });
		await service.until(() => service.requestsOf('videoList').length === 1);
		service.settings.videoAppearsAfterMs = 0;
		for (const { output } of [await upload(service, { options: { returnVideo: true } }), await first]) {
			const own = service.state.videos.find(({ uploadId }) => uploadId === output.uploadId)?.hash;
			expect([undefined, own]).toContain((output.video as IDataObject | null)?.hash);
		}
	});

	it.each<[string, Partial<ServiceSettings>]>([
		['size', {}],
		['folder', { videoFolders: 'name' }],
	])('returns each of two new videos of one name and another %s', async (what, settings) => {
		Object.assign(service.settings, { videoAppearsAfterMs: 400, ...settings });
		const folders = service.seedFolders([{ name: 'One' }, { name: 'Other' }]);
		const runs = folders.map(async ({ uuid }, index) => {
			const bytes = randomBytes(what === 'size' ? 1_000 + index : 1_000);
			const parameters = what === 'folder' ? { folder: by('uuid', uuid) } : {};
			return await upload(service, { bytes, parameters, options: { returnVideo: true } });
		});
		for (const { output } of await Promise.all(runs)) {
			const own = service.state.videos.find(({ uploadId }) => uploadId === output.uploadId);
			expect(output.video).toMatchObject({ hash: own?.hash });
		}
	});

	it('waits no longer for a rate limit that asks for more time', async () => {
		policies.newVideo.passes.totalMs = 300;
		policies.leastVideoReadingMs = 100;
		const headers = { 'Retry-After': '3' };
		service.injectFault({ on: 'videoList', kind: 'status', status: 429, headers, times: 1_000 });
		const from = performance.now();
		const { output } = await upload(service, { options: { returnVideo: true } });
		expect(output).toMatchObject({ complete: true, video: null });
		expect(performance.now() - from).toBeLessThan(1_500);
	});

	it('does not take a video that was identified as that of an earlier upload for its own', async () => {
		await upload(service, { options: { returnVideo: true } });
		const { output } = await upload(service, { options: { returnVideo: true } });
		const own = service.state.videos.find(({ uploadId }) => uploadId === output.uploadId)?.hash;
		expect(output.video).toMatchObject({ hash: own });
	});

	it('is no reason to fail where videos cannot be listed or no plan is known', async () => {
		policies.newVideo.passes.totalMs = 100;
		const error = 'Storage 5.1 is down.';
		service.injectFault({ on: 'videoList', kind: 'status', status: 500, error, times: 1_000 });
		const { hints, output: unlisted } = await upload(service, { options: { returnVideo: true } });
		expect(unlisted.video).toBeNull();
		expect(hints[0]?.message).toContain('but the list of videos cannot be read: Storage 5.1 is down. Find');
		const unplanned = await upload(service, { options: { returnVideo: true }, credential: { planId: '' } });
		expect(unplanned.hints[0]?.message).toContain('no plan is set');
	});

	it('says what to check where the service does not know the plan', async () => {
		policies.newVideo.passes.totalMs = 100;
		const { hints } = await upload(service, { options: { returnVideo: true, planId: 'plan-0' } });
		expect(hints[0]?.message).toContain('Plan not found. Check Plan ID in the credential');
	});
});

describe('a video of the same name and size that somebody else added while an upload was unfinished', () => {
	const bytes = randomBytes(1_000_000);

	/** That video is listed at once, that of the upload a moment later. */
	async function leftAndUploadedByHand() {
		const uploadId = await leaveUnfinished(service, { bytes });
		const createdDate = new Date(Date.now() - 1_000).toISOString();
		const [other] = service.seedVideos([{ name: 'keynote.mp4', size: bytes.length, createdDate }]);
		service.settings.videoAppearsAfterMs = 300;
		policies.newVideo.passes.totalMs = 1_000;
		return { uploadId, other };
	}

	it('does not get the title of Resume', async () => {
		const { other, uploadId } = await leftAndUploadedByHand();
		const options = { title: 'Final cut' };
		const { message } = await failureOf(upload(service, { bytes, resume: uploadId, options }));
		expect(message).toContain('which of the videos of its name is the new one is not certain');
		expect(service.state.videos.find(({ hash }) => hash === other?.hash)?.name).toBe('keynote.mp4');
	});

	it('is not returned by Return Video', async () => {
		await leftAndUploadedByHand();
		const { output } = await upload(service, { bytes, options: { returnVideo: true } });
		expect(output).toMatchObject({ resumes: 1, video: null });
	});
});

describe('Title and Thumbnail', () => {
	it.each([
		['talk', /^talk-\w{16}$/],
		['talk.v2.mp4', /^talk\.v2-\w{16}\.mp4$/],
		[`${'x'.repeat(60)}.mp4`, /^x{40}-\w{16}\.mp4$/],
	])('need one search for a name that only the video of %s has', async (fileName, firstName) => {
		await upload(service, { fileName, options: TITLED });
		const { filename } = onlyUpload(service);
		expect(filename).toMatch(firstName);
		expect(service.requestsOf('videoList').map(({ query }) => query.name)).toEqual([filename, filename]);
		expect(service.state.videos).toMatchObject([{ name: 'Interview' }]);
	});

	it('go to the right video where the service changes names, also after a Resume of the same name', async () => {
		const bytes = randomBytes(1_000_000);
		const resume = await leaveUnfinished(service, { bytes });
		memories.clear();
		await upload(service, { bytes, resume });
		service.settings.videoNameKeepsExtension = false;
		const { output } = await upload(service, { options: TITLED });
		const named = service.state.videos.filter(({ name }) => name === 'Interview');
		expect(named).toMatchObject([{ uploadId: output.uploadId }]);
	});

	it('are set by Retry On Fail without sending the file again', async () => {
		service.injectFault({ on: 'videoEdit', kind: 'status', status: 400 });
		expect((await retried([await film()], TITLED))?.error).toBeUndefined();
		expect(onlyUpload(service).complete).toBe(true);
		expect(service.state.videos).toMatchObject([{ name: 'Interview' }]);
	});

	it.each([
		[TITLED, 'title'],
		[{}, 'name'],
	])('are named in the error while the video is not listed (%j)', async (own, part) => {
		listLate(service, 100);
		const item = await filmWithImage(randomBytes(1_000));
		const options = { ...own, thumbnailBinaryPropertyName: 'image' };
		const { message } = await failureOf(upload(service, { item, options }));
		expect(message).toContain(`but its ${part} and thumbnail could not be set: the service lists no`);
	});

	it('go to the right video among others of the same name, and its first name is in no output', async () => {
		service.settings.videoAppearsAfterMs = 40;
		service.seedVideos([{ name: 'keynote.mp4' }, { name: 'Interview' }]);
		const { hints, output } = await upload(service, {
			item: await filmWithImage(randomBytes(1_000)),
			options: { ...TITLED, thumbnailBinaryPropertyName: 'image' },
		});
		expect(hints).toEqual([]);
		const video = service.state.videos.find(({ uploadId }) => uploadId !== null);
		expect(video).toMatchObject({
			name: 'Interview',
			thumbnail: expect.objectContaining({ contentType: 'image/png', filename: 'i.png' }) as object,
		});
		expect(output.video).toMatchObject({ hash: video?.hash, name: 'Interview' });
		expect(onlyUpload(service).filename).toMatch(/^keynote-[0-9a-z]{16}\.mp4$/);
		expect(JSON.stringify(output)).not.toContain(onlyUpload(service).filename);
	});

	it('are those of the run that completes an upload, whatever it was begun for, but those of its own with an ID', async () => {
		const bytes = randomBytes(1_000_000);
		await leaveUnfinished(service, { bytes, options: TITLED });
		const { output } = await upload(service, { bytes, options: { title: 'Final cut' } });
		expect(output).toMatchObject({ resumes: 1, video: { name: 'Final cut' } });
		const options = { ...TITLED, thumbnailBinaryPropertyName: 'image' };
		const uploadId = await leaveUnfinished(service, { item: await filmWithImage(bytes), options });
		const resumed = await upload(service, { bytes, resume: uploadId });
		expect(resumed.output).toMatchObject({ video: { name: 'Interview' } });
		expect(resumed.hints[0]?.message).toContain('has no thumbnail yet');
	});

	it('Thumbnail alone goes to the right video, too', async () => {
		service.seedVideos([{ name: 'keynote.mp4', size: 1_000 }]);
		const item = await filmWithImage(randomBytes(1_000));
		await upload(service, { item, options: { thumbnailBinaryPropertyName: 'image' } });
		expect(service.state.videos[1]?.thumbnail).toMatchObject({ contentType: 'image/png' });
		expect(onlyUpload(service).filename).toMatch(/^keynote-[0-9a-z]{16}\.mp4$/);
	});

	it('may be removed between two runs, which upload the file once', async () => {
		const bytes = randomBytes(1_000_000);
		await leaveUnfinished(service, { bytes, options: TITLED });
		service.injectFault({ on: 'videoEdit', kind: 'status', status: 400 });
		await failureOf(upload(service, { bytes }));
		const { output } = await upload(service, { bytes });
		expect(output).toMatchObject({ bytesSent: 0, video: { name: 'keynote.mp4' } });
		expectArrived(service, bytes);
	});

	it('are not those of an upload that was begun without a mark, which blocks others until Resume completes it', async () => {
		const bytes = randomBytes(1_000_000);
		const uploadId = await leaveUnfinished(service, { bytes });
		const { message } = await failureOf(upload(service, { bytes, options: TITLED }));
		expect(message).toContain(`Unfinished upload ${uploadId}`);
	});

	it.each<[string, () => void]>([
		['is not listed in time', () => listLate(service, 100)],
		['cannot be renamed', () => service.injectFault({ on: 'videoEdit', kind: 'status', status: 400 })],
		[
			'is renamed without a response',
			() => service.injectFault({ on: 'videoEdit', kind: 'reset', times: 3 }),
		],
	])(
		'are set by the next run of the same file without sending it, when the video %s',
		async (_why, cause) => {
			const bytes = randomBytes(1_000_000);
			cause();
			const failure = await failureOf(upload(service, { bytes, options: TITLED }));
			const { id } = onlyUpload(service);
			expect(failure.message).toMatch(
				new RegExp(`^"keynote.mp4" is uploaded \\(upload ${id}\\), but its title could not be set: `),
			);
			expect(failure.description).toBe('Run this again with the same file: it is not sent again.');
			expect(failure.context.output).toEqual({
				uploadId: id,
				offset: 1_000_000,
				size: 1_000_000,
				complete: true,
			});
			service.settings.videoAppearsAfterMs = 0;
			for (const video of service.state.videos) video.appearsAt = 0;
			// Another file of its name and size neither finishes it nor makes n8n forget it.
			await upload(service, { options: TITLED });
			const { output } = await upload(service, { bytes, options: { title: 'Corrected' } });
			expect(output).toMatchObject({
				uploadId: id,
				bytesSent: 0,
				complete: true,
				video: { name: 'Corrected' },
			});
			expect(service.state.uploads).toHaveLength(2);
		},
	);

	it('are set without sending the file again for each of two files of one name, also after many uploads', async () => {
		const titles = ['First', 'Second'];
		const runs = titles.map((title) => ({ bytes: randomBytes(1_000), options: { title } }));
		service.injectFault({ on: 'videoEdit', kind: 'status', status: 400, times: 2 });
		for (const run of runs) await failureOf(upload(service, run));
		const [memory] = memories.values();
		const other = { status: 'done', isBusy: false, file: { name: 'other.mp4', size: 5 } } as const;
		for (let count = 1; count <= 1_000; count++) memory?.add({ ...other, uploadId: `other-${count}` });
		expect(memory?.all(() => true)).toHaveLength(1_000);
		for (const run of runs) expect((await upload(service, run)).output.bytesSent).toBe(0);
		expect(service.state.videos.map(({ name }) => name)).toEqual(titles);
	});

	it('are set without sending the file again after a run that was given another plan by mistake', async () => {
		const bytes = randomBytes(1_000);
		service.injectFault({ on: 'videoEdit', kind: 'status', status: 400 });
		policies.newVideo.passes.totalMs = 100;
		await failureOf(upload(service, { bytes, options: TITLED }));
		await failureOf(upload(service, { bytes, options: { ...TITLED, planId: 'plan-2002' } }));
		await upload(service, { bytes, options: TITLED });
		expectArrived(service, bytes);
	});

	it('are not lost to those of another run that finishes the upload while this one compares it', async () => {
		const bytes = randomBytes(1_000_000);
		service.injectFault({ on: 'videoEdit', kind: 'status', status: 400 });
		await failureOf(upload(service, { bytes, options: TITLED }));
		const files = await startFileServer(bytes);
		let release = () => {};
		const held = new Promise<void>((resolve) => (release = resolve));
		files.beforeBytes = async (offset) => (offset >= 500_000 ? await held : undefined);
		const url = `${files.origin}/keynote.mp4`;
		const second = upload(service, { url, options: { title: 'Second' } });
		// One request is for the size.
		while (files.requests.length < 2) await setTimeout(5);
		await upload(service, { bytes, options: { title: 'First' } });
		release();
		expect((await second).output.video).toMatchObject({ name: 'Second' });
		expect(service.state.videos.map(({ name }) => name).sort()).toEqual(['First', 'Second']);
		await files.close();
	});

	it('are no longer waited for ten minutes after the last byte, when somebody may have deleted the video', async () => {
		const run = { bytes: randomBytes(1_000), options: TITLED };
		listLate(service, 100);
		await failureOf(upload(service, run));
		service.state.videos = [];
		const early = await clockAhead(9 * MINUTE_MS, async () => await failureOf(upload(service, run)));
		expect(early.description).toBe('Run this again with the same file: it is not sent again.');
		await clockAhead(11 * MINUTE_MS, async () => {
			// Also by Retry On Fail, the file is not sent again.
			const late = (await retried([await film(run.bytes)], run.options))?.error;
			expect(late?.message).toMatch(/its title could not be set: somebody has deleted or renamed the video/);
			expect(late?.description).toBe('If the video was deleted, run this again to upload the file again.');
			expect(service.state.uploads).toHaveLength(1);
			service.settings.videoAppearsAfterMs = 0;
			expect((await upload(service, run)).output.video).toMatchObject({ name: 'Interview' });
		});
	});

	it('are set one without the other when the service rejects the image', async () => {
		const bytes = randomBytes(1_000);
		const item = await filmWithImage(bytes);
		const options = { ...TITLED, thumbnailBinaryPropertyName: 'image' };
		service.injectFault({ on: 'videoThumbnail', kind: 'status', status: 415, error: 'No such image' });
		const { message } = await failureOf(upload(service, { item, options }));
		expect(message).toContain('but its thumbnail could not be set: No such image');
		expect(service.state.videos).toMatchObject([{ name: 'Interview', thumbnail: null }]);
		expect((await upload(service, { item, options })).output.video).toMatchObject({ name: 'Interview' });
		expect(service.state.videos[0]?.thumbnail).not.toBeNull();
		expectArrived(service, bytes);
	});

	it('of a deleted video are no reason to keep its file from being uploaded again', async () => {
		service.injectFault({ on: 'videoEdit', kind: 'status', status: 404, error: 'Video not found' });
		const run = await retried([await film(Buffer.from('film'))], TITLED);
		expect(run?.error?.description).toBe(
			'If the video was deleted, run this again to upload the file again.',
		);
		expect(service.state.uploads).toHaveLength(1);
		await upload(service, { bytes: Buffer.from('film'), options: TITLED });
		expect(service.state.uploads).toHaveLength(2);
	});
});

describe('an upload whose last response is lost, at a service that forgets finished uploads', () => {
	const lose: Fault = { on: 'uploadPatch', kind: 'lostResponse' };
	beforeEach(() => {
		service.settings.dropsFinishedUploads = true;
		service.injectFault(lose);
	});

	it('is found by the mark of its video, which Resume looks for in the plan of its own options', async () => {
		service.clearFaults();
		service.settings.videoAppearsAfterMs = 60;
		const bytes = randomBytes(1_000_000);
		const resume = await leaveUnfinished(service, { bytes, options: { ...TITLED, planId: 'mistyped' } });
		service.injectFault(lose);
		const { output } = await upload(service, { bytes, resume, options: { planId: service.settings.planId } });
		expectArrived(service, bytes);
		expect(output).toMatchObject({ complete: true, video: { name: 'Interview' } });
	});

	it.each<[string, Fault]>([
		['a 429', { on: 'uploadHead', kind: 'status', status: 429, skip: 3 }],
		['an outage', { on: 'uploadHead', kind: 'reset', times: 7 }],
	])('is found by its mark and not sent again, also after %s', async (_what, fault) => {
		const bytes = randomBytes(1_000);
		service.injectFault(fault);
		expect((await upload(service, { bytes, options: TITLED })).output.complete).toBe(true);
		expectArrived(service, bytes);
	});

	it.each<[string, IDataObject]>([
		['without a mark', {}],
		['when no video has its mark in time', TITLED],
	])(
		'is an error that says to look for the video, %s, and Retry On Fail does not send the file again',
		async (_when, options) => {
			listLate(service, 100);
			const run = await retried([await film(randomBytes(1_000_000))], { returnVideo: false, ...options });
			const error = run?.error;
			expect(error?.message).toBe(
				`The whole file of upload ${onlyUpload(service).id} was sent, but the last response of the service was lost.`,
			);
			expect(error?.description).toMatch(/^Look for the video "keynote.*\.mp4" before you run this again\./);
			expect(service.requestsOf('uploadCreate')).toHaveLength(1);
			expect(service.requestsOf('uploadPatch')).toHaveLength(1);
		},
	);

	it('may have the video that is listed for the next upload of its name, which returns none', async () => {
		const bytes = randomBytes(1_000);
		service.settings.videoAppearsAfterMs = 300;
		policies.newVideo.passes.totalMs = 600;
		await failureOf(upload(service, { bytes }));
		service.injectFault({ on: 'videoList', kind: 'delay', ms: 200 });
		service.settings.videoAppearsAfterMs = 3_600_000;
		const { output } = await upload(service, { bytes, options: { returnVideo: true } });
		expect(service.state.videos).toHaveLength(2);
		expect(output).toMatchObject({ complete: true, video: null });
	});

	it('is the same error with Skip If Exists, which finds the video once it is listed', async () => {
		const options = { skipIfExists: true };
		service.settings.videoAppearsAfterMs = 3_600_000;
		const first = await failureOf(upload(service, { options }));
		expect(await failureOf(upload(service, { options }))).toMatchObject({ message: first.message });
		for (const video of service.state.videos) video.appearsAt = 0;
		expect((await upload(service, { options })).output.skipped).toBe(true);
		onlyUpload(service);
	});

	it('is not sent again by Retry On Fail where Resume Unfinished is off and nothing says what arrived', async () => {
		service.settings.dropsFinishedUploads = false;
		service.injectFault({ on: 'uploadHead', kind: 'status', status: 503, times: 11 });
		const options = { returnVideo: false, resumeUnfinished: false };
		const run = await retried([await film(randomBytes(1_000))], options);
		expect(run?.error?.message).toContain('was sent, but the last response');
		onlyUpload(service);
	});

	it.each<[string, Partial<Fault>]>([
		['the service rejected its bytes', { status: 404, error: 'Upload not found' }],
		['the service itself failed', { status: 500, error: 'Out of storage' }],
		['a proxy limits the rate', { status: 429, body: 'Slow down' }],
	])('is sent again when %s', async (_why, answer) => {
		service.clearFaults();
		service.injectFault({ on: 'uploadPatch', kind: 'status', ...answer } as Fault);
		service.injectFault({ on: 'uploadHead', kind: 'forget' });
		const { bytes } = await upload(service, { bytes: randomBytes(1_000) });
		expectArrived(service, bytes);
	});
});

describe('Skip If Exists', () => {
	const skip = { skipIfExists: true };

	it.each(['lecture.vob', 'lecture', ' lecture.vob '])(
		'skips for a listed video called %j and returns it',
		async (name) => {
			const [video] = service.seedVideos([{ name }]);
			const { output } = await upload(service, { fileName: 'lecture.vob', options: skip });
			expect(output).toMatchObject({
				skipped: true,
				complete: null,
				uploadId: null,
				offset: null,
				video: { hash: video?.hash },
			});
			expect(service.state.uploads).toEqual([]);
		},
	);

	it.each(['move', 'delete'])('does not skip for a video after this node did: %s', async (operation) => {
		const [inbox, archive] = service.seedFolders(2).map(({ uuid }) => by('uuid', uuid));
		const run = { parameters: { folder: inbox ?? '' }, options: { ...skip, returnVideo: true } };
		await upload(service, run);
		const [listed] = service.state.videos;
		if (!listed) throw new Error('The video is listed');
		const chosen = { video: by('hash', listed.hash), folder: archive ?? '' };
		await executeNode({ service, parameters: { resource: 'video', operation, ...chosen } });
		// A list may still contain a deleted video.
		if (operation === 'delete') service.state.videos.push(listed);
		expect((await upload(service, run)).output.skipped).toBe(false);
	});

	it.each<[string, boolean, 'hash' | 'name']>([
		['of before a restart', true, 'hash'],
		['whose upload returned no video', false, 'name'],
	])('does not skip for a video that this node deleted, %s', async (_which, isOld, mode) => {
		if (isOld) service.seedVideos([{ name: 'keynote.mp4' }]);
		else await upload(service);
		const [listed] = service.state.videos;
		if (!listed) throw new Error('The video is listed');
		const video = by(mode, mode === 'hash' ? listed.hash : listed.name);
		await executeNode({ service, parameters: { resource: 'video', operation: 'delete', video } });
		// A list may still contain a deleted video.
		service.state.videos.push(listed);
		expect((await upload(service, { options: skip })).output.skipped).toBe(false);
		const rename = { resource: 'video', operation: 'update', video: by('name', 'keynote.mp4'), name: 'New' };
		await executeNode({ service, parameters: rename });
		expect(service.state.videos.map(({ name }) => name)).toEqual(['keynote.mp4', 'New']);
	});

	it.each(['uuid', 'name', 'id'] as const)(
		'returns the folder in which it found the video, where records show of it: %s',
		async (videoFolders) => {
			service.settings.videoFolders = videoFolders;
			const [folder] = service.seedFolders([{ name: 'Gigs' }]);
			service.seedVideos([{ name: 'keynote.mp4', folder: folder?.uuid }]);
			const parameters = { folder: by('name', 'Gigs') };
			const { output } = await upload(service, { parameters, options: skip });
			expect(output).toMatchObject({ skipped: true, folder: folder?.uuid });
		},
	);

	it('gives no hint of another item when both files of a run are there under their own names', async () => {
		service.seedVideos(['talk.mov', 'talk.mp4'].map((name) => ({ name, size: 500 })));
		const items = [await film(randomBytes(500), 'talk.mov'), await film(randomBytes(500), 'talk.mp4')];
		const parameters = { resource: 'upload', operation: 'upload', options: skip };
		expect((await executeNode({ service, items, parameters })).hints).toEqual([]);
	});

	it('asks for the name in the end, in both spellings of its accents, and in the chosen folder alone', async () => {
		const [folder] = service.seedFolders(1);
		service.seedVideos([{ name: 'U\u0308ber uns', folder: folder?.uuid }, { name: 'keynote.mp4' }]);
		const parameters = { folder: by('uuid', folder?.uuid ?? '') };
		const titled = await upload(service, { parameters, options: { ...skip, title: '\u00dcber uns' } });
		expect(titled.output.skipped).toBe(true);
		expect((await upload(service, { parameters, options: skip })).output.skipped).toBe(false);
		expect(service.requestsOf('folderList')).toEqual([]);
	});

	it.each<[string, IDataObject]>([
		['', {}],
		[' with titles', TITLED],
	])(
		'uploads one of overlapping executions%s, although no list shows it, and returns its video',
		async (_with, options) => {
			service.settings.videoAppearsAfterMs = 60;
			const bytes = randomBytes(1_000_000);
			const runs = await Promise.all(
				[1, 2, 3].map(
					async () => await upload(service, { bytes, options: { ...skip, ...options, returnVideo: true } }),
				),
			);
			expect(runs.map(({ output }) => output.skipped).sort()).toEqual([false, true, true]);
			const [video] = service.state.videos;
			for (const { output } of runs)
				expect(output.video).toMatchObject({ hash: video?.hash, name: video?.name });
			onlyUpload(service);
		},
	);

	it.each<[string, INodeParameters, boolean?]>([
		['deleted', { operation: 'delete' }],
		['deleted, and whose upload was resumed since', { operation: 'delete' }, true],
		['renamed', { operation: 'update', name: 'first cut' }],
	])('does not skip for a video that the node has %s', async (_how, parameters, isResumed = false) => {
		const options = { ...skip, returnVideo: true };
		const { bytes, output } = await upload(service, { options });
		const video = by('hash', (output.video as { hash: string }).hash);
		await executeNode({ service, parameters: { resource: 'video', video, ...parameters } });
		if (isResumed) await upload(service, { bytes, resume: output.uploadId as string });
		expect((await upload(service, { options })).output.skipped).toBe(false);
	});

	it('does not skip for what was resumed into another plan after a restart', async () => {
		policies.newVideo.passes.totalMs = 300;
		const bytes = randomBytes(1_000);
		const resume = await leaveUnfinished(service, { bytes }, 500);
		memories.clear();
		await upload(service, { bytes, resume });
		service.settings.planId = 'plan-2002';
		const { output } = await upload(service, { options: { ...skip, planId: 'plan-2002' } });
		expect(output.skipped).toBe(false);
	});

	it.each<[string, Fault[]]>([
		['sent', [{ on: 'uploadHead', kind: 'status', status: 429 }]],
		[
			'sent in part, whatever a list shows meanwhile',
			[
				{ on: 'uploadPatch', kind: 'reset', afterBytes: 600_000 },
				{ on: 'uploadPatch', kind: 'status', status: 429, headers: { 'Retry-After': '1' } },
			],
		],
	])('completes what the item itself has %s', async (_what, faults) => {
		faults.forEach(service.injectFault.bind(service));
		const running = upload(service, { options: skip });
		await service.until(() => service.requests.some(({ status }) => status === 429));
		service.seedVideos([{ name: 'keynote.mp4' }]);
		expect((await running).output).toMatchObject({ complete: true, skipped: false });
		expect(onlyUpload(service).complete).toBe(true);
	});

	it.each<[string, string, number[], RegExp | undefined]>([
		[
			'of another size',
			'keynote.mp4',
			[300_000],
			/has 1000000 bytes, and this file 300000\. If it is another/,
		],
		['of the same size', 'keynote.mp4', [1_000_000], undefined],
		['of another item', 'other.mp4', [500, 500], /"keynote.mp4" was skipped: another item of this run has/],
	])('skips for a video %s with a hint that says what is not there', async (_what, name, sizes, hint) => {
		service.seedVideos([{ name, size: 1_000_000 }]);
		const items = await Promise.all(sizes.map(async (size) => await film(randomBytes(size))));
		const parameters = { resource: 'upload', operation: 'upload', options: skip };
		const { hints, items: output } = await executeNode({ service, items, parameters });
		expect(output.at(-1)?.json).toMatchObject({ skipped: true, complete: null });
		expect(hints.map(({ message }) => message)).toEqual(hint ? [expect.stringMatching(hint)] : []);
	});

	it.each([
		['', '', true],
		['One', '', true],
		['One', 'Other', false],
	])('counts what is not listed yet by its folder: uploaded to %j, for %j', async (from, to, isThere) => {
		const folders = service.seedFolders([{ name: 'One' }, { name: 'Other' }]);
		const runIn = (wanted: string) => {
			const folder = folders.find(({ name }) => name === wanted)?.uuid;
			return { parameters: folder === undefined ? {} : { folder: by('uuid', folder) }, options: skip };
		};
		listLate(service, 100);
		await upload(service, runIn(from));
		await upload(service, runIn(to)).catch(() => {});
		expect(service.state.uploads).toHaveLength(isThere ? 1 : 2);
	});

	it('returns no video under its first name while its title is not set', async () => {
		service.injectFault({ on: 'videoEdit', kind: 'status', status: 400 });
		await failureOf(upload(service, { options: TITLED }));
		const { message } = await failureOf(upload(service, { options: { ...skip, ...TITLED } }));
		expect(message).toContain('its video is not listed under that name yet');
	});

	it('knows what this node did to the video of an upload that no list shows, and not of another video', async () => {
		const [archive] = service.seedFolders(1);
		const [another] = service.seedVideos([{ name: 'another.mp4' }]);
		const options = { ...skip, returnVideo: true };
		const { output } = await upload(service, { options });
		const { hash } = output.video as { hash: string };
		const folder = by('uuid', archive?.uuid ?? '');
		for (const parameters of [
			{ operation: 'move', video: by('hash', hash), folder },
			{ operation: 'update', video: by('hash', another?.hash ?? ''), name: 'first cut' },
		])
			await executeNode({ service, parameters: { resource: 'video', ...parameters } });
		service.state.videos = [];
		const again = await upload(service, { parameters: { folder }, options });
		expect(again.output).toMatchObject({ skipped: true, folder: archive?.uuid, video: { hash } });
	});

	it('asks again after a wait for another program, which may have uploaded the video', async () => {
		const headers = { 'Retry-After': '1' };
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, headers });
		const waiting = upload(service, { options: skip });
		await service.until(() => service.requestsOf('uploadCreate').length === 1);
		service.seedVideos([{ name: 'keynote.mp4' }]);
		expect((await waiting).output.skipped).toBe(true);
	});

	it('no longer counts what this process completed more than ten minutes ago, resumed since or not', async () => {
		listLate(service);
		const { bytes, output } = await upload(service, { options: skip });
		const resume = { resume: output.uploadId as string };
		await clockAhead(9 * MINUTE_MS, async () => await upload(service, { bytes, ...resume }));
		const again = await clockAhead(11 * MINUTE_MS, async () => await upload(service, { options: skip }));
		expect(again.output.skipped).toBe(false);
	});

	it('does not skip for a video in another folder than the new one, which no list shows yet', async () => {
		Object.assign(service.settings, { videoFolders: 'name', folderAppearsAfterMs: 30_000 });
		const [elsewhere] = service.seedFolders([{ name: 'Other', created_date: '2020-01-01T00:00:00.000Z' }]);
		service.seedVideos([{ name: 'b.mp4', folder: elsewhere?.uuid }]);
		const run = { parameters: { folder: by('name', 'New') }, options: { ...skip, createFolder: true } };
		await upload(service, { ...run, fileName: 'a.mp4' });
		expect((await upload(service, { ...run, fileName: 'b.mp4' })).output.complete).toBe(true);
	});

	it('counts what this process completed, also while a list was read that does not show it', async () => {
		listLate(service, 100);
		service.injectFault({ on: 'uploadPatch', kind: 'delay', ms: 200 });
		const first = upload(service, { options: skip });
		await service.until(() => service.state.uploads.length === 1);
		service.injectFault({ on: 'videoList', kind: 'delay', ms: 400 });
		const failure = await failureOf(upload(service, { options: skip }));
		expect(failure.message).toMatch(
			/^"keynote.mp4" was not uploaded: upload [\w-]+ of the same name is complete/,
		);
		expect(failure.context.output).toEqual({ uploadId: null, offset: null, size: 1_000_000 });
		await first;
		onlyUpload(service);
	});
});

import { randomBytes } from 'node:crypto';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { videoPolicy } from '../../../nodes/VideoHosting/upload/newVideo';
import { executeNode, itemWithFile, type NodeRun } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { shortenPauses } from '../uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => {
	service = started;
	videoPolicy.waitMs = 5_000;
});

const items = async (...names: string[]): Promise<INodeExecutionData[]> =>
	await Promise.all(
		names.map(
			async (fileName) => await itemWithFile(randomBytes(10_000), { fileName, mimeType: 'video/mp4' }),
		),
	);

async function run(names: string[], options: IDataObject = {}, more: Partial<NodeRun> = {}) {
	const parameters = { resource: 'upload', operation: 'upload', options, ...more.parameters };
	return await executeNode({ service, items: await items(...names), ...more, parameters } as NodeRun);
}

const hashOf = (uploadId: unknown) => service.state.videos.find((video) => video.uploadId === uploadId)?.hash;

describe('a batch of uploads', () => {
	const names = Array.from({ length: 30 }, (_, number) => `video ${number}.mp4`);

	it.each([0, 45])(
		'returns each video in order while later files are uploaded (%i videos before)',
		async (count) => {
			service.seedVideos(
				Array.from({ length: count }, (_, n) => ({ createdDate: new Date(1.7e12 + n * 1000).toISOString() })),
			);
			service.settings.videoAppearsAfterMs = 1_000;
			const { items: output } = await run(names);
			expect(output.map(({ json, pairedItem }) => [json.fileName, pairedItem])).toEqual(
				names.map((name, item) => [name, { item }]),
			);
			for (const { json } of output) expect(json.video).toMatchObject({ hash: hashOf(json.uploadId) });
			const created = service.requests.flatMap(({ operation }, at) =>
				operation === 'uploadCreate' ? [at] : [],
			);
			expect(created).toHaveLength(30);
			// The last file was uploaded before the first video was listed.
			const lists = service.requestsOf('videoList').filter(({ query }) => query.name !== undefined);
			expect(lists).toEqual([]);
		},
	);

	it('skips a file that an earlier item of the run has uploaded', async () => {
		service.settings.videoAppearsAfterMs = 200;
		const { items: output } = await run(['a.mp4', 'a.mp4'], { skipIfExists: true });
		expect(output.map(({ json }) => json.skipped)).toEqual([false, true]);
		expect(output[1]?.json.video).toEqual(output[0]?.json.video);
		expect(service.state.uploads).toHaveLength(1);
	});

	it('keeps the order of error items', async () => {
		service.settings.videoAppearsAfterMs = 200;
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, skip: 1 });
		service.settings.slotHeldBy = 'transferring';
		const { items: output } = await run(
			['a.mp4', 'b.mp4', 'c.mp4'],
			{},
			{ onError: 'continueRegularOutput' },
		);
		expect(output.map(({ json, pairedItem }) => ['error' in json, pairedItem])).toEqual([
			[false, { item: 0 }],
			[true, { item: 1 }],
			[false, { item: 2 }],
		]);
	});

	it('ends when a later item fails while the video of a complete upload is looked up', async () => {
		service.settings.videoAppearsAfterMs = 3_600_000;
		const [item] = await items('a.mp4');
		await run([], { returnVideo: false }, { items: item ? [item] : [] });
		const parameters = { operation: 'resume', uploadId: service.state.uploads[0]?.id ?? '' };
		const running = run([], {}, { items: item ? [item, { json: {} }] : [], parameters });
		await expect(running).rejects.toThrow(/binary/i);
	}, 20_000);

	it('ends all lookups when the execution is cancelled', async () => {
		service.settings.videoAppearsAfterMs = 3_600_000;
		const abort = new AbortController();
		const running = run(['a.mp4', 'b.mp4'], {}, { abortSignal: abort.signal });
		running.catch(() => undefined);
		await service.until(() => service.state.uploads.filter(({ complete }) => complete).length === 2);
		await service.until(() => service.requestsOf('videoList').length > 6);
		abort.abort();
		await running.catch(() => undefined);
		const { length } = service.requests;
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(service.requests).toHaveLength(length);
	});
});

describe('Title and Thumbnail', () => {
	const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(50)]);
	const withThumbnail = async () => {
		const [item] = await items('a.mp4');
		const image = await itemWithFile(png, { fileName: 'a.png', mimeType: 'image/png', field: 'image' });
		return [{ json: {}, binary: { ...item?.binary, ...image.binary } }];
	};
	const options = { title: 'Interview', thumbnailBinaryPropertyName: 'image' };

	it('are set on the new video', async () => {
		const { items: output } = await run([], options, { items: await withThumbnail() });
		expect(service.state.videos).toMatchObject([{ name: 'Interview', thumbnail: { bytes: png.length } }]);
		expect(output[0]?.json.video).toMatchObject({ name: 'Interview' });
	});

	it('fail with the ID of the complete upload when the video is not listed, and upload nothing again', async () => {
		videoPolicy.waitMs = 100;
		service.settings.videoAppearsAfterMs = 3_600_000;
		const given = { items: await withThumbnail(), onError: 'continueRegularOutput' as const };
		const { items: output } = await run([], { ...options, skipIfExists: true }, given);
		const id = service.state.uploads[0]?.id;
		expect(output[0]?.json.error).toMatchObject({ uploadId: id, complete: true });
		expect(JSON.stringify(output[0]?.json)).toContain('is complete');
		for (const video of service.state.videos) video.appearsAt = 0;
		const again = await run([], { ...options, skipIfExists: true }, given);
		expect(again.items[0]?.json).toMatchObject({ skipped: false, video: { name: 'Interview' } });
		expect(service.state.videos).toMatchObject([{ name: 'Interview', thumbnail: { bytes: png.length } }]);
		expect(service.state.uploads).toHaveLength(1);
	});

	it('change no older video of the name when the upload was complete before', async () => {
		videoPolicy.waitMs = 100;
		const [older] = service.seedVideos([{ name: 'a.mp4', createdDate: '2020-01-01T00:00:00.000Z' }]);
		service.settings.videoAppearsAfterMs = 3_600_000;
		const given = { items: await withThumbnail(), staticData: {}, onError: 'continueRegularOutput' as const };
		service.injectFault({ on: 'uploadPatch', kind: 'lostResponse' });
		service.injectFault({ on: 'uploadHead', kind: 'status', status: 400 });
		const first = await run([], options, given);
		const second = await run([], options, given);
		const { id } = service.state.uploads[0] ?? {};
		for (const { items: output } of [first, second]) {
			expect(output[0]?.json.error).toMatchObject({ uploadId: id, offset: 10_000 });
		}
		expect(JSON.stringify(second.items[0]?.json)).toContain('It will appear as');
		expect(service.state.uploads).toHaveLength(1);
		expect(service.state.videos.find(({ hash }) => hash === older?.hash)).toEqual(older);
		expect(service.requestsOf('videoEdit')).toEqual([]);
		expect(service.requestsOf('videoThumbnail')).toEqual([]);
	});

	it('are part of the video that a later item of the same name returns as skipped', async () => {
		const { items: output } = await run(['a.mp4', 'a.mp4'], { title: 'Interview', skipIfExists: true });
		expect(output.map(({ json }) => json.skipped)).toEqual([false, true]);
		expect(output[1]?.json.video).toEqual(output[0]?.json.video);
		expect(output[1]?.json.video).toMatchObject({ name: 'Interview' });
	});

	it('are what a later item with the same title is skipped for, whatever its file is called', async () => {
		const { items: output } = await run(['a.mp4', 'b.mp4'], { title: 'Interview', skipIfExists: true });
		expect(output.map(({ json }) => json.skipped)).toEqual([false, true]);
		expect(output[1]?.json.video).toEqual(output[0]?.json.video);
		expect(service.state.uploads).toHaveLength(1);
	});

	it('fail with a message of whole sentences when the service rejects them', async () => {
		service.injectFault({ on: 'videoThumbnail', kind: 'status', status: 400, error: 'Bad image' });
		const running = run([], options, { items: await withThumbnail() });
		await expect(running).rejects.toThrow(/: Bad image\. Run this again/);
	});

	it('name Thumbnail Binary Field when the item has no such file', async () => {
		const running = run(['a.mp4'], options);
		await expect(running).rejects.toThrow('It has "data"');
		expect(service.state.uploads).toEqual([]);
	});
});

it('Skip If Exists compares within the target folder', async () => {
	const [inside, outside] = service.seedFolders(2);
	service.seedVideos([
		{ name: 'a.mp4', folder: outside?.uuid ?? null },
		{ name: 'a.mp4', folder: null },
	]);
	const parameters = { folder: by('uuid', inside?.uuid ?? '') };
	const first = await run(['a.mp4'], { skipIfExists: true }, { parameters });
	const second = await run(['a.mp4'], { skipIfExists: true }, { parameters });
	expect([first, second].map(({ items: [item] }) => item?.json.skipped)).toEqual([false, true]);
	expect(second.items[0]?.json.folder).toBe(inside?.uuid);
});

it('Return Video without a plan is explained once', async () => {
	const { hints } = await run(['a.mp4', 'b.mp4'], {}, { credential: { planId: '' } });
	expect(hints.map(({ message }) => message)).toEqual([expect.stringMatching(/^No plan is set/)]);
});

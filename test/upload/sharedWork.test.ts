import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Ledger } from '../../nodes/VideoHosting/upload/ledger';
import { NewVideos, videoPolicy } from '../../nodes/VideoHosting/upload/newVideo';
import { withIdleTimeout } from '../../nodes/VideoHosting/sources/idleTimeout';
import { executeContext, executeForJson, itemWithFileInMemory } from '../execution/executeNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { nodeOfNewProcess } from './onceModel/n8nProcess';
import { shortenPauses, upload } from './uploading';

// What several items, executions, workflows and processes share: the ledger, the line for the slot, the reading of the list.

shortenPauses();

const SIZE = 10_000;

let service: RunningService;
serviceForEachTest((started) => (service = started), { slotHeldBy: 'transferring' });

const item = (fileName: string, json: IDataObject = {}): INodeExecutionData => ({
	...itemWithFileInMemory(randomBytes(SIZE), { fileName, mimeType: 'video/mp4' }),
	json,
});

const cut = async (fileName: string, run: { workflowId: string; staticData: IDataObject }) => {
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 6_000 });
	await upload(service, { item: item(fileName), mode: 'trigger', ...run }).catch(() => undefined);
	return service.state.uploads.at(-1)?.id ?? '';
};

it('leaves an unfinished upload to the workflow that knows it when another workflow has other content', async () => {
	const [own, other] = [0, 1].map(() => ({ workflowId: randomUUID(), staticData: {} }));
	if (!own || !other) throw new Error('There are two workflows');
	const uploadId = await cut('a.mp4', own);
	await upload(service, { item: item('a.mp4'), mode: 'trigger', ...other });
	const second = await cut('b.mp4', own);

	expect(JSON.stringify(own.staticData)).toContain(uploadId);
	expect(JSON.stringify(own.staticData)).toContain(second);
	expect(JSON.stringify(other.staticData)).not.toContain(uploadId);
});

it('finds the video of an earlier process in an unsorted list, next to one without a mark', async () => {
	service.seedVideos(Array.from({ length: 30 }, (_, index) => ({ name: `other ${index}` })));
	Object.assign(service.settings, { videoOrder: 'oldestFirst', videoOrderByIgnored: true });
	const staticData: IDataObject = {};
	const titled = item('a.mp4', { title: 'Interview' });
	const parameters = {
		resource: 'upload',
		operation: 'upload',
		options: { title: '={{ $json.title }}' },
	};
	service.injectFault({ on: 'videoEdit', kind: 'status', status: 400 });
	const run = { service, staticData, mode: 'trigger', workflowId: randomUUID(), parameters } as const;
	await expect(executeForJson({ ...run, items: [titled] })).rejects.toThrow('could not be set');
	expect(JSON.stringify(staticData)).toContain('"complete"');

	// Its own video is not listed, so it waits as long as the other one.
	service.settings.videoAppearsAfterMs = 3_600_000;
	const stored = JSON.parse(JSON.stringify(staticData)) as { global: { videoHostingUploads: IDataObject[] } };
	for (const entry of stored.global.videoHostingUploads) delete entry.videoHash;
	const output = await executeForJson({
		...run,
		nodeType: nodeOfNewProcess(),
		staticData: stored,
		items: [item('b.mp4', { title: '' }), titled],
	});
	expect(output).toMatchObject([{ video: null }, { video: { name: 'Interview' } }]);
});

it('finds new videos in a list that the service does not sort', async () => {
	service.settings.videoSortRejected = true;
	const { output } = await upload(service, { options: { returnVideo: true } });
	expect(output).toMatchObject({ video: { name: 'keynote.mp4' } });
	const titled = await upload(service, {
		fileName: 'b.mp4',
		options: { title: 'Interview', returnVideo: true },
	});
	expect(titled.output).toMatchObject({ video: { name: 'Interview' } });
});

describe('an upload whose last response is lost, at a service that forgets finished uploads', () => {
	const options = { title: 'Interview' };
	const video = item('a.mp4');
	const run = async () =>
		await upload(service, { item: video, options }).catch((error: unknown) => error as Error);
	beforeEach(() => {
		service.settings.dropsFinishedUploads = true;
	});

	it('is not sent again while its video may still be listed', async () => {
		service.settings.videoAppearsAfterMs = 3_600_000;
		service.injectFault({ on: 'uploadPatch', kind: 'lostResponse' });
		expect(await run()).toMatchObject({
			message: expect.stringMatching(/does not list its video .* yet\. Run this again in a few minutes/),
		});
		for (const listed of service.state.videos) listed.appearsAt = 0;

		expect(await run()).toMatchObject({ output: { complete: true, bytesSent: 0 } });
		expect(service.state.videos.map(({ name }) => name)).toEqual(['Interview']);
	});

	it('is sent again without a title, and a hint says that a second video may be listed', async () => {
		service.settings.videoAppearsAfterMs = 3_600_000;
		service.injectFault({ on: 'uploadPatch', kind: 'lostResponse' });
		const { output, hints } = await upload(service, { item: video });
		expect(output).toMatchObject({ complete: true, bytesSent: 2 * SIZE });
		expect(service.state.videos.map(({ name }) => name)).toEqual(['a.mp4', 'a.mp4']);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(
				/no longer knew the upload .+ sent again from its beginning\. The service may list a second video of this file later: check, and delete one\.$/,
			),
		]);
	});

	it('is sent again when the service rejected its bytes or has not listed it for long', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'forget' });
		expect(await run()).toMatchObject({ output: { complete: true, bytesSent: 2 * SIZE } });

		service.settings.videoAppearsAfterMs = 3_600_000;
		service.injectFault({ on: 'uploadPatch', kind: 'lostResponse' });
		await run();
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 20 * 60_000);
		service.settings.videoAppearsAfterMs = 0;
		try {
			expect(await run()).toMatchObject({ output: { complete: true, bytesSent: SIZE } });
		} finally {
			now.mockRestore();
		}
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
		service.settings.videoAppearsAfterMs = 3_600_000;
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

it('asks for the slot only at the head of the line once it has to create an upload', async () => {
	const run = () => ({ workflowId: randomUUID(), staticData: {} });
	await cut('a.mp4', run());
	await upload(service, { fileName: 'done.mp4' });
	service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, times: 1_000 });
	const posts = (fileName: string) =>
		service
			.requestsOf('uploadCreate')
			.filter(({ headers }) =>
				String(headers['upload-metadata']).includes(Buffer.from(fileName).toString('base64')),
			).length;
	const options = { maxWaitMinutes: 0.03 };
	const head = upload(service, { fileName: 'h.mp4', options }).catch(() => undefined);
	await service.until(() => posts('h.mp4') > 0);
	const other = upload(service, { item: item('a.mp4'), options }).catch(() => undefined);
	await service.until(() => posts('a.mp4') > 1 && posts('h.mp4') > 10);
	expect(posts('a.mp4')).toBe(2);
	await Promise.all([head, other]);
});

it('closes no connection because the system clock was set', async () => {
	const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
	const close = jest.fn();
	const limits = { idleTimeoutMs: 200, cancelled: undefined };
	try {
		const working = withIdleTimeout({ close }, limits, async (onMoved) => {
			await sleep(120);
			onMoved();
			now.mockReturnValue(0);
			await sleep(120);
			expect(close).not.toHaveBeenCalled();
			await new Promise(() => {});
		});
		await expect(working).rejects.toThrow('was idle for 0.2 seconds');
		expect(close).toHaveBeenCalled();
	} finally {
		now.mockRestore();
	}
});

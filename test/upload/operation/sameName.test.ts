import { randomBytes } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import { videoPolicy } from '../../../nodes/VideoHosting/upload/newVideo';
import { executeNode, itemWithFile, type NodeRun } from '../../execution/executeNode';
import { startService, type RunningService } from '../../fakeService';
import { shortenPauses } from '../uploading';

shortenPauses();

const SIZE = 10_000;

let service: RunningService;
beforeEach(async () => {
	service = await startService();
	videoPolicy.waitMs = 300;
});
afterEach(async () => {
	await service.close();
});

const file = async (fileName: string, size = SIZE) =>
	await itemWithFile(randomBytes(size), { fileName, mimeType: 'video/mp4' });

/** Uploads a.mp4, and meanwhile another program adds videos of that name. */
async function uploadWhile(
	others: Array<{ size: number }>,
	options: INodeParameters = {},
	run: Partial<NodeRun> = {},
) {
	service.injectFault({ on: 'uploadPatch', kind: 'delay', ms: 100 });
	const running = executeNode({
		service,
		items: [await file('a.mp4')],
		...run,
		parameters: { resource: 'upload', operation: 'upload', options },
	});
	running.catch(() => undefined);
	await service.until(() => service.requestsOf('uploadPatch').length === 1);
	const added = service.seedVideos(others.map(({ size }) => ({ name: 'a.mp4', size })));
	return { added, result: await running };
}
const ownVideo = () => service.state.videos.find(({ uploadId }) => uploadId !== null);

describe('a video of the same name that another program adds during the upload', () => {
	it.each(['camelCase', 'snake_case', 'plain', 'nestedPlan'] as const)(
		'is not the new one when it has another size (records in %s)',
		async (recordNames) => {
			videoPolicy.waitMs = 5_000;
			Object.assign(service.settings, { recordNames, videoAppearsAfterMs: 150 });
			const { result } = await uploadWhile([{ size: 77 }], { title: 'Interview' });
			expect(JSON.stringify(result.items[0]?.json.video)).toContain(ownVideo()?.hash);
			expect(service.state.videos.map(({ name }) => name).sort()).toEqual(['Interview', 'a.mp4']);
		},
	);

	it('is not returned when the new one is not listed in time', async () => {
		service.settings.videoAppearsAfterMs = 3_600_000;
		const { result } = await uploadWhile([{ size: 77 }]);
		expect(result.items[0]?.json).toMatchObject({ complete: true, video: null });
		expect(result.hints.map(({ message }) => message)).toEqual([expect.stringContaining('does not list')]);
	});

	it.each([
		['without sizes', false],
		['of the same size', true],
	])('is not guessed to be the other one: %s', async (_what, videoSizes) => {
		service.settings.videoSizes = videoSizes;
		const { result } = await uploadWhile([{ size: SIZE }]);
		expect(result.items[0]?.json).toMatchObject({ complete: true, video: null });
		expect(result.hints.map(({ message }) => message)).toEqual([expect.stringContaining('several videos')]);
	});

	it.each([
		['of another size', true, 77, 3_600_000],
		['of the same size', true, SIZE, 0],
		['without a size', false, 77, 0],
	])('is never changed: %s', async (_what, videoSizes, size, videoAppearsAfterMs) => {
		Object.assign(service.settings, { videoSizes, videoAppearsAfterMs });
		const { added } = await uploadWhile(
			[{ size }],
			{ title: 'Interview' },
			{ onError: 'continueRegularOutput' },
		);
		expect(service.state.videos.find(({ hash }) => hash === added[0]?.hash)?.name).toBe('a.mp4');
		expect(ownVideo()?.name).toMatch(videoAppearsAfterMs === 0 ? /^Interview$/ : /^a-\w+\.mp4$/);
	});
});

it('of several old videos of the name, none is returned for an upload that was complete before', async () => {
	service.seedVideos([
		{ name: 'a.mp4', size: SIZE },
		{ name: 'a.mp4', size: SIZE },
	]);
	const given = { service, items: [await file('a.mp4')] };
	await executeNode({
		...given,
		parameters: { resource: 'upload', operation: 'upload', options: { returnVideo: false } },
	});
	const uploadId = service.state.uploads[0]?.id ?? '';
	const { items, hints } = await executeNode({
		...given,
		parameters: { resource: 'upload', operation: 'resume', uploadId },
	});
	expect(items[0]?.json).toMatchObject({ complete: true, bytesSent: 0, video: null });
	expect(hints.map(({ message }) => message).join()).toContain('several videos');
});

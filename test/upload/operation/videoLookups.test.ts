import { randomBytes } from 'node:crypto';

import { videoPolicy } from '../../../nodes/VideoHosting/upload/newVideo';
import { executeNode, itemWithFile } from '../../execution/executeNode';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { shortenPauses } from '../uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => {
	service = started;
	videoPolicy.waitMs = 5_000;
});
const file = async (fileName: string) =>
	await itemWithFile(randomBytes(10_000), { fileName, mimeType: 'video/mp4' });
const hashOf = (uploadId: unknown) => service.state.videos.find((video) => video.uploadId === uploadId)?.hash;

it('ends when a later item fails while the video of a complete upload is looked up', async () => {
	service.settings.videoAppearsAfterMs = 3_600_000;
	const item = await file('a.mp4');
	await executeNode({
		service,
		items: [item],
		parameters: { resource: 'upload', operation: 'upload', options: { returnVideo: false } },
	});
	const uploadId = service.state.uploads[0]?.id ?? '';
	await expect(
		executeNode({
			service,
			items: [item, { json: {} }],
			parameters: { resource: 'upload', operation: 'resume', uploadId },
		}),
	).rejects.toThrow(/binary/i);
}, 20_000);

it('never returns the video of another file of that name', async () => {
	videoPolicy.waitMs = 1_000;
	service.settings.videoAppearsAfterMs = 900;
	service.injectFault({ on: 'uploadPatch', kind: 'delay', ms: 1_500, skip: 1 } as never);
	const running = executeNode({
		service,
		items: [await file('a.mp4'), await file('a.mp4')],
		parameters: { resource: 'upload', operation: 'upload' },
	});
	await service.until(() => service.state.uploads[0]?.complete === true);
	service.settings.videoAppearsAfterMs = 3_600_000;
	const { items } = await running;
	for (const { json } of items) {
		if (json.video !== null) expect(json.video).toMatchObject({ hash: hashOf(json.uploadId) });
	}
}, 20_000);

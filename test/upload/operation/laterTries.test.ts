import type { INodeParameters } from 'n8n-workflow';

import { isRecord } from '../../../nodes/VideoHosting/shared/jsonFields';
import { videoPolicy } from '../../../nodes/VideoHosting/upload/newVideo';
import { itemWithFile } from '../../execution/executeNode';
import { runWorkflow } from '../../execution/runWorkflow';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { shortenPauses } from '../uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

const upload: INodeParameters = { resource: 'upload', operation: 'upload', options: { returnVideo: true } };
const file = async (fileName: string) =>
	await itemWithFile(Buffer.from('a video named ' + fileName), { fileName, mimeType: 'video/mp4' });

it.each([
	// n8n takes 0 for 3. The first item fails in the first try, the second one in the second try.
	{ maxTries: 0, failures: { every: 2, times: 2 }, videoAppearsAfterMs: 1_500 },
	{ maxTries: 2, failures: { skip: 1, times: 1 }, videoAppearsAfterMs: 1_000 },
])('A lookup that a try waits for is not given up while another try follows: %j', async (scene) => {
	const { failures, maxTries, videoAppearsAfterMs } = scene;
	videoPolicy.waitMs = 4_000;
	service.settings.videoAppearsAfterMs = videoAppearsAfterMs;
	service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, error: 'No', ...failures });
	const { runs } = await runWorkflow({
		...{ service, parameters: upload, rounds: [[await file('a.mp4'), await file('b.mp4')]] },
		settings: { retryOnFail: true, maxTries },
	});
	const items = runs[0]?.data?.main?.[0] ?? [];
	expect(items.map(({ json: { video } }) => isRecord(video))).toEqual([true, true]);
	expect(service.state.videos).toHaveLength(2);
});

it('A request that the service did not receive in time (408) is no upload that blocks the slot', async () => {
	service.injectFault({ on: 'uploadCreate', kind: 'status', status: 408, error: 'Request Timeout' });
	// Another program holds the slot for a moment.
	service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, error: 'Busy', times: 2 });
	const { runs } = await runWorkflow({
		...{ service, parameters: upload, rounds: [[await file('a.mp4')]] },
		settings: { retryOnFail: true, maxTries: 3 },
	});
	expect([runs[0]?.error?.message, service.state.videos.length]).toEqual([undefined, 1]);
});

it('After an item that waited for the slot in vain, an upload that began is still continued', async () => {
	const busy = { on: 'uploadCreate', kind: 'status', status: 429, error: 'Busy' } as const;
	service.injectFault({ ...busy, headers: { 'Retry-After': '100' }, times: 2 });
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 400_000 });
	// The service still receives the PATCH that broke off.
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 429, error: 'Busy' });
	const large = async (fileName: string) =>
		await itemWithFile(Buffer.alloc(800_000, fileName), { fileName, mimeType: 'video/mp4' });
	const { runs } = await runWorkflow({
		...{ service, rounds: [[await large('a.mp4'), await large('b.mp4')]] },
		parameters: { ...upload, options: { maxWaitMinutes: 0.01 } },
		settings: { onError: 'continueRegularOutput' },
	});
	const items = runs[0]?.data?.main?.[0] ?? [];
	expect(items.map(({ json }) => json.complete ?? json.error)).toEqual([
		expect.objectContaining({ message: expect.stringMatching(/^Busy/) }),
		true,
	]);
});

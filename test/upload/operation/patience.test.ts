import { videoPolicy } from '../../../nodes/VideoHosting/upload/newVideo';
import { itemWithFile } from '../../execution/executeNode';
import { runWorkflow } from '../../execution/runWorkflow';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { shortenPauses } from '../uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

it('An unfinished upload is continued by the next tries, though the first one waited for the slot in vain', async () => {
	videoPolicy.waitMs = 500;
	const busy = { kind: 'status', status: 429, error: 'Busy' } as const;
	// Try 1: the slot is taken for the whole of Max Wait. Try 2: it is free, and the line breaks.
	service.injectFault({ on: 'uploadCreate', ...busy, headers: { 'Retry-After': '100' }, times: 2 });
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 400_000 });
	// The service notices that a moment later.
	service.injectFault({ on: 'uploadPatch', ...busy, times: 3 });
	const file = await itemWithFile(Buffer.alloc(800_000, 'a'), { fileName: 'a.mp4', mimeType: 'video/mp4' });
	const { runs } = await runWorkflow({
		...{ service, rounds: [[file]] },
		parameters: { resource: 'upload', operation: 'upload', options: { maxWaitMinutes: 0.01 } },
		settings: { retryOnFail: true, maxTries: 4 },
	});
	expect([runs[0]?.error?.message, service.state.videos.length]).toEqual([undefined, 1]);
});

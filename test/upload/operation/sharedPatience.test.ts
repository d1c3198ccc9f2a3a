import { itemWithFile } from '../../execution/executeNode';
import { runWorkflow } from '../../execution/runWorkflow';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { shortenPauses } from '../uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

// An upload of another program is being received, and the service knows any number of unfinished ones.
const busy = { kind: 'status', status: 429, error: 'Busy', headers: { 'Retry-After': '100' } } as const;

/** Uploads four files; returns how many PATCH requests that took: one of an item that does not wait, two of one that waits. */
async function patchesOf(maxWaitMinutes: number): Promise<number> {
	const before = service.requestsOf('uploadPatch').length;
	const files = await Promise.all(
		['a', 'b', 'c', 'd'].map(
			async (name) =>
				await itemWithFile(Buffer.alloc(1_000, name), { fileName: `${name}.mp4`, mimeType: 'video/mp4' }),
		),
	);
	const { runs } = await runWorkflow({
		...{ service, rounds: [files] },
		parameters: { resource: 'upload', operation: 'upload', options: { maxWaitMinutes } },
		settings: { onError: 'continueRegularOutput' },
	});
	expect(runs[0]?.data?.main?.[0]?.filter(({ json }) => json.error)).toHaveLength(4);
	return service.requestsOf('uploadPatch').length - before;
}

beforeEach(() => {
	service.settings.slotHeldBy = 'transferring';
	service.injectFault({ on: 'uploadPatch', ...busy, times: 999 });
});

it('Of several new uploads, only the first one waits for the whole Max Wait', async () => {
	expect(await patchesOf(0.01)).toBe(5);
});

import { randomBytes } from 'node:crypto';

import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { shortenPauses, upload } from './uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started), { slotHeldBy: 'transferring' });

it('an upload waits for another program although an older upload of this n8n is unfinished', async () => {
	// Monday: an upload of this workflow is left unfinished. It holds no slot at this service.
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 600_000 });
	await upload(service, { fileName: 'monday.mp4' }).catch(() => undefined);

	// Tuesday: the same workflow uploads another file, which needs no wait at all.
	await upload(service, { fileName: 'tuesday.mp4' });

	// Wednesday: another program sends a file for half a second.
	const other = service.state.uploads[1];
	if (!other) throw new Error('no upload');
	other.transferring = true;
	const ended = new Promise<void>((resolve) =>
		setTimeout(() => {
			other.transferring = false;
			resolve();
		}, 500),
	);
	const bytes = randomBytes(1_000_000);
	const running = upload(service, { bytes, fileName: 'wednesday.mp4', options: { maxWaitMinutes: 1 } });
	const { output } = await running.finally(async () => await ended);
	expect(output.complete).toBe(true);
});

it('the file of the unfinished upload itself can be resumed meanwhile', async () => {
	const bytes = randomBytes(1_000_000);
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 600_000 });
	await upload(service, { bytes, fileName: 'monday.mp4' }).catch(() => undefined);
	await upload(service, { fileName: 'tuesday.mp4' });
	const other = service.state.uploads[1];
	if (!other) throw new Error('no upload');
	other.transferring = true;
	setTimeout(() => (other.transferring = false), 500);
	const { output } = await upload(service, { bytes, fileName: 'monday.mp4', options: { maxWaitMinutes: 1 } });
	expect(output.complete).toBe(true);
});

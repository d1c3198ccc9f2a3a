import { createUpload, patch, signedIn } from '../../fakeService/axiosClient';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { shortenPauses, upload } from '../uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

/** Another program holds the slot for a moment. */
async function holdSlot(): Promise<() => Promise<void>> {
	const client = await signedIn(service);
	const id = await createUpload(client, 1, 'other.mp4');
	return async () => void (await patch(client, id, 0, Buffer.from('x')));
}

it('An upload waits for the slot that another program holds, also after a sign-in that failed once', async () => {
	const release = await holdSlot();
	service.injectFault({ on: 'authenticate', kind: 'status', status: 503 });
	const ended = upload(service, { bytes: Buffer.alloc(1000, 'x') });
	const failed = ended.catch((error: unknown) => error);
	await service.until(() => service.requests.some(({ status }) => status === 429));
	await release();
	expect(await failed).toMatchObject({ output: { complete: true } });
});

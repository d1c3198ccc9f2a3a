import { Readable } from 'node:stream';
import { sleep } from 'n8n-workflow';

import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { expectArrived, failureOf, sha256, upload, type UploadRun } from '../upload/uploading';
import { itemReadBy, streamOf } from './binaryModes';
import { files, fileServerForEachTest } from './fileServer';

const SIZE = 600_000;
/** Where the service is to continue, and how much was sent until then. */
const [OFFSET, SENT] = [200_000, 400_000];

// An upload that is left does not block the one that takes its place.
serviceForEachTest({ slotHeldBy: 'transferring' });
fileServerForEachTest(SIZE);

it.each([
	['before the offset', 0, 3],
	['in what was sent after the offset', SENT - 1, 3],
	['once it was compared', 0, 4],
])('A file without a validator that changes is sent anew: %s', async (_where, at, request) => {
	const [before, after] = [files.content, Buffer.from(files.content)];
	after[at] = (after[at] ?? 0) ^ 1;
	const content = () => (files.requests.length < request ? before : after);
	Object.defineProperty(Object.assign(files, { etag: undefined }), 'content', { get: content });
	service.injectFault({ on: 'uploadPatch', kind: 'storeFewer', bytes: OFFSET });
	const { hints } = await upload(service, { url: files.url, options: { maxRequestMegabytes: SENT / 1e6 } });
	expect(service.state.uploads).toMatchObject([
		{ complete: false, offset: OFFSET },
		{ complete: true, sha256: sha256(after) },
	]);
	expect(hints[0]?.message).toMatch(/could not be resumed, as the file changed while it was uploaded\.$/);
	const again = await upload(service, { bytes: before, fileName: 'keynote 2026.mp4' });
	expect(again.output.bytesSent).toBe(SIZE - OFFSET);
});

it('A file without a validator is requested once to be read on where all that was sent arrived', async () => {
	files.etag = undefined;
	service.injectFault({ on: 'uploadPatch', kind: 'lostResponse' });
	await upload(service, { url: files.url, options: { maxRequestMegabytes: SENT / 1e6 } });
	expectArrived(service, files.content);
	// Its size, the part that was sent, and the whole file.
	expect(files.requests).toHaveLength(3);
});

async function* slowly(content: Buffer) {
	for (let start = 0; start < SIZE; start += SIZE / 40) {
		await sleep(60);
		yield content.subarray(start, start + SIZE / 40);
	}
}
it.each<[string, () => Promise<UploadRun>]>([
	['stored', async () => ({ item: await itemReadBy(SIZE, () => streamOf(slowly(files.content))) })],
	[
		'at a URL, without a validator,',
		async () => {
			Object.assign(files, { etag: undefined, beforeBytes: async () => await sleep(60) });
			return await Promise.resolve({ url: files.url });
		},
	],
])('A file %s that moves is not idle, however long it takes to get to the offset', async (_where, start) => {
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: SIZE - 1 });
	await upload(service, { ...(await start()), options: { idleTimeoutSeconds: 2 } });
	expectArrived(service, files.content);
});

describe('A stored file', () => {
	it.each([
		['is opened', async () => {}],
		['is waited for', async () => await sleep(100)],
	])('that stands still once it %s is closed after the idle timeout', async (_when, waited) => {
		const opened: Readable[] = [];
		const item = await itemReadBy(SIZE, async () => {
			await waited();
			opened.push(new Readable({ read: () => {} }));
			return opened.at(-1) as Readable;
		});
		const options = { idleTimeoutSeconds: 0.05 };
		const { message } = await failureOf(upload(service, { item, options }));
		expect(message).toBe('The source of the file was idle for 0.05 seconds, so it was closed');
		expect(service.state.uploads).toEqual([]);
		while (opened.length < 3) await new Promise(setImmediate);
		expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
	});

	it('that stands still is closed when the execution is cancelled', async () => {
		const cancelling = new AbortController();
		const stream = new Readable({ read: () => {} });
		const item = await itemReadBy(SIZE, () => {
			setImmediate(() => cancelling.abort(new Error('cancelled')));
			return stream;
		});
		await expect(upload(service, { item, abortSignal: cancelling.signal })).rejects.toThrow('cancelled');
		expect(stream.destroyed).toBe(true);
	});
});

import { randomBytes } from 'node:crypto';

import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { files, fileServerForEachTest, type FileServer } from '../sources/fileServer';
import { failureOf, sha256, upload } from './uploading';

const SIZE = 1_000_000;
const CUT = 600_000;
const BUSY = 'Too many simultaneous uploads, please send one file at a time';

// An upload that is left does not block the one that takes its place.
serviceForEachTest({ slotHeldBy: 'transferring' });

const digests = () => service.state.uploads.filter(({ complete }) => complete).map((one) => one.sha256);

it('Two files of the same name, size and folder differ where the service has more bytes than n8n has sent', async () => {
	const bytes = randomBytes(SIZE);
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, skip: 1 });
	await failureOf(upload(service, { bytes, options: { maxRequestMegabytes: 0.25 } }));
	const [left] = service.state.uploads;
	Object.assign(left ?? {}, { offset: SIZE - 1 });
	const { hints, output } = await upload(service, { bytes });
	expect(output.bytesSent).toBe(SIZE);
	expect(hints[0]?.message).toContain(
		`"keynote.mp4" was uploaded from its beginning: upload ${left?.id} could not be resumed, as the service has ${SIZE - 1} bytes`,
	);
	expect(digests()).toEqual([sha256(bytes)]);
});

it('Two files of the same name, size and folder differ where the first one is complete, also once the service has dropped it, and no error names it', async () => {
	// All its bytes arrive, and it ends without knowing that.
	service.injectFault({ on: 'uploadPatch', kind: 'lostResponse' });
	service.injectFault({ on: 'uploadHead', kind: 'status', status: 400, times: 2 });
	await failureOf(upload(service));
	service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, error: 'Not now' });
	const { context, message } = await failureOf(upload(service));
	expect(message).toBe('Not now.');
	expect(context.output).toEqual({ uploadId: null, offset: null, size: SIZE });
	service.settings.dropsFinishedUploads = true;
	const { bytes } = await upload(service);
	expect(digests()[1]).toBe(sha256(bytes));
});

describe('a file that changes at its address while it is uploaded', () => {
	fileServerForEachTest();

	it('A file that changes at its address while it is uploaded is compared with a complete upload of its name once, however often the service refuses it', async () => {
		service.injectFault({ on: 'videoEdit', kind: 'status', status: 400 });
		await failureOf(upload(service, { fileName: 'keynote 2026.mp4', title: 'First' }));
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, error: BUSY, times: 3 });
		await upload(service, { url: files.url });
		expect(digests()).toHaveLength(2);
		// Its size, the comparison and the upload.
		expect(files.requests.map(({ headers }) => headers.range)).toEqual(['bytes=0-0', undefined, undefined]);
	});

	/** Uploads the file, which changes when the service has a part of it. */
	async function uploadWhile(change: () => void) {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
		const running = upload(service, { url: files.url });
		await service.until(() => service.state.uploads[0]?.offset === CUT);
		change();
		return await running;
	}

	it.each([undefined, 'W/"1"'])(
		'A file that changes at its address while it is uploaded never completes an upload of two versions (validator %j)',
		async (etag) => {
			const second = randomBytes(SIZE);
			files.etag = etag;
			await uploadWhile(() => (files.content = second));
			expect(digests()).toEqual([sha256(second)]);
		},
	);

	it('A file that changes at its address while it is uploaded may change before an upload is created, which has its own replacement when the service forgets it', async () => {
		Object.defineProperty(files, 'etag', { get: () => (files.requests.length === 2 ? '"v2"' : '"v1"') });
		service.injectFault({ on: 'uploadPatch', kind: 'forget' });
		const { log } = await upload(service, { url: files.url });
		expect(digests()).toEqual([sha256(files.content)]);
		expect(log.filter((line) => line.includes('is replaced by a new one'))).toHaveLength(1);
	});

	it('A file that changes at its address while it is uploaded is uploaded from a server whose range has no ETag, but whose whole file has one', async () => {
		Object.defineProperty(files, 'etag', { get: () => (files.requests.length > 1 ? '"a"' : undefined) });
		await upload(service, { url: files.url });
		expect(digests()).toEqual([sha256(files.content)]);
	});

	it.each<[string, Partial<FileServer>]>([
		['whose server says so', { etag: '"v2"' }],
		['whose server says so, and sends the range all the same', { headers: { ETag: '"v2"' } }],
		['in size alone', { content: Buffer.alloc(SIZE + 1) }],
	])('A file that changed is not continued, and its upload is named: one %s', async (_how, changed) => {
		const { context, description, message } = await failureOf(
			uploadWhile(() => Object.assign(files, changed)),
		);
		const [left] = service.state.uploads;
		expect(context.output).toEqual({ uploadId: left?.id, offset: CUT, size: SIZE });
		expect(message).toMatch(new RegExp(`Upload ${left?.id} stays as it is\\.$`));
		expect(description).toBe('Run this again to upload the file from its beginning.');
	});
});

import { randomBytes } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { startFileServer, type FileServer } from '../sources/fileServer';
import { sha256, shortenPauses, upload, type UploadRun } from './uploading';

shortenPauses();

const SIZE = 1_000_000;
const CUT = 600_000;

let service: RunningService;
let files: FileServer;
serviceForEachTest(async (started) => {
	service = started;
	files = await startFileServer(randomBytes(SIZE));
	files.etag = undefined;
});
afterEach(async () => {
	await files.close();
});

const fromUrl = (): UploadRun => ({
	item: { json: {} },
	parameters: { source: 'url', url: files.url },
	options: { maxWaitMinutes: 0 },
});

async function errorOf(running: Promise<unknown>): Promise<{ message: string; description: string }> {
	const error = await running.then(
		() => new Error('It did not fail'),
		(thrown: unknown) => thrown,
	);
	const { message, description } = Object(error) as Record<string, unknown>;
	return { message: String(message), description: String(description) };
}

/** The file changes after the service has the first part of it and a second opening has sent more. */
async function spoil(run: UploadRun): Promise<string> {
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
	service.injectFault({ on: 'uploadHead', kind: 'delay', ms: 50 });
	const running = errorOf(upload(service, run));
	await service.until(() => service.state.uploads[0]?.offset === CUT);
	// The offset is past what is compared first, so the change is found when bytes of it are sent already.
	files.content = Buffer.concat([files.content.subarray(0, CUT - 10), randomBytes(SIZE - CUT + 10)]);
	await running;
	return service.state.uploads[0]?.id ?? '';
}

/** Errors that concern the upload with this ID: of the same file, of another file, of Create and of Resume. */
async function laterErrors(
	uploadId: string,
	run: UploadRun,
): Promise<Record<string, { message: string; description: string }>> {
	const resume = { operation: 'resume', item: undefined, parameters: { uploadId } } as const;
	const create = { resource: 'upload', operation: 'create', fileName: 'c.mp4', size: 10 };
	return {
		same: await errorOf(upload(service, run)),
		other: await errorOf(upload(service, { fileName: 'other.mp4', options: { maxWaitMinutes: 0 } })),
		create: await errorOf(
			executeForJson({ service, parameters: { ...create, options: { maxWaitMinutes: 0 } } }),
		),
		resume: await errorOf(upload(service, { ...resume, bytes: files.content })),
	};
}

const HOPELESS = /resume it|Upload → Resume|upload that file again/;
const POSSIBLE = /until the service (discards|drops) it/;

describe('an upload that no file can complete', () => {
	it('because its file changed while it was sent is never to be resumed, in any error', async () => {
		const run = { ...fromUrl(), staticData: {} };
		const uploadId = await spoil(run);
		expect(service.state.uploads).toMatchObject([{ complete: false }]);
		const { same, other, create } = await laterErrors(uploadId, run);
		for (const error of [same, other, create]) {
			const text = `${error?.message} ${error?.description}`;
			expect(text).toContain(uploadId);
			expect(text).toMatch(POSSIBLE);
			expect(text).not.toMatch(HOPELESS);
		}
		expect(service.state.uploads).toHaveLength(1);
	});

	it('is rejected by Resume, and not offered to it again', async () => {
		const uploadId = await spoil(fromUrl());
		const { resume } = await laterErrors(uploadId, fromUrl());
		expect(resume?.message).toContain('The file does not belong to upload');
		expect(resume?.message).not.toMatch(HOPELESS);
		expect(resume?.message).toMatch(POSSIBLE);
		expect(resume?.description).toContain('Upload → Upload');
	});
});

it('an upload of another content is to be finished with the file that it was started with, which works', async () => {
	const staticData: IDataObject = {};
	const bytes = randomBytes(SIZE);
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: CUT });
	await errorOf(upload(service, { bytes, staticData }));
	const { message } = await errorOf(upload(service, { staticData, options: { maxWaitMinutes: 0 } }));
	expect(message).toContain('Finish it with Upload → Resume and the same file');
	await upload(service, { bytes, staticData });
	expect(service.state.uploads).toMatchObject([{ complete: true, sha256: sha256(bytes) }]);
});

it.each([
	['is of another size', { 'Upload-Length': String(SIZE + 1) }],
	['has more bytes than the file', { 'Upload-Offset': String(SIZE + 1) }],
])('a remembered upload that %s at the service does not fail its file for ever', async (_what, headers) => {
	const staticData: IDataObject = {};
	const bytes = randomBytes(SIZE);
	service.settings.slotHeldBy = 'transferring';
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: CUT });
	await errorOf(upload(service, { bytes, staticData }));
	const [first] = service.state.uploads;
	const offset = { 'Upload-Offset': String(CUT), ...headers };
	service.injectFault({ on: 'uploadHead', kind: 'status', status: 201, body: '', headers: offset });
	const { hints } = await upload(service, { bytes, staticData });
	expect(service.state.uploads[1]).toMatchObject({ complete: true, sha256: sha256(bytes) });
	expect(JSON.stringify(hints)).toContain(`Upload ${first?.id} could not be resumed`);
});

it.each([
	['size', SIZE - 1, /is for a file of 1000000 bytes, and this file has 999999 bytes/],
	['content', SIZE, /it was started with a file of different content/],
])('Resume in another workflow rejects a file of different %s', async (_what, size, message) => {
	// A service that does not report Upload-Length cannot reject it.
	service.settings.headReturnsLength = false;
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: CUT });
	await errorOf(upload(service));
	const uploadId = service.state.uploads[0]?.id ?? '';
	const resume = { operation: 'resume', parameters: { uploadId }, workflowId: 'elsewhere' } as const;
	expect((await errorOf(upload(service, { ...resume, bytes: randomBytes(size) }))).message).toMatch(message);
	expect(service.state.uploads).toMatchObject([{ offset: CUT }]);
});

it('an upload for which Resume rejected a file is not reported under the name of that file', async () => {
	const [left, other] = [randomBytes(SIZE), randomBytes(SIZE - 1)];
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: CUT });
	await errorOf(upload(service, { bytes: left, fileName: 'left.mp4' }));
	const uploadId = service.state.uploads[0]?.id ?? '';
	const elsewhere = { workflowId: 'elsewhere', fileName: 'other.mp4', bytes: other };
	await errorOf(upload(service, { ...elsewhere, operation: 'resume', parameters: { uploadId } }));
	const { message } = await errorOf(upload(service, { ...elsewhere, options: { maxWaitMinutes: 0 } }));
	expect(message).toContain(`Unfinished upload ${uploadId} (left.mp4, 600 kB of 1 MB) blocks new uploads`);
});

it('A URL that fails once before anything is created does not end the wait for another program', async () => {
	service.settings.slotHeldBy = 'transferring';
	await upload(service, { fileName: 'other.mp4' });
	const other = service.state.uploads[0];
	if (other) other.transferring = true;
	files.statuses = [200, 503];
	const running = upload(service, { ...fromUrl(), options: { maxWaitMinutes: 1 } });
	await service.until(() => service.requests.some(({ status }) => status === 429));
	if (other) other.transferring = false;
	expect((await running).output).toMatchObject({ complete: true });
});

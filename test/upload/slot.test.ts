import { randomBytes } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { executeNode, itemWithFile } from '../execution/executeNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { onlyUpload, operations, sha256, shortenPauses, upload } from './uploading';

shortenPauses();

const BUSY = 'Too many simultaneous uploads, please send one file at a time';
const OTHER_APPLICATION = '9a7c1c1e-6f0b-4a57-9f3e-2b6f5f0c9a11';

let service: RunningService;
serviceForEachTest((started) => (service = started), { otherApplicationIds: [OTHER_APPLICATION] });

describe('the one upload slot of an application', () => {
	it('is used by one item after the other', async () => {
		const files = [randomBytes(300_000), randomBytes(200_000), randomBytes(100_000)];
		const items = await Promise.all(
			files.map(
				async (bytes, index) =>
					await itemWithFile(bytes, { fileName: `${index}.mp4`, mimeType: 'video/mp4' }),
			),
		);
		const result = await executeNode({
			service,
			items,
			parameters: { resource: 'upload', operation: 'upload', options: { returnVideo: false } },
		});
		expect(service.state.uploads.map((one) => one.sha256)).toEqual(files.map(sha256));
		expect(service.state.maxSimultaneousPatches).toBe(1);
		expect(service.requests.map(({ status }) => status)).not.toContain(429);
		expect(result.items.map(({ json, pairedItem }) => [json.fileName, pairedItem])).toEqual([
			['0.mp4', { item: 0 }],
			['1.mp4', { item: 1 }],
			['2.mp4', { item: 2 }],
		]);
	});

	it('is queued for by executions of the same process, in the order in which they came', async () => {
		const names = ['a.mp4', 'b.mp4', 'c.mp4', 'd.mp4', 'e.mp4'];
		const runs = await Promise.all(names.map(async (fileName) => await upload(service, { fileName })));
		expect(service.state.uploads.map(({ filename }) => filename).sort()).toEqual(names);
		expect(service.state.maxSimultaneousPatches).toBe(1);
		expect(service.requests.map(({ status }) => status)).not.toContain(429);
		expect(runs.filter(({ output }) => Number(output.waitedMs) > 0).length).toBeGreaterThanOrEqual(4);
	});

	it('is not shared with another application', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 10 });
		const abort = new AbortController();
		const hanging = upload(service, { abortSignal: abort.signal }).catch((error: unknown) => error);
		await service.until(() => service.state.uploads[0]?.offset === 10);
		const { output } = await upload(service, { credential: { applicationId: OTHER_APPLICATION } });
		expect(output.complete).toBe(true);
		abort.abort();
		await hanging;
	});

	it('is waited for when another program holds it, and the output reports how long', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, error: BUSY, times: 5 });
		const { output, hints } = await upload(service);
		expect(output.complete).toBe(true);
		expect(output.waitedMs).toBeGreaterThan(0);
		expect(service.requestsOf('uploadCreate')).toHaveLength(6);
		expect(hints).toEqual([]);
	});

	it('is requested again no sooner than after Retry-After', async () => {
		service.injectFault({
			on: 'uploadCreate',
			kind: 'status',
			status: 429,
			error: BUSY,
			headers: { 'Retry-After': '2' },
		});
		const { output, hints } = await upload(service);
		const [first, second] = service.requestsOf('uploadCreate');
		expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1950);
		expect(output.waitedMs).toBeGreaterThanOrEqual(1950);
		expect(hints[0]?.message).toMatch(/waited \d+ seconds for the upload slot/);
	});

	it("is no longer waited for after Max Wait, with the service's error message and both ways out", async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, error: BUSY, times: 1000 });
		await expect(upload(service, { options: { maxWaitMinutes: 0.002 } })).rejects.toMatchObject({
			message: `${BUSY}. Increase Max Wait in the options of this node, or finish the other upload with Upload → Resume.`,
			description: expect.stringMatching(/^The service accepts one upload at a time/) as string,
			context: { output: { uploadId: null, offset: 0, size: 1_000_000 } },
		});
		expect(service.requestsOf('uploadCreate').length).toBeGreaterThan(1);
	});

	it('is not waited for at all with a Max Wait of 0', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, error: BUSY, times: 1000 });
		await expect(upload(service, { options: { maxWaitMinutes: 0 } })).rejects.toThrow(BUSY);
		expect(operations(service)).toEqual(['uploadCreate']);
	});

	it('is free for the next one in the process after an upload failed', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400 });
		const results = await Promise.allSettled([upload(service), upload(service)]);
		expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
	});
});

describe('cancelling the execution', () => {
	it('stops the transfer, leaves the upload resumable, and the next execution finishes it', async () => {
		const bytes = randomBytes(2_000_000);
		const abort = new AbortController();
		service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 700_000 });
		const running = upload(service, { bytes, abortSignal: abort.signal });
		const outcome = expect(running).rejects.toThrow(
			/^The execution was cancelled\. Upload .+ is unfinished: run this again/,
		);
		await service.until(() => service.state.uploads[0]?.offset === 700_000);
		abort.abort();
		await outcome;

		// n8n saves no static data after a cancelled execution: the next one begins without it.
		const { output } = await upload(service, { bytes });
		expect(onlyUpload(service)).toMatchObject({ sha256: sha256(bytes), bytesReceived: bytes.length });
		expect(output).toMatchObject({ resumes: 1, bytesSent: 1_300_000 });
	});

	it.each([
		[
			'it waits for the slot',
			() =>
				service.injectFault({
					on: 'uploadCreate',
					kind: 'status',
					status: 429,
					headers: { 'Retry-After': '600' },
				}),
			'uploadCreate',
		],
		[
			'it waits after a fault',
			() =>
				service.injectFault({
					on: 'uploadPatch',
					kind: 'status',
					status: 503,
					headers: { 'Retry-After': '600' },
				}),
			'uploadPatch',
		],
		[
			'the service does not respond',
			() => service.injectFault({ on: 'uploadCreate', kind: 'hang' }),
			'uploadCreate',
		],
	] as const)('works while %s', async (_what, arrange, operation) => {
		arrange();
		const abort = new AbortController();
		const running = upload(service, { abortSignal: abort.signal });
		const outcome = expect(running).rejects.toThrow(/^The execution was cancelled/);
		await service.until(() => service.requestsOf(operation).length > 0);
		abort.abort();
		await outcome;
	});

	it('works while another execution is uploading, and lets the one behind it in', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 10 });
		const first = new AbortController();
		const second = new AbortController();
		const uploading = upload(service, { fileName: 'a.mp4', abortSignal: first.signal });
		const outcome = expect(uploading).rejects.toThrow(/cancelled/);
		await service.until(() => service.state.uploads[0]?.offset === 10);
		const waiting = upload(service, { fileName: 'b.mp4', abortSignal: second.signal });
		const behind = upload(service, { fileName: 'c.mp4' });
		second.abort();
		await expect(waiting).rejects.toThrow(/cancelled/);
		service.settings.slotHeldBy = 'transferring';
		first.abort();
		await outcome;
		expect((await behind).output.complete).toBe(true);
	});

	it('starts no upload for the items that follow', async () => {
		const abort = new AbortController();
		service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 10 });
		const item = await itemWithFile(randomBytes(1_000), { fileName: 'a.mp4', mimeType: 'video/mp4' });
		const running = executeNode({
			service,
			items: [item, item],
			onError: 'continueRegularOutput',
			abortSignal: abort.signal,
			parameters: { resource: 'upload', operation: 'upload', options: { returnVideo: false } },
		});
		await service.until(() => service.state.uploads[0]?.offset === 10);
		abort.abort();
		await running.catch(() => undefined);
		expect(service.requestsOf('uploadCreate')).toHaveLength(1);
	});
});

describe('an unfinished upload', () => {
	const interrupt = () => {
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 600_000 });
	};

	it('is the only one that changes static data, which a trigger of the same workflow uses as well', async () => {
		const staticData: IDataObject = {};
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 100_000 });
		await upload(service, { staticData });
		expect(staticData.__dataChanged).toBe(false);
	});

	it('is forgotten once Resume has finished it, also into another folder', async () => {
		const staticData: IDataObject = {};
		const bytes = randomBytes(1_000_000);
		const [folder] = service.seedFolders(1);
		interrupt();
		await upload(service, {
			bytes,
			staticData,
			parameters: { folder: { __rl: true, mode: 'uuid', value: folder?.uuid } },
		}).catch(() => undefined);
		const { id } = onlyUpload(service);
		await upload(service, { bytes, staticData, operation: 'resume', parameters: { uploadId: id } });
		expect(onlyUpload(service)).toMatchObject({ complete: true, sha256: sha256(bytes) });
		expect(JSON.stringify(staticData)).not.toContain(id);
	});

	it('is not resumed with Resume Unfinished off', async () => {
		const staticData = {};
		interrupt();
		await upload(service, { staticData }).catch(() => undefined);
		service.settings.slotHeldBy = 'transferring';
		await upload(service, { staticData, options: { resumeUnfinished: false } });
		expect(service.state.uploads.map(({ complete }) => complete)).toEqual([false, true]);
	});

	it('is no longer remembered once it is complete', async () => {
		const staticData = {};
		interrupt();
		const bytes = randomBytes(1_000_000);
		await upload(service, { bytes, staticData }).catch(() => undefined);
		expect(JSON.stringify(staticData)).toContain(onlyUpload(service).id);
		await upload(service, { bytes, staticData });
		expect(JSON.stringify(staticData)).not.toContain(onlyUpload(service).id);
	});
});

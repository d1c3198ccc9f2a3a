import { randomBytes } from 'node:crypto';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { retryPolicy } from '../../nodes/VideoHosting/shared/retryPolicy';
import { executeForJson, executeNode, itemWithFile } from '../execution/executeNode';
import { by } from '../execution/locator';
import { runWorkflow, type FailureSettings } from '../execution/runWorkflow';
import type { Fault, RunningService, Upload } from '../fakeService';
import { createUpload, patch, signedIn } from '../fakeService/axiosClient';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { startFileServer, type FileServer } from '../sources/fileServer';
import {
	failureOf,
	listLate,
	onlyUpload,
	operations,
	sha256,
	shortenPauses,
	upload,
	type UploadRun,
} from './uploading';

shortenPauses();

const BUSY = 'Too many simultaneous uploads, please send one file at a time';
const OTHER_APPLICATION = '9a7c1c1e-6f0b-4a57-9f3e-2b6f5f0c9a11';
const SIZE = 1_000_000;
const CUT = 600_000;

let service: RunningService;
let files: FileServer | undefined;
afterEach(async () => await files?.close());
serviceForEachTest((started) => (service = started), { otherApplicationIds: [OTHER_APPLICATION] });

const film = async (fileName: string, bytes = randomBytes(SIZE)): Promise<INodeExecutionData> =>
	await itemWithFile(bytes, { fileName, mimeType: 'video/mp4' });
const parametersOf = (options: IDataObject = {}, more: IDataObject = {}) => ({
	...{ resource: 'upload', operation: 'upload', ...more },
	options: { returnVideo: false, ...options },
});
/** The next upload ends unfinished. */
const interrupt = (afterBytes = CUT, more: Partial<Fault> = {}) =>
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes, ...more } as Fault);
const isRefused = (status = 429) => service.requests.some((request) => request.status === status);
const refuse = (more: Partial<Fault> = {}) =>
	service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, error: BUSY, ...more } as Fault);

/** Another program sends an upload until the returned function is called. */
async function otherProgram(): Promise<() => Promise<unknown>> {
	const client = await signedIn(service);
	const id = await createUpload(client, 1, 'other.mp4');
	return async () => await patch(client, id, 0, Buffer.from('x'));
}

describe('the one upload slot of an application', () => {
	it('is used by one item after the other, and by executions in the order in which they came', async () => {
		const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => Buffer.alloc(300_000, name));
		const runs = await Promise.all(
			[0, 2, 4].map(async (first) => {
				const items = files.slice(first, first + 2).map(async (bytes) => await film(`${first}.mp4`, bytes));
				return await executeNode({ service, items: await Promise.all(items), parameters: parametersOf() });
			}),
		);
		expect(service.state.uploads.map((one) => one.sha256).sort()).toEqual(files.map(sha256).sort());
		expect(service.state.maxSimultaneousPatches).toBe(1);
		expect(isRefused()).toBe(false);
		const waited = runs.flatMap(({ items }) => items).filter(({ json }) => Number(json.waitedMs) > 0);
		expect(waited.length).toBeGreaterThanOrEqual(2);
	});

	it('is not shared with another application', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 10 });
		const abort = new AbortController();
		const hanging = failureOf(upload(service, { abortSignal: abort.signal }));
		await service.until(() => service.state.uploads[0]?.offset === 10);
		const { output } = await upload(service, { credential: { applicationId: OTHER_APPLICATION } });
		expect(output.complete).toBe(true);
		abort.abort();
		await hanging;
	});

	it('is waited for when another program holds it, and the output reports how long', async () => {
		refuse({ times: 5 });
		const { output, hints } = await upload(service);
		expect(output.complete).toBe(true);
		expect(output.waitedMs).toBeGreaterThan(0);
		expect(service.requestsOf('uploadCreate')).toHaveLength(6);
		expect(hints).toEqual([]);
	});

	it('is requested again no sooner than after Retry-After', async () => {
		refuse({ headers: { 'Retry-After': '2' } });
		const { output, hints } = await upload(service);
		const [first, second] = service.requestsOf('uploadCreate');
		expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1950);
		expect(output.waitedMs).toBeGreaterThanOrEqual(1950);
		expect(hints[0]?.message).toMatch(/waited \d+ seconds for the upload slot/);
	});

	it("is no longer waited for after Max Wait, with the service's error message and both ways out", async () => {
		refuse({ times: 1000 });
		const items = await Promise.all(['a', 'b', 'c'].map(async (name) => await film(name)));
		const { items: output } = await executeNode({
			...{ service, items, onError: 'continueRegularOutput' },
			parameters: parametersOf({ maxWaitMinutes: 0.002 }),
		});
		expect(output[0]?.json.error).toMatchObject({
			message: `${BUSY}. Increase Max Wait in the options of this node, or finish the other upload with Upload → Resume.`,
			description: expect.stringMatching(/^The service accepts one upload at a time/) as string,
			...{ uploadId: null, offset: 0, size: SIZE },
		});
		// Once per run, not once per item: the others ask once.
		expect(output).toHaveLength(3);
		expect(service.requestsOf('uploadCreate').length - 2).toBeGreaterThan(1);
	});

	it.each<[string, () => Promise<UploadRun>]>([
		[
			'a sign-in',
			async () => {
				service.injectFault({ on: 'authenticate', kind: 'status', status: 503 });
				return await Promise.resolve({});
			},
		],
		[
			'a file server',
			async () => {
				files = await startFileServer(randomBytes(SIZE));
				files.statuses = [200, 503];
				return { item: { json: {} }, parameters: { source: 'url', url: files.url } };
			},
		],
	])(
		'is waited for although %s failed once before: no upload of its own was lost',
		async (_what, arrange) => {
			const release = await otherProgram();
			const running = upload(service, await arrange());
			await service.until(isRefused);
			await release();
			expect((await running).output.complete).toBe(true);
		},
	);
});

describe('cancelling the execution', () => {
	it('stops the transfer, leaves the upload resumable, and the next execution finishes it', async () => {
		const bytes = randomBytes(2_000_000);
		const abort = new AbortController();
		service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 700_000 });
		const outcome = failureOf(
			executeNode({
				...{ service, items: [await film('a.mp4', bytes), await film('b.mp4')], parameters: parametersOf() },
				...{ onError: 'continueRegularOutput', abortSignal: abort.signal },
			}),
		);
		await service.until(() => service.state.uploads[0]?.offset === 700_000);
		abort.abort();
		expect((await outcome).message).toMatch(
			/^The execution was cancelled\. Upload .+ is unfinished: run this again/,
		);
		// Of the items that follow, none was started. n8n saves no static data: the next execution begins without it.
		const { output } = await upload(service, { bytes, fileName: 'a.mp4' });
		expect(onlyUpload(service)).toMatchObject({ sha256: sha256(bytes), bytesReceived: bytes.length });
		expect(output).toMatchObject({ resumes: 1, bytesSent: 1_300_000 });
	});

	const headers = { 'Retry-After': '600' };
	it.each<[string, Fault]>([
		['it waits for the slot', { on: 'uploadCreate', kind: 'status', status: 429, headers }],
		['it waits after a fault', { on: 'uploadPatch', kind: 'status', status: 503, headers }],
		['the service does not respond', { on: 'uploadCreate', kind: 'hang' }],
		['n8n signs in', { on: 'authenticate', kind: 'hang' }],
	])('works while %s, and lets the next upload in', async (_what, fault) => {
		service.settings.slotHeldBy = 'transferring';
		service.injectFault(fault);
		const abort = new AbortController();
		const running = failureOf(upload(service, { abortSignal: abort.signal }));
		await service.until(() => operations(service).includes(String(fault.on)) || fault.on === 'authenticate');
		await service.until(() => service.requests.length > 0);
		abort.abort();
		expect((await running).message).toMatch(/^The execution was cancelled/);
		expect((await upload(service, { fileName: 'next.mp4' })).output.complete).toBe(true);
	});

	it('works while another execution is uploading, and lets the one behind it in', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 10 });
		const [first, second] = [new AbortController(), new AbortController()];
		const uploading = failureOf(upload(service, { fileName: 'a.mp4', abortSignal: first.signal }));
		await service.until(() => service.state.uploads[0]?.offset === 10);
		const waiting = failureOf(upload(service, { fileName: 'b.mp4', abortSignal: second.signal }));
		const behind = upload(service, { fileName: 'c.mp4' });
		second.abort();
		expect((await waiting).message).toMatch(/cancelled/);
		service.settings.slotHeldBy = 'transferring';
		first.abort();
		expect((await uploading).message).toMatch(/cancelled/);
		expect((await behind).output.complete).toBe(true);
	});
});

describe('an unfinished upload of this n8n', () => {
	it('that holds the slot ends the wait of every further item, with the ID and the file that holds it', async () => {
		interrupt(750_000);
		const { items } = await executeNode({
			...{ service, items: await Promise.all(['0.mp4', '1.mp4', '2.mp4'].map(async (name) => film(name))) },
			...{ onError: 'continueRegularOutput', parameters: parametersOf() },
		});
		const { id } = onlyUpload(service);
		const [, ...others] = items.map(({ json }) => JSON.stringify(json.error));
		expect(others).toHaveLength(2);
		for (const message of others) {
			expect(message).toContain(
				`Unfinished upload ${id} (0.mp4, 750 kB of 1 MB) blocks new uploads. Finish it with Upload → Resume and the same file.`,
			);
		}
		expect(service.requestsOf('uploadCreate')).toHaveLength(3);
	});

	it('is named by its own file, also after Resume rejected another one', async () => {
		interrupt();
		await failureOf(upload(service, { fileName: 'left.mp4' }));
		const uploadId = onlyUpload(service).id;
		const elsewhere = { workflowId: 'elsewhere', fileName: 'other.mp4', bytes: randomBytes(SIZE - 1) };
		await failureOf(upload(service, { ...elsewhere, operation: 'resume', parameters: { uploadId } }));
		const { message } = await failureOf(upload(service, { ...elsewhere, options: { maxWaitMinutes: 0 } }));
		expect(message).toContain(`Unfinished upload ${uploadId} (left.mp4, 600 kB of 1 MB) blocks new uploads`);
	});

	it('is waited for while another process sends it', async () => {
		interrupt();
		await failureOf(upload(service, { fileName: 'first.mp4' }));
		const first = onlyUpload(service);
		const running = upload(service, { fileName: 'second.mp4' });
		let heads = 0;
		await service.until(() => {
			const seen = service.requestsOf('uploadHead').length;
			if (seen > heads && !first.complete) first.offset += 1_000;
			heads = seen;
			return service.requestsOf('uploadCreate').length >= 4;
		});
		Object.assign(first, { complete: true, offset: first.size });
		expect((await running).output.complete).toBe(true);
	});

	it.each(['wednesday.mp4', 'monday.mp4'])(
		'is not what %s waits for, once a later upload was created: another program holds the slot',
		async (fileName) => {
			service.settings.slotHeldBy = 'transferring';
			const bytes = randomBytes(SIZE);
			interrupt();
			await failureOf(upload(service, { bytes, fileName: 'monday.mp4' }));
			await upload(service, { fileName: 'tuesday.mp4' });
			const other = service.state.uploads[1];
			Object.assign(other ?? {}, { transferring: true });
			const running = upload(service, { bytes, fileName });
			await service.until(() => service.requests.filter(({ status }) => status === 429).length > 3);
			Object.assign(other ?? {}, { transferring: false });
			expect((await running).output.complete).toBe(true);
		},
	);

	it('whose state cannot be read does not keep a Max Wait of 0 waiting', async () => {
		interrupt(10);
		await failureOf(upload(service, { fileName: 'old.mp4' }));
		service.injectFault({ on: 'uploadHead', kind: 'hang', times: 99 });
		await failureOf(upload(service, { fileName: 'new.mp4', options: { maxWaitMinutes: 0 } }));
		// The state of all older uploads together is waited for 4 seconds.
	}, 15_000);

	it.each([
		['right after Upload → Create', 450],
		['after the service refused it once', 60],
	])('that everybody waits for is not kept waiting: %s', async (when, longestMs) => {
		Object.assign(retryPolicy, { slotPause: { firstMs: Math.min(100, longestMs), longestMs } });
		const create = { resource: 'upload', operation: 'create', fileName: 'a.mp4', size: SIZE };
		await executeForJson({ service, parameters: create });
		const options = { maxWaitMinutes: 0.1 };
		const waiting = upload(service, { fileName: 'b.mp4', options });
		await service.until(isRefused);
		if (when.includes('refused')) interrupt(0, { status: 429 });
		const parameters = { uploadId: onlyUpload(service).id };
		const resumed = upload(service, { operation: 'resume', fileName: 'a.mp4', parameters, options });
		expect((await resumed).output.complete).toBe(true);
		expect((await waiting).output.complete).toBe(true);
	});

	it('keeps its turn for a new upload at the head of the line once it has to create one itself', async () => {
		const elsewhere = () => ({ workflowId: String(Math.random()), staticData: {} });
		service.settings.slotHeldBy = 'transferring';
		interrupt(6_000);
		await failureOf(upload(service, { fileName: 'a.mp4', ...elsewhere() }));
		await upload(service, { fileName: 'done.mp4' });
		refuse({ times: 1_000 });
		const posts = (fileName: string) =>
			service
				.requestsOf('uploadCreate')
				.filter(({ headers }) =>
					String(headers['upload-metadata']).includes(Buffer.from(fileName).toString('base64')),
				).length;
		const abort = new AbortController();
		const abortSignal = abort.signal;
		const head = failureOf(upload(service, { fileName: 'h.mp4', abortSignal }));
		await service.until(() => posts('h.mp4') > 0);
		const other = failureOf(upload(service, { fileName: 'a.mp4', abortSignal }));
		await service.until(() => posts('a.mp4') > 1 && posts('h.mp4') > 10);
		expect(posts('a.mp4')).toBe(2);
		abort.abort();
		await Promise.all([head, other]);
	});
});

describe('Upload → Create', () => {
	const parameters = { resource: 'upload', operation: 'create', fileName: 'a.mp4', size: 10 };

	it('waits for the slot, for another program and for an upload of this process', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'delay', ms: 50 });
		const uploading = upload(service);
		await service.until(() => service.state.uploads.length === 1);
		refuse({ times: 3 });
		const [output] = await executeForJson({ service, parameters });
		await uploading;
		expect(output?.uploadId).toBe(service.state.uploads[1]?.id);
		expect(service.requests.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(3);
	});

	it('stops after Max Wait', async () => {
		refuse({ times: 1000 });
		const create = { ...parameters, options: { maxWaitMinutes: 0 } };
		expect((await failureOf(executeForJson({ service, parameters: create }))).message).toContain(BUSY);
		expect(service.requestsOf('uploadCreate')).toHaveLength(1);
	});

	it('of several items explains that the service accepts one upload at a time', async () => {
		const items = [{ json: {} }, { json: {} }];
		const { message } = await failureOf(executeForJson({ service, parameters, items }));
		expect(message).toContain(
			'create one upload, send its file with Upload → Resume, then create the next one',
		);
	});

	it('reports that a lost response may leave an upload behind, which holds the slot', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'lostResponse' });
		const { message } = await failureOf(executeForJson({ service, parameters }));
		expect(message).toContain('an upload may block others until the service drops it');
		expect(service.requestsOf('uploadCreate')).toHaveLength(2);
	});
});

describe('An upload that n8n tries again', () => {
	// Five times as fast: n8n calls a node again within seconds, and the tests need not wait for them.
	beforeEach(() => {
		const now = performance.now.bind(performance);
		jest.spyOn(performance, 'now').mockImplementation(() => now() * 5);
	});
	afterEach(() => jest.restoreAllMocks());

	const start = async (names: string[], parameters: IDataObject, settings: FailureSettings = {}) =>
		await runWorkflow({
			...{ service, parameters: parameters as ReturnType<typeof parametersOf> },
			rounds: [await Promise.all(names.map(async (name) => await film(name, Buffer.alloc(30_000, name))))],
			settings: { retryOnFail: true, waitBetweenTries: 200, ...settings },
		});
	const second = async (maxWaitMinutes = 1) =>
		await upload(service, { fileName: 'second.mp4', executionId: '2', options: { maxWaitMinutes } });

	it.each<[string, string[], () => IDataObject, FailureSettings]>([
		[
			'the failed try still waits for the video of an earlier item',
			['a.mp4', 'b.mp4'],
			() => {
				listLate(service, 1_000);
				interrupt(10_000, { skip: 1 });
				return parametersOf({ returnVideo: true });
			},
			{},
		],
		[
			'the next try has to wait for a slow list of folders',
			['a.mp4'],
			() => {
				service.seedFolders([{ name: 'Films' }]);
				service.injectFault({ on: 'folderList', kind: 'delay', ms: 1_000, skip: 1 });
				interrupt(10_000);
				return parametersOf({}, { folder: by('name', 'Films') });
			},
			{},
		],
		[
			'the node continues on errors, and its first item is tried again after the others',
			['a', 'b', 'c'],
			() => {
				interrupt(10_000);
				return parametersOf();
			},
			{ onError: 'continueRegularOutput' },
		],
	])('is not taken for an abandoned one when %s', async (_when, names, arrange, settings) => {
		const first = start(names, arrange(), settings);
		await service.until(() => isRefused(400));
		expect((await second()).output.complete).toBe(true);
		expect((await first).result.status).toBe('success');
		expect(service.state.uploads.every(({ complete }) => complete)).toBe(true);
	});

	it('does not keep the next item of its own run waiting', async () => {
		interrupt(10_000);
		await start(['a', 'b'], parametersOf(), { waitBetweenTries: 1, onError: 'continueRegularOutput' });
		// Of b, one that is refused, and one in the next try.
		expect(service.requestsOf('uploadCreate')).toHaveLength(3);
	});

	it('is named at once after the last try', async () => {
		interrupt(10_000);
		interrupt(0, { times: 9 });
		await start(['a.mp4'], parametersOf(), { maxTries: 2, waitBetweenTries: 1 });
		expect((await failureOf(second(0))).message).toContain((service.state.uploads[0] as Upload).id);
	});
});

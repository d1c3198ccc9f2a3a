import { randomBytes } from 'node:crypto';

import { Container } from '@n8n/di';
import { InstanceSettings } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';

import { ledgers } from '../../nodes/VideoHosting/upload/ledger';
import { executeForJson, executeNode, itemWithFile } from '../execution/executeNode';
import { by } from '../execution/locator';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { startFileServer, type FileServer } from '../sources/fileServer';
import { expectArrived, failureOf, onlyUpload, sha256, shortenPauses, upload } from './uploading';

shortenPauses();

const SIZE = 1_000_000;
const CUT = 600_000;

let service: RunningService;
serviceForEachTest((started) => (service = started), { slotHeldBy: 'transferring' });

/** The next upload ends unfinished. */
const interrupt = () =>
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: CUT });
const reserve = async (staticData: IDataObject) => {
	const parameters = { resource: 'upload', operation: 'create', fileName: 'keynote.mp4', size: SIZE };
	await executeForJson({ service, staticData, parameters });
	return onlyUpload(service);
};

describe('two files of the same name, size and folder', () => {
	it('never get the ID of the other one in an error, when it fails before their bytes are compared', async () => {
		const file = { fileName: 'keynote.mp4', mimeType: 'video/mp4' };
		const items = [await itemWithFile(randomBytes(SIZE), file), await itemWithFile(randomBytes(SIZE), file)];
		interrupt();
		// The first one asks for its own offset.
		service.injectFault({ on: 'uploadHead', kind: 'status', status: 400, skip: 1 });
		const { items: output } = await executeNode({
			...{ service, items, onError: 'continueErrorOutput' },
			parameters: { resource: 'upload', operation: 'upload', options: { returnVideo: false } },
		});
		const { id } = onlyUpload(service);
		const errors = output.map(({ json }) => json.error as IDataObject); // what setErrorDetails() wrote
		expect(errors.map(({ uploadId, offset }) => [uploadId, offset])).toEqual([
			[id, CUT],
			[null, null],
		]);
		expect(errors[1]?.message).toContain(
			`Upload ${id} may be of this file: run this again to resume it if it is.`,
		);
	});

	it('get their own ID although the service did not know the upload for a while', async () => {
		service.settings.slotHeldBy = 'unfinished';
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
		service.injectFault({ on: 'uploadHead', kind: 'status', status: 404, times: 3 });
		service.injectFault({ on: 'uploadHead', kind: 'status', status: 503, skip: 5, times: 999 });
		const error = await failureOf(upload(service));
		expect(error.context.output).toMatchObject({ uploadId: onlyUpload(service).id });
	});

	it('never share an upload, as two items of one run', async () => {
		const files = [randomBytes(SIZE), randomBytes(SIZE)];
		const file = { fileName: 'keynote.mp4', mimeType: 'video/mp4' };
		const items = await Promise.all(files.map(async (bytes) => await itemWithFile(bytes, file)));
		interrupt();
		const { hints } = await executeNode({
			service,
			items,
			onError: 'continueRegularOutput',
			parameters: { resource: 'upload', operation: 'upload', options: { returnVideo: false } },
		});
		const [first, second] = service.state.uploads;
		expect(first).toMatchObject({ complete: false, bytesReceived: CUT });
		expect(second).toMatchObject({ complete: true, sha256: sha256(files[1] ?? Buffer.alloc(0)) });
		expect(hints.map(({ message }) => message)).toContainEqual(
			expect.stringContaining(
				`${first?.id} could not be resumed with "keynote.mp4": it was started with a file of different content`,
			),
		);
	});

	it('are not told apart where the service has more bytes than n8n has sent', async () => {
		const bytes = randomBytes(SIZE);
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, skip: 1 });
		await failureOf(upload(service, { bytes, options: { maxRequestMegabytes: 0.25 } }));
		onlyUpload(service).offset = CUT;
		const { hints } = await upload(service, { bytes });
		expect(service.state.uploads[1]).toMatchObject({ complete: true, sha256: sha256(bytes) });
		expect(JSON.stringify(hints)).toContain('n8n cannot verify that they belong to this file');
	});

	it.each([0, 10])('leave an upload that Create reserved to its Resume: %i bytes sent', async (offset) => {
		const staticData: IDataObject = {};
		Object.assign(await reserve(staticData), { offset, bytesReceived: offset });
		const { bytes } = await upload(service, { staticData });
		expect(service.state.uploads).toMatchObject([{ offset }, { complete: true, sha256: sha256(bytes) }]);
	});

	it('are rejected by Resume without sending a byte, and the right file still completes the upload', async () => {
		const bytes = randomBytes(SIZE);
		interrupt();
		await failureOf(upload(service, { bytes }));
		const { id } = onlyUpload(service);
		const resume = { operation: 'resume', parameters: { uploadId: id } } as const;
		const wrong = upload(service, { bytes: randomBytes(SIZE), workflowId: 'elsewhere', ...resume });
		expect((await failureOf(wrong)).message).toBe(
			`The file does not belong to upload ${id}: it was started with a file of different content`,
		);
		expect(onlyUpload(service).bytesReceived).toBe(CUT);
		await upload(service, { bytes, ...resume });
		expectArrived(service, bytes);
	});
});

describe('a file that changes at its address while it is uploaded', () => {
	let files: FileServer;
	beforeEach(async () => {
		files = await startFileServer(randomBytes(SIZE));
		files.etag = undefined;
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
		service.injectFault({ on: 'uploadHead', kind: 'delay', ms: 50 });
	});
	afterEach(async () => {
		await files.close();
	});
	const fromUrl = { item: { json: {} }, options: { maxWaitMinutes: 0 } };
	const parameters = () => ({ source: 'url', url: files.url });
	/** Uploads the file, and changes all but its first bytes after the cut. */
	const uploadChanging = async (same: number) => {
		const running = upload(service, { ...fromUrl, parameters: parameters() }).catch(
			(error: unknown) => error,
		);
		await service.until(() => (service.state.uploads[0]?.offset ?? 0) >= CUT);
		files.content = Buffer.concat([files.content.subarray(0, same), randomBytes(SIZE - same)]);
		return await running;
	};

	it.each([0, 300_000, CUT])('never completes an upload, when %i bytes stay the same', async (same) => {
		const before = files.content;
		const result = await uploadChanging(same);
		// The service may still count the abandoned upload as active: then the error names it.
		if (result instanceof Error) expect(result.message).toContain(service.state.uploads[0]?.id);
		for (const { complete, sha256: arrived } of service.state.uploads) {
			if (complete) expect([sha256(before), sha256(files.content)]).toContain(arrived);
		}
	});

	it('leaves an upload that is never to be resumed, in any error', async () => {
		service.settings.slotHeldBy = 'unfinished';
		// The offset is past what is compared first, so the change is found when bytes of it are sent already.
		await uploadChanging(CUT - 10);
		const { id: uploadId } = onlyUpload(service);
		expect(onlyUpload(service).complete).toBe(false);
		const { options } = fromUrl;
		const create = { resource: 'upload', operation: 'create', fileName: 'c.mp4', size: 10, options };
		const resume = { operation: 'resume', bytes: files.content, parameters: { uploadId } } as const;
		const errors = {
			same: await failureOf(upload(service, { ...fromUrl, parameters: parameters() })),
			other: await failureOf(upload(service, { fileName: 'other.mp4', options })),
			create: await failureOf(executeForJson({ service, parameters: create })),
			resume: await failureOf(upload(service, resume)),
		};
		for (const { message, description } of Object.values(errors)) {
			const text = `${message} ${description}`;
			expect(text).toContain(uploadId);
			expect(text).toMatch(/until the service (discards|drops) it/);
			expect(text).not.toMatch(/resume it|Upload → Resume|upload that file again/);
		}
		expect(errors.resume.message).toContain('The file does not belong to upload');
		expect(errors.resume.description).toContain('Upload → Upload');
		onlyUpload(service);
	});
});

describe('what is remembered', () => {
	it.each([
		['is of another size', { 'Upload-Length': String(SIZE + 1) }],
		['has more bytes than the file', { 'Upload-Offset': String(SIZE + 1) }],
	])('does not fail its file for ever when the upload %s at the service', async (_what, headers) => {
		const staticData: IDataObject = {};
		const bytes = randomBytes(SIZE);
		interrupt();
		await failureOf(upload(service, { bytes, staticData }));
		const offset = { 'Upload-Offset': String(CUT), ...headers };
		service.injectFault({ on: 'uploadHead', kind: 'status', status: 201, body: '', headers: offset });
		const { hints } = await upload(service, { bytes, staticData });
		const [first, second] = service.state.uploads;
		expect(second).toMatchObject({ complete: true, sha256: sha256(bytes) });
		expect(JSON.stringify(hints)).toContain(`Upload ${first?.id} could not be resumed`);
	});

	it('is known after a restart of n8n', async () => {
		const staticData: IDataObject = {};
		const bytes = randomBytes(SIZE);
		interrupt();
		await failureOf(upload(service, { bytes, staticData, mode: 'trigger' }));
		ledgers.clear();
		const stored = JSON.parse(JSON.stringify(staticData)) as IDataObject;
		const { output } = await upload(service, { bytes, staticData: stored });
		expectArrived(service, bytes);
		expect(output).toMatchObject({ bytesSent: SIZE - CUT });
	});

	it('names neither the application nor the service', async () => {
		const staticData: IDataObject = {};
		interrupt();
		await failureOf(upload(service, { staticData, mode: 'trigger' }));
		const stored = JSON.stringify(staticData);
		expect(stored).toContain(onlyUpload(service).id);
		expect(stored).not.toContain(service.credential.applicationId);
		expect(stored).not.toContain(new URL(service.credential.baseUrl).host);
		expect(stored.length).toBeLessThan(500);
	});

	it.each([
		{ instanceType: 'main', isWritten: true },
		{ instanceType: 'worker', isWritten: false },
		{ instanceType: 'webhook', isWritten: false },
	] as const)('is in static data of a process of type $instanceType: $isWritten', async (kind) => {
		const instance = jest.replaceProperty(Container.get(InstanceSettings), 'instanceType', kind.instanceType);
		const staticData: IDataObject = {};
		interrupt();
		await failureOf(upload(service, { staticData })).finally(() => instance.restore());
		expect(JSON.stringify(staticData).includes(onlyUpload(service).id)).toBe(kind.isWritten);
	});

	it('is no upload that was completed in its run: a trigger of the workflow uses static data as well', async () => {
		const staticData: IDataObject = {};
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 100_000 });
		await upload(service, { staticData });
		expect(staticData.__dataChanged).toBe(false);
	});

	it.each(['upload', 'resume'] as const)('is forgotten once %s has finished it', async (operation) => {
		const staticData: IDataObject = {};
		const [folder] = service.seedFolders(1);
		const run = { bytes: randomBytes(SIZE), staticData };
		const intoFolder = { folder: by('uuid', folder?.uuid ?? '') };
		interrupt();
		await failureOf(upload(service, { ...run, parameters: intoFolder }));
		const { id: uploadId } = onlyUpload(service);
		expect(JSON.stringify(staticData)).toContain(uploadId);
		await upload(service, {
			...run,
			operation,
			parameters: operation === 'resume' ? { uploadId } : intoFolder,
		});
		expectArrived(service, run.bytes);
		expect(JSON.stringify(staticData)).not.toContain(uploadId);
	});

	it.each(['after a week, in both memories', 'with Resume Unfinished off'])(
		'is not used %s',
		async (when) => {
			const staticData: IDataObject = {};
			const bytes = randomBytes(SIZE);
			interrupt();
			await failureOf(upload(service, { bytes, staticData }));
			const isOff = when.includes('off');
			const later = Date.now() + (isOff ? 0 : 8 * 24 * 60 * 60 * 1000);
			const now = jest.spyOn(Date, 'now').mockReturnValue(later);
			const options = { resumeUnfinished: !isOff };
			await upload(service, { bytes, staticData, options }).finally(() => {
				now.mockRestore();
			});
			expect(service.state.uploads.map(({ complete }) => complete)).toEqual([false, true]);
		},
	);

	it('stays with the workflow that knows it when another workflow has other content', async () => {
		const [own, other] = [{}, {}] as [IDataObject, IDataObject];
		const run = { workflowId: 'own', staticData: own, mode: 'trigger' } as const;
		interrupt();
		await failureOf(upload(service, run));
		await upload(service, { ...run, workflowId: 'other', staticData: other });
		interrupt();
		await failureOf(upload(service, { ...run, fileName: 'b.mp4' }));
		const [first, , second] = service.state.uploads.map(({ id }) => id);
		expect(JSON.stringify(own)).toContain(first);
		expect(JSON.stringify(own)).toContain(second);
		expect(JSON.stringify(other)).not.toContain(first);
	});

	it.each([
		['nothing of its kind', { a: { uploadUrl: 'x' } }],
		['a list of anything', [null, 1, {}, { uploadId: 'x', evidence: [{}] }]],
	])('may be %s', async (_what, videoHostingUploads) => {
		const { bytes } = await upload(service, { staticData: { global: { videoHostingUploads } } });
		expectArrived(service, bytes);
	});
});

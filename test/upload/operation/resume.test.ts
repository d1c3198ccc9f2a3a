import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { IDataObject } from 'n8n-workflow';

import { ledgers } from '../../../nodes/VideoHosting/upload/ledger';
import { executeForJson, executeNode, itemWithFileInMemory } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { createUpload, signedIn } from '../../fakeService/axiosClient';
import { expectArrived, failureOf, onlyUpload, operations, shortenPauses, upload } from '../uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

async function create(parameters: IDataObject, staticData: IDataObject = {}): Promise<IDataObject> {
	const [output] = await executeForJson({
		service,
		staticData,
		parameters: { resource: 'upload', operation: 'create', fileName: 'keynote.mp4', ...parameters },
	});
	return output ?? {};
}

async function getStatus(uploadId: string): Promise<IDataObject> {
	const [output] = await executeForJson({
		service,
		parameters: { resource: 'upload', operation: 'getStatus', uploadId },
	});
	return output ?? {};
}

describe('Upload → Create', () => {
	it('announces a file without sending it', async () => {
		const [folder] = service.seedFolders(1);
		const output = await create({ size: 5_000, folder: { __rl: true, mode: 'uuid', value: folder?.uuid } });
		const { id } = onlyUpload(service);
		expect(output).toEqual({
			uploadId: id,
			uploadUrl: `${service.baseUrl}/v1/videos/uploads/${id}`,
			fileName: 'keynote.mp4',
			size: 5_000,
		});
		expect(service.requestsOf('uploadCreate')[0]?.headers).toMatchObject({
			'tus-resumable': '1.0.0',
			'upload-length': '5000',
			'upload-metadata': `filename ${Buffer.from('keynote.mp4').toString('base64')}`,
			gallery: folder?.uuid,
		});
	});

	it.each([
		[{ size: -1 }, /^Size "-1" is not a whole number of 1 or more/],
		[{ size: 1.5 }, /^Size "1.5" is not a whole number/],
		[{ size: 'many' }, /^Size "many" is not a whole number/],
		[{ size: 1, fileName: '' }, /^File Name is empty/],
		[{ size: 1, folder: { __rl: true, mode: 'uuid', value: 'x' } }, /^Folder "x" is not a UUID/],
	])('rejects %j before any request', async (parameters, message) => {
		await expect(create(parameters as IDataObject)).rejects.toThrow(message);
		expect(service.requests).toEqual([]);
	});

	it('passes the file on to Resume', async () => {
		const item = itemWithFileInMemory(Buffer.from('video'), {
			fileName: 'keynote.mp4',
			mimeType: 'video/mp4',
		});
		const { items } = await executeNode({
			service,
			items: [item],
			parameters: { resource: 'upload', operation: 'create', fileName: 'keynote.mp4', size: 5 },
		});
		expect(items[0]?.binary).toEqual(item.binary);
	});

	it('does not keep the file of its item in memory (n8n 1.x: base64 of the whole file)', async () => {
		setFlagsFromString('--expose-gc');
		const gc = runInNewContext('gc') as () => void; // V8's
		const reserve = async () => {
			const file = { fileName: 'keynote.mp4', mimeType: 'video/mp4' };
			const item = itemWithFileInMemory(Buffer.alloc(1_000_000, 'x'), file);
			const parameters = {
				resource: 'upload',
				operation: 'create',
				fileName: 'keynote.mp4',
				size: 1_000_000,
			};
			await executeNode({ service, items: [item], executionId: String(Math.random()), parameters });
			return new WeakRef(item.binary?.data ?? {});
		};
		const file = await reserve();
		for (let turn = 0; turn < 5; turn++) {
			await new Promise((resolve) => setTimeout(resolve, 20));
			gc();
		}
		expect(file.deref() === undefined).toBe(true);
	});
});

describe('Upload → Get Status', () => {
	it.each([
		[true, { offset: 0, size: 7, complete: false }],
		[false, { offset: 0, size: null, complete: null }],
	])('returns what the service reports (Upload-Length: %s)', async (headReturnsLength, expected) => {
		service.settings.headReturnsLength = headReturnsLength;
		await create({ size: 7 });
		const uploadId = onlyUpload(service).id;
		expect(await getStatus(uploadId)).toEqual({ uploadId, ...expected });
	});

	it('reports a finished upload as complete', async () => {
		service.settings.headReturnsLength = true;
		await upload(service);
		expect(await getStatus(onlyUpload(service).id)).toMatchObject({ offset: 1_000_000, complete: true });
	});

	it('reports an unknown upload', async () => {
		await expect(getStatus('no-such-upload')).rejects.toThrow(
			/^The service returned 404 without a message \("/,
		);
	});

	it.each(['', 'a/b', '../folders', 'a b', '.', '..', '%2e%2E', 'a?b', 'a#b', '\ud800'])(
		'rejects %j as an ID before any request',
		async (uploadId) => {
			await expect(getStatus(uploadId)).rejects.toThrow(/^Upload ID/);
			expect(service.requests).toEqual([]);
		},
	);

	it.each(['_x', '-x', 'a:b', '%20', 'a%2Fb', '~', '..', encodeURIComponent('%'), encodeURIComponent('ä')])(
		'accepts an ID that begins with %j, as do Create and Resume',
		async (prefix) => {
			service.settings.uploadIdPrefix = prefix;
			const { uploadId } = await create({ size: 1_000_000 });
			expect(await getStatus(uploadId as string)).toMatchObject({ uploadId, offset: 0 });
			const parameters = { uploadId: uploadId as string };
			const { bytes, output } = await upload(service, { operation: 'resume', parameters });
			expectArrived(service, bytes);
			expect(output.uploadId).toBe(uploadId);
			expect(operations(service)).not.toContain('unknown');
		},
	);
});

describe('Upload → Resume', () => {
	it('sends a file that was announced', async () => {
		await create({ size: 1_000_000 });
		const uploadId = onlyUpload(service).id;
		const { bytes, output } = await upload(service, {
			operation: 'resume',
			parameters: { uploadId },
		});
		expectArrived(service, bytes);
		expect(output).toMatchObject({ uploadId, offset: 1_000_000, complete: true, resumes: 0 });
		expect(operations(service)).toEqual(['uploadCreate', 'uploadHead', 'uploadPatch', 'uploadHead']);
	});

	it('sends what is missing of an upload that was interrupted elsewhere, and has nothing to do after that', async () => {
		const bytes = randomBytes(1_000_000);
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 600_000 });
		await failureOf(upload(service, { bytes }));
		const run = { bytes, operation: 'resume', parameters: { uploadId: onlyUpload(service).id } } as const;
		expect((await upload(service, run)).output).toMatchObject({ resumes: 1, bytesSent: 400_000 });
		expectArrived(service, bytes);
		const { output } = await upload(service, { ...run, options: { returnVideo: true } });
		expect(output).toMatchObject({ complete: true, bytesSent: 0, video: { name: 'keynote.mp4' } });
		expect(service.requestsOf('uploadPatch')).toHaveLength(2);
	});

	it.each([
		['the service reports', true, {}],
		['this workflow remembers', false, { remembered: true }],
	])(
		'rejects a file of another size than %s',
		async (_what, headReturnsLength, { remembered }: { remembered?: boolean }) => {
			service.settings.headReturnsLength = headReturnsLength;
			const staticData = {};
			await create({ size: 999 }, remembered ? staticData : {});
			const uploadId = onlyUpload(service).id;
			await expect(
				upload(service, { operation: 'resume', staticData, parameters: { uploadId } }),
			).rejects.toThrow(
				/^The file does not belong to upload [\w-]+: the upload is for a file of 999 bytes, and this file has 1000000 bytes/,
			);
			expect(service.requestsOf('uploadPatch')).toEqual([]);
		},
	);

	it('rejects a file that is smaller than what the service already has', async () => {
		// Another program's upload: this process knows nothing of it.
		const uploadId = await createUpload(await signedIn(service), 1_000_000);
		Object.assign(onlyUpload(service), { offset: 600_000 });
		await expect(
			upload(service, {
				operation: 'resume',
				bytes: randomBytes(500_000),
				parameters: { uploadId },
			}),
		).rejects.toThrow(/has 600000 bytes already, and this file has 500000 bytes/);
	});

	it('creates no other upload when the service does not know this one', async () => {
		await expect(upload(service, { operation: 'resume', parameters: { uploadId: 'gone' } })).rejects.toThrow(
			/The service does not know upload gone: run Upload → Create again/,
		);
		expect(operations(service)).toEqual(['uploadHead', 'uploadHead', 'uploadHead']);
	});

	it('works item by item with the IDs that Create returned', async () => {
		service.settings.slotHeldBy = 'transferring';
		const ids = [await create({ size: 3 }), await create({ size: 3 })].map(({ uploadId }) => uploadId);
		const items = ids.map((uploadId) => ({
			json: { uploadId },
			binary: { data: { data: 'YWJj', mimeType: 'video/mp4', fileName: 'a.mp4' } },
		}));
		const result = await executeNode({
			service,
			items,
			parameters: {
				resource: 'upload',
				operation: 'resume',
				uploadId: '={{ $json.uploadId }}',
				options: { returnVideo: false },
			},
		});
		expect(result.items.map(({ json }) => json.uploadId)).toEqual(ids);
		expect(service.state.uploads.map(({ complete }) => complete)).toEqual([true, true]);
	});

	describe('into a folder', () => {
		it.each([
			['the ledger', true, false],
			['the record of the video', true, true],
			['the record of the video, without memory', false, true],
		])('returns the one in %s, not the one that it asks for', async (_where, remembers, returnVideo) => {
			const [chosen] = service.seedFolders(1);
			const { uploadId } = await create({ size: 1_000_000 });
			if (!remembers) ledgers.clear();
			const { hints, output } = await upload(service, {
				...{ operation: 'resume', options: { returnVideo } },
				parameters: { uploadId: uploadId as string, folder: by('uuid', chosen?.uuid ?? '') },
			});
			expect(service.state.videos[0]?.folder).toBeNull();
			expect(output).toMatchObject({ complete: true, folder: null });
			expect(JSON.stringify(hints)).toContain('Video → Move');
		});

		it.each([
			['its file is another one', 'Second', randomBytes(1_000_000), /different content/],
			['its folder does not exist', undefined, undefined, /not found/i],
		])('changes nothing where it is refused because %s', async (_why, name, other, message) => {
			const [own] = service.seedFolders([{ name: 'First' }, { name: 'Second' }]);
			const bytes = randomBytes(1_000_000);
			const folder = by('uuid', own?.uuid ?? '');
			service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 600_000 });
			await failureOf(upload(service, { bytes, parameters: { folder } }));
			const { id: uploadId } = onlyUpload(service);
			const elsewhere = service.state.folders.find((one) => one.name === name)?.uuid;
			const wrong = by('uuid', elsewhere ?? '11111111-2222-4333-8444-555555555555');
			const parameters = { uploadId, folder: wrong };
			const refused = upload(service, { operation: 'resume', bytes: other ?? bytes, parameters });
			expect((await failureOf(refused)).message).toMatch(message);
			const { output, hints } = await upload(service, {
				...{ operation: 'resume', bytes, parameters: { uploadId } },
			});
			expect(output).toMatchObject({ complete: true, folder: own?.uuid });
			expect(JSON.stringify(hints)).not.toContain('Video → Move');
		});
	});
});

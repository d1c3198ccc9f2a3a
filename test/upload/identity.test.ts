import { randomBytes } from 'node:crypto';

import { Container } from '@n8n/di';
import fc from 'fast-check';
import { InstanceSettings } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';

import { ledgers } from '../../nodes/VideoHosting/upload/ledger';
import { executeNode, itemWithFile } from '../execution/executeNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { startFileServer, type FileServer } from '../sources/fileServer';
import { expectArrived, onlyUpload, sha256, shortenPauses, upload } from './uploading';

shortenPauses();

const SIZE = 1_000_000;
const CUT = 600_000;

let service: RunningService;
serviceForEachTest((started) => (service = started), { slotHeldBy: 'transferring' });

/** The next PATCH ends the run after so many bytes. */
function endRunAfter(afterBytes: number): void {
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes });
}

/** What a restart of n8n leaves of static data, in a workflow that this process knows nothing of. */
function afterRestart(staticData: IDataObject): { staticData: IDataObject; workflowId: string } {
	ledgers.clear();
	return {
		staticData: JSON.parse(JSON.stringify(staticData)) as IDataObject,
		workflowId: `restarted ${randomBytes(8).toString('hex')}`,
	};
}

describe('two files of the same name, size and folder', () => {
	it('never share an upload, as two items of one run', async () => {
		const files = [randomBytes(SIZE), randomBytes(SIZE)];
		const items = await Promise.all(
			files.map(
				async (bytes) => await itemWithFile(bytes, { fileName: 'keynote.mp4', mimeType: 'video/mp4' }),
			),
		);
		endRunAfter(CUT);
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

	it('are distinguished when nothing is known of the bytes that the service has', async () => {
		const staticData: IDataObject = {};
		const { items } = await executeNode({
			service,
			staticData,
			parameters: { resource: 'upload', operation: 'create', fileName: 'keynote.mp4', size: SIZE },
		});
		const created = onlyUpload(service);
		expect(items[0]?.json.uploadId).toBe(created.id);
		Object.assign(created, { offset: 10, bytesReceived: 10 });
		const { bytes, output } = await upload(service, { staticData });
		expect(output.uploadId).not.toBe(created.id);
		expect(service.state.uploads[1]).toMatchObject({ complete: true, sha256: sha256(bytes) });
	});

	it('leave an upload that Create reserved to its Resume', async () => {
		const staticData: IDataObject = {};
		await executeNode({
			service,
			staticData,
			parameters: { resource: 'upload', operation: 'create', fileName: 'keynote.mp4', size: SIZE },
		});
		await upload(service, { staticData });
		expect(service.state.uploads.map(({ offset }) => offset)).toEqual([0, SIZE]);
	});

	it('are rejected by Resume without sending a byte, and the right file still completes the upload', async () => {
		const bytes = randomBytes(SIZE);
		endRunAfter(CUT);
		await upload(service, { bytes }).catch(() => undefined);
		const { id } = onlyUpload(service);
		const resume = { operation: 'resume', parameters: { uploadId: id } } as const;
		await expect(upload(service, { bytes: randomBytes(SIZE), ...resume })).rejects.toMatchObject({
			message: `The file does not belong to upload ${id}: it was started with a file of different content`,
		});
		expect(onlyUpload(service).bytesReceived).toBe(CUT);
		await upload(service, { bytes, ...resume });
		expectArrived(service, bytes);
	});

	it('arrive as what they are, whatever is cut, changed and restarted', async () => {
		const run = fc.record({
			file: fc.nat({ max: 2 }),
			cut: fc.option(fc.integer({ min: 0, max: 99_999 }), { nil: undefined }),
			restart: fc.boolean(),
		});
		// Files that share a beginning of any length, so that a cut may fall before or after the first difference.
		const shared = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 2, maxLength: 2 });
		await fc.assert(
			fc.asyncProperty(shared, fc.array(run, { minLength: 1, maxLength: 6 }), async (lengths, runs) => {
				service.state.uploads = [];
				service.state.videos = [];
				service.clearFaults();
				const first = randomBytes(100_000);
				const files = [
					first,
					...lengths.map((length) =>
						Buffer.concat([first.subarray(0, length), randomBytes(100_000 - length)]),
					),
				];
				let memory = afterRestart({});
				/** The file that each unfinished upload has bytes of. */
				const owners = new Map<string, number>();
				for (const { file, cut, restart } of runs) {
					const bytes = files[file] ?? first;
					if (restart) memory = afterRestart(memory.staticData);
					if (cut !== undefined) endRunAfter(cut);
					const created = service.state.uploads.length;
					const isLeft = [...owners.values()].includes(file);
					const offsets = new Map(service.state.uploads.map(({ id, offset }) => [id, offset]));
					const result = await upload(service, { bytes, ...memory, mode: 'trigger' }).catch(() => undefined);
					service.clearFaults();
					// What the service has of this file is continued, so none of it goes to another upload.
					if (isLeft) expect(service.state.uploads).toHaveLength(created);
					for (const { id, complete, offset } of service.state.uploads) {
						if (complete) owners.delete(id);
						else if (offsets.get(id) !== offset) owners.set(id, file);
					}
					if (!result) continue;
					const { uploadId, bytesSent } = result.output;
					const arrived = service.state.uploads.find(({ id }) => id === uploadId);
					expect(arrived).toMatchObject({ complete: true, sha256: sha256(bytes) });
					expect(bytesSent).toBe(100_000 - (offsets.get(arrived?.id ?? '') ?? 0));
				}
				// No upload received a byte twice.
				for (const one of service.state.uploads) expect(one.bytesReceived).toBe(one.offset);
			}),
			{ numRuns: 60 },
		);
	}, 120_000);
});

describe('a file that changes at its address', () => {
	let files: FileServer;
	beforeEach(async () => {
		files = await startFileServer(randomBytes(SIZE));
		files.etag = undefined;
	});
	afterEach(async () => {
		await files.close();
	});
	const fromUrl = () => ({ parameters: { source: 'url', url: files.url } });

	it('between two runs is uploaded anew', async () => {
		endRunAfter(CUT);
		await upload(service, fromUrl()).catch(() => undefined);
		files.content = randomBytes(SIZE);
		await upload(service, fromUrl());
		expect(service.state.uploads.map(({ complete }) => complete)).toEqual([false, true]);
		expect(service.state.uploads[1]?.sha256).toBe(sha256(files.content));
	});

	it.each([0, 300_000, CUT])(
		'in mid-upload never completes one, when %i bytes stayed the same',
		async (same) => {
			service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
			service.injectFault({ on: 'uploadHead', kind: 'delay', ms: 1 });
			const before = files.content;
			const running = upload(service, fromUrl()).catch((error: unknown) => error);
			await service.until(() => (service.state.uploads[0]?.offset ?? 0) >= CUT);
			files.content = Buffer.concat([before.subarray(0, same), randomBytes(SIZE - same)]);
			// The service may still count the abandoned upload as active: then the error names it.
			const result = await running;
			if (result instanceof Error) expect(result.message).toContain(service.state.uploads[0]?.id);
			for (const { complete, sha256: arrived } of service.state.uploads) {
				if (complete) expect([sha256(before), sha256(files.content)]).toContain(arrived);
			}
		},
	);

	it('not at all is resumed where the service stands', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 200_000, times: 3 });
		await upload(service, fromUrl());
		expectArrived(service, files.content);
	});
});

describe('what is remembered', () => {
	it('names neither the application nor the service', async () => {
		const staticData: IDataObject = {};
		endRunAfter(CUT);
		await upload(service, { staticData, mode: 'trigger' }).catch(() => undefined);
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
		try {
			const staticData: IDataObject = {};
			endRunAfter(CUT);
			await expect(upload(service, { staticData })).rejects.toThrow();
			expect(JSON.stringify(staticData).includes(onlyUpload(service).id)).toBe(kind.isWritten);
		} finally {
			instance.restore();
		}
	});

	it('expires after a week, in both memories', async () => {
		const staticData: IDataObject = {};
		const bytes = randomBytes(SIZE);
		endRunAfter(CUT);
		await upload(service, { bytes, staticData }).catch(() => undefined);
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 8 * 24 * 60 * 60 * 1000);
		try {
			await upload(service, { bytes, staticData });
		} finally {
			now.mockRestore();
		}
		expect(service.state.uploads.map(({ complete }) => complete)).toEqual([false, true]);
	});

	it.each([
		['nothing of its kind', { videoHostingUnfinishedUploads: { a: { uploadUrl: 'x' } } }],
		[
			'a list of anything',
			{ videoHostingUnfinishedUploads: [null, 1, {}, { uploadId: 'x', evidence: [{}] }] },
		],
	])('may be %s', async (_what, global) => {
		const { bytes } = await upload(service, { staticData: { global } });
		expectArrived(service, bytes);
	});
});

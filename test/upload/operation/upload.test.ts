import { randomBytes } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { itemWithFileInMemory } from '../../execution/executeNode';
import { fc } from '../../execution/generated';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { expectArrived, onlyUpload, operations, shortenPauses, upload } from '../uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

const videos = { returnVideo: true };

describe('Upload → Upload', () => {
	it('sends a file byte for byte and returns its figures and its video', async () => {
		const { bytes, output, hints } = await upload(service, { options: videos });
		expectArrived(service, bytes);
		expect(output).toEqual({
			uploadId: onlyUpload(service).id,
			fileName: 'keynote.mp4',
			size: 1_000_000,
			offset: 1_000_000,
			complete: true,
			folder: null,
			bytesSent: 1_000_000,
			resumes: 0,
			waitedMs: expect.any(Number) as number,
			durationMs: expect.any(Number) as number,
			skipped: false,
			video: expect.objectContaining({ hash: service.state.videos[0]?.hash, name: 'keynote.mp4' }) as object,
		});
		expect(hints).toEqual([]);
	});

	it('sends on the wire what the reference wants: one request creates, one carries the bytes', async () => {
		const [folder] = service.seedFolders(1);
		const value = folder?.uuid ?? '';
		const { output } = await upload(service, { parameters: { folder: { __rl: true, mode: 'uuid', value } } });
		const metadata = `filename ${Buffer.from('keynote.mp4').toString('base64')}`;
		const [created] = service.requestsOf('uploadCreate');
		expect(created?.headers).toMatchObject({
			'tus-resumable': '1.0.0',
			'upload-length': '1000000',
			'upload-metadata': metadata,
			gallery: value,
			'content-length': '0',
		});
		const [patch] = service.requestsOf('uploadPatch');
		expect(patch?.headers).toMatchObject({
			'tus-resumable': '1.0.0',
			'content-length': '1000000',
			'content-type': 'application/offset+octet-stream',
			'upload-offset': '0',
			'upload-metadata': metadata,
			gallery: value,
		});
		expect(patch?.headers['transfer-encoding']).toBeUndefined();
		expect(operations(service)).toEqual(['uploadCreate', 'uploadPatch', 'uploadHead']);
		expect(output.folder).toBe(value);
	});

	it('needs no HEAD where the service returns the offset of a PATCH', async () => {
		service.settings.patchReturnsOffset = true;
		await upload(service);
		expect(operations(service)).toEqual(['uploadCreate', 'uploadPatch']);
	});

	it('sets another file name', async () => {
		await upload(service, { parameters: { fileName: 'renamed.mp4' } });
		expect(onlyUpload(service).filename).toBe('renamed.mp4');
	});

	it.each([
		[{ binaryPropertyName: 'video' }, /no binary field "video"\. It has "data"/],
		[{ folder: { __rl: true, mode: 'uuid', value: 'not-a-uuid' } }, /^Folder "not-a-uuid" is not a UUID/],
	])('rejects %j before any request', async (parameters, message) => {
		await expect(upload(service, { parameters })).rejects.toThrow(message);
		expect(service.requests).toEqual([]);
	});

	it('rejects a file without a name', async () => {
		const item = itemWithFileInMemory(Buffer.from('abc'), { mimeType: 'video/mp4' });
		await expect(upload(service, { item })).rejects.toThrow(/^File Name is empty and the file has no name/);
		expect(service.requests).toEqual([]);
	});
});

/** What users and expressions put into a number field. */
const odd = fc.constantFrom(0.1, 0.05, 1.7, 9.9, 0, -1, 1e21, 5e-324, NaN, Infinity, '5', true, null, [1]);
const number = (min: number, max: number) => fc.oneof(odd, fc.double({ min, max, noNaN: true }));
const numbers = {
	idleTimeoutSeconds: number(1, 3_000_000),
	maxRequestMegabytes: number(0, 20),
	maxWaitMinutes: number(0, 40_000),
};

it('sends exactly the file, or rejects an option by name, whatever the options are', async () => {
	await fc.assert(
		fc.asyncProperty(fc.record(numbers, { requiredKeys: [] }), async (given) => {
			service.state.uploads = [];
			service.requests.length = 0;
			// A request of one byte each needs a small file.
			const megabytes = Number(given.maxRequestMegabytes ?? 0);
			const bytes = randomBytes(megabytes > 0 && megabytes < 0.01 ? 20 : 200_000);
			// Values that n8n's types exclude, but an expression may return.
			const options = { ...given, resumeUnfinished: false } as object as IDataObject;
			const outcome = await upload(service, { bytes, options }).catch((error: unknown) => error);
			if (!(outcome instanceof Error)) return expectArrived(service, bytes);
			expect(outcome.message).toMatch(
				/^(Idle Timeout|Max Request Size|Max Wait) .+ (must be|is not) a number/,
			);
			expect(service.requests).toEqual([]);
		}),
		{ numRuns: 150 },
	);
}, 60_000);

describe('Skip If Exists', () => {
	it('uploads nothing and returns the video of that name', async () => {
		const [video] = service.seedVideos([{ name: 'keynote.mp4' }]);
		const { output } = await upload(service, { options: { skipIfExists: true } });
		expect(output).toMatchObject({
			skipped: true,
			complete: true,
			uploadId: null,
			video: { hash: video?.hash },
		});
		expect(service.requestsOf('uploadCreate')).toEqual([]);
	});

	it('wants a plan', async () => {
		await expect(
			upload(service, { options: { skipIfExists: true }, credential: { planId: '' } }),
		).rejects.toThrow('Plan ID is missing');
	});

	it('does not upload where it cannot look', async () => {
		service.injectFault({ on: 'videoList', kind: 'status', status: 400, times: 10 });
		await expect(upload(service, { options: { skipIfExists: true } })).rejects.toThrow(/Injected fault 400/);
		expect(service.requestsOf('uploadCreate')).toEqual([]);
	});
});

it('an interruption is reported in a hint', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 1_000 });
	const { hints } = await upload(service);
	expect(hints.map(({ message }) => message)).toEqual([
		'The upload of "keynote.mp4" was interrupted and resumed (1×).',
	]);
});

describe('the token of the credential', () => {
	it.each(['hostile', 'absolute', 'path', 'protocolRelative'] as const)(
		'is sent only to the host of the credential, whatever Location contains (%s)',
		async (locationForm) => {
			service.settings.locationForm = locationForm;
			service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 1_000 });
			const { bytes } = await upload(service);
			expectArrived(service, bytes);
			const hosts = new Set(service.requests.map(({ headers }) => headers.host));
			expect([...hosts]).toEqual([new URL(service.baseUrl).host]);
		},
	);
});

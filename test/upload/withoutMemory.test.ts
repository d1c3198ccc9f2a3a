import { randomBytes, randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { ledgers } from '../../nodes/VideoHosting/upload/ledger';
import { videoPolicy } from '../../nodes/VideoHosting/upload/newVideo';
import { executeForJson, itemWithFileInMemory } from '../execution/executeNode';
import { by } from '../execution/locator';
import type { RunningService, Video } from '../fakeService';
import { createUpload, signedIn } from '../fakeService/axiosClient';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { shortenPauses, upload, type UploadRunResult } from './uploading';

// Upload → Resume of an upload of which this n8n knows nothing, or less than its user wants.

shortenPauses();
// No list hangs here, so a slow one is no failure.
videoPolicy.requestMs = 600;

const SIZE = 10_000;
const bytes = randomBytes(SIZE);
const thumbnail = {
	data: Buffer.from('89504e470d0a1a0a', 'hex').toString('base64'),
	mimeType: 'image/png',
	fileName: 'thumbnail.png',
};

let service: RunningService;
serviceForEachTest((started) => (service = started));

/** Another n8n process: it has neither the ledger nor the static data of this one. */
function restart(): void {
	ledgers.clear();
}

const resume = async (uploadId: string, parameters: IDataObject = {}): Promise<UploadRunResult> =>
	await upload(service, {
		operation: 'resume',
		bytes,
		workflowId: randomUUID(),
		parameters: { uploadId, ...parameters },
		options: { returnVideo: true },
	});

const videoOf = (uploadId: string) => service.state.videos.find((video) => video.uploadId === uploadId);

const textOf = ({ hints }: UploadRunResult) => hints.map(({ message }) => message).join(' ');

/** An upload that ends after some of its bytes, with an error. */
async function cutUpload(options: IDataObject, item = itemWithFileInMemory(bytes, FILE)): Promise<string> {
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 6_000 });
	await upload(service, { item, options }).catch(() => undefined);
	return service.state.uploads.at(-1)?.id ?? '';
}
const FILE = { fileName: 'keynote.mp4', mimeType: 'video/mp4' };

describe('the video of an upload of another process', () => {
	const older = (video: Partial<Video> = {}) =>
		service.seedVideos([
			{ name: 'keynote.mp4', size: SIZE, createdDate: new Date(Date.now() - 5_000).toISOString(), ...video },
		]);

	it.each(['milliseconds', 'seconds', 'epoch', 'day', 'none'] as const)(
		'is not an older one of the same name and size that is listed before it, with dates of %s',
		async (videoDates) => {
			Object.assign(service.settings, { videoDates, videoAppearsAfterMs: 3_600_000 });
			older();
			const result = await resume(await createUpload(await signedIn(service), SIZE, 'keynote.mp4'));

			expect(result.output).toMatchObject({ complete: true, video: null });
			expect(textOf(result)).toContain('which one is new is not certain');
		},
	);

	it('is returned when its date proves that it is the new one', async () => {
		older();
		const uploadId = await createUpload(await signedIn(service), SIZE, 'keynote.mp4');
		const { output } = await resume(uploadId);

		expect(output).toMatchObject({ complete: true, video: { hash: videoOf(uploadId)?.hash } });
	});

	it('is not guessed when the upload was complete before', async () => {
		older();
		await upload(service, { bytes });
		const uploadId = service.state.uploads[0]?.id ?? '';
		restart();
		service.state.videos = service.state.videos.filter((video) => video.uploadId === null);

		expect((await resume(uploadId)).output).toMatchObject({ complete: true, video: null });
	});

	it('is returned with the name that only its own run could change, and a hint says so', async () => {
		const uploadId = await cutUpload({ title: 'Interview' });
		restart();
		const result = await resume(uploadId);

		const name = videoOf(uploadId)?.name;
		expect(name).toMatch(/^keynote-\w{16}\.mp4$/);
		expect(result.output).toMatchObject({ complete: true, video: { name } });
		expect(textOf(result)).toContain(`"${name}"`);
		expect(textOf(result)).toContain('Video → Update');
	});
});

it('logs the name under which the video of a new upload appears, for a Resume after a restart', async () => {
	const { log } = await upload(service, { bytes, options: { title: 'Interview' } });
	const name = Buffer.from(
		String(service.requestsOf('uploadCreate')[0]?.headers['upload-metadata']).split(' ')[1] ?? '',
		'base64',
	).toString();

	expect(name).toMatch(/^keynote-\w{16}\.mp4$/);
	expect(log.join('\n')).toContain(`"${name}"`);
});

it('reports the thumbnail that Resume cannot set', async () => {
	const item = itemWithFileInMemory(bytes, FILE);
	const withThumbnail = { ...item, binary: { ...item.binary, thumbnail } };
	const options = { title: 'Interview', thumbnailBinaryPropertyName: 'thumbnail' };
	const uploadId = await cutUpload(options, withThumbnail);
	const result = await resume(uploadId);

	expect(videoOf(uploadId)).toMatchObject({ name: 'Interview', thumbnail: null });
	expect(result.output).toMatchObject({ complete: true, video: { name: 'Interview' } });
	expect(textOf(result)).toContain('Video → Set Thumbnail');

	// With the image at hand both are set, and nothing is left to report.
	const again = await cutUpload(options, withThumbnail);
	const second = await upload(service, { item: withThumbnail, options });
	expect(second.output.uploadId).toBe(again);
	expect(textOf(second)).not.toContain('Set Thumbnail');
	expect(videoOf(again)).toMatchObject({ name: 'Interview', thumbnail: { contentType: 'image/png' } });
});

describe('the folder of an upload that was created elsewhere', () => {
	it.each([
		['the ledger', true, false],
		['the record of the video', true, true],
		['the record of the video, without memory', false, true],
	])('is the one in %s, not the one that Resume asks for', async (_where, remembers, returnVideo) => {
		const [chosen] = service.seedFolders(1);
		const create = { resource: 'upload', operation: 'create', fileName: 'keynote.mp4', size: SIZE };
		await executeForJson({ service, parameters: create });
		if (!remembers) restart();
		const result = await upload(service, {
			operation: 'resume',
			bytes,
			parameters: { uploadId: service.state.uploads[0]?.id ?? '', folder: by('uuid', chosen?.uuid ?? '') },
			options: { returnVideo },
		});

		expect(service.state.videos[0]?.folder).toBeNull();
		expect(result.output).toMatchObject({ complete: true, folder: null });
		expect(textOf(result)).toContain('Video → Move');
	});

	it('is not changed by a Resume that was refused because its file is another one', async () => {
		const [own, other] = service.seedFolders(2).map(({ uuid }) => by('uuid', uuid));
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: SIZE / 2 });
		const first = { bytes, parameters: { folder: own ?? null } };
		await upload(service, first).catch(() => undefined);
		const uploadId = service.state.uploads[0]?.id ?? '';
		const refused = upload(service, {
			operation: 'resume',
			bytes: randomBytes(SIZE),
			parameters: { uploadId, folder: other ?? null },
		});
		await expect(refused).rejects.toThrow();
		const { output, hints } = await upload(service, first);
		expect(output).toMatchObject({ uploadId, folder: service.state.folders[0]?.uuid });
		expect(JSON.stringify(hints)).not.toContain('Video → Move');
	});
});

import { randomBytes } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { retryPolicy } from '../../nodes/VideoHosting/shared/retryPolicy';
import { executeForJson } from '../execution/executeNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { shortenPauses, upload } from './uploading';

let service: RunningService;

serviceForEachTest((started) => (service = started));

beforeEach(() => {
	shortenPauses();
});

afterEach(() => {
	shortenPauses();
});

const SIZE = 100_000;
const bytes = randomBytes(SIZE);
const other = randomBytes(SIZE);

const outputOrMessage = async (run: ReturnType<typeof upload>) =>
	await run.then(
		({ output }) => output,
		(error: unknown) => ({ error: (error as Error).message }),
	);

const failOnce = (on: 'uploadHead' | 'uploadPatch' | 'videoEdit', status = 400) => {
	service.injectFault({ on, kind: 'status', status, times: 1 });
};

/** An upload that ends after some of its bytes. */
async function cutUpload(options: IDataObject): Promise<string> {
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 60_000 });
	failOnce('uploadHead');
	await outputOrMessage(upload(service, { bytes, options }));
	return service.state.uploads[0]?.id ?? '';
}

const videoNames = () => service.state.videos.map(({ name }) => name);

it('sends a file whose name and size belong to an upload that the service has finished and forgotten', async () => {
	Object.assign(service.settings, { dropsFinishedUploads: true, patchReturnsOffset: false });
	failOnce('uploadHead');
	await outputOrMessage(upload(service, { bytes }));

	expect(await outputOrMessage(upload(service, { bytes: other }))).toMatchObject({ bytesSent: SIZE });
	expect(await outputOrMessage(upload(service, { bytes }))).toMatchObject({ complete: true, bytesSent: 0 });
	expect(service.state.uploads).toHaveLength(2);
});

it('keeps the title of an upload that another file was not continued from', async () => {
	const uploadId = await cutUpload({ title: 'Lecture 1' });
	await outputOrMessage(
		upload(service, { bytes: other, options: { title: 'Lecture 2', maxWaitMinutes: 0 } }),
	);
	await outputOrMessage(upload(service, { operation: 'resume', bytes, parameters: { uploadId } }));

	expect(videoNames()).toContain('Lecture 1');
	expect(videoNames().filter((name) => name === 'Lecture 2').length).toBeLessThan(2);
	expect(service.state.uploads.find(({ id }) => id === uploadId)).toMatchObject({ complete: true });
});

it('sets the title when Resume is repeated after the service has forgotten the upload', async () => {
	Object.assign(service.settings, { dropsFinishedUploads: true });
	const uploadId = await cutUpload({ title: 'Lecture 1' });
	failOnce('videoEdit');
	const resume = async () =>
		await outputOrMessage(upload(service, { operation: 'resume', bytes, parameters: { uploadId } }));

	expect(await resume()).toHaveProperty('error');
	expect(await resume()).toMatchObject({ complete: true });
	expect(videoNames()).toEqual(['Lecture 1']);
});

it('does not take the 404 page of a gateway for a deleted video', async () => {
	service.injectFault({ on: 'videoEdit', kind: 'status', status: 404, body: '<html>404</html>', times: 1 });
	const options = { title: 'Lecture 1' };

	expect(await outputOrMessage(upload(service, { bytes, options }))).toHaveProperty('error');
	expect(await outputOrMessage(upload(service, { bytes, options }))).toMatchObject({ bytesSent: 0 });
	expect(videoNames()).toEqual(['Lecture 1']);
});

describe('the upload that everybody waits for', () => {
	it.each([
		['right after Upload → Create', 450],
		['after the service refused it once', 60],
	])('is not kept waiting: %s', async (when, longestMs) => {
		Object.assign(retryPolicy, { slotPause: { firstMs: Math.min(100, longestMs), longestMs } });
		const create = { resource: 'upload', operation: 'create', fileName: 'a.mp4', size: SIZE };
		await executeForJson({ service, parameters: create });
		const options = { maxWaitMinutes: 0.1 };
		const waiting = outputOrMessage(upload(service, { fileName: 'b.mp4', options }));
		await service.until(() => service.requests.some(({ status }) => status === 429));
		if (when.includes('refused')) failOnce('uploadPatch', 429);
		const parameters = { uploadId: service.state.uploads[0]?.id ?? '' };
		const resumed = upload(service, { operation: 'resume', bytes, fileName: 'a.mp4', parameters, options });

		expect(await outputOrMessage(resumed)).toMatchObject({ complete: true });
		expect(await waiting).toMatchObject({ complete: true });
	});
});

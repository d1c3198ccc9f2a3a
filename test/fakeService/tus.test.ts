import { createHash, randomBytes } from 'node:crypto';
import { Upload } from 'tus-js-client';

import { metadata, signIn } from './axiosClient';
import type { RunningService } from './index';
import { serviceForEachTest } from './serviceForEachTest';

// Stock tus-js-client, its Node build. It needs Upload-Offset of PATCH and Upload-Length of HEAD, which the reference
// does not promise, and it sends Upload-Metadata on create alone, so it is set as a header of every request.

let service: RunningService;
serviceForEachTest((started) => (service = started), { patchReturnsOffset: true, headReturnsLength: true });

async function tusUpload(bytes: Buffer): Promise<void> {
	const { data } = await signIn(service);
	await new Promise<void>((resolve, reject) => {
		new Upload(bytes, {
			endpoint: `${service.baseUrl}/v1/videos`,
			headers: { Authorization: `Bearer ${data.token}`, 'Upload-Metadata': metadata('clip.mp4') },
			retryDelays: [0, 0, 0, 0],
			onSuccess: () => resolve(),
			onError: reject,
		}).start();
	});
}

function sha256(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('hex');
}

it('an upload arrives byte for byte, and becomes a video', async () => {
	const bytes = randomBytes(3_000_000);
	await tusUpload(bytes);
	expect(service.state.uploads).toMatchObject([
		{ filename: 'clip.mp4', size: 3_000_000, offset: 3_000_000, complete: true, sha256: sha256(bytes) },
	]);
	expect(service.state.videos).toMatchObject([{ name: 'clip.mp4', size: 3_000_000 }]);
	expect(service.requests.map(({ operation, status }) => [operation, status])).toEqual([
		['authenticate', 200],
		['uploadCreate', 201],
		['uploadPatch', 201],
	]);
});

it('an upload cut twice resumes at the exact byte, and nothing is sent twice', async () => {
	const bytes = randomBytes(3_000_000);
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 1_234_567 });
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 1_000_001 });
	await tusUpload(bytes);
	const [upload] = service.state.uploads;
	expect(upload).toMatchObject({ complete: true, sha256: sha256(bytes), bytesReceived: 3_000_000 });
	expect(service.requestsOf('uploadPatch').map(({ uploadOffset }) => uploadOffset)).toEqual([
		0, 1_234_567, 2_234_568,
	]);
	expect(service.requestsOf('uploadHead')).toHaveLength(2);
});

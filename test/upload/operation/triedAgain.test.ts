import { videoPolicy } from '../../../nodes/VideoHosting/upload/newVideo';
import { executeNode, itemWithFile } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import { runWorkflow } from '../../execution/runWorkflow';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const film = async (fileName: string) =>
	await itemWithFile(Buffer.alloc(30_000, fileName), { fileName, mimeType: 'video/mp4' });
const uploading = (options = {}, more = {}) => ({
	resource: 'upload',
	operation: 'upload',
	...more,
	options: { returnVideo: false, ...options },
});
const settings = { retryOnFail: true, waitBetweenTries: 1_000 };
const second = async () =>
	await executeNode({
		...{ service, items: [await film('second.mp4')], executionId: '2' },
		parameters: uploading({ maxWaitMinutes: 1 }),
	});
const refused = () => service.requests.some(({ status }) => status === 400);

describe('An upload that is tried again is not taken for an abandoned one', () => {
	it('when the failed try still waits for the video of an earlier item', async () => {
		const before = { ...videoPolicy };
		// The list shows videos late; 30 seconds in production.
		videoPolicy.waitMs = 5_000;
		try {
			service.settings.videoAppearsAfterMs = 60_000;
			service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 10_000, skip: 1 });
			const first = runWorkflow({
				...{ service, settings, rounds: [[await film('a.mp4'), await film('b.mp4')]] },
				parameters: uploading({ returnVideo: true }),
			});
			await service.until(refused);
			const other = await second().catch((error: unknown) => String(error));
			expect((await first).result.status).toBe('success');
			expect(other).toMatchObject({ items: [{ json: { complete: true } }] });
		} finally {
			Object.assign(videoPolicy, before);
		}
	}, 90_000);

	it('when the next try has to wait for a slow list of folders', async () => {
		service.seedFolders([{ name: 'Films' }]);
		service.injectFault({ on: 'folderList', kind: 'delay', ms: 6_000, skip: 1 });
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 10_000 });
		const first = runWorkflow({
			...{ service, settings, rounds: [[await film('a.mp4')]] },
			parameters: uploading({}, { folder: by('name', 'Films') }),
		});
		await service.until(refused);
		const other = await second().catch((error: unknown) => String(error));
		expect((await first).result.status).toBe('success');
		expect(other).toMatchObject({ items: [{ json: { complete: true } }] });
	}, 90_000);

	it('when the node continues on errors, and its first item is tried again after the others', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 10_000 });
		const first = runWorkflow({
			...{ service, rounds: [await Promise.all(['a', 'b', 'c'].map(film))], parameters: uploading() },
			settings: { retryOnFail: true, waitBetweenTries: 3_000, onError: 'continueRegularOutput' },
		});
		await service.until(refused);
		const other = await second().catch((error: unknown) => String(error));
		await first;
		expect(service.state.uploads.map(({ filename }) => filename)).toEqual(
			expect.arrayContaining(['a', 'b', 'c']),
		);
		expect(other).toMatchObject({ items: [{ json: { complete: true } }] });
	}, 90_000);
});

it('The next item does not wait for an upload that its own run has just left', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 10_000 });
	const startedAt = performance.now();
	await runWorkflow({
		...{ service, rounds: [await Promise.all(['a', 'b'].map(film))], parameters: uploading() },
		settings: { retryOnFail: true, waitBetweenTries: 1, onError: 'continueRegularOutput' },
	});
	// Before c3cad6b it was six seconds, without Retry On Fail about one.
	expect(performance.now() - startedAt).toBeLessThan(8_000);
});

it('After the last try, the upload that blocks others is named at once', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 10_000, times: 1 });
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, times: 9 });
	await runWorkflow({
		...{ service, rounds: [[await film('a.mp4')]], parameters: uploading() },
		settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	});
	const [left] = service.state.uploads;
	const other = executeNode({
		...{ service, items: [await film('second.mp4')], executionId: '2' },
		parameters: uploading({ maxWaitMinutes: 0 }),
	});
	await expect(other).rejects.toThrow(String(left?.id));
});

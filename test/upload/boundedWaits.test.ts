import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { imageDownload } from '../../nodes/VideoHosting/actions/video/thumbnailImage';
import { executeNode } from '../execution/executeNode';
import { by } from '../execution/locator';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { shortenPauses, upload } from './uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

const within = async (ms: number, promise: Promise<unknown>) => {
	let timer: NodeJS.Timeout | undefined;
	const deadline = new Promise((resolve) => (timer = setTimeout(() => resolve('still running'), ms)));
	const end = () => {
		clearTimeout(timer);
		return 'ended';
	};
	return await Promise.race([promise.then(end, end), deadline]);
};

it('a cancelled upload whose sign-in hangs ends, and leaves the slot to the next upload', async () => {
	const abort = new AbortController();
	service.injectFault({ on: 'authenticate', kind: 'hang' });
	const cancelled = upload(service, { abortSignal: abort.signal });
	cancelled.catch(() => undefined);
	await service.until(() => service.requestsOf('authenticate').length > 0);
	abort.abort();
	const next = upload(service, { fileName: 'next.mp4' });
	next.catch(() => undefined);
	expect([await within(20_000, cancelled), await within(20_000, next)]).toEqual(['ended', 'ended']);
});

it('Max Wait of 0 ends at once although the state of an older upload cannot be read', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 10 });
	await upload(service, { fileName: 'old.mp4' }).catch(() => undefined);
	service.injectFault({ on: 'uploadHead', kind: 'hang', times: 99 });
	const running = upload(service, { fileName: 'new.mp4', options: { maxWaitMinutes: 0 } });
	running.catch(() => undefined);
	// The state of all older uploads together is waited for 4 seconds.
	expect(await within(15_000, running)).toBe('ended');
});

it('setting a thumbnail ends when the server of the image stalls in the middle', async () => {
	const server = createServer((_request, response) => {
		response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': '1000' });
		response.write(Buffer.alloc(100));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	jest.replaceProperty(imageDownload, 'idleTimeoutMs', 200);
	const [video] = service.seedVideos(1);
	const running = executeNode({
		service,
		parameters: {
			resource: 'video',
			operation: 'setThumbnail',
			video: by('hash', video?.hash ?? ''),
			source: 'url',
			url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`,
		},
	});
	running.catch(() => undefined);
	const outcome = await within(30_000, running);
	server.closeAllConnections();
	server.close();
	jest.restoreAllMocks();
	expect(outcome).toBe('ended');
});

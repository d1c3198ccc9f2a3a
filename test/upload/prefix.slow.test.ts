import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

import type { IDataObject } from 'n8n-workflow';

import { retryPolicy } from '../../nodes/VideoHosting/shared/retryPolicy';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { itemReadBy } from '../sources/binaryModes';
import { startFileServer, type FileServer } from '../sources/fileServer';
import { expectArrived, onlyUpload, shortenPauses, upload, type UploadRun } from './uploading';

shortenPauses();

const SIZE = 2_000_000;
const CUT = 1_600_000;
/** Longer than any test: whatever ends sooner does not end because of it. */
const PATIENT = { idleTimeoutSeconds: 120 };

let service: RunningService;
let files: FileServer;
serviceForEachTest(async (started) => {
	service = started;
	files = await startFileServer(randomBytes(SIZE));
});
afterEach(async () => {
	await files.close();
});

/** A source that has to be read from its beginning to get to an offset, and how it comes to be read there. */
interface Resumed {
	what: string;
	arrange: () => void;
	run: () => Promise<UploadRun>;
	/** Whether an earlier run left the upload; otherwise the service cuts it in this one. */
	isLeft?: boolean;
}

const fromUrl = () => Promise.resolve({ item: { json: {} }, parameters: { source: 'url', url: files.url } });

const resumed: Resumed[] = [
	{ what: 'a URL without validator', arrange: () => (files.etag = undefined), run: fromUrl },
	{ what: 'a URL whose server knows no ranges', arrange: () => (files.ranges = false), run: fromUrl },
	{ what: 'a URL of which an earlier run sent a part', arrange: () => {}, run: fromUrl, isLeft: true },
	{
		what: 'a stored binary file',
		arrange: () => {},
		run: async () => ({
			item: await itemReadBy('paced', {
				size: SIZE,
				fileName: 'keynote.mp4',
				open: () => Readable.from(storedChunks(), { objectMode: false }),
			}),
		}),
	},
];

async function* storedChunks(): AsyncGenerator<Buffer> {
	for (let start = 0; start < SIZE; start += 65_536) {
		await files.beforeBytes?.(start);
		yield files.content.subarray(start, start + 65_536);
	}
}

/** Uploads up to the cut; from then on, `beforeBytes` is in force. */
async function resumeWith(
	{ run, arrange, isLeft = false }: Resumed,
	beforeBytes: FileServer['beforeBytes'],
	{ options, abortSignal }: UploadRun,
): Promise<unknown> {
	arrange();
	const staticData: IDataObject = {};
	const cut = { on: 'uploadPatch', afterBytes: CUT } as const;
	service.injectFault(isLeft ? { ...cut, kind: 'status', status: 400 } : { ...cut, kind: 'reset' });
	if (isLeft) {
		await upload(service, { ...(await run()), staticData, options }).catch(() => undefined);
		files.beforeBytes = beforeBytes;
		return await upload(service, { ...(await run()), staticData, options, abortSignal });
	}
	// The service keeps the response to the HEAD back until the source has changed its pace.
	service.injectFault({ on: 'uploadHead', kind: 'delay', ms: 100 });
	const uploading = upload(service, { ...(await run()), staticData, options, abortSignal });
	void service.until(() => onlyUploadOffset() >= CUT).then(() => (files.beforeBytes = beforeBytes));
	return await uploading;
}

const onlyUploadOffset = () => service.state.uploads[0]?.offset ?? 0;

describe.each(resumed)('$what, resumed at an offset', (source) => {
	it('may take longer to get there than Idle Timeout, as long as it moves', async () => {
		const slowly = async (offset: number) => {
			if (offset < CUT) await new Promise((resolve) => setTimeout(resolve, 40));
		};
		await resumeWith(source, slowly, { options: { idleTimeoutSeconds: 0.5 } });
		expectArrived(service, files.content);
		// One before the cut, one after it: no try is lost on the way to the offset.
		expect(service.requestsOf('uploadPatch')).toHaveLength(2);
	});

	it('keeps no request to the service waiting on the way there', async () => {
		const requests: number[] = [];
		const look = async (offset: number) => {
			if (offset < 500_000 || requests.length > 0) return;
			// Long enough for a request that was sent before to arrive.
			await new Promise((resolve) => setTimeout(resolve, 300));
			requests.push(service.requestsOf('uploadPatch').length);
		};
		await resumeWith(source, look, { options: PATIENT });
		expectArrived(service, files.content);
		expect(requests).toEqual([1]);
	});

	it('ends at once on the way there when the execution is cancelled', async () => {
		const abort = new AbortController();
		const hang = async (offset: number) => {
			if (offset < 500_000) return;
			abort.abort();
			await new Promise(() => {});
		};
		const uploading = resumeWith(source, hang, { options: PATIENT, abortSignal: abort.signal });
		await expect(uploading).rejects.toThrow(/^The execution was cancelled/);
		expect(onlyUpload(service).offset).toBe(CUT);
	});
});

const [unproven, , left] = resumed;
describe.each([unproven, left] as Resumed[])(
	'$what, resumed at an offset, that stops moving on the way there',
	(source) => {
		it('is read again', async () => {
			let hangs = 1;
			const hang = async (offset: number) => {
				if (offset >= 500_000 && hangs-- > 0) await new Promise(() => {});
			};
			await resumeWith(source, hang, { options: { idleTimeoutSeconds: 0.5 } });
			expectArrived(service, files.content);
		});

		it('every time, ends with an error', async () => {
			const hang = async (offset: number) => {
				if (offset >= 500_000) await new Promise(() => {});
			};
			const policy = jest.replaceProperty(retryPolicy, 'tries', 2);
			const uploading = resumeWith(source, hang, { options: { idleTimeoutSeconds: 0.3 } });
			await expect(uploading).rejects.toThrow('run this again to resume it');
			policy.restore();
			expect(onlyUpload(service).offset).toBe(CUT);
		});
	},
);

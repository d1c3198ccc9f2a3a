import { randomBytes } from 'node:crypto';

import { NodeApiError, type INode } from 'n8n-workflow';

import { retryPolicy } from '../../nodes/VideoHosting/shared/retryPolicy';
import { ContentMismatchError, TransferError } from '../../nodes/VideoHosting/sources/transferErrors';
import { Failures, recoveryFrom } from '../../nodes/VideoHosting/upload/recovery';
import { UnknownUploadError } from '../../nodes/VideoHosting/upload/tus/uploadState';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { expectArrived, failureOf, onlyUpload, operations, shortenPauses, upload } from './uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

const NODE: INode = { id: '1', name: 'n', type: 't', typeVersion: 1, position: [0, 0], parameters: {} };

function responseError(status: number): NodeApiError {
	const cause = status === 429 ? 'rate-limited' : status >= 500 ? 'temporarily-unavailable' : undefined;
	const error = new NodeApiError(NODE, {}, { message: 'No', httpCode: String(status) });
	error.httpCode = String(status);
	if (cause) error.failure = { cause };
	return error;
}

describe('what follows an error of an upload', () => {
	const failed = (error: unknown, times: number) => {
		const failures = new Failures();
		for (let time = 0; time < times; time++) failures.add(error);
		return failures;
	};

	it.each<[string, unknown, boolean, string[]]>([
		['a cut', new TransferError('cut', true), true, ['retry', 'retry', 'retry', 'retry']],
		['a fault of the file', new TransferError('no file'), true, ['fail']],
		['another file', new ContentMismatchError('other'), true, ['replace']],
		['5xx', responseError(503), false, ['retry', 'retry', 'retry', 'retry']],
		['429', responseError(429), true, ['wait', 'wait', 'wait', 'wait']],
		['409', responseError(409), true, ['retry', 'retry', 'retry', 'retry']],
		['401', responseError(401), true, ['retry', 'retry', 'fail']],
		['401 to a creation', responseError(401), false, ['fail']],
		['400', responseError(400), true, ['fail']],
		['an unknown upload', new UnknownUploadError(responseError(404)), true, ['retry', 'retry', 'replace']],
	])('%s', (_what, error, exists, steps) => {
		const decided = steps.map((_step, index) => recoveryFrom(error, failed(error, index + 1), exists).step);
		expect(decided).toEqual(steps);
	});

	it('does not count waits for the slot', () => {
		const failures = failed(responseError(429), 100);
		const cut = new TransferError('cut', true);
		failures.add(cut);
		expect(recoveryFrom(cut, failures, true).step).toBe('retry');
	});
});

describe('an upload that cannot continue', () => {
	it('ends after so many tries without progress, with what happened, where it stands, and the next step', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 400_000 });
		service.injectFault({ on: 'uploadPatch', kind: 'reset', times: 100 });
		const failure = await failureOf(upload(service));
		const { id } = onlyUpload(service);
		expect(failure.message).toMatch(/^The service at 127\.0\.0\.1:\d+ closed the connection.*\. Upload /);
		expect(failure.message).toContain(`Upload ${id} has 400000 of 1000000 bytes.`);
		expect(failure.description).toBe('Run this again to resume it, or use Upload → Resume with this ID.');
		expect(failure.context.output).toEqual({ uploadId: id, offset: 400_000, size: 1_000_000 });
		expect(service.requestsOf('uploadPatch')).toHaveLength(retryPolicy.tries + 1);
	});

	it.each<[number, string]>([
		[413, 'Set Max Request Size in the options of this node to less than the limit, and run this again.'],
		[400, 'Run this again to resume it, or use Upload → Resume with this ID.'],
	])('ends at once with a permanent error (%d)', async (status, description) => {
		service.injectFault({ on: 'uploadPatch', kind: 'status', status, times: 1000 });
		const failure = await failureOf(upload(service));
		expect(failure.description).toBe(description);
		expect(service.requestsOf('uploadPatch')).toHaveLength(1);
	});

	it('is resumed by the next Upload of the same file', async () => {
		const bytes = randomBytes(1_000_000);
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 600_000 });
		await failureOf(upload(service, { bytes }));
		const { output } = await upload(service, { bytes });
		expectArrived(service, bytes);
		expect(output).toMatchObject({ resumes: 1, bytesSent: 400_000 });
	});

	it('is replaced by a new one, once, when the service has forgotten it', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'forget' });
		const { hints, output, bytes } = await upload(service);
		expectArrived(service, bytes);
		expect(output.complete).toBe(true);
		expect(hints[0]?.message).toMatch(/was uploaded from its beginning: upload [\w-]+ could not be resumed/);
		service.injectFault({ on: 'uploadPatch', kind: 'forget', times: 2 });
		const failure = await failureOf(upload(service, { fileName: 'other.mp4' }));
		expect(failure.description).toBe('The service does not know it: run this again to start a new one.');
	});

	it('is not created for a file that is gone', async () => {
		const url = `${service.baseUrl}/no-such-file.mp4`;
		const gone = upload(service, { item: { json: {} }, parameters: { source: 'url', url } });
		await expect(gone).rejects.toThrow(/404/);
		expect(operations(service)).not.toContain('uploadCreate');
	});
});

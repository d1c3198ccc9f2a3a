import { randomBytes } from 'node:crypto';

import { NodeApiError } from 'n8n-workflow';

import { retryPolicy } from '../../nodes/VideoHosting/shared/retryPolicy';
import type { Fault, RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { expectArrived, onlyUpload, operations, sha256, shortenPauses, upload } from './uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

const CUT = 400_000;
const HTML = '<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>';

describe('an upload arrives byte for byte, with nothing acknowledged sent again, when', () => {
	it.each<[string, Fault]>([
		['the connection is reset before the first byte', { on: 'uploadPatch', kind: 'reset' }],
		['the connection is reset after the first byte', { on: 'uploadPatch', kind: 'reset', afterBytes: 1 }],
		['the connection is reset in the middle', { on: 'uploadPatch', kind: 'reset', afterBytes: CUT }],
		[
			'the connection is reset before the last byte',
			{ on: 'uploadPatch', kind: 'reset', afterBytes: 999_999 },
		],
		[
			'the connection is reset after the last byte',
			{ on: 'uploadPatch', kind: 'reset', afterBytes: 1_000_000 },
		],
		['the response after the last byte is lost', { on: 'uploadPatch', kind: 'lostResponse' }],
		[
			'the service returns 500 in the middle',
			{ on: 'uploadPatch', kind: 'status', status: 500, afterBytes: CUT },
		],
		[
			'the service returns 500 at once, three times',
			{ on: 'uploadPatch', kind: 'status', status: 500, times: 3 },
		],
		[
			'a gateway returns 502 with a web page',
			{
				on: 'uploadPatch',
				kind: 'status',
				status: 502,
				body: HTML,
				headers: { 'content-type': 'text/html' },
			},
		],
		[
			'the service returns 503 with Retry-After',
			{ on: 'uploadPatch', kind: 'status', status: 503, headers: { 'Retry-After': '0' }, times: 2 },
		],
		['the service returns 409', { on: 'uploadPatch', kind: 'status', status: 409, afterBytes: CUT }],
		['the service returns 423', { on: 'uploadPatch', kind: 'status', status: 423, times: 2 }],
		['the service returns 429 in mid-upload', { on: 'uploadPatch', kind: 'status', status: 429, times: 2 }],
		[
			'the service stores fewer bytes than sent',
			{ on: 'uploadPatch', kind: 'status', status: 201, body: '', afterBytes: CUT },
		],
		['the HEAD that follows a fault fails too', { on: 'uploadHead', kind: 'status', status: 503, times: 2 }],
		['the connection of the HEAD is reset', { on: 'uploadHead', kind: 'reset', times: 2 }],
		['the connection is reset on create', { on: 'uploadCreate', kind: 'reset' }],
		['the service returns 500 on create', { on: 'uploadCreate', kind: 'status', status: 500, times: 2 }],
		['the token expires before the bytes', { on: 'uploadPatch', kind: 'expireToken' }],
		['the token expires while they are sent', { on: 'uploadPatch', kind: 'expireToken', afterBytes: CUT }],
		['the token expires before the HEAD', { on: 'uploadHead', kind: 'expireToken' }],
		['the token expires on create', { on: 'uploadCreate', kind: 'expireToken' }],
	])('%s', async (_what, fault) => {
		service.injectFault(fault);
		const { bytes, output } = await upload(service);
		expectArrived(service, bytes);
		expect(output).toMatchObject({ complete: true, offset: 1_000_000 });
	});

	it.each([401, 403] as const)('every token serves four requests, then %d is returned', async (status) => {
		service.settings.tokenLifetimeRequests = 4;
		service.settings.expiredTokenStatus = status;
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 100_000, times: 8 });
		const { bytes, credentialStore } = await upload(service);
		expectArrived(service, bytes);
		expect(credentialStore.renewals).toBeGreaterThan(1);
	});

	it.each([401, 403] as const)(
		'the token expires while the bytes are sent and is rejected with %d',
		async (status) => {
			service.settings.expiredTokenStatus = status;
			service.injectFault({ on: 'uploadPatch', kind: 'expireToken', afterBytes: CUT });
			const { bytes, credentialStore } = await upload(service);
			expectArrived(service, bytes);
			expect(credentialStore.renewals).toBe(2);
		},
	);

	it('a connection goes silent in the middle', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: CUT });
		const { bytes, output } = await upload(service, {
			bytes: randomBytes(20_000_000),
			options: { idleTimeoutSeconds: 0.4 },
		});
		expectArrived(service, bytes);
		expect(output.resumes).toBeGreaterThanOrEqual(1);
	});

	it('a connection goes silent after the last byte', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 1_000_000 });
		const { bytes } = await upload(service, { options: { idleTimeoutSeconds: 0.4 } });
		expectArrived(service, bytes);
	});

	it('a HEAD never gets a response', async () => {
		service.injectFault({ on: 'uploadHead', kind: 'hang' });
		const { bytes } = await upload(service, { options: { idleTimeoutSeconds: 0.4 } });
		expectArrived(service, bytes);
	});

	it('the service is away for a while', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
		const running = upload(service);
		await service.until(() => service.state.uploads[0]?.offset === CUT);
		await service.goDown();
		await new Promise((resolve) => setTimeout(resolve, 20));
		await service.comeBack();
		const { bytes } = await running;
		expectArrived(service, bytes);
	});

	it.each([
		[false, false],
		[false, true],
		[true, false],
		[true, true],
	])('PATCH returns Upload-Offset: %s, HEAD returns Upload-Length: %s', async (offset, length) => {
		Object.assign(service.settings, { patchReturnsOffset: offset, headReturnsLength: length });
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
		const { bytes } = await upload(service);
		expectArrived(service, bytes);
	});

	it('the service wants the whole remainder in each request', async () => {
		service.settings.patchNeedsWholeRest = true;
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT, times: 2 });
		const { bytes } = await upload(service);
		expectArrived(service, bytes);
	});

	it('all of it comes together', async () => {
		const times = 2;
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 50_000, times });
		service.injectFault({
			on: 'uploadPatch',
			kind: 'status',
			status: 502,
			body: HTML,
			afterBytes: 60_000,
			times,
		});
		service.injectFault({ on: 'uploadPatch', kind: 'expireToken', afterBytes: 70_000, times });
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 429, times });
		service.injectFault({ on: 'uploadHead', kind: 'status', status: 500, times });
		service.injectFault({ on: 'uploadHead', kind: 'reset', times, skip: 4 });
		const { bytes } = await upload(service);
		expectArrived(service, bytes);
	});
});

describe('fewer bytes stored than sent', () => {
	it.each([false, true])(
		'are noticed and the rest is sent (PATCH returns Upload-Offset: %s)',
		async (offset) => {
			service.settings.patchReturnsOffset = offset;
			service.injectFault({ on: 'uploadPatch', kind: 'storeFewer', bytes: CUT });
			const { bytes } = await upload(service);
			const { sha256: arrived, patches } = onlyUpload(service);
			expect(patches.map((patch) => patch.offset)).toEqual([0, CUT]);
			expect(arrived).toBe(sha256(bytes));
			// The service discarded what it did not store, so that much was sent again.
			expect(patches.map((patch) => patch.received)).toEqual([1_000_000, bytes.length - CUT]);
		},
	);

	it('are not reported as complete because a gateway returns 404 to the HEAD that follows', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'storeFewer', bytes: CUT });
		const headers = { 'content-type': 'text/html' };
		service.injectFault({ on: 'uploadHead', kind: 'status', status: 404, body: HTML, headers, times: 4 });
		const { bytes } = await upload(service);
		expect(onlyUpload(service)).toMatchObject({ complete: true, sha256: sha256(bytes) });
	});

	it('do not cause endless retries when none is stored', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'storeFewer', bytes: 0, times: 1000 });
		await expect(upload(service)).rejects.toThrow(/stored none of the bytes/);
		expect(service.requestsOf('uploadPatch').length).toBe(retryPolicy.tries);
	});
});

describe('an upload that the service forgot', () => {
	it('starts over from byte 0, once, and reports it', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
		service.injectFault({ on: 'uploadHead', kind: 'forget' });
		const { bytes, output, hints } = await upload(service);
		expectArrived(service, bytes);
		expect(operations(service)).toEqual([
			'uploadCreate',
			'uploadPatch',
			'uploadHead',
			'uploadHead',
			'uploadHead',
			'uploadCreate',
			'uploadPatch',
			'uploadHead',
		]);
		expect(output.uploadId).toBe(onlyUpload(service).id);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/no longer knew the upload .+ sent again from its beginning\.$/),
		]);
	});

	it('is named, and so is the unknown one in its place, when the response to the second create is lost', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
		service.injectFault({ on: 'uploadHead', kind: 'forget' });
		service.injectFault({ on: 'uploadCreate', kind: 'lostResponse', skip: 1 });
		await expect(upload(service, { options: { maxWaitMinutes: 0.001 } })).rejects.toThrow(
			/may block others.+ did not find upload .+, and no new upload could be created: run this again/,
		);
	});

	it('starts over once only', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'forget', times: 2 });
		await expect(upload(service)).rejects.toThrow(
			/no longer knows upload .+ The service does not know upload .+: run this again to start a new one/,
		);
		expect(service.requestsOf('uploadCreate')).toHaveLength(2);
	});
});

describe('an upload that cannot continue', () => {
	it('ends after so many tries without progress, and reports what happened, the upload ID and the offset', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
		service.injectFault({
			on: 'uploadPatch',
			kind: 'status',
			status: 500,
			error: 'Internal Server Error',
			times: 1000,
		});
		const error = await upload(service).catch((thrown: unknown) => thrown);
		const { id } = onlyUpload(service);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: expect.stringMatching(
				new RegExp(`^Internal Server Error\\. Upload ${id} is at 400000 of 1000000 bytes: run this again`),
			) as string,
			context: { itemIndex: 0, output: { uploadId: id, offset: CUT, size: 1_000_000 } },
		});
		expect(service.requestsOf('uploadPatch')).toHaveLength(1 + retryPolicy.tries);
	});

	it('continues as long as there is progress, however often it is cut', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 20_000, times: 49 });
		const { bytes, output } = await upload(service);
		expectArrived(service, bytes);
		expect(output.resumes).toBe(49);
	});

	it('ends at once when the service rejects it with a permanent error', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, error: 'Bad Request' });
		await expect(upload(service)).rejects.toThrow(/^Bad Request\. Upload [\w-]+ is at 0 of 1000000 bytes/);
		expect(service.requestsOf('uploadPatch')).toHaveLength(1);
	});

	it('shows a user behind a proxy which option limits a request', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 413, body: HTML });
		await expect(upload(service)).rejects.toMatchObject({
			description: expect.stringMatching(/Max Request Size/) as string,
		});
	});

	it('is an item with all that is needed to continue, where the node continues on fail', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: CUT });
		const { output } = await upload(service, { onError: 'continueRegularOutput' });
		expect(output).toEqual({
			error: {
				message: expect.stringContaining('is at') as string,
				description: 'Check the values of this operation.',
				uploadId: onlyUpload(service).id,
				offset: CUT,
				size: 1_000_000,
			},
		});
	});
});

import { randomBytes } from 'node:crypto';

import fc from 'fast-check';
import { NodeApiError } from 'n8n-workflow';

import { retryPolicy } from '../../nodes/VideoHosting/shared/retryPolicy';
import type { Fault, RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { expectArrived, onlyUpload, operations, sha256, shortenPauses, upload } from './uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

const CUT = 400_000;
const SIZE = 300_000;
const HTML = '<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>';

const strikes = { times: fc.integer({ min: 1, max: 3 }), skip: fc.nat({ max: 2 }) };
const anyRequest = fc.constantFrom<Fault['on'][]>('uploadCreate', 'uploadPatch', 'uploadHead');
const ofUpload = fc.constantFrom<Fault['on'][]>('uploadPatch', 'uploadHead');
const afterBytes = fc.oneof(fc.constantFrom(0, 1, SIZE - 1, SIZE), fc.nat({ max: SIZE }));
const webPage = { body: HTML, headers: { 'content-type': 'text/html' } };

/** What passes by itself. A create whose response was lost may leave an upload that holds the slot. */
const passing: fc.Arbitrary<Fault> = fc.oneof(
	fc.record({ on: anyRequest, kind: fc.constant('reset'), afterBytes, ...strikes }),
	fc
		.record({
			on: anyRequest,
			kind: fc.constant('status'),
			status: fc.constantFrom(408, 409, 423, 425, 500, 502, 503),
			answer: fc.constantFrom({}, webPage, { headers: { 'Retry-After': '0' } }),
			afterBytes,
			...strikes,
		})
		.map(({ answer, ...fault }) => ({ ...fault, ...answer })),
	fc.record({
		on: ofUpload,
		kind: fc.constant('status'),
		status: fc.constant(429),
		...strikes,
	}),
	fc.record({ on: ofUpload, kind: fc.constant('lostResponse'), ...strikes }),
);
const expiry: fc.Arbitrary<Fault> = fc.record({
	on: anyRequest,
	kind: fc.constant('expireToken'),
	afterBytes,
});
const services = fc.record({
	patchReturnsOffset: fc.boolean(),
	headReturnsLength: fc.boolean(),
	patchNeedsWholeRest: fc.boolean(),
	expiredTokenStatus: fc.constantFrom(401, 403),
});

describe('an upload arrives byte for byte, with nothing acknowledged sent again, when', () => {
	it('connections break, the service fails for a while, or the token expires', async () => {
		await fc.assert(
			fc.asyncProperty(
				services,
				fc.array(passing, { maxLength: 2 }),
				fc.array(expiry, { maxLength: 1 }),
				async (settings, faults, expiries) => {
					service.state.uploads = [];
					service.clearFaults();
					Object.assign(service.settings, settings);
					for (const fault of [...faults, ...expiries]) service.injectFault(fault);
					const { bytes, output } = await upload(service, { bytes: randomBytes(SIZE) });
					expectArrived(service, bytes);
					expect(output).toMatchObject({ complete: true, offset: SIZE });
				},
			),
			{ numRuns: 80 },
		);
	}, 120_000);

	it.each([401, 403] as const)('every token serves four requests, then %d is returned', async (status) => {
		service.settings.tokenLifetimeRequests = 4;
		service.settings.expiredTokenStatus = status;
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 100_000, times: 8 });
		const { bytes, credentialStore } = await upload(service);
		expectArrived(service, bytes);
		expect(credentialStore.renewals).toBeGreaterThan(1);
	});

	it.each<[string, Fault]>([
		['in the middle', { on: 'uploadPatch', kind: 'hang', afterBytes: CUT }],
		['after the last byte', { on: 'uploadPatch', kind: 'hang', afterBytes: 20_000_000 }],
		['instead of the response to a HEAD', { on: 'uploadHead', kind: 'hang' }],
	])('a connection goes silent %s', async (_where, fault) => {
		service.injectFault(fault);
		const bytes = randomBytes(20_000_000);
		const { output } = await upload(service, { bytes, options: { idleTimeoutSeconds: 0.4 } });
		expectArrived(service, bytes);
		expect(output.resumes).toBeGreaterThanOrEqual(1);
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

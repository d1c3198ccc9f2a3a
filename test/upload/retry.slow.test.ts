import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeApiError, type IDataObject } from 'n8n-workflow';

import { retryPolicy } from '../../nodes/VideoHosting/shared/retryPolicy';
import { CredentialStore } from '../execution/credentialStore';
import { fc } from '../execution/generated';
import { startService, type Fault, type RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { expectArrived, failureOf, onlyUpload, operations, sha256, shortenPauses, upload } from './uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

const CUT = 750_000;
const SIZE = 1_000_000;
const SMALL = 300_000;
const LARGE = 20_000_000;
const HTML = '<!DOCTYPE html><html><body><h1>404 Not Found</h1></body></html>';
const webPage = { body: HTML, headers: { 'content-type': 'text/html' } };
const PAGE_404 = { kind: 'status', status: 404, ...webPage } as const;

const cut = (more: Partial<Fault> = {}) =>
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT, ...more } as Fault);
const isWhole = (bytes: Buffer) =>
	expect(onlyUpload(service)).toMatchObject({ complete: true, sha256: sha256(bytes) });

const strikes = { times: fc.integer({ min: 1, max: 3 }), skip: fc.nat({ max: 2 }) };
const anyRequest = fc.constantFrom<Fault['on'][]>('uploadCreate', 'uploadPatch', 'uploadHead');
const ofUpload = fc.constantFrom<Fault['on'][]>('uploadPatch', 'uploadHead');
const afterBytes = fc.oneof(fc.constantFrom(0, 1, SMALL - 1, SMALL), fc.nat({ max: SMALL }));

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
	fc.record({ on: ofUpload, kind: fc.constant('status'), status: fc.constant(429), ...strikes }),
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
					const { bytes, output } = await upload(service, { bytes: randomBytes(SMALL) });
					expectArrived(service, bytes);
					expect(output).toMatchObject({ complete: true, offset: SMALL });
				},
			),
			{ numRuns: 80 },
		);
	}, 120_000);

	it.each([401, 403] as const)('every token serves four requests, then %d is returned', async (status) => {
		Object.assign(service.settings, { tokenLifetimeRequests: 4, expiredTokenStatus: status });
		cut({ afterBytes: 100_000, times: 8 });
		const { bytes, credentialStore } = await upload(service);
		expectArrived(service, bytes);
		expect(credentialStore.renewals).toBeGreaterThan(1);
	});

	it.each<[string, Fault]>([
		['in the middle', { on: 'uploadPatch', kind: 'hang', afterBytes: CUT }],
		['after the last byte', { on: 'uploadPatch', kind: 'hang', afterBytes: LARGE }],
		['instead of the response to a HEAD', { on: 'uploadHead', kind: 'hang' }],
	])('a connection goes silent %s', async (_where, fault) => {
		service.injectFault(fault);
		// More than the buffers of a connection hold.
		const bytes = randomBytes(LARGE);
		const { output } = await upload(service, { bytes, options: { idleTimeoutSeconds: 0.4 } });
		expectArrived(service, bytes);
		expect(output.resumes).toBeGreaterThanOrEqual(1);
	});

	it('it is cut 49 times, each time with progress', async () => {
		cut({ afterBytes: 20_000, times: 49 });
		const { bytes, output } = await upload(service);
		expectArrived(service, bytes);
		expect(output.resumes).toBe(49);
	});

	it.each<[string, Fault]>([
		['one 410 on HEAD', { on: 'uploadHead', kind: 'status', status: 410 }],
		['two 404s on HEAD', { on: 'uploadHead', kind: 'status', status: 404, times: 2 }],
		[
			'three 404s on HEAD, and then the slot is held by it',
			{ on: 'uploadHead', kind: 'status', status: 404, times: 3 },
		],
		['web pages on HEAD', { on: 'uploadHead', ...PAGE_404, times: 6 }],
		['web pages on PATCH', { on: 'uploadPatch', ...PAGE_404, skip: 1, times: 6 }],
		['a 404 on PATCH', { on: 'uploadPatch', kind: 'status', status: 404, skip: 1, times: 2 }],
	])('it seems unknown for a while: %s', async (_what, fault) => {
		cut();
		service.injectFault(fault);
		const { bytes } = await upload(service);
		expectArrived(service, bytes);
	});

	it('the service cannot be reached for a while after it has accepted bytes', async () => {
		cut();
		const running = upload(service);
		await service.until(() => service.state.uploads[0]?.offset === CUT);
		await service.goDown();
		await new Promise((resolve) => setTimeout(resolve, 60));
		await service.comeBack();
		expectArrived(service, (await running).bytes);
	});
});

describe('an upload that ends with an error is kept, and the next run resumes it, when', () => {
	it.each<[string, Fault[], RegExp]>([
		[
			'a gateway returns web pages for as long as it is tried',
			[{ on: 'uploadHead', ...PAGE_404, times: 1000 }],
			/Upload \S+ is at /,
		],
		[
			'it seems lost, and no new one can be created',
			[
				{ on: 'uploadHead', kind: 'status', status: 404, times: 3 },
				{ on: 'uploadCreate', kind: 'status', status: 400, skip: 1 },
			],
			/did not find upload /,
		],
		[
			'its folder is not found',
			[{ on: 'uploadPatch', kind: 'status', status: 404, error: 'Folder not found' }],
			/^Folder not found\. .*Upload \S+ is at 750000 of 1000000 bytes/,
		],
	])('%s', async (_what, faults, expected) => {
		const staticData: IDataObject = {};
		cut();
		for (const fault of faults) service.injectFault(fault);
		const bytes = randomBytes(SIZE);
		const { message } = await failureOf(upload(service, { bytes, staticData }));
		expect(message).toMatch(expected);
		expect(message).toContain(onlyUpload(service).id);
		service.clearFaults();
		await upload(service, { bytes, staticData });
		expectArrived(service, bytes);
	});
});

describe('a service that drops finished uploads', () => {
	it.each([false, true])(
		'ends an upload once, as complete (PATCH returns Upload-Offset: %s)',
		async (patchReturnsOffset) => {
			Object.assign(service.settings, { dropsFinishedUploads: true, patchReturnsOffset });
			const { bytes, output, hints } = await upload(service);
			expectArrived(service, bytes);
			expect(output).toMatchObject({ complete: true, offset: SIZE, resumes: 0 });
			expect(hints).toEqual([]);
		},
	);

	it('ends it as complete after a HEAD that failed otherwise', async () => {
		service.settings.dropsFinishedUploads = true;
		service.injectFault({ on: 'uploadHead', kind: 'status', status: 503, times: 2 });
		expectArrived(service, (await upload(service)).bytes);
	});
});

describe('fewer bytes stored than sent', () => {
	it.each([false, true])(
		'are noticed and the rest is sent (PATCH returns Upload-Offset: %s)',
		async (offset) => {
			service.settings.patchReturnsOffset = offset;
			service.injectFault({ on: 'uploadPatch', kind: 'storeFewer', bytes: CUT });
			isWhole((await upload(service)).bytes);
			// The service discarded what it did not store, so that much was sent again.
			expect(onlyUpload(service).patches.map((patch) => [patch.offset, patch.received])).toEqual([
				[0, SIZE],
				[CUT, SIZE - CUT],
			]);
		},
	);

	it.each<[string, boolean, Fault]>([
		['a gateway returns 404', false, { on: 'uploadHead', ...PAGE_404, times: 4 }],
		[
			'a service that drops finished uploads returns 404',
			true,
			{ on: 'uploadHead', kind: 'status', status: 404 },
		],
	])('are not reported as complete because %s to the HEAD that follows', async (_who, drops, fault) => {
		service.settings.dropsFinishedUploads = drops;
		service.injectFault({ on: 'uploadPatch', kind: 'storeFewer', bytes: CUT });
		service.injectFault(fault);
		isWhole((await upload(service)).bytes);
	});

	it('do not cause endless retries when none is stored', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'storeFewer', bytes: 0, times: 1000 });
		expect((await failureOf(upload(service))).message).toMatch(/stored none of the bytes/);
		expect(service.requestsOf('uploadPatch').length).toBe(retryPolicy.tries);
	});

	it('are sent again when the service has lost them', async () => {
		service.settings.keepBytes = true;
		cut();
		service.injectFault({ on: 'uploadHead', kind: 'loseBytes', bytes: 300_000 });
		isWhole((await upload(service)).bytes);
		expect(onlyUpload(service).patches.map(({ offset }) => offset)).toEqual([0, CUT - 300_000]);
	});
});

describe('an upload that the service forgot', () => {
	it('starts over from byte 0, once, and reports it', async () => {
		cut();
		service.injectFault({ on: 'uploadHead', kind: 'forget' });
		const { bytes, output, hints } = await upload(service);
		expectArrived(service, bytes);
		expect(operations(service)).toEqual([
			...['uploadCreate', 'uploadPatch', 'uploadHead', 'uploadHead', 'uploadHead'],
			...['uploadCreate', 'uploadPatch', 'uploadHead'],
		]);
		expect(output.uploadId).toBe(onlyUpload(service).id);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/no longer knew the upload .+ sent again from its beginning\.$/),
		]);
	});

	it('is named, and so is the unknown one in its place, when the response to the second create is lost', async () => {
		cut();
		service.injectFault({ on: 'uploadHead', kind: 'forget' });
		service.injectFault({ on: 'uploadCreate', kind: 'lostResponse', skip: 1 });
		expect((await failureOf(upload(service, { options: { maxWaitMinutes: 0.001 } }))).message).toMatch(
			/may block others.+ did not find upload .+, and no new upload could be created: run this again/,
		);
	});

	it('starts over once only', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'forget', times: 2 });
		expect((await failureOf(upload(service))).message).toMatch(
			/no longer knows upload .+ The service does not know upload .+: run this again to start a new one/,
		);
		expect(service.requestsOf('uploadCreate')).toHaveLength(2);
	});
});

describe('an upload that cannot continue', () => {
	it('ends after so many tries without progress, and reports what happened, the upload ID and the offset', async () => {
		cut();
		service.injectFault({
			...{ on: 'uploadPatch', kind: 'status', status: 500, times: 1000 },
			error: 'Internal Server Error',
		});
		const error = await failureOf(upload(service));
		const { id } = onlyUpload(service);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: expect.stringMatching(
				new RegExp(`^Internal Server Error\\. Upload ${id} is at 750000 of 1000000 bytes: run this again`),
			) as string,
			context: { itemIndex: 0, output: { uploadId: id, offset: CUT, size: SIZE } },
		});
		expect(service.requestsOf('uploadPatch')).toHaveLength(1 + retryPolicy.tries);
	});

	it('ends when the offset moves back and forth', async () => {
		Object.assign(service.settings, { keepBytes: true, patchReturnsOffset: true });
		const often = { on: 'uploadPatch', every: 3, times: 1000 } as const;
		service.injectFault({ ...often, kind: 'loseBytes', bytes: SIZE, skip: 1 });
		service.injectFault({ ...often, kind: 'reset', skip: 2 });
		const { message } = await failureOf(upload(service, { options: { maxRequestMegabytes: 0.1 } }));
		expect(message).toContain(`Upload ${onlyUpload(service).id} is at`);
		expect(service.requestsOf('uploadHead').length).toBeLessThanOrEqual(retryPolicy.tries + 1);
	});

	it('ends after so many tries in total, also when each of them moves the offset', async () => {
		const policy = jest.replaceProperty(retryPolicy, 'totalTries', 25);
		cut({ afterBytes: 1_000, times: 1000 });
		const { message } = await failureOf(upload(service));
		policy.restore();
		expect(onlyUpload(service)).toMatchObject({ offset: 25_000, complete: false });
		expect(message).toContain(`Upload ${onlyUpload(service).id} is at 25000 of ${SIZE} bytes`);
		expect(service.requestsOf('uploadPatch')).toHaveLength(25);
	});

	it('ends at once when the service rejects it with a permanent error, as an item with all that is needed', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: CUT });
		const { output } = await upload(service, { onError: 'continueRegularOutput' });
		expect(output).toEqual({
			error: {
				message: expect.stringContaining(`is at ${CUT} of ${SIZE} bytes`) as string,
				description: 'Check the values of this operation.',
				uploadId: onlyUpload(service).id,
				offset: CUT,
				size: SIZE,
			},
		});
		expect(service.requestsOf('uploadPatch')).toHaveLength(1);
	});

	it('does not wait for Retry-After headers of hours longer than Max Wait in total', async () => {
		const headers = { 'Retry-After': '3600' };
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 503, times: 1000, headers });
		const options = { maxWaitMinutes: 0.01 };
		const { log } = await upload(service, { onError: 'continueRegularOutput', options });
		const waits = log.flatMap((line) => /resumes in ([\d.]+) s/.exec(line)?.[1] ?? []);
		expect(waits.length).toBeGreaterThan(5);
		// The other pauses are 20 ms at most.
		const long = waits.map((seconds) => Number(seconds) * 1000).filter((ms) => ms > 20);
		expect(long.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(600);
	});

	it('shows a user behind a proxy which option limits a request', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 413, body: HTML });
		expect((await failureOf(upload(service))).description).toMatch(/Max Request Size/);
	});

	it.each<[string, Fault['on'], number, number]>([
		['beyond the file, after a PATCH', 'uploadPatch', SIZE + 1, SIZE],
		['beyond the file, after a HEAD', 'uploadHead', SIZE + 1, SIZE],
		['beyond what was sent', 'uploadPatch', 500_000, 104_858],
	])('does not follow an offset %s', async (_what, on, offset, sent) => {
		const headers = { 'Upload-Offset': String(offset) };
		service.injectFault({ on, kind: 'status', status: 201, body: '', headers });
		const options = sent < SIZE ? { maxRequestMegabytes: 0.1 } : {};
		expect((await failureOf(upload(service, { options }))).message).toMatch(
			`The service reports an Upload-Offset of ${offset} bytes, but only the first ${sent} bytes of the file were sent`,
		);
	});

	it('because a lost create may hold the slot explains it', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'lostResponse' });
		expect((await failureOf(upload(service))).message).toMatch(
			/^Too many simultaneous uploads.+an upload may block others until the service drops it/,
		);
		expect(service.requestsOf('uploadCreate')).toHaveLength(2);
	});
});

describe('a service that cannot be reached is tried three times', () => {
	const triesOf = async (
		credential: RunningService['credential'],
		message: RegExp,
		operation: 'upload' | 'resume' = 'upload',
	) => {
		const credentialStore = new CredentialStore({ accessToken: '', ...credential });
		const parameters = { uploadId: 'some-upload' };
		const error = await failureOf(upload(service, { operation, parameters, credentialStore }));
		expect(error.message).toMatch(message);
		// Each try signs in first.
		expect(credentialStore.renewals).toBe(retryPolicy.unreachableTries);
	};

	it.each(['upload', 'resume'] as const)('when it is down: %s', async (operation) => {
		await service.goDown();
		await triesOf(service.credential, /^The service at \S+ cannot be reached/, operation);
		await service.comeBack();
	});

	it('when its host is unknown', async () => {
		const baseUrl = 'https://upload.service.invalid';
		// EAI_AGAIN where no name server can be reached.
		const message = /upload\.service\.invalid (was not found|could not be looked up)\./;
		await triesOf({ ...service.credential, baseUrl }, message);
	});

	it('when its certificate is not trusted', async () => {
		const pem = (name: string) =>
			readFileSync(join(__dirname, `../fakeService/loopbackCertificate/${name}.pem`), 'utf8');
		const secure = await startService({ tls: { key: pem('key'), cert: pem('cert') } });
		await triesOf(secure.credential, /has a TLS certificate that n8n does not trust/);
		expect(secure.requests).toEqual([]);
		await secure.close();
	});
});

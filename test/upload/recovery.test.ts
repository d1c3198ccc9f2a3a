import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeApiError, type IDataObject } from 'n8n-workflow';

import { retryPolicy } from '../../nodes/VideoHosting/shared/retryPolicy';
import { CredentialStore } from '../execution/credentialStore';
import { executeForJson, executeNode, itemWithFile } from '../execution/executeNode';
import { startService, type Fault, type RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { expectArrived, onlyUpload, operations, sha256, shortenPauses, upload } from './uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

const CUT = 750_000;
const SIZE = 1_000_000;
const HTML = '<!DOCTYPE html><html><body><h1>404 Not Found</h1></body></html>';
const WEB_PAGE = { status: 404, body: HTML, headers: { 'content-type': 'text/html' } } as const;

const messageOf = async (running: Promise<unknown>): Promise<string> => {
	const error = await running.then(
		() => new Error('It did not fail'),
		(thrown: unknown) => thrown,
	);
	return error instanceof Error ? error.message : String(error);
};

describe('a 404 or 410 that passes', () => {
	it.each<[string, Fault]>([
		['one 404 on HEAD', { on: 'uploadHead', kind: 'status', status: 404 }],
		['one 410 on HEAD', { on: 'uploadHead', kind: 'status', status: 410 }],
		['two 404s on HEAD', { on: 'uploadHead', kind: 'status', status: 404, times: 2 }],
		['web pages on HEAD', { on: 'uploadHead', kind: 'status', ...WEB_PAGE, times: 6 }],
		['web pages on PATCH', { on: 'uploadPatch', kind: 'status', ...WEB_PAGE, skip: 1, times: 6 }],
		['a 404 on PATCH', { on: 'uploadPatch', kind: 'status', status: 404, skip: 1, times: 2 }],
	])('resumes the upload: %s', async (_what, fault) => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
		service.injectFault(fault);
		const { bytes } = await upload(service);
		expectArrived(service, bytes);
		expect(service.requestsOf('uploadCreate')).toHaveLength(1);
	});

	it('keeps the upload where a gateway returns web pages for as long as it is tried', async () => {
		const staticData: IDataObject = {};
		const bytes = randomBytes(SIZE);
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
		service.injectFault({ on: 'uploadHead', kind: 'status', ...WEB_PAGE, times: 1000 });
		const message = await messageOf(upload(service, { bytes, staticData }));
		expect(message).toContain(`Upload ${onlyUpload(service).id} is at`);
		service.clearFaults();
		await upload(service, { bytes, staticData });
		expectArrived(service, bytes);
	});

	it('does not lose the old upload when no new one could be created', async () => {
		const staticData: IDataObject = {};
		const bytes = randomBytes(SIZE);
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
		service.injectFault({ on: 'uploadHead', kind: 'status', status: 404, times: 3 });
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, skip: 1 });
		const message = await messageOf(upload(service, { bytes, staticData }));
		const { id } = onlyUpload(service);
		expect(message).toContain(`did not find upload ${id}`);
		await upload(service, { bytes, staticData });
		expectArrived(service, bytes);
	});

	it('resumes the old upload when it turns out to hold the slot', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
		service.injectFault({ on: 'uploadHead', kind: 'status', status: 404, times: 3 });
		const { bytes } = await upload(service);
		expectArrived(service, bytes);
	});
});

describe('a service that drops finished uploads', () => {
	it.each([false, true])(
		'ends an upload once, as complete (PATCH returns Upload-Offset: %s)',
		async (offset) => {
			Object.assign(service.settings, { dropsFinishedUploads: true, patchReturnsOffset: offset });
			const { bytes, output, hints } = await upload(service);
			expectArrived(service, bytes);
			expect(output).toMatchObject({ complete: true, offset: SIZE, resumes: 0 });
			expect(hints).toEqual([]);
		},
	);

	it('ends it as complete after a HEAD that failed otherwise', async () => {
		service.settings.dropsFinishedUploads = true;
		service.injectFault({ on: 'uploadHead', kind: 'status', status: 503, times: 2 });
		const { bytes } = await upload(service);
		expectArrived(service, bytes);
	});

	it('is not believed about bytes that it did not store', async () => {
		service.settings.dropsFinishedUploads = true;
		service.injectFault({ on: 'uploadPatch', kind: 'storeFewer', bytes: CUT });
		service.injectFault({ on: 'uploadHead', kind: 'status', status: 404 });
		const { bytes } = await upload(service);
		expect(onlyUpload(service)).toMatchObject({ complete: true, sha256: sha256(bytes) });
	});
});

describe('404 Folder not found', () => {
	it('on PATCH is reported and keeps the upload', async () => {
		const staticData: IDataObject = {};
		const bytes = randomBytes(SIZE);
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 404, error: 'Folder not found' });
		const message = await messageOf(upload(service, { bytes, staticData }));
		expect(message).toMatch(/^Folder not found\. /);
		expect(message).toContain(`Upload ${onlyUpload(service).id} is at ${CUT} of ${SIZE} bytes`);
		expect(service.requestsOf('uploadCreate')).toHaveLength(1);
		await upload(service, { bytes, staticData });
		expectArrived(service, bytes);
	});
});

describe('an upload slot that an upload of this n8n holds', () => {
	const interrupt = () =>
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: CUT });

	it('ends the wait of every further item, with the ID and the file that holds it', async () => {
		interrupt();
		const items = await Promise.all(
			Array.from({ length: 10 }, async (_value, index) =>
				itemWithFile(randomBytes(SIZE), { fileName: `${index}.mp4`, mimeType: 'video/mp4' }),
			),
		);
		const { items: output } = await executeNode({
			service,
			items,
			onError: 'continueRegularOutput',
			parameters: { resource: 'upload', operation: 'upload', options: { returnVideo: false } },
		});
		const { id } = onlyUpload(service);
		const messages = output.map(({ json }) => JSON.stringify(json.error));
		expect(messages).toHaveLength(10);
		for (const message of messages.slice(1)) {
			expect(message).toContain(`Unfinished upload ${id} (0.mp4, 750 kB of 1 MB) blocks new uploads`);
		}
		expect(service.requestsOf('uploadCreate')).toHaveLength(10);
	});

	it('is waited for while another process sends it', async () => {
		const staticData: IDataObject = {};
		interrupt();
		await messageOf(upload(service, { fileName: 'first.mp4', staticData }));
		const first = onlyUpload(service);
		const running = upload(service, { fileName: 'second.mp4', staticData });
		let heads = 0;
		await service.until(() => {
			const seen = service.requestsOf('uploadHead').length;
			if (seen > heads && !first.complete) first.offset += 1_000;
			heads = seen;
			return service.requestsOf('uploadCreate').length >= 4;
		});
		first.complete = true;
		first.offset = first.size;
		expect((await running).output.complete).toBe(true);
	});

	it('that another program holds is waited for once per run, not once per item', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, times: 1000 });
		const item = await itemWithFile(randomBytes(10), { fileName: 'a.mp4', mimeType: 'video/mp4' });
		const { items } = await executeNode({
			service,
			items: [item, item, item],
			onError: 'continueRegularOutput',
			parameters: {
				resource: 'upload',
				operation: 'upload',
				options: { returnVideo: false, maxWaitMinutes: 0.002 },
			},
		});
		expect(items).toHaveLength(3);
		const creates = service.requestsOf('uploadCreate').length;
		const first = creates - 2;
		expect(first).toBeGreaterThan(1);
	});
});

describe('Upload → Create', () => {
	const parameters = { resource: 'upload', operation: 'create', fileName: 'a.mp4', size: 10 };

	it('waits for the slot', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, times: 3 });
		const [output] = await executeForJson({ service, parameters });
		expect(output?.uploadId).toBe(onlyUpload(service).id);
		expect(service.requestsOf('uploadCreate')).toHaveLength(4);
	});

	it('stops after Max Wait', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, times: 1000 });
		const running = executeForJson({
			service,
			parameters: { ...parameters, options: { maxWaitMinutes: 0 } },
		});
		await expect(running).rejects.toBeInstanceOf(NodeApiError);
		expect(service.requestsOf('uploadCreate')).toHaveLength(1);
	});

	it('of several items explains that the service accepts one upload at a time', async () => {
		const message = await messageOf(
			executeForJson({ service, parameters, items: [{ json: {} }, { json: {} }] }),
		);
		expect(message).toContain(
			'create one upload, send its file with Upload → Resume, then create the next one',
		);
	});

	it('queues behind an upload of this process', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'delay', ms: 50 });
		const uploading = upload(service);
		await service.until(() => service.state.uploads.length === 1);
		await executeForJson({ service, parameters });
		await uploading;
		expect(service.requests.map(({ status }) => status)).not.toContain(429);
	});

	it('reports that a lost response may leave an upload behind, which holds the slot', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'lostResponse' });
		const message = await messageOf(executeForJson({ service, parameters }));
		expect(message).toContain('an upload may block others until the service drops it');
		expect(service.requestsOf('uploadCreate')).toHaveLength(2);
	});
});

describe('retries', () => {
	it('end when the offset moves back and forth', async () => {
		Object.assign(service.settings, { keepBytes: true, patchReturnsOffset: true });
		service.injectFault({
			on: 'uploadPatch',
			kind: 'loseBytes',
			bytes: SIZE,
			skip: 1,
			every: 3,
			times: 1000,
		});
		service.injectFault({ on: 'uploadPatch', kind: 'reset', skip: 2, every: 3, times: 1000 });
		const message = await messageOf(upload(service, { options: { maxRequestMegabytes: 0.1 } }));
		expect(message).toContain(`Upload ${onlyUpload(service).id} is at`);
		expect(service.requestsOf('uploadHead').length).toBeLessThanOrEqual(retryPolicy.tries + 1);
	});

	it('end after so many in total, also when each of them moves the offset', async () => {
		const { totalTries } = retryPolicy;
		retryPolicy.totalTries = 25;
		try {
			service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 1_000, times: 1000 });
			const message = await messageOf(upload(service));
			expect(onlyUpload(service)).toMatchObject({ offset: 25_000, complete: false });
			expect(message).toContain(`Upload ${onlyUpload(service).id} is at 25000 of ${SIZE} bytes`);
			expect(service.requestsOf('uploadPatch')).toHaveLength(25);
		} finally {
			retryPolicy.totalTries = totalTries;
		}
	});

	it('follow a service that lost bytes', async () => {
		service.settings.keepBytes = true;
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
		service.injectFault({ on: 'uploadHead', kind: 'loseBytes', bytes: 300_000 });
		const { bytes } = await upload(service);
		expect(onlyUpload(service)).toMatchObject({ complete: true, sha256: sha256(bytes) });
		expect(onlyUpload(service).patches.map(({ offset }) => offset)).toEqual([0, CUT - 300_000]);
	});

	it.each<[string, Fault['on']]>([
		['PATCH', 'uploadPatch'],
		['HEAD', 'uploadHead'],
	])('do not follow an offset beyond the file (%s)', async (_method, on) => {
		const headers = { 'Upload-Offset': String(SIZE + 1) };
		service.injectFault({ on, kind: 'status', status: 201, body: '', headers });
		const message = await messageOf(upload(service));
		expect(message).toMatch(
			/^The service reports an Upload-Offset of 1000001 bytes, but only the first 1000000 bytes of the file were sent/,
		);
	});

	it('do not skip bytes that were never sent', async () => {
		const headers = { 'Upload-Offset': '500000' };
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 201, body: '', headers });
		const message = await messageOf(upload(service, { options: { maxRequestMegabytes: 0.1 } }));
		expect(message).toMatch(
			/Upload-Offset of 500000 bytes, but only the first 104858 bytes of the file were sent/,
		);
	});

	it('end when a lost create may hold the slot, and the error explains it', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'lostResponse' });
		const message = await messageOf(upload(service));
		expect(message).toMatch(
			/^Too many simultaneous uploads.+an upload may block others until the service drops it/,
		);
		expect(service.requestsOf('uploadCreate')).toHaveLength(2);
	});
});

describe('a service that cannot be reached', () => {
	it.each(['upload', 'resume'] as const)('ends %s after a few tries', async (operation) => {
		await service.goDown();
		const credentialStore = new CredentialStore({ accessToken: '', ...service.credential });
		const parameters = { uploadId: 'some-upload' };
		const message = await messageOf(upload(service, { operation, parameters, credentialStore }));
		expect(message).toMatch(/^The service at \S+ refused the connection\./);
		// Each try signs in first.
		expect(credentialStore.renewals).toBe(retryPolicy.unreachableTries);
		await service.comeBack();
	});

	it('whose host is unknown is tried three times', async () => {
		const credential = { baseUrl: 'https://upload.service.invalid' };
		const credentialStore = new CredentialStore({ accessToken: '', ...service.credential, ...credential });
		const message = await messageOf(upload(service, { credentialStore }));
		// EAI_AGAIN where no name server can be reached.
		expect(message).toMatch(/upload\.service\.invalid (was not found|could not be looked up)\./);
		expect(credentialStore.renewals).toBe(retryPolicy.unreachableTries);
	});

	it('whose certificate is not trusted is tried three times', async () => {
		const pem = (name: string) =>
			readFileSync(join(__dirname, `../fakeService/loopbackCertificate/${name}.pem`), 'utf8');
		const secure = await startService({ tls: { key: pem('key'), cert: pem('cert') } });
		try {
			const credentialStore = new CredentialStore({ accessToken: '', ...secure.credential });
			const message = await messageOf(upload(secure, { credentialStore }));
			expect(message).toContain('has a self-signed TLS certificate');
			expect(credentialStore.renewals).toBe(retryPolicy.unreachableTries);
			expect(secure.requests).toEqual([]);
		} finally {
			await secure.close();
		}
	});

	it('is waited for after it has accepted bytes', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
		const running = upload(service);
		await service.until(() => service.state.uploads[0]?.offset === CUT);
		await service.goDown();
		await new Promise((resolve) => setTimeout(resolve, 60));
		await service.comeBack();
		expectArrived(service, (await running).bytes);
	});
});

describe('an upload ID', () => {
	it.each(['_x', '-x', 'a:b', '%20', 'a%2Fb', '~', '..', '%', 'ä'])(
		'that begins with %j works in Create, Get Status and Resume',
		async (prefix) => {
			service.settings.uploadIdPrefix =
				prefix === '%' || prefix === 'ä' ? encodeURIComponent(prefix) : prefix;
			const [created] = await executeForJson({
				service,
				parameters: { resource: 'upload', operation: 'create', fileName: 'keynote.mp4', size: SIZE },
			});
			const uploadId = created?.uploadId as string;
			const [status] = await executeForJson({
				service,
				parameters: { resource: 'upload', operation: 'getStatus', uploadId },
			});
			expect(status).toMatchObject({ uploadId, offset: 0 });
			const { bytes, output } = await upload(service, { operation: 'resume', parameters: { uploadId } });
			expectArrived(service, bytes);
			expect(output.uploadId).toBe(uploadId);
			expect(operations(service)).not.toContain('unknown');
		},
	);

	it.each(['.', '..', '%2e%2E', 'a?b', 'a#b', '\ud800'])('%j is not valid', async (uploadId) => {
		const running = executeForJson({
			service,
			parameters: { resource: 'upload', operation: 'getStatus', uploadId },
		});
		expect(await messageOf(running)).toMatch(/^Upload ID (.+ is not valid|contains a broken character)/);
		expect(service.requests).toEqual([]);
	});
});

import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { onPause } from '../execution/clock';
import { credentialStoreOf } from '../execution/executeNode';
import { by } from '../execution/locator';
import { policies } from '../execution/policies';
import type { Fault, OperationName } from '../fakeService';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { newUpload } from '../fakeService/state';
import { itemByMode } from '../sources/binaryModes';
import { expectArrived, failureOf, leaveUnfinished, upload, WEB_PAGE, type UploadRun } from './uploading';

serviceForEachTest();

it('An upload ends after so many tries without progress, with what happened, where it stands, and the next step', async () => {
	// The reason of the error contains this ID, too.
	const id = '127';
	const announced = newUpload(service.settings.applicationId, 'keynote.mp4', 1_000_000, null);
	service.state.uploads.push({ ...announced, id });
	const headers = { Location: `//any/v1/videos/uploads/${id}` };
	service.injectFault({ on: 'uploadCreate', kind: 'status', status: 201, body: '', headers });
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 400_000 });
	service.injectFault({ on: 'uploadPatch', kind: 'reset', times: 100 });
	const failure = await failureOf(upload(service));
	expect(failure.message).toMatch(/^The service at 127\.0\.0\.1:\d+ did not respond .*\. Upload /);
	expect(failure.message).toContain(`Upload ${id} has 400000 of 1000000 bytes.`);
	expect(failure.description).toBe('Run this again to resume it, or use Upload → Resume with this ID.');
	expect(failure.context.output).toEqual({ uploadId: id, offset: 400_000, size: 1_000_000 });
	expect(service.requestsOf('uploadPatch')).toHaveLength(policies.transfer.passes.tries + 1);
});

it('An upload ends after so many tries when the service accepts all bytes and reports that it has none', async () => {
	const headers = { 'Upload-Offset': '0' };
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 204, headers, body: '', times: 100 });
	await expect(upload(service)).rejects.toThrow('The service stored none of the bytes that were sent to it');
	expect(service.requestsOf('uploadPatch')).toHaveLength(policies.transfer.passes.tries);
	expect(service.requestsOf('uploadHead')).toHaveLength(policies.transfer.passes.tries);
});

it('An upload is not complete when the service has stored less than it accepted, and then forgets it', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'storeFewer', bytes: 600_000 });
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 100_000 });
	service.injectFault({ on: 'uploadHead', kind: 'forget', skip: 1 });
	// The file is sent anew, unless all bytes had left before the cut.
	const uploaded = await upload(service).catch(() => undefined);
	expect(service.state.videos).toHaveLength(uploaded ? 1 : 0);
});

const lower = 'Set Max Request Size in the options of this node to less than the limit.';
const account =
	'Check email, password and application ID in the credential, and that they may use this plan.';
it.each<[number, number, string, boolean?]>([
	[413, 1, `${lower} Run this again to resume it, or use Upload → Resume with this ID.`],
	[400, 1, 'Use Upload → Resume with this ID.', false],
	[401, 3, `${account} Then complete the upload: use Upload → Resume with this ID.`],
])('An upload ends with %d after %d requests: %s', async (status, requests, description, resumes = true) => {
	service.injectFault({ on: 'uploadPatch', kind: 'status', status, times: 1000 });
	const failure = await failureOf(upload(service, { options: { resumeUnfinished: resumes } }));
	expect(failure.description).toBe(description);
	expect(service.requestsOf('uploadPatch')).toHaveLength(requests);
});

it.each<[string, keyof typeof itemByMode, Partial<Fault>]>([
	['a cut', 'memory', { kind: 'reset' }],
	['a cut', 'filesystem', { kind: 'reset' }],
	['a 5xx', 'database', { kind: 'status', status: 503 }],
	['an expired token', 's3', { kind: 'status', status: 401 }],
	['a conflict', 'memory', { kind: 'status', status: 409 }],
	['a lock', 'memory', { kind: 'status', status: 423 }],
])("An upload continues at the service's offset after %s, in mode %s", async (_what, mode, fault) => {
	service.injectFault({ on: 'uploadPatch', afterBytes: 600_000, ...fault } as Fault);
	const bytes = randomBytes(1_000_000);
	const { output } = await upload(service, { bytes, item: await itemByMode[mode](bytes) });
	expectArrived(service, bytes);
	expect(output.resumes).toBe(1);
});

it.each([400, 419, 440, 498])(
	'An upload continues with a new token after %d, also to HEAD',
	async (status) => {
		const fault = { kind: 'status', status, error: 'Token expired' } as const;
		service.injectFault({ on: 'uploadPatch', afterBytes: 600_000, ...fault });
		service.injectFault({ on: 'uploadHead', ...fault });
		const { bytes } = await upload(service);
		expectArrived(service, bytes);
		expect(service.requestsOf('authenticate')).toHaveLength(2);
	},
);

const plain = { body: '404 page not found', headers: { 'content-type': 'text/plain' } };
it.each<[string, Partial<Fault>]>([
	['a proxy answers its HEAD', { on: 'uploadHead', times: 2, ...plain }],
	['a proxy answers its PATCH', { on: 'uploadPatch', times: 2, ...plain }],
	['the service denies it twice', { on: 'uploadHead', times: 2 }],
])('An upload stays the same one when %s with 404', async (_what, fault) => {
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 600_000 });
	service.injectFault({ kind: 'status', status: 404, ...fault } as Fault);
	const { bytes } = await upload(service);
	expectArrived(service, bytes);
});

it.each<[OperationName, UploadRun]>([
	['uploadCreate', {}],
	['authenticate', {}],
	['uploadHead', { resume: 'reserved' }],
])('An upload fails after three tries, as any other operation, when %s gets no response', async (on, run) => {
	service.injectFault({ on, kind: 'reset', times: 100 });
	expect((await failureOf(upload(service, run))).message).toContain('did not respond');
	expect(service.requestsOf(on)).toHaveLength(3);
});

/** The service refuses connections as soon as it has created the upload, so that no byte leaves n8n. */
async function refusedAfterCreation(bytes: Buffer) {
	service.injectFault({ on: 'uploadCreate', kind: 'trickle', ms: 1 });
	const options = { resumeUnfinished: false };
	const running = upload(service, { bytes, options, onError: 'continueRegularOutput' });
	await service.until(() => service.requestsOf('uploadCreate')[0]?.status !== undefined);
	await service.goDown();
	return { running };
}

it.each([1_000, 1_000_000])('An upload of %d bytes fails when three PATCH are refused', async (size) => {
	const { running } = await refusedAfterCreation(randomBytes(size));
	const { log, output } = await running;
	await service.comeBack();
	expect(output.error).toMatchObject({ message: expect.stringContaining('ECONNREFUSED') });
	expect(log.filter((line) => line.includes('was interrupted'))).toHaveLength(2);
});

it.each([1_000, 1_000_000])('A refused and forgotten upload of %d bytes is created anew', async (size) => {
	policies.request.passes.firstMs = 1_000;
	const { running } = await refusedAfterCreation(randomBytes(size));
	service.state.uploads.splice(0);
	await setTimeout(20);
	await service.comeBack();
	expect((await running).output).toMatchObject({ complete: true, bytesSent: size });
});

it.each([404, 429, 500])('An upload answered with %i and dropped is sent again', async (status) => {
	const body = status === 429 ? 'Slow down' : { error: 'Upload not found' };
	service.injectFault({ on: 'uploadPatch', kind: 'status', status, body });
	service.injectFault({ on: 'uploadHead', kind: 'forget' });
	const { bytes } = await upload(service, { bytes: randomBytes(50_000) });
	expectArrived(service, bytes);
});

it('An upload waits for a rate limit of its HEAD for as long as other requests do', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 600_000 });
	const limit: Fault = { on: 'uploadHead', kind: 'status', status: 429 };
	service.injectFault({ ...limit, headers: { 'Retry-After': '2' } });
	service.injectFault({ ...limit, times: 15 });
	let pauses = 0;
	onPause(2_000, (end) => {
		pauses++;
		end();
	});
	const { bytes, log } = await upload(service);
	expectArrived(service, bytes);
	expect(pauses).toBe(1);
	expect(log.filter((line) => line.includes('waits for the upload slot'))).toEqual([]);
});

it.each<[string, Fault]>([
	['is lost', { on: 'uploadCreate', kind: 'lostResponse' }],
	['is a web page', { on: 'uploadCreate', kind: 'status', status: 200, ...WEB_PAGE }],
])('An upload is created again when the response %s', async (_what, fault) => {
	service.settings.slotHeldBy = 'transferring';
	service.injectFault(fault);
	await upload(service);
	expect(service.requestsOf('uploadCreate')).toHaveLength(2);
	service.injectFault({ ...fault, times: 3 });
	const { description, message } = await failureOf(upload(service, { fileName: 'b.mp4' }));
	expect(description).not.toContain('may have been carried out');
	expect(message).not.toContain('created an upload');
});

it('An upload is resumed as the latest one of its name and size, in its own folder alone, and if Resume Unfinished is on', async () => {
	service.settings.slotHeldBy = 'transferring';
	const [folder] = service.seedFolders(1);
	const bytes = randomBytes(1_000_000);
	// The accents of its name may be composed or apart.
	const fileName = 'Über uns é.mp4'.normalize('NFC');
	for (const content of [randomBytes(1_000_000), bytes])
		await leaveUnfinished(service, { bytes: content, fileName: fileName.normalize('NFD') });
	const anew = { options: { resumeUnfinished: false } };
	expect((await upload(service, { bytes, fileName, ...anew })).output.bytesSent).toBe(1_000_000);
	const parameters = { folder: by('uuid', folder?.uuid ?? '') };
	expect((await upload(service, { bytes, fileName, parameters })).output.bytesSent).toBe(1_000_000);
	expect((await upload(service, { bytes: randomBytes(500), fileName })).hints).toEqual([]);
	expect((await upload(service, { bytes, fileName })).output.bytesSent).toBe(400_000);
});

it('An upload is named by the error of a later try, which fails before it looks for it', async () => {
	const bytes = randomBytes(1_000_000);
	const id = await leaveUnfinished(service, { bytes });
	service.injectFault({ on: 'videoList', kind: 'status', status: 503, times: 100 });
	const failure = await failureOf(upload(service, { bytes, options: { skipIfExists: true } }));
	expect(failure.message).toMatch(/503.* Upload [\w-]+ may be unfinished/);
	expect(failure.context.output).toEqual({ uploadId: id, offset: null, size: 1_000_000 });
});

const forgotten = { on: 'uploadHead', kind: 'forget' } as const;
it.each<[string, Fault[]]>([
	['its PATCH', [{ ...forgotten, on: 'uploadPatch' }]],
	['its HEAD', [forgotten]],
	[
		'a PATCH that stores nothing',
		[
			{ on: 'uploadPatch', kind: 'storeFewer', bytes: 0 },
			{ ...forgotten, skip: 1 },
		],
	],
])('An upload is replaced by a new one, once, when it is forgotten at %s', async (_when, faults) => {
	faults.forEach(service.injectFault.bind(service));
	const { hints, output, bytes } = await upload(service, { options: { maxRequestMegabytes: 0.5 } });
	expectArrived(service, bytes);
	expect(output.complete).toBe(true);
	expect(hints[0]?.message).toMatch(/was uploaded from its beginning: upload [\w-]+ could not be resumed/);
	service.injectFault({ on: 'uploadPatch', kind: 'forget', times: 2 });
	const other = { bytes, fileName: 'other.mp4' };
	const failure = await failureOf(upload(service, other));
	expect(failure.description).toBe('The service does not know it: run this again to start a new one.');
	expect((await upload(service, other)).hints).toEqual([]);
});

it('An upload whose token expires after the password was changed says to check the credential', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'expireToken', afterBytes: 400_000 });
	const running = failureOf(upload(service));
	await service.until(() => service.requestsOf('uploadCreate')[0]?.status === 201);
	service.settings.password = 'changed-meanwhile';
	const { description, message } = await running;
	expect(message).toMatch(/^Signing in .* failed \(401\): .* Upload \S+ may be unfinished\.$/);
	expect(description).toBe(
		'Check Base URL, email, password and application ID in the credential. Then complete the upload: use Upload → Resume with this ID.',
	);
});

it('An upload continues after its token expires, although the Plan ID of the credential was edited meanwhile', async () => {
	const credentialStore = credentialStoreOf({ service });
	service.injectFault({ on: 'uploadPatch', kind: 'expireToken', afterBytes: 400_000 });
	const running = upload(service, { credentialStore });
	await service.until(() => service.requestsOf('uploadCreate')[0]?.status === 201);
	credentialStore.stored.planId = 'plan-2002';
	expectArrived(service, (await running).bytes);
});

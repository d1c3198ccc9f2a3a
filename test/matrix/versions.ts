import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { outputOf } from '../n8n/execution';
import { operationNames } from '../fakeService';
import { allResources } from './allResources';
import type { Checklist } from './checklist';
import { passesErrorItems } from './errorItems';
import { HeldMemoryWatch } from './heldMemory';
import { uploadsLargeFile } from './largeUpload';
import { onePixelPng, requireArrived, writeTestFile } from './files';
import { inEachRelease, type MatrixSetup, type Place } from './setup';
import { credentialFor, runToSuccess, type Subject } from './subject';
import { triggersOnce } from './trigger';
import * as nodes from '../n8n/workflow';

/** The same packed tarball, unchanged, in each release. */
export async function checkVersions(checklist: Checklist, setup: MatrixSetup): Promise<void> {
	await inEachRelease(checklist, setup, checkVersion);
}

async function checkVersion(place: Place): Promise<void> {
	const service = await place.service();
	const memory = new HeldMemoryWatch();
	place.endLater(() => memory.remove());
	const n8n = await place.n8n(memory.env);
	const credential = await credentialFor(n8n, service);
	const subject = { n8n, service, credential };
	const row = async (what: string, work: () => Promise<string>) =>
		await place.row(what, async () => {
			service.clearFaults();
			service.state.uploads = [];
			service.requests.length = 0;
			return await work();
		});
	await row('tests the credential', async () => await testsCredential(subject));
	await row('all resources', async () => await runsAllResources(subject));
	await row('upload, cut and token expired (401)', async () => await uploadsThroughFaults(subject, 401));
	await row('upload, cut and token expired (403)', async () => await uploadsThroughFaults(subject, 403));
	await row('large upload, stalled once', async () => await uploadsLargeFile(subject, 1, memory));
	await row('error items', async () => await passesErrorItems(subject));
	await row('trigger', async () => await triggersOnce(subject));
}

async function testsCredential({ n8n, service, credential }: Subject): Promise<string> {
	const right = await n8n.rest.testCredential(credential, service.credential);
	assert.equal(right.status, 'OK', right.message);
	const wrong = await n8n.rest.testCredential(credential, { ...service.credential, password: 'wrong' });
	assert.equal(wrong.status, 'Error', 'A wrong password passed the test');
	assert.match(wrong.message, /Invalid email or password/);
	return `wrong password: "${wrong.message}"`;
}

async function runsAllResources({ n8n, service }: Subject): Promise<string> {
	// A credential of its own, so that the token is requested as well.
	const credential = await credentialFor(n8n, service);
	const video = writeTestFile(n8n.filesFolder, 'all-resources.mp4', 1_000_000);
	const image = join(n8n.filesFolder, 'thumbnail.png');
	writeFileSync(image, onePixelPng);
	const workflow = allResources(credential, video.path, image);
	await runToSuccess(n8n, workflow);
	const called = new Set(service.requests.map(({ operation }) => operation));
	assert.deepEqual(
		operationNames.filter((name) => !called.has(name)),
		[],
		'Operations of the reference that no node called',
	);
	// Page 0 of the event list is requested to find out the number of the first page.
	const isPageProbe = (reason: string | undefined) => reason?.includes('is before the first page') === true;
	const refused = service.requests.filter(
		({ status, reason }) => (status === undefined || status >= 400) && !isPageProbe(reason),
	);
	assert.deepEqual(
		refused.map(({ method, path, status, reason }) => `${method} ${path} ${status} ${reason}`),
		[],
		'Requests that the service rejected',
	);
	return `${workflow.nodes.length} nodes, ${called.size} operations, ${service.requests.length} requests`;
}

async function uploadsThroughFaults(
	{ n8n, service, credential }: Subject,
	status: 401 | 403,
): Promise<string> {
	const file = writeTestFile(n8n.filesFolder, `faults-${status}.mp4`, 40_000_000);
	service.settings.expiredTokenStatus = status;
	service.injectFault({ on: 'uploadCreate', kind: 'expireToken' });
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 22_000_000 });
	service.injectFault({ on: 'uploadPatch', kind: 'expireToken', afterBytes: 9_000_000 });
	const execution = await runToSuccess(
		n8n,
		nodes.workflowOf(file.name, [
			nodes.manualTrigger(),
			nodes.readFiles(file.path),
			nodes.upload(credential),
		]),
	);
	const { bytesReceived } = requireArrived(service.state.uploads, file);
	assert.equal(bytesReceived, file.bytes.length, 'Bytes were sent twice');
	const renewals = service.requestsOf('authenticate').length;
	const [item] = outputOf(execution, nodes.UPLOAD);
	return `${JSON.stringify(item?.json.resumes)} resumes, ${renewals} sign-ins, no byte sent twice`;
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DateTime } from 'luxon';

import { importExampleWorkflow, noteText, uploadAndSchedule } from '../n8n/exampleWorkflows';
import { errorOf, outputOf } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import type { StoredCredential } from '../n8n/rest';
import { writeSampleVideo } from '../n8n/sampleVideo';
import type { RunningService } from '../fakeService';
import { setUpTestEnvironment, type TestEnvironment } from './testEnvironment';

let environment: TestEnvironment;
let service: RunningService;
let n8n: RunningN8n;
let credential: StoredCredential;

beforeAll(async () => {
	environment = await setUpTestEnvironment();
	({ service, n8n, credential } = environment);
}, 180_000);

afterAll(async () => {
	await environment?.remove();
});

it('shows both nodes in the node panel', async () => {
	const names = (await n8n.rest.nodeTypes()).map(({ name }) => name);

	expect(names).toEqual(
		expect.arrayContaining([
			'n8n-nodes-video-hosting.videoHosting',
			'n8n-nodes-video-hosting.videoHostingTrigger',
		]),
	);
});

it('accepts the right credential', async () => {
	expect(await n8n.rest.testCredential(credential, service.credential)).toEqual({
		status: 'OK',
		message: 'Connection successful!',
	});
});

it('shows the words of the service when the password is wrong', async () => {
	const { status, message } = await n8n.rest.testCredential(credential, {
		...service.credential,
		password: 'wrong',
	});

	expect(status).toBe('Error');
	expect(message).toContain('Invalid email or password');
});

it('uploads a video byte for byte and schedules its live event, with no request too many', async () => {
	const video = join(n8n.filesFolder, 'my-video.avi');
	writeSampleVideo(video);
	const fresh = await n8n.rest.createCredential('videoHostingApi', 'Not signed in yet', service.credential);
	const workflow = await importExampleWorkflow(n8n, uploadAndSchedule, fresh);
	const notes = workflow.nodes.map(noteText).join('\n');
	expect(notes).toContain('Everything is set up: click **Execute workflow**');
	expect(notes).not.toMatch(/^\d\. /m);
	service.requests.length = 0;
	const possibleDates = [inAWeekAtEight()];

	const id = await n8n.rest.runWorkflow(workflow.id, 'When clicking ‘Execute workflow’');
	const execution = await n8n.rest.waitForExecution(id);
	possibleDates.push(inAWeekAtEight());

	expect(errorOf(execution)).toBe('');
	expect(execution.status).toBe('success');

	const bytes = readFileSync(video);
	const [upload] = service.state.uploads;
	expect(upload).toMatchObject({
		filename: 'my-video.avi',
		complete: true,
		size: bytes.length,
		sha256: createHash('sha256').update(bytes).digest('hex'),
	});
	expect(service.state.events).toHaveLength(1);
	const [event] = service.state.events;
	expect(event).toMatchObject({ title: 'Premiere: my-video.avi', planId: service.credential.planId });
	expect(possibleDates).toContain(event?.dateScheduled);

	const newestFirst = { orderBy: 'created_date', sort: 'DESC', page: '1' };
	expect(service.requests.map(({ method, path, query }) => [method, path, query])).toEqual([
		['POST', '/v1/authenticate', {}],
		['POST', '/v1/videos', {}],
		['PATCH', `/v1/videos/uploads/${upload?.id}`, {}],
		// The fake service's response to PATCH has no Upload-Offset, as none is documented (docs/api-reference.md#send-bytes).
		['HEAD', `/v1/videos/uploads/${upload?.id}`, {}],
		// The video, found only when no other one can be it: the empty page ends the list.
		['GET', '/v1/videos/application', newestFirst],
		['GET', '/v1/videos/application', { ...newestFirst, page: '2' }],
		['POST', '/v1/events/insert', {}],
	]);
	expect(outputOf(execution, 'Upload Video')).toEqual([
		expect.objectContaining({
			json: expect.objectContaining({
				uploadId: upload?.id,
				fileName: 'my-video.avi',
				size: bytes.length,
				offset: bytes.length,
				complete: true,
				bytesSent: bytes.length,
				resumes: 0,
				skipped: false,
				video: expect.objectContaining({ name: 'my-video.avi' }),
			}),
		}),
	]);
}, 120_000);

it('leaves neither password nor token in the log of n8n', () => {
	const tokens = service.requests.flatMap(
		({ headers }) => headers.authorization?.replace('Bearer ', '') ?? [],
	);

	expect(tokens).not.toHaveLength(0);
	for (const secret of [service.credential.password, ...tokens]) expect(n8n.log()).not.toContain(secret);
});

function inAWeekAtEight(): string {
	return DateTime.now().setZone('Europe/Berlin').plus({ days: 7 }).toFormat("yyyy-MM-dd '20:00:00'");
}

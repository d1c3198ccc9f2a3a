import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { outputOf } from '../n8n/execution';
import { poll } from '../n8n/poll';
import { filter, readFiles, TRIGGER, upload, videoHostingTrigger, workflowOf } from '../matrix/workflow';
import type { LiveEvent } from '../fakeService';
import { setUpTestEnvironment, type TestEnvironment } from './testEnvironment';

let environment: TestEnvironment;
let events: LiveEvent[];
let workflowId: string;

beforeAll(async () => {
	environment = await setUpTestEnvironment();
	const { service, n8n, credential } = environment;
	events = service.seedEvents([{ title: 'Uploads' }, { title: 'Second' }, { title: 'Third' }]);
	const file = join(n8n.filesFolder, 'recording.mp4');
	writeFileSync(file, Buffer.alloc(1024 * 1024, 1));
	const workflow = workflowOf('Upload after an event', [
		videoHostingTrigger(credential),
		filter('Uploads Only', '={{ $json.title }}', 'Uploads'),
		readFiles(file),
		upload(credential),
	]);
	({ id: workflowId } = await n8n.rest.createWorkflow(workflow));
}, 180_000);

afterAll(async () => {
	await environment?.remove();
});

function goesLive(place: number): void {
	environment.service.setEventStatus(events[place]?.hash ?? '', 'LIVE');
}

/** Waits until n8n has read the list of events so many times from now on. */
async function polls(times: number): Promise<void> {
	const { service } = environment;
	const reads = () => service.requestsOf('eventSearchAll').filter(({ status }) => status === 200).length;
	const before = reads();
	// Each poll reads a page with the events and an empty one.
	await service.until(() => reads() >= before + 2 * times);
}

async function finished() {
	const all = await environment.n8n.rest.executions(workflowId);
	return all.filter(({ mode, status }) => mode === 'trigger' && ['success', 'error'].includes(status));
}

/** Titles of the events that the finished executions reported, in alphabetical order. */
async function reported(): Promise<unknown[]> {
	const items = [];
	for (const { id } of await finished()) {
		const execution = await environment.n8n.rest.waitForExecution(id);
		items.push(...outputOf(execution, TRIGGER).map(({ json }) => json.title));
	}
	return items.sort();
}

it('reports a change once that is noticed while an upload of the same workflow runs and fails', async () => {
	const { service, n8n } = environment;
	await n8n.rest.activateWorkflow(workflowId);
	await polls(1);
	service.injectFault({ kind: 'delay', on: 'uploadPatch', ms: 15_000 });
	service.injectFault({ kind: 'status', on: 'uploadPatch', status: 400, error: 'Bad Request' });
	goesLive(0);
	await service.until(() => service.requestsOf('uploadPatch').length > 0);

	goesLive(1);
	await poll('the second change to be reported', 60_000, async () =>
		(await finished()).length > 0 ? true : undefined,
	);
	expect(await reported()).toEqual(['Second']);
	await poll('the upload to fail', 60_000, async () => ((await finished()).length > 1 ? true : undefined));
	expect((await finished()).map(({ status }) => status).sort()).toEqual(['error', 'success']);
	expect(await reported()).toEqual(['Second', 'Uploads']);
}, 180_000);

it('repeats nothing when the workflow is deactivated and activated again', async () => {
	const { n8n } = environment;
	await n8n.rest.deactivateWorkflow(workflowId);
	await n8n.rest.activateWorkflow(workflowId);
	await polls(2);
	expect(await reported()).toEqual(['Second', 'Uploads']);
}, 120_000);

it('repeats nothing after a restart of n8n, and reports the next change', async () => {
	const { n8n } = environment;
	await n8n.stop();
	await n8n.start();
	await polls(2);
	expect(await reported()).toEqual(['Second', 'Uploads']);
	goesLive(2);
	await poll('the third change to be reported', 60_000, async () =>
		(await finished()).length > 2 ? true : undefined,
	);
	await polls(2);
	expect(await reported()).toEqual(['Second', 'Third', 'Uploads']);
}, 180_000);

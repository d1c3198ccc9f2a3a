import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { outputOf } from '../n8n/execution';
import type { N8n } from '../n8n/instance';
import { sharedN8n } from '../n8n/jestSetup';
import type { StoredCredential } from '../n8n/rest';
import { loopOver, videoHosting } from '../n8n/workflow';

const CREATE = 'Create Event';

let n8n: N8n;
let service: RunningService;
let credential: StoredCredential;

beforeAll(async () => {
	n8n = await sharedN8n();
});
serviceForEachTest(async (started) => {
	service = started;
	credential = await n8n.rest.createCredential('videoHostingApi', 'Retry', service.credential);
});

it('creates each of 40 events once in loops of two executions, whatever is tried again', async () => {
	const titles = [...Array(40).keys()].map((n) => `Lesson ${n}`);
	const dateScheduled = '2030-01-01T12:00:00Z';
	const parameters = { resource: 'event', operation: 'create', title: '={{ $json.title }}', dateScheduled };
	for (const skip of [7, 13, 14, 30, 50])
		service.injectFault({ on: 'eventInsert', kind: 'status', status: 500, skip });
	const items = titles.map((title) => ({ json: { title } }));
	const loop = loopOver(videoHosting(CREATE, credential, parameters), 5, items);
	const executions = await Promise.all([n8n.rest.runToSuccess(loop), n8n.rest.runToSuccess(loop)]);
	const outputs = executions.map((execution) => outputOf(execution, CREATE));
	for (const output of outputs)
		expect(output.map(({ json, pairedItem }) => [json.title, pairedItem])).toEqual(
			titles.map((title, index) => [title, { item: index % 5 }]),
		);
	const ids = outputs.flat().map(({ json }) => json.eventId);
	expect(ids.sort()).toEqual(service.state.events.map(({ eventId }) => eventId).sort());
}, 60_000);

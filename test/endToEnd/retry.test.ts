import type { INodeExecutionData } from 'n8n-workflow';

import type { Execution } from '../n8n/execution';
import { chain, MANUAL_TRIGGER, manualTrigger, node, to, videoHosting, workflowOf } from '../n8n/workflow';
import { joinTestEnvironment, type TestEnvironment } from './testEnvironment';

const NODE = 'Video Hosting';
const LOOP = 'Loop';

let environment: TestEnvironment;

beforeAll(async () => {
	environment = await joinTestEnvironment();
}, 180_000);
afterAll(async () => {
	await environment?.remove();
});

/** The items of the node's first output, over all its runs. */
function outputOfAllRuns({ data }: Execution): INodeExecutionData[] {
	const runs = data.resultData.runData[NODE] ?? [];
	return runs.flatMap((run) => run.data?.main?.[0] ?? []);
}

it('creates each of 40 events once in loops of two executions, whatever is tried again', async () => {
	const { credential, service } = environment;
	const { rest } = environment.n8n;
	service.state.events.length = 0;
	const titles = [...Array(40).keys()].map((n) => `Lesson ${n}`);
	const dateScheduled = '2030-01-01T12:00:00Z';
	const parameters = { resource: 'event', operation: 'create', title: '={{ $json.title }}', dateScheduled };
	const create = {
		...videoHosting(NODE, credential, parameters),
		...{ retryOnFail: true, maxTries: 5, waitBetweenTries: 1 },
	};
	const loop = node(LOOP, 'n8n-nodes-base.splitInBatches', 3, { batchSize: 5 });
	const { id } = await rest.createWorkflow({
		...workflowOf('Retry', [manualTrigger(), loop, create]),
		connections: {
			...chain(MANUAL_TRIGGER, LOOP),
			// The second output of Loop Over Items is the loop.
			[LOOP]: { main: [[], ...(to(NODE).main ?? [])] },
			...chain(NODE, LOOP),
		},
		pinData: { [MANUAL_TRIGGER]: titles.map((title) => ({ json: { title } })) },
	});
	for (const skip of [7, 13, 14, 30, 50])
		service.injectFault({ on: 'eventInsert', kind: 'status', status: 500, skip });
	const run = async () => await rest.waitForExecution(await rest.runWorkflow(id, MANUAL_TRIGGER));
	const outputs = (await Promise.all([run(), run()])).map(outputOfAllRuns);
	service.clearFaults();
	for (const output of outputs)
		expect(output.map(({ json, pairedItem }) => [json.title, pairedItem])).toEqual(
			titles.map((title, index) => [title, { item: index % 5 }]),
		);
	const ids = outputs.flat().map(({ json }) => json.eventId);
	expect(ids.sort()).toEqual(service.state.events.map(({ eventId }) => eventId).sort());
}, 60_000);

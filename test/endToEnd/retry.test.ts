import type { INode, INodeExecutionData } from 'n8n-workflow';

import { errorOf, type Execution } from '../n8n/execution';
import { setUpTestEnvironment, type TestEnvironment } from './testEnvironment';

const START = 'When clicking ‘Execute workflow’';
const NODE = 'Create event';
const LOOP = 'Loop Over Items';
const titles = [...Array(40).keys()].map((n) => `Lesson ${n}`);

let environment: TestEnvironment;

beforeAll(async () => {
	environment = await setUpTestEnvironment();
}, 180_000);
afterAll(async () => {
	await environment?.remove();
});
beforeEach(() => {
	const { service } = environment;
	service.state.events.length = 0;
	service.requests.length = 0;
	service.clearFaults();
});

const failCreate = (skip: number) =>
	environment.service.injectFault({ on: 'eventInsert', kind: 'status', status: 500, skip });
const created = () => environment.service.state.events.map(({ title }) => title);

/** Stores a workflow that creates one event for each title, with Retry On Fail; returns what runs it once. */
async function creatingWorkflow(
	settings: Partial<INode>,
	batchSize?: number,
): Promise<() => Promise<Execution>> {
	const { n8n, credential } = environment;
	const node = (name: string, type: string, parameters: INode['parameters']): INode => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
	});
	const create = {
		...node(NODE, 'n8n-nodes-video-hosting.videoHosting', {
			resource: 'event',
			operation: 'create',
			title: '={{ $json.title }}',
			dateScheduled: '2030-01-01T12:00:00Z',
		}),
		credentials: { videoHostingApi: { id: credential.id, name: credential.name } },
		retryOnFail: true,
		waitBetweenTries: 1,
		...settings,
	};
	const loop = { ...node(LOOP, 'n8n-nodes-base.splitInBatches', { batchSize }), typeVersion: 3 };
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	const { id } = await n8n.rest.createWorkflow({
		name: 'Retry',
		nodes: [
			node(START, 'n8n-nodes-base.manualTrigger', {}),
			create,
			...(batchSize === undefined ? [] : [loop]),
		],
		connections:
			batchSize === undefined
				? { [START]: { main: [to(NODE)] } }
				: {
						[START]: { main: [to(LOOP)] },
						[LOOP]: { main: [[], to(NODE)] },
						[NODE]: { main: [to(LOOP)] },
					},
		pinData: { [START]: titles.map((title) => ({ json: { title } })) },
	});
	return async () => await n8n.rest.waitForExecution(await n8n.rest.runWorkflow(id, START));
}

/** The items of one output, over all runs of the node. */
function outputOfAllRuns({ data }: Execution, output = 0): INodeExecutionData[] {
	const runs = data.resultData.runData[NODE] ?? [];
	return runs.flatMap((run) => run.data?.main?.[output] ?? []);
}

const pairedTitles = (items: INodeExecutionData[]): Array<[unknown, unknown]> =>
	items.map(({ json, pairedItem }) => [json.title, pairedItem]);
const allPaired = titles.map((title, item) => [title, { item }]);

it('creates 40 events of 40 items when the 21st fails once', async () => {
	const run = await creatingWorkflow({});
	failCreate(20);
	const execution = await run();
	expect(errorOf(execution)).toBe('');
	expect(created()).toEqual(titles);
	expect(pairedTitles(outputOfAllRuns(execution))).toEqual(allPaired);
}, 60_000);

it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'sends again only the failed items when the first item failed (%s)',
	async (onError) => {
		const run = await creatingWorkflow({ onError });
		[0, 20].forEach(failCreate);
		const execution = await run();
		expect(created().sort()).toEqual([...titles].sort());
		expect(pairedTitles(outputOfAllRuns(execution))).toEqual(allPaired);
		expect(outputOfAllRuns(execution, 1)).toEqual([]);
	},
	60_000,
);

it('returns the item that failed in each try by the error output', async () => {
	const run = await creatingWorkflow({ onError: 'continueErrorOutput', maxTries: 2 });
	// The first item is sent first in the first try, and alone in the second.
	[0, 40].forEach(failCreate);
	const execution = await run();
	expect(created()).toEqual(titles.slice(1));
	expect(pairedTitles(outputOfAllRuns(execution))).toEqual(allPaired.slice(1));
	expect(outputOfAllRuns(execution, 1).map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
		[expect.stringContaining('Injected fault 500'), { item: 0 }],
	]);
}, 60_000);

it('creates each event once in a loop', async () => {
	const run = await creatingWorkflow({}, 5);
	[7, 13, 14, 30].forEach(failCreate);
	const execution = await run();
	expect(errorOf(execution)).toBe('');
	expect(created()).toEqual(titles);
	expect(pairedTitles(outputOfAllRuns(execution))).toEqual(
		titles.map((title, index) => [title, { item: index % 5 }]),
	);
}, 60_000);

it('keeps two executions of one workflow apart', async () => {
	const run = await creatingWorkflow({ maxTries: 5 });
	[10, 31, 50].forEach(failCreate);
	const executions = await Promise.all([run(), run()]);
	const outputs = executions.map((execution) => outputOfAllRuns(execution));
	for (const output of outputs) expect(pairedTitles(output)).toEqual(allPaired);
	const ids = outputs.flat().map(({ json }) => json.eventId);
	expect(ids.sort()).toEqual(environment.service.state.events.map(({ eventId }) => eventId).sort());
}, 60_000);

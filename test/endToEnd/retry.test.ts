import type { IConnections, IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { errorOf, type Execution } from '../n8n/execution';
import {
	chain,
	MANUAL_TRIGGER,
	manualTrigger,
	node,
	noOperation,
	to,
	videoHosting,
	workflowOf,
} from '../n8n/workflow';
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
beforeEach(() => {
	const { service } = environment;
	service.state.events.length = 0;
	service.state.uploads.length = 0;
	service.clearFaults();
});

/** Stores a workflow with these items as the output of its trigger; returns what runs it once. */
async function workflowOfItems(
	items: INodeExecutionData[],
	nodes: INode[],
	connections: IConnections,
): Promise<() => Promise<Execution>> {
	const { rest } = environment.n8n;
	const { id } = await rest.createWorkflow({
		...workflowOf('Retry', [manualTrigger(), ...nodes]),
		connections,
		pinData: { [MANUAL_TRIGGER]: items },
	});
	return async () => await rest.waitForExecution(await rest.runWorkflow(id, MANUAL_TRIGGER));
}

function measured(parameters: IDataObject, settings: Partial<INode>): INode {
	return { ...videoHosting(NODE, environment.credential, parameters), waitBetweenTries: 1, ...settings };
}

/** The items of a node's first output, over all its runs. */
function outputOfAllRuns({ data }: Execution, name = NODE): INodeExecutionData[] {
	const runs = data.resultData.runData[name] ?? [];
	return runs.flatMap((run) => run.data?.main?.[0] ?? []);
}

it('creates each of 40 events once in loops of two executions, whatever is tried again', async () => {
	const { service } = environment;
	const titles = [...Array(40).keys()].map((n) => `Lesson ${n}`);
	const dateScheduled = '2030-01-01T12:00:00Z';
	const create = measured(
		{ resource: 'event', operation: 'create', title: '={{ $json.title }}', dateScheduled },
		{ retryOnFail: true, maxTries: 5 },
	);
	const run = await workflowOfItems(
		titles.map((title) => ({ json: { title } })),
		[node(LOOP, 'n8n-nodes-base.splitInBatches', 3, { batchSize: 5 }), create],
		{
			...chain(MANUAL_TRIGGER, LOOP),
			// The second output of Loop Over Items is the loop.
			[LOOP]: { main: [[], ...(to(NODE).main ?? [])] },
			...chain(NODE, LOOP),
		},
	);
	for (const skip of [7, 13, 14, 30, 50])
		service.injectFault({ on: 'eventInsert', kind: 'status', status: 500, skip });
	const executions = await Promise.all([run(), run()]);
	const outputs = executions.map((execution) => outputOfAllRuns(execution));
	for (const output of outputs)
		expect(output.map(({ json, pairedItem }) => [json.title, pairedItem])).toEqual(
			titles.map((title, index) => [title, { item: index % 5 }]),
		);
	const ids = outputs.flat().map(({ json }) => json.eventId);
	expect(ids.sort()).toEqual(service.state.events.map(({ eventId }) => eventId).sort());
}, 60_000);

it('creates an event by the next try when signing in failed once', async () => {
	const { credential, n8n, service } = environment;
	const fresh = await n8n.rest.createCredential('videoHostingApi', 'Fresh', service.credential);
	service.injectFault({ on: 'authenticate', kind: 'status', status: 503 });
	const parameters = {
		resource: 'event',
		operation: 'create',
		title: 'Keynote',
		dateScheduled: '2030-01-01',
	};
	const credentials = { videoHostingApi: { ...credential, id: fresh.id, name: fresh.name } };
	const create = measured(parameters, { retryOnFail: true, credentials });
	const run = await workflowOfItems([{ json: {} }], [create], chain(MANUAL_TRIGGER, NODE));
	expect(errorOf(await run())).toBe('');
	expect(service.state.events.map(({ title }) => title)).toEqual(['Keynote']);
}, 60_000);

it('returns one item per attachment of two emails by both outputs, each paired to its email', async () => {
	const EMAILS = 'Emails';
	const fields = ['attachment_0', 'attachment_1', 'attachment_2'];
	const binary = Object.fromEntries(
		fields.map((field) => [
			field,
			{ data: Buffer.from(field).toString('base64'), fileName: `${field}.mp4`, mimeType: 'video/mp4' },
		]),
	);
	/** Reads the email which each item belongs to. */
	const pairedTo = (name: string) =>
		node(name, 'n8n-nodes-base.set', 3.4, {
			mode: 'raw',
			jsonOutput: `={{ { subject: $('${EMAILS}').item.json.subject, fileName: $json.fileName, error: $json.error } }}`,
			includeOtherFields: true,
			options: { stripBinary: false },
		});
	const parameters = { resource: 'upload', operation: 'upload', binaryPropertyName: '*' };
	const uploads = measured(parameters, { onError: 'continueErrorOutput' });
	const run = await workflowOfItems(
		['First', 'Second'].map((subject) => ({ json: { subject }, binary })),
		[noOperation(EMAILS), uploads, pairedTo('Done'), pairedTo('Failed')],
		{
			...chain(MANUAL_TRIGGER, EMAILS, NODE),
			[NODE]: { main: [...(to('Done').main ?? []), ...(to('Failed').main ?? [])] },
		},
	);
	const broken = { on: 'uploadCreate', kind: 'status', status: 400, error: 'Broken' } as const;
	for (const skip of [1, 5]) environment.service.injectFault({ ...broken, skip });
	const execution = await run();
	const done = outputOfAllRuns(execution, 'Done').map(({ json }) => [json.subject, json.fileName]);
	expect(done).toEqual([
		['First', 'attachment_0.mp4'],
		['First', 'attachment_2.mp4'],
		['Second', 'attachment_0.mp4'],
		['Second', 'attachment_1.mp4'],
	]);
	const failed = outputOfAllRuns(execution, 'Failed').map(({ json: { error, subject }, binary: files }) => {
		return [subject, error, Object.keys(files ?? {})];
	});
	const message = (field: string) =>
		expect.objectContaining({ message: expect.stringContaining(`"${field}": Broken`) });
	expect(failed).toEqual([
		['First', message('attachment_1'), ['attachment_1']],
		['Second', message('attachment_2'), ['attachment_2']],
	]);
}, 90_000);

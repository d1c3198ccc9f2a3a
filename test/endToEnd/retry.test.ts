import { createHash } from 'node:crypto';

import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import type { N8n } from '../n8n/instance';
import { sharedN8n } from '../n8n/jestSetup';
import { expectSuccess, type StoredCredential } from '../n8n/rest';
import { chain, MANUAL_TRIGGER, manualTrigger, node, to, videoHosting, workflowOf } from '../n8n/workflow';

const NODE = 'Video Hosting';
const LOOP = 'Loop';

let n8n: N8n;
let service: RunningService;
let credential: StoredCredential;

beforeAll(async () => {
	n8n = await sharedN8n();
});
serviceForEachTest(
	async (started) => {
		service = started;
		credential = await n8n.rest.createCredential('videoHostingApi', 'Retry', service.credential);
	},
	{ videoAppearsAfterMs: 1_000, folderAppearsAfterMs: 3_000 },
);

/** Runs a node with Retry On Fail in a Loop Over Items over these items; returns the node's output of all its runs. */
async function runLoop(
	parameters: IDataObject,
	batchSize: number,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const tried: INode = {
		...videoHosting(NODE, credential, parameters),
		...{ retryOnFail: true, maxTries: 5, waitBetweenTries: 1 },
	};
	const loop = node(LOOP, 'n8n-nodes-base.splitInBatches', 3, { batchSize });
	const workflow = await n8n.rest.createWorkflow({
		...workflowOf('Retry', [manualTrigger(), loop, tried]),
		connections: {
			...chain(MANUAL_TRIGGER, LOOP),
			// The second output of Loop Over Items is the loop.
			[LOOP]: { main: [[], ...(to(NODE).main ?? [])] },
			...chain(NODE, LOOP),
		},
		pinData: { [MANUAL_TRIGGER]: items },
	});
	const { data } = expectSuccess(await n8n.rest.waitForExecution(await n8n.rest.runWorkflow(workflow)));
	return (data.resultData.runData[NODE] ?? []).flatMap((run) => run.data?.main?.[0] ?? []);
}

it('creates each of 40 events once in loops of two executions, whatever is tried again', async () => {
	const titles = [...Array(40).keys()].map((n) => `Lesson ${n}`);
	const dateScheduled = '2030-01-01T12:00:00Z';
	const parameters = { resource: 'event', operation: 'create', title: '={{ $json.title }}', dateScheduled };
	for (const skip of [7, 13, 14, 30, 50])
		service.injectFault({ on: 'eventInsert', kind: 'status', status: 500, skip });
	const items = titles.map((title) => ({ json: { title } }));
	const outputs = await Promise.all([runLoop(parameters, 5, items), runLoop(parameters, 5, items)]);
	for (const output of outputs)
		expect(output.map(({ json, pairedItem }) => [json.title, pairedItem])).toEqual(
			titles.map((title, index) => [title, { item: index % 5 }]),
		);
	const ids = outputs.flat().map(({ json }) => json.eventId);
	expect(ids.sort()).toEqual(service.state.events.map(({ eventId }) => eventId).sort());
}, 60_000);

it('sends each file once in loops of two executions, sets each title on its video, and creates a missing folder once', async () => {
	const titles = ['Lecture 1', 'Lecture 2', 'Lecture 3', 'Lecture 4'];
	const content = (title: string) => Buffer.from(`Film of ${title}`);
	const items = titles.map((title) => {
		const file = { mimeType: 'video/mp4', fileName: 'Über uns.mp4' };
		return { json: { title }, binary: { data: { ...file, data: content(title).toString('base64') } } };
	});
	service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, skip: 2 });
	service.injectFault({ on: 'videoEdit', kind: 'status', status: 400 });
	const parameters = {
		...{ resource: 'upload', operation: 'upload' },
		folder: { __rl: true, mode: 'name', value: 'New' },
		options: { title: '={{ $json.title }}', createFolder: true },
	};
	const halves = [items.slice(0, 2), items.slice(2)];
	const outputs = await Promise.all(halves.map(async (half) => await runLoop(parameters, 1, half)));

	const { folders, videos } = service.state;
	expect(folders.map(({ name }) => name)).toEqual(['New']);
	expect(outputs.flat().map(({ json }) => json)).toMatchObject(titles.map((name) => ({ video: { name } })));
	const arrived = videos.map(({ name, sha256, folder }) => ({ name, sha256, folder }));
	const folder = folders[0]?.uuid;
	expect(arrived.toSorted((one, other) => one.name.localeCompare(other.name))).toEqual(
		titles.map((name) => ({ name, sha256: sha256(content(name)), folder })),
	);
}, 120_000);

function sha256(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('hex');
}

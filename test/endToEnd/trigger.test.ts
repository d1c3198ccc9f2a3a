import type { IDataObject } from 'n8n-workflow';

import { errorOf, outputOf } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import { everyFiveSeconds } from '../n8n/pollTimes';
import type { ExecutionSummary, StoredCredential } from '../n8n/rest';
import type { EventStatus, LiveEvent, RunningService } from '../fakeService';
import { setUpTestEnvironment, type TestEnvironment } from './testEnvironment';

const TRIGGER = 'Video Hosting Trigger';

let environment: TestEnvironment;
let service: RunningService;
let n8n: RunningN8n;
let credential: StoredCredential;
let events: LiveEvent[];
let workflowId: string;
/** What the executions must return, in order. */
const expected: IDataObject[] = [];

beforeAll(async () => {
	environment = await setUpTestEnvironment({ pageSizeCap: 2 });
	({ service, n8n, credential } = environment);
	events = service.seedEvents(5);
	const { id } = await n8n.rest.createWorkflow({
		name: 'Report live events',
		nodes: [
			{
				id: 'a0c7c1d8-2f3c-4a57-9c0e-0d1b2c3d4e5f',
				name: TRIGGER,
				type: 'n8n-nodes-video-hosting.videoHostingTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: { pollTimes: everyFiveSeconds },
				credentials: { videoHostingApi: { id: credential.id, name: credential.name } },
			},
			{
				id: 'b0c7c1d8-2f3c-4a57-9c0e-0d1b2c3d4e5f',
				name: 'Report',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [220, 0],
				parameters: {},
			},
		],
		connections: { [TRIGGER]: { main: [[{ node: 'Report', type: 'main', index: 0 }]] } },
	});
	workflowId = id;
}, 180_000);

afterAll(async () => {
	await environment?.remove();
});

/** Sets the status of the event at this index and adds the change that must be reported for it. */
function change(place: number, status: EventStatus): void {
	const event = events[place];
	if (!event) throw new Error(`There is no event ${place}`);
	expected.push({ hash: event.hash, previousStatus: event.status, status });
	service.setEventStatus(event.hash, status);
}

/** Waits until n8n has read the whole list so many times from now on. */
async function polls(times: number): Promise<void> {
	const requests = service.requests.length;
	const lastPages = () =>
		service.requests
			.slice(requests)
			.filter(
				({ operation, query, status }) =>
					operation === 'eventSearchAll' && query.actualPage === '4' && status,
			);
	await service.until(() => lastPages().length >= times);
}

async function executions(status: 'success' | 'error'): Promise<ExecutionSummary[]> {
	return (await n8n.rest.executions(workflowId))
		.filter((execution) => execution.mode === 'trigger' && execution.status === status)
		.reverse();
}

/** Items of all successful executions, in order. */
async function reportedChanges(): Promise<IDataObject[]> {
	const items: IDataObject[] = [];
	for (const { id } of await executions('success')) {
		const execution = await n8n.rest.waitForExecution(id);
		items.push(...outputOf(execution, 'Report').map(({ json }) => json));
	}
	return items;
}

async function everyChangeIsReported(): Promise<void> {
	await poll('n8n to report every change', 60_000, async () =>
		(await reportedChanges()).length >= expected.length ? true : undefined,
	);
	expect(await reportedChanges()).toMatchObject(expected);
}

it('shows the newest event when a person fetches a test event', async () => {
	const execution = await n8n.rest.waitForExecution(await n8n.rest.runWorkflow(workflowId, TRIGGER));
	expect(errorOf(execution)).toBe('');
	expect(outputOf(execution, TRIGGER)).toMatchObject([
		{ json: { hash: events[4]?.hash, status: 'WAITING_LIVE', previousStatus: null } },
	]);
});

it('is activated without reporting what exists already', async () => {
	await n8n.rest.activateWorkflow(workflowId);
	await polls(1);
	expect(await executions('error')).toEqual([]);
});

it('reports each change once while n8n polls', async () => {
	change(0, 'LIVE');
	await everyChangeIsReported();
	change(0, 'ON_DEMAND');
	await everyChangeIsReported();
	await polls(2);
	expect(await reportedChanges()).toMatchObject(expected);
}, 120_000);

it('reports after a restart of n8n what changed meanwhile, and repeats nothing', async () => {
	await n8n.stop();
	change(1, 'LIVE');
	change(4, 'LIVE');
	await n8n.start();
	await everyChangeIsReported();
	await polls(2);
	expect(await reportedChanges()).toMatchObject(expected);
}, 180_000);

it('reports after n8n was killed what changed meanwhile, and repeats nothing', async () => {
	await n8n.kill();
	change(1, 'ON_DEMAND');
	await n8n.start();
	await everyChangeIsReported();
	await polls(2);
	expect(await reportedChanges()).toMatchObject(expected);
}, 180_000);

it('reports that the service cannot be reached, and afterwards what changed meanwhile', async () => {
	await service.goDown();
	change(2, 'LIVE');
	change(3, 'LIVE');
	const failed = await poll('a poll to fail', 60_000, async () => (await executions('error'))[0]);
	expect(errorOf(await n8n.rest.waitForExecution(failed.id))).toContain('refused the connection');
	await service.comeBack();
	await everyChangeIsReported();
}, 180_000);

it('starts although the service is down, and reports every change once it is back', async () => {
	await n8n.stop();
	await service.goDown();
	change(3, 'ON_DEMAND');
	const logged = n8n.log().length;
	await n8n.start();
	const activated = () => n8n.log().slice(logged).includes('could not be read at activation') || undefined;
	await poll('n8n to activate the workflow', 60_000, async () => await Promise.resolve(activated()));
	await service.comeBack();
	await everyChangeIsReported();
}, 180_000);

it('repeats nothing when the workflow is deactivated and activated again', async () => {
	await n8n.rest.deactivateWorkflow(workflowId);
	change(2, 'ON_DEMAND');
	await n8n.rest.activateWorkflow(workflowId);
	await everyChangeIsReported();
	await polls(2);
	expect(await reportedChanges()).toMatchObject(expected);
}, 120_000);

it('is not activated with a wrong password, and reports the reason', async () => {
	const wrong = { ...service.credential, password: 'wrong' };
	const { id, name } = await n8n.rest.createCredential('videoHostingApi', 'Wrong password', wrong);
	const { nodes, connections } = await n8n.rest.workflow(workflowId);
	const withWrongPassword = nodes.map((node) =>
		node.name === TRIGGER ? { ...node, credentials: { videoHostingApi: { id, name } } } : node,
	);
	const other = await n8n.rest.createWorkflow({ name: 'Wrong', nodes: withWrongPassword, connections });
	await expect(n8n.rest.activateWorkflow(other.id)).rejects.toThrow(/Invalid email or password/);
}, 60_000);

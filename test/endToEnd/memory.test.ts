import { randomBytes, createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IConnections, INode } from 'n8n-workflow';

import { errorOf, outputOf, type Execution } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import { everyFiveSeconds } from '../n8n/pollTimes';
import type { RunningService } from '../fakeService';
import { setUpTestEnvironment, type TestEnvironment } from './testEnvironment';

const SIZE = 1_000_000;
const CUT = 600_000;
const TRIGGER = 'Video Hosting Trigger';

let environment: TestEnvironment;
let service: RunningService;
let n8n: RunningN8n;

beforeAll(async () => {
	environment = await setUpTestEnvironment({ slotHeldBy: 'transferring' });
	({ service, n8n } = environment);
	service.seedEvents(2);
}, 240_000);

afterAll(async () => {
	await environment?.remove();
});

/** A workflow that uploads one file, and how its first run ends. */
interface Case {
	name: string;
	ends: 'failed' | 'cancelled' | 'manual' | 'killed';
	/** Whether a polling trigger is in the workflow. */
	polls?: boolean;
	/** Whether the second run has other content under the same name. */
	changes?: boolean;
}

it.each<[string, Case[], Array<'resumed' | 'new'>]>([
	[
		'in the same process',
		[
			{ name: 'failed', ends: 'failed' },
			{ name: 'cancelled', ends: 'cancelled' },
			{ name: 'manual', ends: 'manual' },
			{ name: 'polling', ends: 'failed', polls: true },
			{ name: 'changed', ends: 'failed', changes: true },
		],
		['resumed', 'resumed', 'resumed', 'resumed', 'new'],
	],
	[
		'after a restart of n8n',
		[
			{ name: 'failed', ends: 'failed' },
			{ name: 'cancelled', ends: 'cancelled' },
			{ name: 'manual', ends: 'manual' },
			{ name: 'polling', ends: 'failed', polls: true },
			{ name: 'changed', ends: 'failed', changes: true },
			{ name: 'killed', ends: 'killed' },
		],
		// n8n saves no static data of a cancelled execution, whenever it was written: the hook that saves runs without it
		// (n8n-core 2.41.1 dist/execution-engine/workflow-execute.js, setupCancellation).
		['resumed', 'new', 'new', 'new', 'new', 'new'],
	],
])(
	'remembers an unfinished upload %s as documented in the table',
	async (when, cases, expected) => {
		service.state.uploads = [];
		const runs = [];
		for (const one of cases) runs.push(await firstRun(one, when.replaceAll(' ', '-')));
		if (when !== 'in the same process') await n8n.restart();
		const seen: string[] = [];
		for (const { path, file, bytes, changes } of runs) {
			const content = changes === true ? randomBytes(SIZE) : bytes;
			writeFileSync(file, content);
			const created = service.state.uploads.length;
			const execution = await n8n.rest.waitForExecution(await startProduction(path));
			expect(errorOf(execution)).toBe('');
			const arrived = service.state.uploads.find(
				({ id }) => id === outputOf(execution, 'Upload')[0]?.json.uploadId,
			);
			expect(arrived).toMatchObject({ complete: true, sha256: sha256(content), bytesReceived: SIZE });
			seen.push(service.state.uploads.length > created ? 'new' : 'resumed');
		}
		expect(seen).toEqual(expected);
	},
	300_000,
);

it('keeps two files of one run apart that have the same name, size and folder', async () => {
	service.state.uploads = [];
	const files = ['first', 'second'].map((folder) => {
		mkdirSync(join(n8n.filesFolder, folder));
		const bytes = randomBytes(SIZE);
		writeFileSync(join(n8n.filesFolder, folder, 'alike.mp4'), bytes);
		return bytes;
	});
	const path = 'alike';
	const { id } = await n8n.rest.createWorkflow({
		name: path,
		nodes: [
			node('Webhook', 'n8n-nodes-base.webhook', 2, { path, httpMethod: 'POST' }),
			node('Read File', 'n8n-nodes-base.readWriteFile', 1, {
				fileSelector: `${n8n.filesFolder}/*/alike.mp4`,
			}),
			{ ...uploadNode(), onError: 'continueRegularOutput' },
		],
		connections: chain(['Webhook', 'Read File', 'Upload']),
	});
	await n8n.rest.activateWorkflow(id);
	workflowIds.set(path, id);
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: CUT });
	const execution = await n8n.rest.waitForExecution(await startProduction(path));
	const [cut, complete] = service.state.uploads;
	expect(service.state.uploads).toHaveLength(2);
	expect(cut).toMatchObject({ filename: 'alike.mp4', complete: false, bytesReceived: CUT });
	const received = files.find((bytes) => sha256(bytes) === complete?.sha256);
	expect(complete).toMatchObject({ filename: 'alike.mp4', complete: true, bytesReceived: SIZE });
	expect(received).toBeDefined();
	const [failed, uploaded] = outputOf(execution, 'Upload').map(({ json }) => json);
	expect(failed).toMatchObject({ error: { uploadId: cut?.id, offset: CUT } });
	expect(uploaded).toMatchObject({ uploadId: complete?.id, bytesSent: SIZE });

	// The one that was cut is resumed with its own bytes, whichever n8n reads first.
	await n8n.rest.waitForExecution(await startProduction(path));
	expect(cut).toMatchObject({ complete: true, bytesReceived: SIZE });
	expect([cut?.sha256, complete?.sha256].sort()).toEqual(files.map(sha256).sort());
}, 120_000);

it('loses no change of a trigger that emitted while an upload ran', async () => {
	service.state.uploads = [];
	const file = join(n8n.filesFolder, 'emitted.mp4');
	writeFileSync(file, randomBytes(SIZE));
	const { id } = await n8n.rest.createWorkflow({
		name: 'Trigger and upload',
		nodes: [
			trigger({ pollTimes: everyFiveSeconds }),
			node('Read File', 'n8n-nodes-base.readWriteFile', 1, { fileSelector: file }),
			uploadNode({ idleTimeoutSeconds: 12 }),
		],
		connections: chain([TRIGGER, 'Read File', 'Upload']),
	});
	await n8n.rest.activateWorkflow(id);
	const [first, second] = service.state.events;
	if (!first || !second) throw new Error('There are no events');
	service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: CUT });
	service.injectFault({ on: 'uploadHead', kind: 'status', status: 400 });
	service.setEventStatus(first.hash, 'LIVE');
	await service.until(() => service.state.uploads[0]?.offset === CUT);
	service.setEventStatus(second.hash, 'LIVE');
	const ended = async () =>
		(await n8n.rest.executions(id)).filter(({ status }) => status === 'success' || status === 'error');
	await poll('both executions to end', 90_000, async () => ((await ended()).length >= 2 ? true : undefined));
	expect((await ended()).map(({ status }) => status).sort()).toEqual(['error', 'success']);

	await n8n.restart();
	const requests = service.requestsOf('eventSearchAll').length;
	await service.until(() => service.requestsOf('eventSearchAll').length >= requests + 6);
	expect(await n8n.rest.executions(id)).toHaveLength(2);
}, 240_000);

async function firstRun(
	one: Case,
	prefix: string,
): Promise<Case & { path: string; file: string; bytes: Buffer }> {
	const path = `${prefix}-${one.name}`;
	const file = join(n8n.filesFolder, `${path}.mp4`);
	const bytes = randomBytes(SIZE);
	writeFileSync(file, bytes);
	const { id } = await n8n.rest.createWorkflow({
		name: path,
		nodes: [
			node('Webhook', 'n8n-nodes-base.webhook', 2, { path, httpMethod: 'POST' }),
			node('By Hand', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('Read File', 'n8n-nodes-base.readWriteFile', 1, { fileSelector: file }),
			uploadNode(),
			...(one.polls === true
				? [trigger({ pollTimes: { item: [{ mode: 'everyDay', hour: 4, minute: 0 }] } })]
				: []),
		],
		connections: { ...chain(['Webhook', 'Read File', 'Upload']), ...chain(['By Hand', 'Read File']) },
	});
	await n8n.rest.activateWorkflow(id);
	workflowIds.set(path, id);
	const isCut = one.ends === 'failed' || one.ends === 'manual';
	service.injectFault(
		isCut
			? { on: 'uploadPatch', kind: 'status', status: 400, afterBytes: CUT }
			: { on: 'uploadPatch', kind: 'hang', afterBytes: CUT },
	);
	const created = service.state.uploads.length;
	const executionId =
		one.ends === 'manual' ? await n8n.rest.runWorkflow(id, 'By Hand') : await startProduction(path);
	await service.until(() => service.state.uploads[created]?.offset === CUT);
	if (one.ends === 'killed') await n8n.kill();
	if (one.ends === 'cancelled') await n8n.rest.stopExecution(executionId);
	if (one.ends !== 'killed') await unfinished(executionId);
	return { ...one, path, file, bytes };
}

const workflowIds = new Map<string, string>();

async function unfinished(executionId: string): Promise<Execution> {
	const execution = await n8n.rest.waitForExecution(executionId);
	expect(['error', 'canceled']).toContain(execution.status);
	return execution;
}

async function startProduction(path: string): Promise<string> {
	const id = workflowIds.get(path) ?? '';
	const before = (await n8n.rest.executions(id)).length;
	await poll('n8n to accept the request', 60_000, async () =>
		(await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST' })).ok ? true : undefined,
	);
	return await poll('the execution to start', 30_000, async () => {
		const executions = await n8n.rest.executions(id);
		return executions.length > before ? executions[0]?.id : undefined;
	});
}

function uploadNode(options: INode['parameters'] = {}): INode {
	const parameters = { resource: 'upload', operation: 'upload', options: { returnVideo: false, ...options } };
	return { ...node('Upload', 'n8n-nodes-video-hosting.videoHosting', 1, parameters), ...credentials() };
}

function trigger(parameters: INode['parameters']): INode {
	return { ...node(TRIGGER, 'n8n-nodes-video-hosting.videoHostingTrigger', 1, parameters), ...credentials() };
}

function credentials(): Pick<INode, 'credentials'> {
	const { id, name } = environment.credential;
	return { credentials: { videoHostingApi: { id, name } } };
}

function node(name: string, type: string, typeVersion: number, parameters: INode['parameters']): INode {
	return {
		id: name,
		name,
		type,
		typeVersion,
		position: [0, 0],
		parameters,
		webhookId: typeof parameters.path === 'string' ? parameters.path : name,
	};
}

function chain(names: string[]): IConnections {
	return Object.fromEntries(
		names
			.slice(1)
			.map((name, index) => [names[index] ?? '', { main: [[{ node: name, type: 'main', index: 0 }]] }]),
	);
}

function sha256(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('hex');
}

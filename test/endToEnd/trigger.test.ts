import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import type { LiveEvent, RunningService } from '../fakeService';
import { errorOf, outputOf } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import { filter, readFiles, TRIGGER, upload, videoHostingTrigger, workflowOf } from '../n8n/workflow';
import { setUpTestEnvironment, type TestEnvironment } from './testEnvironment';

let environment: TestEnvironment;
let service: RunningService;
let n8n: RunningN8n;
/** Five for each round of changes, the latest one last. */
let events: LiveEvent[];
let soon: LiveEvent | undefined;
let folder: string;

/** What each workflow must have reported, in order, by its Trigger On; `upload` uploads a file after some changes of status. */
const expected: Record<string, IDataObject[]> = {
	eventDeleted: [],
	eventStartsSoon: [],
	eventStatusChanged: [],
	eventUpdated: [],
	upload: [],
	videoAdded: [],
};
const workflowIds = new Map<string, string>();

const inMinutes = (minutes: number) =>
	new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');

beforeAll(async () => {
	environment = await setUpTestEnvironment({ pageSizeCap: 5 });
	({ service, n8n } = environment);
	const { credential } = environment;
	[soon] = service.seedEvents([{ eventId: 3000, title: 'Soon', dateScheduled: inMinutes(20) }]);
	events = service.seedEvents(Array.from({ length: 16 }, (_, index) => ({ eventId: 4001 + index })));
	folder = service.seedFolders([{ name: 'Webinars' }])[0]?.uuid ?? '';
	service.seedVideos([{ folder }, {}]);
	const file = join(n8n.filesFolder, 'recording.mp4');
	writeFileSync(file, Buffer.alloc(1024 * 1024, 1));
	const options: Record<string, IDataObject> = {
		eventStartsSoon: { timezone: 'UTC' },
		videoAdded: { folder: { __rl: true, mode: 'name', value: 'Webinars' } },
	};
	const uploads = [
		filter('Uploads Only', '={{ $json.title }}', 'Uploads'),
		readFiles(file),
		upload(credential),
	];
	for (const name of Object.keys(expected)) {
		const parameters =
			name === 'upload' ? {} : { triggerOn: name, ...(options[name] && { options: options[name] }) };
		const nodes: INode[] = [
			videoHostingTrigger(credential, parameters),
			...(name === 'upload' ? uploads : []),
		];
		workflowIds.set(name, (await n8n.rest.createWorkflow(workflowOf(name, nodes))).id);
	}
}, 180_000);

afterAll(async () => {
	await environment?.remove();
});

const idOf = (name: string) => workflowIds.get(name) ?? '';
const inAll = async (ids: string[], change: (id: string) => Promise<void>) => {
	await Promise.all(ids.map(change));
};

/** The executions of a workflow that are over, in order. */
async function finished(name: string) {
	const all = await n8n.rest.executions(idOf(name));
	return all
		.filter(({ mode, status }) => mode === 'trigger' && ['success', 'error'].includes(status))
		.reverse();
}

/** What the trigger of each execution has emitted. */
const emitted = new Map<string, INodeExecutionData[]>();

/** Items that a workflow's trigger has emitted, in order. */
async function reported(name: string): Promise<IDataObject[]> {
	const items: IDataObject[] = [];
	for (const { id } of await finished(name)) {
		const known = emitted.get(id) ?? outputOf(await n8n.rest.waitForExecution(id), TRIGGER);
		emitted.set(id, known);
		items.push(...known.map(({ json }) => json));
	}
	return items;
}

/** Waits until everything is reported, and each workflow has polled twice more without repeating any of it. */
async function everythingIsReported(): Promise<void> {
	for (const [name, items] of Object.entries(expected)) {
		await poll(`${name} to report everything`, 90_000, async () =>
			(await reported(name)).length >= items.length ? true : undefined,
		);
	}
	const before = service.requestsOf('videoList').length;
	await service.until(() => service.requestsOf('videoList').length >= before + 3);
	for (const [name, items] of Object.entries(expected)) {
		expect([name, await reported(name)]).toMatchObject([name, items]);
	}
}

function changeStatus(event: LiveEvent | undefined, more: Partial<LiveEvent> = {}): void {
	if (!event) throw new Error('There is no such event');
	Object.assign(event, more);
	const change = { hash: event.hash, previousStatus: 'WAITING_LIVE', status: 'LIVE' };
	expected.eventStatusChanged?.push(change);
	expected.upload?.push(change);
	service.setEventStatus(event.hash, 'LIVE');
}

/** Changes something for each workflow, and adds what it must report. Each round from 0 to 3 once. */
function change(round: number): void {
	const [changed, updated, deleted] = events.slice(3 * round);
	changeStatus(changed);

	const { title, dateScheduled } = updated ?? {};
	if (updated) updated.title = `Renamed ${round}`;
	const previous = { title, dateScheduled };
	expected.eventUpdated?.push({ hash: updated?.hash, title: updated?.title, previous });

	service.state.events = service.state.events.filter((event) => event !== deleted);
	const { hash, eventId } = deleted ?? {};
	expected.eventDeleted?.push({ deleted: true, hash, eventId, title: deleted?.title });

	const [video] = service.seedVideos([{ folder }, {}]);
	expected.videoAdded?.push({ hash: video?.hash, folder_uuid: folder });

	const [added] = service.seedEvents([{ eventId: 5000 + round, dateScheduled: inMinutes(15) }]);
	expected.eventStartsSoon?.push({ hash: added?.hash });
}

it('shows a sample of each when a person fetches a test event', async () => {
	const latest = events.at(-1);
	for (const [name, sample] of Object.entries({
		eventDeleted: { deleted: true, hash: latest?.hash },
		eventStartsSoon: { hash: latest?.hash, startsAt: expect.stringMatching(/\+00:00$/) },
		eventStatusChanged: { hash: latest?.hash, status: 'WAITING_LIVE', previousStatus: null },
		eventUpdated: { hash: latest?.hash, previous: { title: latest?.title } },
		videoAdded: { folder_uuid: folder },
	})) {
		const execution = await n8n.rest.waitForExecution(await n8n.rest.runWorkflow(idOf(name), TRIGGER));
		expect(outputOf(execution, TRIGGER)).toMatchObject([{ json: sample }]);
	}
}, 120_000);

it('reports nothing when the workflows are published, but what starts soon', async () => {
	const startsAt = `${soon?.dateScheduled.replace(' ', 'T')}+00:00`;
	expected.eventStartsSoon?.push({ hash: soon?.hash, title: 'Soon', startsAt });
	await inAll([...workflowIds.values()], async (id) => await n8n.rest.activateWorkflow(id));
	await everythingIsReported();
}, 120_000);

it('reports each change once', async () => {
	change(0);
	await everythingIsReported();
}, 180_000);

it('reports a change once that is noticed while an upload of the same workflow runs and fails', async () => {
	service.injectFault({ kind: 'delay', on: 'uploadPatch', ms: 10_000 });
	service.injectFault({ kind: 'status', on: 'uploadPatch', status: 400, error: 'Bad Request' });
	const before = (await finished('upload')).length;
	changeStatus(events[12], { title: 'Uploads' });
	expected.eventUpdated?.push({ hash: events[12]?.hash, title: 'Uploads' });
	await service.until(() => service.requestsOf('uploadPatch').length > 0);
	changeStatus(events[13]);
	const ended = async () => (await finished('upload')).slice(before).map(({ status }) => status);
	await poll('the second change to be reported', 60_000, async () => (await ended())[0]);
	expect(await ended()).toEqual(['success']);
	await poll('the upload to fail', 60_000, async () => (await ended())[1]);
	expect((await ended()).sort()).toEqual(['error', 'success']);
	await everythingIsReported();
}, 180_000);

/** n8n has activated the workflow although the service could not be read. */
const activatedUnread = async (logged: number) => {
	const activated = () => n8n.log().slice(logged).includes('could not be read at activation') || undefined;
	await poll('n8n to activate the workflow', 60_000, activated);
};

it('reports after a restart of n8n what changed meanwhile, and repeats nothing, although signing in was rejected then', async () => {
	await n8n.stop();
	change(1);
	service.expireTokens();
	service.injectFault({ on: 'authenticate', kind: 'status', status: 403, error: 'Forbidden', times: 1_000 });
	const logged = n8n.log().length;
	await n8n.start();
	await activatedUnread(logged);
	service.clearFaults();
	await everythingIsReported();
}, 240_000);

it('reports that the service cannot be reached, and afterwards what changed meanwhile', async () => {
	await service.goDown();
	change(2);
	const failures = async () =>
		(await finished('eventStatusChanged')).filter(({ status }) => status === 'error');
	const failed = await poll('a poll to fail', 60_000, async () => (await failures())[0]);
	expect(errorOf(await n8n.rest.waitForExecution(failed.id))).toContain('refused the connection');
	await service.comeBack();
	await everythingIsReported();
}, 180_000);

it('reports what changed since n8n was killed and until a service came back that was down when n8n started', async () => {
	await n8n.kill();
	await service.goDown();
	const logged = n8n.log().length;
	await n8n.start();
	await activatedUnread(logged);
	change(3);
	await service.comeBack();
	await everythingIsReported();
}, 240_000);

it('repeats nothing when the workflow is deactivated and activated again', async () => {
	const ids = ['eventStatusChanged', 'upload'].map(idOf);
	await inAll(ids, async (id) => await n8n.rest.deactivateWorkflow(id));
	changeStatus(events[14]);
	await inAll(ids, async (id) => await n8n.rest.activateWorkflow(id));
	await everythingIsReported();
}, 120_000);

it('reports a change that is read by a poll that is still running when the workflow is deactivated', async () => {
	const id = idOf('eventStatusChanged');
	const polls = ['eventDeleted', 'eventStartsSoon', 'eventStatusChanged', 'eventUpdated', 'upload'];
	service.injectFault({ kind: 'delay', on: 'eventSearchAll', ms: 4_000, times: polls.length });
	const before = service.requestsOf('eventSearchAll').length;
	await service.until(() => service.requestsOf('eventSearchAll').length >= before + polls.length);
	await n8n.rest.deactivateWorkflow(id);
	changeStatus(events[15]);
	await poll('the other workflow to report it', 60_000, async () =>
		(await reported('upload')).length === expected.upload?.length ? true : undefined,
	);
	await n8n.rest.activateWorkflow(id);
	await everythingIsReported();
}, 120_000);

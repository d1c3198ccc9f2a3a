import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INode } from 'n8n-workflow';

import type { LiveEvent, RunningService } from '../fakeService';
import { errorOf, outputOf } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import {
	everyTwoSeconds,
	filter,
	readFiles,
	to,
	TRIGGER,
	upload,
	videoHostingTrigger,
	workflowOf,
} from '../n8n/workflow';
import { setUpTestEnvironment, type TestEnvironment } from './testEnvironment';

/** The second trigger of a workflow. */
const SECOND_TRIGGER = 'Second Trigger';

/** n8n must keep up with eight triggers on a small machine. */
const everyFourSeconds = { item: everyTwoSeconds.item.filter((_each, place) => place % 2 === 0) };

let environment: TestEnvironment;
let service: RunningService;
let n8n: RunningN8n;
/** Not yet changed, the latest one last. */
let unchanged: LiveEvent[];
let folder: string;

/**
 * What each workflow must have reported. Most are named after their Trigger On. `twoTriggers` watches statuses and new events, and
 * uploads a file for those with the title Uploads; `emptyPlan` watches the videos of a plan that is empty at first.
 */
const expected = {
	emptyPlan: new Array<IDataObject>(),
	eventDeleted: new Array<IDataObject>(),
	eventStartsSoon: new Array<IDataObject>(),
	eventStatusChanged: new Array<IDataObject>(),
	eventUpdated: new Array<IDataObject>(),
	twoTriggers: new Array<IDataObject>(),
	videoAdded: new Array<IDataObject>(),
};
type Name = keyof typeof expected;
const NAMES = Object.keys(expected) as Name[]; // of this literal
const workflowIds = new Map<Name, string>();
const idOf = (name: Name) => workflowIds.get(name) ?? '';

const inMinutes = (minutes: number) =>
	new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');

beforeAll(async () => {
	environment = await setUpTestEnvironment({ pageSizeCap: 10, defaultPageSize: 10 });
	({ service, n8n } = environment);
	const { credential } = environment;
	unchanged = service.seedEvents(Array.from({ length: 20 }, (_, index) => ({ eventId: 4001 + index })));
	folder = service.seedFolders([{ name: 'Webinars' }])[0]?.uuid ?? '';
	service.seedVideos([{ folder }, {}]);
	const file = join(n8n.filesFolder, 'recording.mp4');
	writeFileSync(file, Buffer.alloc(1024 * 1024, 1));

	const trigger = (triggerOn: string, options: IDataObject = {}) =>
		videoHostingTrigger(credential, { triggerOn, options, pollTimes: everyFourSeconds });
	const onlyUploads = filter('Uploads Only', '={{ $json.title }}', 'Uploads');
	const nodes: Record<Name, INode[]> = {
		emptyPlan: [trigger('videoAdded', { planId: 'plan-2002' })],
		eventDeleted: [trigger('eventDeleted')],
		eventStartsSoon: [trigger('eventStartsSoon', { timezone: 'UTC' })],
		eventStatusChanged: [trigger('eventStatusChanged')],
		eventUpdated: [trigger('eventUpdated')],
		twoTriggers: [trigger('eventStatusChanged'), onlyUploads, readFiles(file), upload(credential)],
		videoAdded: [trigger('videoAdded', { folder: { __rl: true, mode: 'name', value: 'Webinars' } })],
	};
	for (const name of NAMES) {
		const workflow = workflowOf(name, nodes[name]);
		if (name === 'twoTriggers') {
			workflow.nodes.push({ ...trigger('eventCreated'), name: SECOND_TRIGGER });
			workflow.connections[SECOND_TRIGGER] = to(onlyUploads.name);
		}
		workflowIds.set(name, (await n8n.rest.createWorkflow(workflow)).id);
	}
}, 180_000);

afterAll(async () => {
	await environment?.remove();
});

/** The executions of a workflow that are over, in order. */
async function finished(name: Name) {
	const all = await n8n.rest.executions(idOf(name));
	return all
		.filter(({ mode, status }) => mode === 'trigger' && ['success', 'error'].includes(status))
		.reverse();
}

/** What the triggers of each execution have emitted. */
const emitted = new Map<string, IDataObject[]>();

/** Items that a workflow's triggers have emitted. */
async function reported(name: Name): Promise<IDataObject[]> {
	const items: IDataObject[] = [];
	for (const { id } of await finished(name)) {
		if (!emitted.has(id)) {
			const execution = await n8n.rest.waitForExecution(id);
			const output = [TRIGGER, SECOND_TRIGGER].flatMap((trigger) => outputOf(execution, trigger));
			emitted.set(
				id,
				output.map(({ json }) => json),
			);
		}
		items.push(...(emitted.get(id) ?? []));
	}
	return items;
}

/** Which event or video an item is about, and which status it has. */
const subjectOf = ({ hash, status }: IDataObject) => JSON.stringify([hash, status]);
const inOrder = (items: IDataObject[]) =>
	items.toSorted((one, other) => subjectOf(one).localeCompare(subjectOf(other)));

/** Waits until everything is reported, and each workflow has polled twice more without repeating any of it. */
async function everythingIsReported(): Promise<void> {
	for (const name of NAMES) {
		await poll(`${name} to report everything`, 90_000, async () =>
			(await reported(name)).length >= expected[name].length ? true : undefined,
		);
	}
	const before = service.requestsOf('videoList').length;
	await service.until(() => service.requestsOf('videoList').length >= before + 6);
	for (const name of NAMES) {
		expect([name, inOrder(await reported(name))]).toMatchObject([name, inOrder(expected[name])]);
	}
}

function next(): LiveEvent {
	const event = unchanged.shift();
	if (!event) throw new Error('No event is left');
	return event;
}

function start(event: LiveEvent, title?: string): void {
	const change = { hash: event.hash, previousStatus: event.status, status: 'LIVE' };
	expected.eventStatusChanged.push(change);
	expected.twoTriggers.push(change);
	if (title !== undefined) rename(event, title);
	event.status = 'LIVE';
}

function rename(event: LiveEvent, title: string): void {
	const { hash, title: before, dateScheduled } = event;
	expected.eventUpdated.push({ hash, title, previous: { title: before, dateScheduled } });
	event.title = title;
}

/** Creates an event that starts soon. */
function create(title: string): void {
	const [event] = service.seedEvents([{ title, dateScheduled: inMinutes(15) }]);
	expected.eventStartsSoon.push({
		hash: event?.hash,
		startsAt: `${event?.dateScheduled.replace(' ', 'T')}+00:00`,
	});
	expected.twoTriggers.push({ hash: event?.hash, title, status: 'WAITING_LIVE' });
}

/** Changes something for each workflow. */
function change(): void {
	start(next());
	rename(next(), 'Renamed');
	const deleted = next();
	service.state.events = service.state.events.filter((event) => event !== deleted);
	expected.eventDeleted.push({
		deleted: true,
		hash: deleted.hash,
		eventId: deleted.eventId,
		title: deleted.title,
	});
	create('Soon');
	const [video] = service.seedVideos([{ folder }, {}]);
	expected.videoAdded.push({ hash: video?.hash, folder_uuid: folder });
}

it('shows a sample of each when a person fetches a test event', async () => {
	const { hash, title } = unchanged.at(-1) ?? {};
	const samples: Array<[Name, IDataObject]> = [
		['eventDeleted', { deleted: true, hash }],
		['eventStartsSoon', { hash, startsAt: expect.stringMatching(/\+00:00$/) }],
		['eventStatusChanged', { hash, status: 'WAITING_LIVE', previousStatus: null }],
		['eventUpdated', { hash, previous: { title } }],
		['videoAdded', { folder_uuid: folder }],
	];
	for (const [name, sample] of samples) {
		const execution = await n8n.rest.waitForExecution(await n8n.rest.runWorkflow(idOf(name), TRIGGER));
		expect(outputOf(execution, TRIGGER)).toMatchObject([{ json: sample }]);
	}
}, 120_000);

it('reports nothing when the workflows are published, but what starts soon', async () => {
	const [soon] = service.seedEvents([{ title: 'Soon', dateScheduled: inMinutes(20) }]);
	expected.eventStartsSoon.push({ hash: soon?.hash, title: 'Soon' });
	for (const name of NAMES) await n8n.rest.activateWorkflow(idOf(name));
	await everythingIsReported();
}, 120_000);

it('reports each change once, and 60 videos of a plan that was empty', async () => {
	change();
	const videos = service.seedVideos(Array.from({ length: 60 }, () => ({ planId: 'plan-2002' })));
	expected.emptyPlan.push(...videos.map(({ hash }) => ({ hash })));
	await everythingIsReported();
}, 180_000);

it('reports what both triggers of a workflow notice while an upload of it runs, and repeats nothing when n8n was killed and signing in is refused as it starts', async () => {
	service.injectFault({ kind: 'delay', on: 'uploadPatch', ms: 8_000 });
	start(next(), 'Uploads');
	await service.until(() => service.requestsOf('uploadPatch').length > 0);
	const before = (await finished('twoTriggers')).length;
	start(next());
	create('While an upload runs');
	const ended = async () => (await finished('twoTriggers')).length;
	await poll('the upload to end last', 60_000, async () =>
		(await ended()) >= before + 3 ? true : undefined,
	);
	expect(service.state.uploads).toMatchObject([{ complete: true }]);
	const [uploaded] = service.state.videos.slice(-1);
	expect(uploaded?.folder).toBeNull();
	await everythingIsReported();

	await n8n.kill();
	change();
	service.expireTokens();
	service.injectFault({ on: 'authenticate', kind: 'status', status: 403, error: 'Forbidden', times: 1_000 });
	const logged = n8n.log().length;
	await n8n.start();
	const isActivated = () => n8n.log().slice(logged).includes('could not be read at activation') || undefined;
	await poll('n8n to activate the workflows', 60_000, isActivated);
	service.clearFaults();
	await everythingIsReported();
}, 300_000);

it('reports that the service cannot be reached, and afterwards what changed meanwhile', async () => {
	await service.goDown();
	change();
	const failures = async () =>
		(await finished('eventStatusChanged')).filter(({ status }) => status === 'error');
	const before = (await failures()).length;
	const failed = await poll('a poll to fail', 60_000, async () => (await failures())[before]);
	expect(errorOf(await n8n.rest.waitForExecution(failed.id))).toContain('cannot be reached');
	await service.comeBack();
	await everythingIsReported();
}, 180_000);

it('reports what a poll has read that still ran when the workflow was unpublished, and publishes it while the service is down', async () => {
	const id = idOf('eventStatusChanged');
	service.injectFault({ kind: 'delay', on: 'eventSearchAll', ms: 4_000, times: 6 });
	const before = service.requestsOf('eventSearchAll').length;
	await service.until(() => service.requestsOf('eventSearchAll').length >= before + 6);
	await n8n.rest.deactivateWorkflow(id);
	start(next());
	await poll('another workflow to report it', 60_000, async () =>
		(await reported('twoTriggers')).length >= expected.twoTriggers.length ? true : undefined,
	);
	await service.goDown();
	await n8n.rest.activateWorkflow(id);
	start(next());
	await service.comeBack();
	await everythingIsReported();
}, 180_000);

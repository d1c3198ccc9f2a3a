import type { IDataObject, INode } from 'n8n-workflow';

import type { LiveEvent, RunningService } from '../fakeService';
import { newUpload } from '../fakeService/state';
import { credentialFor, placeFor } from '../n8n/place';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import { outputOf, type Execution, type StoredCredential, type StoredWorkflow } from '../n8n/rest';
import {
	manualTrigger,
	node,
	TRIGGER,
	upload,
	videoHosting,
	videoHostingTrigger,
	workflowOf,
} from '../n8n/workflow';

/** The second trigger of a workflow. */
const SECOND_TRIGGER = 'Second Trigger';

const place = placeFor();
let service: RunningService;
let n8n: RunningN8n;
let credential: StoredCredential;
/** Not yet changed, the latest one last. */
let unchanged: LiveEvent[];
let folder: string;

/**
 * What each workflow must have reported so far. Most are named after their Trigger On. `twoTriggers` watches statuses and new
 * events, and uploads a file for each new one.
 */
const expected = {
	eventDeleted: new Array<IDataObject>(),
	eventStatusChanged: new Array<IDataObject>(),
	twoTriggers: new Array<IDataObject>(),
	videoAdded: new Array<IDataObject>(),
};
type Name = keyof typeof expected;
const NAMES = Object.keys(expected) as Name[]; // of this literal
const workflows = {} as Record<Name, StoredWorkflow>; // beforeAll creates them

beforeAll(async () => {
	n8n = await place.n8n();
	service = await place.service({ pageSizeCap: 10, defaultPageSize: 10 });
	credential = await credentialFor(n8n, service);
	unchanged = service.seedEvents(Array.from({ length: 20 }, (_, index) => ({ eventId: 4001 + index })));
	folder = service.seedFolders([{ name: 'Webinars' }])[0]?.uuid ?? '';
	service.seedVideos([{ folder }, {}]);

	const trigger = (triggerOn: string, options: IDataObject = {}) =>
		videoHostingTrigger(credential, { triggerOn, options });
	const file = node('File', 'n8n-nodes-base.convertToFile', 1.1, {
		operation: 'toText',
		sourceProperty: 'title',
		// Text in UTF-8 is refused as no video.
		options: { fileName: '={{ $json.title }}.mp4', encoding: 'ucs2' },
	});
	const nodes: Record<Name, INode[]> = {
		eventDeleted: [trigger('eventDeleted')],
		eventStatusChanged: [trigger('eventStatusChanged')],
		twoTriggers: [trigger('eventCreated'), file, upload(credential)],
		videoAdded: [trigger('videoAdded', { folder: { __rl: true, mode: 'name', value: 'Webinars' } })],
	};
	for (const name of NAMES) {
		const workflow = workflowOf(name, nodes[name]);
		if (name === 'twoTriggers')
			workflow.nodes.push({ ...trigger('eventStatusChanged'), name: SECOND_TRIGGER });
		workflows[name] = await n8n.rest.createWorkflow(workflow);
	}
}, 180_000);

/** Items that a workflow's triggers have emitted in executions that have succeeded. */
async function reported(name: Name): Promise<IDataObject[]> {
	const executions: Execution[] = [];
	for (const { id, status } of await n8n.rest.executions(workflows[name]))
		if (status === 'success') executions.push(await n8n.rest.waitForExecution(id));
	const items = executions.flatMap((each) => [...outputOf(each, TRIGGER), ...outputOf(each, SECOND_TRIGGER)]);
	return items.map(({ json }) => json);
}

/** Waits until the workflows have reported all that they must, and expects nothing else of them: no later step may repeat it. */
async function everythingIsReported(names = NAMES): Promise<void> {
	for (const name of names) {
		const all = await poll(`${name} to report everything`, 60_000, async () => {
			const items = await reported(name);
			return items.length >= expected[name].length ? items : undefined;
		});
		const wanted = expected[name].map((item) => expect.objectContaining(item));
		expect([name, all.length, all]).toEqual([name, wanted.length, expect.arrayContaining(wanted)]);
	}
}

/** Waits until the trigger for videos, which sends one request, has polled `times` times. */
async function polled(times: number): Promise<void> {
	const lists = () => service.requestsOf('videoList').filter(({ status }) => status === 200).length;
	const before = lists();
	await service.until(() => lists() >= before + times);
}

function next(): LiveEvent {
	const event = unchanged.shift();
	if (!event) throw new Error('No event is left');
	return event;
}

function startNext(): void {
	const event = next();
	const change = { hash: event.hash, previousStatus: event.status, status: 'LIVE' };
	expected.eventStatusChanged.push(change);
	expected.twoTriggers.push(change);
	event.status = 'LIVE';
}

function create(title: string): void {
	const [event] = service.seedEvents([{ title }]);
	expected.twoTriggers.push({ hash: event?.hash, title, status: 'WAITING_LIVE' });
}

/** Changes something for each workflow. */
function change(): void {
	startNext();
	const deleted = next();
	service.state.events = service.state.events.filter((event) => event !== deleted);
	const { eventId } = deleted;
	expected.eventDeleted.push({ deleted: true, hash: deleted.hash, eventId, title: deleted.title });
	create('New');
	const [video] = service.seedVideos([{ folder }, {}]);
	expected.videoAdded.push({ hash: video?.hash, folder_uuid: folder });
}

it('reports nothing when the workflows are published, and then each change once', async () => {
	for (const name of NAMES) await n8n.rest.activateWorkflow(workflows[name]);
	await polled(2);
	change();
	await everythingIsReported();
}, 120_000);

it('reports what both triggers of a workflow notice while an upload of it runs', async () => {
	// Another program holds the upload slot meanwhile.
	const other = newUpload(service.credential.applicationId, 'other.mp4', 1, null);
	service.state.uploads.push(other);
	const { length } = expected.twoTriggers;
	create('Uploaded later');
	await service.until(() => service.requestsOf('uploadCreate').some(({ status }) => status === 429));
	startNext();
	await poll('the other trigger to report', 60_000, async () =>
		(await reported('twoTriggers')).length > length ? true : undefined,
	);
	other.complete = true;
	await everythingIsReported();
	expect(service.state.uploads.at(-1)).toMatchObject({ filename: 'Uploaded later.mp4', complete: true });
}, 120_000);

it('reports what changed while n8n was killed, even if signing in is refused as it starts', async () => {
	await n8n.kill();
	change();
	service.expireTokens();
	service.injectFault({ on: 'authenticate', kind: 'status', status: 403, error: 'Forbidden', times: 1_000 });
	const logged = n8n.log().length;
	await n8n.start();
	const isActivated = () =>
		n8n.log().slice(logged).includes('first poll after the activation failed') || undefined;
	await poll('n8n to activate the workflows', 60_000, isActivated);
	service.clearFaults();
	await everythingIsReported();
}, 180_000);

it('reports what a poll has read that still ran when the workflow was unpublished, publishes it while the service is down, and repeats nothing', async () => {
	const workflow = workflows.eventStatusChanged;
	service.injectFault({ kind: 'delay', on: 'eventSearchAll', ms: 3_000, times: 4 });
	const before = service.requestsOf('eventSearchAll').length;
	await service.until(() => service.requestsOf('eventSearchAll').length >= before + 4);
	await n8n.rest.deactivateWorkflow(workflow);
	startNext();
	await everythingIsReported(['twoTriggers']);
	await service.goDown();
	await n8n.rest.activateWorkflow(workflow);
	startNext();
	await service.comeBack();
	await everythingIsReported();
	await polled(3);
	await everythingIsReported();
}, 120_000);

it('lets the other node know that a new token was rejected: both share one memory', async () => {
	// Four triggers that poll at once may each sign in, and a late one would be counted with the other node.
	for (const name of NAMES)
		if (name !== 'eventStatusChanged') await n8n.rest.deactivateWorkflow(workflows[name]);
	service.injectFault({ kind: 'status', on: 'eventSearchAll', status: 401, error: 'No', times: 1_000 });
	const signedIn = () => service.requestsOf('authenticate').length;
	const before = signedIn();
	await service.until(() => signedIn() > before);
	const rejected = service.requestsOf('eventSearchAll').length;
	await service.until(() => service.requestsOf('eventSearchAll').length > rejected + 2);
	const attempts = signedIn();
	const getMany = videoHosting('Get Many', credential, { resource: 'event', operation: 'getAll' });
	const { status } = await n8n.rest.runToEnd(workflowOf('Get Many', [manualTrigger(), getMany]));
	expect([status, signedIn()]).toEqual(['error', attempts]);
}, 120_000);

import type { IDataObject } from 'n8n-workflow';

import type { LiveEvent, RunningService } from '../fakeService';
import { outputOf } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import { everyFiveSeconds } from '../n8n/pollTimes';
import { setUpTestEnvironment, type TestEnvironment } from './testEnvironment';

const TRIGGER = 'Video Hosting Trigger';

let environment: TestEnvironment;
let service: RunningService;
let n8n: RunningN8n;
let events: LiveEvent[];
let folder: string;

/** The workflows by their Trigger On, and what each must have reported, in order. */
const workflows = new Map<string, string>();
const expected: Record<string, IDataObject[]> = {
	eventDeleted: [],
	eventStartsSoon: [],
	eventUpdated: [],
	videoAdded: [],
};

const inMinutes = (minutes: number) =>
	new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');

beforeAll(async () => {
	environment = await setUpTestEnvironment({ pageSizeCap: 2 });
	({ service, n8n } = environment);
	const { credential } = environment;
	events = service.seedEvents([{}, {}, {}, {}, { title: 'Soon', dateScheduled: inMinutes(20) }]);
	folder = service.seedFolders([{ name: 'Webinars' }])[0]?.uuid ?? '';
	service.seedVideos([{ folder }, {}]);
	for (const triggerOn of Object.keys(expected)) {
		const options = {
			eventStartsSoon: { timezone: 'UTC' },
			videoAdded: { folder: { __rl: true, mode: 'name', value: 'Webinars' } },
		}[triggerOn];
		const { id } = await n8n.rest.createWorkflow({
			name: triggerOn,
			nodes: [
				{
					id: 'a0c7c1d8-2f3c-4a57-9c0e-0d1b2c3d4e5f',
					name: TRIGGER,
					type: 'n8n-nodes-video-hosting.videoHostingTrigger',
					typeVersion: 1,
					position: [0, 0],
					parameters: { triggerOn, options, pollTimes: everyFiveSeconds },
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
		workflows.set(triggerOn, id);
	}
}, 180_000);

afterAll(async () => {
	await environment?.remove();
});

/** Items of all executions of a workflow, in order. */
async function reported(triggerOn: string): Promise<IDataObject[]> {
	const items: IDataObject[] = [];
	const executions = await n8n.rest.executions(workflows.get(triggerOn) ?? '');
	for (const { id } of executions.filter(({ mode }) => mode === 'trigger').reverse()) {
		const execution = await n8n.rest.waitForExecution(id);
		items.push(...outputOf(execution, 'Report').map(({ json }) => json));
	}
	return items;
}

async function everythingIsReported(): Promise<void> {
	for (const [triggerOn, items] of Object.entries(expected)) {
		await poll(`${triggerOn} to report everything`, 60_000, async () =>
			(await reported(triggerOn)).length >= items.length ? true : undefined,
		);
	}
	// Each workflow polls again: nothing is repeated.
	const before = service.requestsOf('videoList').length;
	await service.until(() => service.requestsOf('videoList').length >= before + 3);
	for (const [triggerOn, items] of Object.entries(expected)) {
		expect(await reported(triggerOn)).toMatchObject(items);
		expect(await reported(triggerOn)).toHaveLength(items.length);
	}
}

/** Changes something for each workflow, and adds what it must report. */
function change(round: number): void {
	const updated = events[round];
	const { title, dateScheduled } = updated ?? {};
	if (updated) updated.title = `Renamed ${round}`;
	expected.eventUpdated?.push({
		hash: updated?.hash,
		title: updated?.title,
		previous: { title, dateScheduled },
	});

	const deleted = events[round + 2];
	service.state.events = service.state.events.filter((event) => event !== deleted);
	const { hash, eventId } = deleted ?? {};
	expected.eventDeleted?.push({ deleted: true, hash, eventId, title: deleted?.title });

	const [video] = service.seedVideos([{ folder }, {}]);
	expected.videoAdded?.push({ hash: video?.hash, folder_uuid: folder });

	const [soon] = service.seedEvents([{ dateScheduled: inMinutes(15) }]);
	expected.eventStartsSoon?.push({ hash: soon?.hash, minutesLeft: 15 });
}

it('shows a sample of each when a person fetches a test event', async () => {
	for (const [triggerOn, sample] of Object.entries({
		eventDeleted: { deleted: true, hash: events[3]?.hash },
		eventStartsSoon: { hash: events[3]?.hash, startsAt: expect.stringMatching(/\+00:00$/) },
		eventUpdated: { hash: events[3]?.hash, previous: { title: events[3]?.title } },
		videoAdded: { folder_uuid: folder },
	})) {
		const started = await n8n.rest.runWorkflow(workflows.get(triggerOn) ?? '', TRIGGER);
		const execution = await n8n.rest.waitForExecution(started);
		expect(outputOf(execution, TRIGGER)).toMatchObject([{ json: sample }]);
	}
}, 120_000);

it('reports nothing when the workflows are published, but what starts soon', async () => {
	const [soon] = events.slice(-1);
	const startsAt = `${soon?.dateScheduled.replace(' ', 'T')}+00:00`;
	expected.eventStartsSoon?.push({ hash: soon?.hash, title: 'Soon', startsAt });
	for (const id of workflows.values()) await n8n.rest.activateWorkflow(id);
	await everythingIsReported();
}, 120_000);

it('reports each change once', async () => {
	change(0);
	await everythingIsReported();
}, 180_000);

it('reports what changed while n8n was stopped, and repeats nothing', async () => {
	await n8n.stop();
	change(1);
	await n8n.start();
	await everythingIsReported();
}, 240_000);

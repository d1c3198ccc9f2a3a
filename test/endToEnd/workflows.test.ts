import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DateTime } from 'luxon';
import type { IDataObject, INode } from 'n8n-workflow';

import { importExampleWorkflow } from '../n8n/exampleWorkflows';
import { errorOf, outputOf, type Execution } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import { everyFiveSeconds } from '../n8n/pollTimes';
import type { StoredCredential, StoredWorkflow } from '../n8n/rest';
import { writeSampleVideo } from '../n8n/sampleVideo';
import type { RunningService } from '../fakeService';
import { OutsideServices } from './outsideServices';
import { setUpTestEnvironment, type TestEnvironment } from './testEnvironment';

/** A picture of one pixel. */
const png = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);

const outside = new OutsideServices();
let environment: TestEnvironment;
let service: RunningService;
let n8n: RunningN8n;
let credential: StoredCredential;

beforeAll(async () => {
	await outside.start();
	environment = await setUpTestEnvironment();
	({ service, n8n, credential } = environment);
}, 180_000);

afterAll(async () => {
	await environment?.remove();
	await outside.close();
});

beforeEach(() => {
	service.requests.length = 0;
	service.state.events = [];
	service.state.folders = [];
	service.state.videos = [];
	outside.messages.length = 0;
});

describe('Upload a video and schedule its live event', () => {
	it('fails before any request when there is no file at the path', async () => {
		const workflow = await imported('upload-a-video-and-schedule-its-live-event');

		const id = await n8n.rest.runWorkflow(workflow.id, 'When clicking ‘Execute workflow’');
		const execution = await n8n.rest.waitForExecution(id);

		expect(execution.status).toBe('error');
		expect(errorOf(execution)).toContain(
			'No file was found. Enter the path of your video in "Read Video File"',
		);
		expect(service.requests).toEqual([]);
	});
});

describe('Schedule live events from a calendar', () => {
	/** As Google Calendar responds: instants with an offset, and days without a time. */
	const entries = [
		{ summary: 'Town hall, live', start: { dateTime: '2030-03-30T18:00:00+01:00' } },
		{ summary: 'Town hall, live', start: { dateTime: '2030-03-31T18:00:00+02:00' } },
		{ summary: 'Overseas live talk', start: { dateTime: '2030-10-27T01:30:00Z' } },
		{ summary: 'Live festival', start: { date: '2030-06-01' } },
	];
	const scheduled = [
		{ title: 'Overseas live talk', dateScheduled: '2030-10-27 02:30:00' },
		{ title: 'Town hall, live', dateScheduled: '2030-03-30 18:00:00' },
		{ title: 'Town hall, live', dateScheduled: '2030-03-31 18:00:00' },
	];
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		workflow = await imported('schedule-live-events-from-a-calendar', {
			pinned: { 'Get Calendar Entries': entries },
		});
	});

	it('writes each date in the zone of the workflow, and leaves out entries without a time', async () => {
		await runToItsEnd(workflow, 'Every 15 Minutes');

		expect(eventsOfService()).toEqual(scheduled);
	});

	it('creates only what is missing when it runs again', async () => {
		await runToItsEnd(workflow, 'Every 15 Minutes');
		const [gone] = service.state.events.splice(1, 1);
		service.requests.length = 0;
		await runToItsEnd(workflow, 'Every 15 Minutes');

		expect(eventsOfService()).toEqual(scheduled);
		expect(service.requestsOf('eventInsert').map(({ body }) => body)).toEqual([
			{ planId: gone?.planId, title: gone?.title, dateScheduled: gone?.dateScheduled },
		]);
	});

	it('follows the time zone in the settings of the workflow', async () => {
		const elsewhere = await imported('schedule-live-events-from-a-calendar', {
			pinned: { 'Get Calendar Entries': entries.slice(0, 1) },
		});
		await n8n.rest.updateWorkflow(elsewhere.id, {
			settings: { ...elsewhere.settings, timezone: 'America/New_York' },
		});

		await runToItsEnd(elsewhere, 'Every 15 Minutes');

		expect(eventsOfService()).toEqual([{ title: 'Town hall, live', dateScheduled: '2030-03-30 13:00:00' }]);
	});

	function eventsOfService(): object[] {
		return service.state.events
			.map(({ title, dateScheduled }) => ({ title, dateScheduled }))
			.sort((one, other) => (one.title + one.dateScheduled).localeCompare(other.title + other.dateScheduled));
	}
});

describe('Upload new videos from cloud storage', () => {
	it('uploads each file byte for byte into one new folder, with a title and the preview image that there is', async () => {
		const videos = ['board_meeting-2030.avi', 'trailer.avi'].map((name, index) => {
			const path = join(n8n.filesFolder, name);
			writeSampleVideo(path, 2 + index);
			const bytes = readFileSync(path);
			outside.files.set(name, { type: 'video/x-msvideo', bytes, name });
			return { name, bytes };
		});
		outside.files.set('preview', { type: 'image/png', bytes: png });
		const arrived = { mimeType: 'video/x-msvideo' };
		const workflow = await imported('upload-new-videos-from-cloud-storage', {
			pinned: {
				'New File in Drive': [
					{
						...arrived,
						id: 'board_meeting-2030.avi',
						name: 'board_meeting-2030.avi',
						thumbnailLink: `${outside.url}/files/preview`,
					},
					{ id: 'minutes', name: 'minutes.pdf', mimeType: 'application/pdf' },
					{ ...arrived, id: 'trailer.avi', name: 'trailer.avi' },
				],
			},
			change: { 'Download from Drive': downloadsInstead },
		});

		await runToItsEnd(workflow, 'New File in Drive');

		expect(service.state.uploads).toEqual(
			videos.map(({ name, bytes }) =>
				expect.objectContaining({
					complete: true,
					filename: name,
					size: bytes.length,
					sha256: createHash('sha256').update(bytes).digest('hex'),
				}),
			),
		);
		expect(service.state.folders.map(({ name }) => name)).toEqual(['From Google Drive']);
		const folder = service.state.folders[0]?.uuid;
		expect(service.state.videos).toEqual([
			expect.objectContaining({
				name: 'board meeting 2030',
				folder,
				thumbnail: expect.objectContaining({
					contentType: 'image/png',
					sha256: createHash('sha256').update(png).digest('hex'),
				}),
			}),
			expect.objectContaining({ name: 'trailer', folder }),
		]);
		expect(service.requestsOf('videoThumbnail')).toHaveLength(1);
	}, 120_000);
});

describe('Announce live events in Slack and organize their recordings', () => {
	it('posts one message at the start; marks the event and moves its recordings to a new folder at the end', async () => {
		const [event, other] = service.seedEvents([{ title: 'Town hall' }, { title: 'Rehearsal' }]);
		service.seedVideos([{ name: 'Town hall, camera 1.mp4' }, { name: 'Something else.mp4' }]);
		if (!event || !other) throw new Error('Nothing was seeded');
		const workflow = await imported('announce-live-events-in-slack-and-organize-their-recordings', {
			change: {
				'Event Status Changed': { parameters: { pollTimes: everyFiveSeconds } },
				'Send Slack Message': postsInstead('text'),
			},
		});
		await n8n.rest.activateWorkflow(workflow.id);

		service.setEventStatus(event.hash, 'LIVE');
		await nthExecution(workflow, 1);
		expect(outside.messages).toEqual([
			{ message: `🔴 Town hall is live now (scheduled for ${event.dateScheduled}).` },
		]);

		service.setEventStatus(event.hash, 'ON_DEMAND');
		await nthExecution(workflow, 2);
		await n8n.rest.deactivateWorkflow(workflow.id);

		expect(outside.messages).toHaveLength(1);
		expect(service.state.events.map(({ title }) => title)).toEqual(['Ended: Town hall', 'Rehearsal']);
		expect(service.state.folders.map(({ name }) => name)).toEqual(['Recordings']);
		expect(service.state.videos.map(({ name, folder }) => ({ name, folder }))).toEqual([
			{ name: 'Town hall, camera 1.mp4', folder: service.state.folders[0]?.uuid },
			{ name: 'Something else.mp4', folder: null },
		]);
	}, 120_000);

	async function nthExecution({ id }: StoredWorkflow, nth: number): Promise<void> {
		const execution = await poll(`execution ${nth} of the trigger`, 60_000, async () => {
			const executions = await n8n.rest.executions(id);
			return executions.length >= nth ? executions[0] : undefined;
		});
		expectSuccess(await n8n.rest.waitForExecution(execution.id));
	}
});

describe('Email a weekly disk usage report', () => {
	it('reports the usage of the application and of each folder', async () => {
		const [meetings, trailers] = service.seedFolders([{ name: 'Meetings' }, { name: 'Trailers' }]);
		service.seedVideos([
			{ folder: meetings?.uuid, size: 2_500_000_000 },
			{ folder: trailers?.uuid, size: 120_000_000 },
			{ size: 1_000_000_000 },
		]);
		const workflow = await imported('email-a-weekly-disk-usage-report', {
			change: { 'Send Report': postsInstead('text') },
		});

		await runToItsEnd(workflow, 'Every Monday at 8');

		expect(outside.messages).toEqual([
			{ message: 'All videos of the application: 3.62 GB\n\nMeetings: 2.5 GB\nTrailers: 120 MB' },
		]);
	});

	it('sends a report also when there is no folder', async () => {
		const workflow = await imported('email-a-weekly-disk-usage-report', {
			change: { 'Send Report': postsInstead('text') },
		});

		await runToItsEnd(workflow, 'Every Monday at 8');

		expect(outside.messages).toEqual([
			{ message: 'All videos of the application: 0 B\n\nThere are no folders.' },
		]);
	});
});

describe('Ask an AI agent about live events', () => {
	it('replies from the events of the period alone, which contain no secret', async () => {
		const monday = DateTime.now().setZone('Europe/Berlin').startOf('week');
		const text = (date: DateTime) => date.toFormat('yyyy-MM-dd HH:mm:ss');
		service.seedEvents([
			{ title: 'Town hall', dateScheduled: text(monday.plus({ days: 2, hours: 18 })) },
			...Array.from({ length: 250 }, (_, day) => ({
				title: `Later ${day}`,
				dateScheduled: text(monday.plus({ days: 7 + day })),
			})),
		]);
		const openAi = await n8n.rest.createCredential('openAiApi', 'OpenAI', {
			apiKey: 'key-of-the-test',
			url: `${outside.url}/openai`,
		});
		outside.conversation = {
			toolArguments: {
				scheduledAfter: text(monday),
				scheduledBefore: text(monday.plus({ weeks: 1 })),
			},
			reply: (events) => `This week: ${/"title":"(Town hall)"/.exec(events)?.[1] ?? 'nothing'}`,
		};
		const workflow = await imported('ask-an-ai-agent-about-live-events', {
			pinned: {
				'When chat message received': [
					{ sessionId: 's1', action: 'sendMessage', chatInput: 'Which events are scheduled this week?' },
				],
			},
			change: { 'OpenAI Chat Model': { credentials: { openAiApi: { id: openAi.id, name: openAi.name } } } },
		});

		const execution = await runToItsEnd(workflow, 'When chat message received');

		expect(outputOf(execution, 'Event Assistant').map(({ json }) => json.output)).toEqual([
			'This week: Town hall',
		]);
		const toolResponse = outside.chats.at(-1)?.messages.find(({ role }) => role === 'tool')?.content ?? '';
		expect([...toolResponse.matchAll(/"title":"([^"]*)"/g)].map(([, title]) => title)).toEqual(['Town hall']);
		for (const secret of Object.values(service.settings.plans)) expect(toolResponse).not.toContain(secret);
	}, 120_000);
});

interface Changes {
	/** Output of nodes that reach for outside services, pinned as a user pins it in the editor. */
	pinned?: Record<string, object[]>;
	/** By node name: what of the node differs from the published workflow; parameters are laid over its own. */
	change?: Record<string, Partial<INode> | ((node: INode) => Partial<INode>)>;
}

async function imported(name: string, { pinned = {}, change = {} }: Changes = {}): Promise<StoredWorkflow> {
	const { id, nodes } = await importExampleWorkflow(n8n, name, credential);
	const names = nodes.map((node) => node.name);
	for (const changed of [...Object.keys(pinned), ...Object.keys(change)]) expect(names).toContain(changed);
	return await n8n.rest.updateWorkflow(id, {
		nodes: nodes.map((node) => {
			const wanted = change[node.name];
			if (!wanted) return node;
			const { parameters, ...rest } = typeof wanted === 'function' ? wanted(node) : wanted;
			// A node of another type takes over no parameter of the one that it replaces.
			const kept = rest.type === undefined ? node.parameters : {};
			return { ...node, ...rest, parameters: { ...kept, ...parameters } };
		}),
		pinData: Object.fromEntries(
			Object.entries(pinned).map(([node, items]) => [
				node,
				items.map((json) => ({ json: json as IDataObject })),
			]),
		),
	});
}

/** Replaces the download from Google Drive; like it, adds the file to the item's other binary data. */
const downloadsInstead = ({ parameters }: INode): Partial<INode> => {
	// The example chooses the file by an ID: a resource locator with an expression.
	const { value } = parameters.fileId as { value: string };
	return {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url: value.replace('{{', `${outside.url}/files/{{`),
			options: { response: { response: { responseFormat: 'file' } } },
		},
	};
};

/** Replaces a node that sends a message: posts the same text, which is an expression in `parameter`. */
function postsInstead(parameter: string): (node: INode) => Partial<INode> {
	return ({ parameters }) => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: `${outside.url}/messages`,
			sendBody: true,
			bodyParameters: { parameters: [{ name: 'message', value: parameters[parameter] ?? '' }] },
			options: {},
		},
	});
}

async function runToItsEnd({ id }: StoredWorkflow, triggerName: string): Promise<Execution> {
	const execution = await n8n.rest.waitForExecution(await n8n.rest.runWorkflow(id, triggerName));
	expectSuccess(execution);
	return execution;
}

function expectSuccess(execution: Execution): void {
	expect(errorOf(execution)).toBe('');
	expect(execution.status).toBe('success');
}

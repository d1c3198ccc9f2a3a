import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DateTime } from 'luxon';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { importExampleWorkflow } from '../n8n/exampleWorkflows';
import { errorOf, outputOf, type Execution } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import { everyFiveSeconds } from '../n8n/pollTimes';
import type { StoredCredential, StoredWorkflow } from '../n8n/rest';
import { writeSampleVideo } from '../n8n/sampleVideo';
import type { RunningService } from '../service';
import { OutsideServices } from './outsideServices';
import { setUpTestEnvironment, type TestEnvironment } from './testEnvironment';

/** A picture of one pixel. */
const png = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);

const outside = new OutsideServices();
let stage: TestEnvironment;
let service: RunningService;
let n8n: RunningN8n;
let credential: StoredCredential;

beforeAll(async () => {
	await outside.start();
	stage = await setUpTestEnvironment();
	({ service, n8n, credential } = stage);
}, 180_000);

afterAll(async () => {
	await stage?.remove();
	await outside.close();
});

beforeEach(() => {
	service.requests.length = 0;
	service.state.events = [];
	service.state.folders = [];
	service.state.videos = [];
	outside.messages.length = 0;
});

describe('Schedule live events from a calendar', () => {
	/** As Google Calendar answers: instants with an offset, and days without a time. */
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
		workflow = await imported('calendar-to-live-event', { pinned: { 'Get Calendar Entries': entries } });
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

	function eventsOfService(): object[] {
		return service.state.events
			.map(({ title, dateScheduled }) => ({ title, dateScheduled }))
			.sort((one, other) => (one.title + one.dateScheduled).localeCompare(other.title + other.dateScheduled));
	}
});

describe('Upload new videos from cloud storage', () => {
	it('uploads the file byte for byte into the folder, renames the video and sets its thumbnail', async () => {
		const [folder] = service.seedFolders([{ name: 'Meetings' }]);
		const file = join(n8n.filesFolder, 'board_meeting-2030.avi');
		writeSampleVideo(file, 3);
		const bytes = readFileSync(file);
		outside.files.set('film', { type: 'video/x-msvideo', bytes });
		outside.files.set('preview', { type: 'image/png', bytes: png });
		const workflow = await imported('cloud-storage-to-gallery', {
			pinned: {
				'New File in Drive': [
					{
						id: 'film',
						name: 'board_meeting-2030.avi',
						mimeType: 'video/x-msvideo',
						thumbnailLink: `${outside.url}/files/preview`,
					},
					{ id: 'minutes', name: 'minutes.pdf', mimeType: 'application/pdf' },
				],
			},
			change: {
				'Download from Drive': asksInstead(
					{ url: `=${outside.url}/files/{{ $json.id }}` },
					{ responseFormat: 'file' },
				),
				'Upload Video': {
					parameters: {
						folder: { __rl: true, mode: 'uuid', value: folder?.uuid },
						fileName: 'board_meeting-2030.avi',
					},
				},
			},
		});

		await runToItsEnd(workflow, 'New File in Drive');

		expect(service.state.uploads).toHaveLength(1);
		expect(service.state.uploads[0]).toMatchObject({
			complete: true,
			filename: 'board_meeting-2030.avi',
			size: bytes.length,
			sha256: createHash('sha256').update(bytes).digest('hex'),
		});
		expect(service.state.videos).toHaveLength(1);
		expect(service.state.videos[0]).toMatchObject({
			name: 'board meeting 2030',
			folder: folder?.uuid,
			thumbnail: { contentType: 'image/png', sha256: createHash('sha256').update(png).digest('hex') },
		});
	}, 120_000);
});

describe('Tell the team when an event goes live, tidy up when it ends', () => {
	it('tells of the start once, and marks the event and moves its recordings at the end', async () => {
		const [event, other] = service.seedEvents([{ title: 'Town hall' }, { title: 'Rehearsal' }]);
		const [recordings] = service.seedFolders([{ name: 'Recordings' }]);
		service.seedVideos([{ name: 'Town hall, camera 1.mp4' }, { name: 'Something else.mp4' }]);
		if (!event || !other || !recordings) throw new Error('Nothing was seeded');
		const workflow = await imported('live-event-notify-and-tidy-up', {
			change: {
				'Event Status Changed': { parameters: { pollTimes: everyFiveSeconds } },
				'Tell the Team': postsInstead('text'),
				'Move to Recordings': {
					parameters: { folder: { __rl: true, mode: 'uuid', value: recordings.uuid } },
				},
			},
		});
		await n8n.rest.activateWorkflow(workflow.id);

		service.setEventStatus(event.hash, 'LIVE');
		await nthExecution(workflow, 1);
		expect(outside.messages).toEqual([
			{ message: `🔴 Town hall is live now (planned for ${event.dateScheduled}).` },
		]);

		service.setEventStatus(event.hash, 'ON_DEMAND');
		await nthExecution(workflow, 2);
		await n8n.rest.deactivateWorkflow(workflow.id);

		expect(outside.messages).toHaveLength(1);
		expect(service.state.events.map(({ title }) => title)).toEqual(['Ended: Town hall', 'Rehearsal']);
		expect(service.state.videos.map(({ name, folder }) => ({ name, folder }))).toEqual([
			{ name: 'Town hall, camera 1.mp4', folder: recordings.uuid },
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

describe('Mail a weekly report of the disk usage', () => {
	it('tells the usage of the application and of each folder', async () => {
		const [meetings, trailers] = service.seedFolders([{ name: 'Meetings' }, { name: 'Trailers' }]);
		service.seedVideos([
			{ folder: meetings?.uuid, size: 2_500_000_000 },
			{ folder: trailers?.uuid, size: 120_000_000 },
			{ size: 1_000_000_000 },
		]);
		const workflow = await imported('weekly-disk-usage-report', {
			change: { 'Send Report': postsInstead('text') },
		});

		await runToItsEnd(workflow, 'Every Monday at 8');

		expect(outside.messages).toEqual([
			{ message: 'All videos of the application: 3.62 GB\n\nMeetings: 2.50 GB\nTrailers: 0.12 GB' },
		]);
	});
});

describe('Ask an AI agent about live events', () => {
	it('answers from what the tool finds, which holds no secret', async () => {
		const monday = DateTime.now().setZone('utc').startOf('week');
		service.seedEvents([
			{ title: 'Town hall', dateScheduled: monday.plus({ days: 2 }).toFormat("yyyy-MM-dd '18:00:00'") },
			{ title: 'Summer festival', dateScheduled: '2031-07-01 12:00:00' },
		]);
		const openAi = await n8n.rest.createCredential('openAiApi', 'OpenAI', {
			apiKey: 'key-of-the-test',
			url: `${outside.url}/openai`,
		});
		outside.conversation = {
			toolArguments: { limit: 10 },
			answer: (events) => `This week: ${/"title":"(Town hall)"/.exec(events)?.[1] ?? 'nothing'}`,
		};
		const workflow = await imported('ai-agent-answers-about-events', {
			pinned: {
				'When chat message received': [
					{ sessionId: 's1', action: 'sendMessage', chatInput: 'Which events are on this week?' },
				],
			},
			change: { 'OpenAI Chat Model': { credentials: { openAiApi: { id: openAi.id, name: openAi.name } } } },
		});

		const execution = await runToItsEnd(workflow, 'When chat message received');

		expect(outputOf(execution, 'Event Assistant').map(({ json }) => json.output)).toEqual([
			'This week: Town hall',
		]);
		expect(service.requestsOf('eventSearchAll')[0]?.query).toMatchObject({
			quantity: '10',
			orderType: 'DESC',
		});
		const toolAnswer = outside.chats.at(-1)?.messages.find(({ role }) => role === 'tool')?.content ?? '';
		expect(toolAnswer).toContain('Summer festival');
		for (const secret of Object.values(service.settings.plans)) expect(toolAnswer).not.toContain(secret);
	}, 120_000);
});

interface Changes {
	/** Output of nodes that reach for outside services, pinned as a user pins it in the editor. */
	pinned?: Record<string, object[]>;
	/** By node name: what of the node differs from the published workflow; parameters are laid over its own. */
	change?: Record<string, Partial<INode> | ((node: INode) => Partial<INode>)>;
}

async function imported(name: string, { pinned = {}, change = {} }: Changes): Promise<StoredWorkflow> {
	const { id, nodes } = await importExampleWorkflow(n8n, name, credential);
	const names = nodes.map((node) => node.name);
	for (const changed of [...Object.keys(pinned), ...Object.keys(change)]) expect(names).toContain(changed);
	return await n8n.rest.updateWorkflow(id, {
		nodes: nodes.map((node) => {
			const wanted = change[node.name];
			if (!wanted) return node;
			const { parameters, ...rest } = typeof wanted === 'function' ? wanted(node) : wanted;
			// A node of another type takes over no parameter of the one it stands for.
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

/** Stands for a node that fetches something. */
function asksInstead(request: { url: string }, response: INodeParameters): Partial<INode> {
	return {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { ...request, options: { response: { response } } },
	};
}

/** Stands for a node that sends a message: posts the very same text, which is an expression in `parameter`. */
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

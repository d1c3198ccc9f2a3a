import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DateTime } from 'luxon';
import type { IBinaryKeyData, IDataObject, INode } from 'n8n-workflow';

import { fc } from '../execution/generated';
import {
	exampleWorkflowNames,
	importExampleWorkflow,
	noteText,
	uploadAndSchedule,
} from '../n8n/exampleWorkflows';
import { errorOf, outputOf, type Execution } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import { everyTwoSeconds } from '../n8n/pollTimes';
import type { StoredCredential, StoredWorkflow } from '../n8n/rest';
import { writeSampleVideo } from '../n8n/sampleVideo';
import { node, workflowOf } from '../n8n/workflow';
import type { RunningService } from '../fakeService';
import { onePixelPng as png } from '../matrix/files';
import { OutsideServices } from './outsideServices';
import { joinTestEnvironment, type TestEnvironment } from './testEnvironment';

const outside = new OutsideServices();
let environment: TestEnvironment;
let service: RunningService;
let n8n: RunningN8n;
let credential: StoredCredential;

beforeAll(async () => {
	await outside.start();
	environment = await joinTestEnvironment();
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
	service.state.uploads = [];
	outside.messages.length = 0;
});

describe('Upload a video and schedule its live event', () => {
	it('fails before any request when there is no file at the path', async () => {
		const workflow = await imported(uploadAndSchedule);

		const id = await n8n.rest.runWorkflow(workflow.id, 'When clicking ‘Execute workflow’');
		const execution = await n8n.rest.waitForExecution(id);

		expect(execution.status).toBe('error');
		expect(errorOf(execution)).toContain(
			'No file was found. Enter the path of your video in "Read Video File"',
		);
		expect(service.requests).toEqual([]);
	});

	it('uploads a video byte for byte and schedules its live event, with no request too many', async () => {
		const video = join(n8n.filesFolder, 'my-video.avi');
		writeSampleVideo(video);
		const fresh = await n8n.rest.createCredential('videoHostingApi', 'Not signed in yet', service.credential);
		const workflow = await importExampleWorkflow(n8n, uploadAndSchedule, fresh);
		const notes = workflow.nodes.map(noteText).join('\n');
		expect(notes).toContain('Everything is set up: click **Execute workflow**');
		expect(notes).not.toMatch(/^\d\. /m);
		const possibleDates = [inAWeekAtEight()];

		const id = await n8n.rest.runWorkflow(workflow.id, 'When clicking ‘Execute workflow’');
		const execution = await n8n.rest.waitForExecution(id);
		possibleDates.push(inAWeekAtEight());

		expectSuccess(execution);

		const bytes = readFileSync(video);
		const [upload] = service.state.uploads;
		expect(upload).toMatchObject({
			filename: 'my-video.avi',
			complete: true,
			size: bytes.length,
			sha256: createHash('sha256').update(bytes).digest('hex'),
		});
		expect(service.state.events).toHaveLength(1);
		const [event] = service.state.events;
		expect(event).toMatchObject({ title: 'Premiere: my-video.avi', planId: service.credential.planId });
		expect(possibleDates).toContain(event?.dateScheduled);

		const newestFirst = { orderBy: 'created_date', sort: 'DESC', page: '1' };
		expect(service.requests.map(({ method, path, query }) => [method, path, query])).toEqual([
			['POST', '/v1/authenticate', {}],
			['POST', '/v1/videos', {}],
			['PATCH', `/v1/videos/uploads/${upload?.id}`, {}],
			// The fake service's response to PATCH has no Upload-Offset, as none is documented (docs/api-reference.md#send-bytes).
			['HEAD', `/v1/videos/uploads/${upload?.id}`, {}],
			// The video, found only when no other one can be it: the empty page ends the list.
			['GET', '/v1/videos/application', newestFirst],
			['GET', '/v1/videos/application', { ...newestFirst, page: '2' }],
			['POST', '/v1/events/insert', {}],
		]);
		expect(outputOf(execution, 'Upload Video')).toMatchObject([
			{ json: { uploadId: upload?.id, complete: true, video: { name: 'my-video.avi' } } },
		]);

		const tokens = service.requests.flatMap(
			({ headers }) => headers.authorization?.replace('Bearer ', '') ?? [],
		);
		expect(tokens).not.toHaveLength(0);
		for (const secret of [service.credential.password, ...tokens]) expect(n8n.log()).not.toContain(secret);
	}, 120_000);

	function inAWeekAtEight(): string {
		return DateTime.now().setZone('Europe/Berlin').plus({ days: 7 }).toFormat("yyyy-MM-dd '20:00:00'");
	}
});

/** A calendar entry as Google Calendar responds: instants with an offset, or days without a time. */
interface CalendarEntry {
	id: string;
	summary?: string;
	start: { dateTime: string } | { date: string };
}

/** The mark of an entry at the end of its event's title. */
function markOf({ id }: CalendarEntry): string {
	return `[${createHash('sha256').update(id).digest('hex').slice(0, 8)}]`;
}

async function importedCalendar(entries: CalendarEntry[]): Promise<StoredWorkflow> {
	return await imported('schedule-live-events-from-a-calendar', {
		pinned: { 'Get Calendar Entries': entries },
	});
}

describe('Schedule live events from a calendar', () => {
	const entries: CalendarEntry[] = [
		{ id: 'one', summary: 'Town hall, live', start: { dateTime: '2030-03-30T18:00:00+01:00' } },
		{ id: 'two', summary: 'Town hall, live', start: { dateTime: '2030-03-31T18:00:00+02:00' } },
		{ id: 'three', summary: 'Overseas live talk', start: { dateTime: '2030-10-27T01:30:00Z' } },
		{ id: 'four', start: { dateTime: '2030-05-01T12:00:00+02:00' } },
		{ id: 'five', summary: 'Live festival', start: { date: '2030-06-01' } },
		{ id: 'six', summary: 'Live already', start: { dateTime: DateTime.now().minus(60_000).toISO() } },
	];
	it.each([
		[undefined, ['2030-03-30 18:00:00', '2030-03-31 18:00:00', '2030-10-27 02:30:00', '2030-05-01 12:00:00']],
		[
			'America/New_York',
			['2030-03-30 13:00:00', '2030-03-31 12:00:00', '2030-10-26 21:30:00', '2030-05-01 06:00:00'],
		],
	])(
		'writes each date once in the zone of the workflow (%s), and leaves out entries without a time and those that began',
		async (timezone, dates) => {
			const workflow = await importedCalendar(entries);
			if (timezone !== undefined)
				await n8n.rest.updateWorkflow(workflow.id, { settings: { ...workflow.settings, timezone } });

			await runToItsEnd(workflow, 'Every 15 Minutes');
			await runToItsEnd(workflow, 'Every 15 Minutes');

			expect(service.state.events.map(({ title, dateScheduled }) => [title, dateScheduled])).toEqual(
				entries.slice(0, 4).map((entry, index) => {
					return [`${entry.summary ?? 'Live event'} ${markOf(entry)}`, dates[index]];
				}),
			);
		},
	);

	it('has one event for each entry, whatever happens to calendar and events', async () => {
		const workflow = await importedCalendar([]);
		const happening = fc.record({
			kind: fc.constantFrom('add', 'move', 'rename', 'delete', 'start', 'end', 'copy'),
			entry: fc.nat(2),
			days: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(-1)),
			isNamed: fc.boolean(),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 6 }), async (happenings) => {
				service.state.events = [];
				// n8n would ask Google for a calendar that is pinned empty.
				const calendar: CalendarEntry[] = [{ id: 'holiday', start: { date: '2030-06-01' } }];
				for (const [index, { kind, entry: place, days, isNamed }] of happenings.entries()) {
					const entry = calendar[1 + place];
					const event = entry && service.state.events.findLast(({ title }) => title.endsWith(markOf(entry)));
					if (kind === 'add')
						calendar.push({
							id: `${index}`,
							...(isNamed && { summary: 'Live' }),
							start: startIn(Math.abs(days)),
						});
					else if (kind === 'move' && entry) entry.start = startIn(days);
					else if (kind === 'rename' && entry) entry.summary = `Live, renamed ${index}`;
					else if (kind === 'delete' && entry) calendar.splice(1 + place, 1);
					else if (kind === 'start' && event) event.status = 'LIVE';
					else if (kind === 'end' && event)
						// As the template for announcements does it.
						Object.assign(event, { status: 'ON_DEMAND', title: `Ended: ${event.title}` });
					else if (kind === 'copy' && event)
						service.seedEvents([{ title: event.title.split(' [')[0], dateScheduled: event.dateScheduled }]);
					const before = service.state.events.map((one) => ({ ...one }));

					await runWith(calendar);

					const after = service.state.events.map((one) => ({ ...one }));
					expect(after).toEqual(
						expect.arrayContaining(
							before.filter((one) => one.status !== 'WAITING_LIVE' || !/\[\w{8}\]$/.test(one.title)),
						),
					);
					for (const { id, start } of calendar) {
						const own = after.filter(({ title }) => title.endsWith(markOf({ id, start })));
						const date = 'dateTime' in start ? DateTime.fromISO(start.dateTime) : undefined;
						if (!date || date < DateTime.now()) continue;
						const text = date.setZone('Europe/Berlin').toFormat('yyyy-MM-dd HH:mm:ss');
						expect(own.map(({ dateScheduled }) => dateScheduled)).toContain(text);
						const waiting = own.filter(({ status }) => status === 'WAITING_LIVE');
						expect(waiting.filter(({ dateScheduled }) => dateScheduled !== text)).toEqual([]);
						expect(waiting.length).toBeLessThanOrEqual(1);
					}
				}
				service.requests.length = 0;

				await runWith(calendar);

				expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
			}),
			{ numRuns: 6, endOnFailure: true },
		);

		async function runWith(calendar: CalendarEntry[]): Promise<void> {
			await n8n.rest.updateWorkflow(workflow.id, {
				pinData: { 'Get Calendar Entries': calendar.map((json) => ({ json: { ...json } })) },
			});
			await runToItsEnd(workflow, 'Every 15 Minutes');
		}
	}, 240_000);

	function startIn(days: number): { dateTime: string } {
		return { dateTime: DateTime.now().plus({ days }).startOf('hour').toUTC().toISO() };
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
		outside.files.set('preview', { type: 'image/png', bytes: png, token: 'token-of-drive' });
		const drive = await n8n.rest.createCredential('googleDriveOAuth2Api', 'Google Drive', {
			clientId: 'client',
			clientSecret: 'secret',
			oauthTokenData: { access_token: 'token-of-drive', token_type: 'Bearer' },
		});
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
			change: {
				'Get Preview Image': { credentials: { googleDriveOAuth2Api: { id: drive.id, name: drive.name } } },
				'Download from Drive': downloadsInstead,
			},
		});

		await runToItsEnd(workflow, 'New File in Drive');

		expect(service.state.uploads).toEqual(
			videos.map(({ name, bytes }) =>
				expect.objectContaining({
					complete: true,
					// What gets a title is uploaded under a name of its own.
					filename: expect.stringMatching(new RegExp(`^${name.replace(/\.avi$/, '')}-\\w+\\.avi$`)),
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

describe('Collect videos from emails and remind the team before the event', () => {
	const name = 'collect-videos-from-emails-and-remind-the-team-before-the-event';
	const attached = (fileName: string, mimeType = 'video/mp4') => ({
		data: Buffer.from(`content of ${fileName}`).toString('base64'),
		...{ fileName, mimeType },
	});
	const emailed = async () =>
		await imported(name, {
			pinned: { 'New Email': [{ subject: 'Re: Town hall', from: 'ada@example.com' }] },
			files: {
				attachment_0: attached('first.mp4'),
				attachment_1: attached('signature.png', 'image/png'),
				attachment_2: attached('second.mp4'),
				attachment_3: attached('third.mp4'),
			},
			change: {
				'Upload Videos': { retryOnFail: false },
				'Report Failed Upload': postsInstead('text'),
			},
		});

	it('uploads each attached video into the folder of the event, and reports the one that failed', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, error: 'Not wanted', skip: 1 });

		await runToItsEnd(await emailed(), 'New Email');
		await runToItsEnd(await emailed(), 'New Email');

		const [folder, ...others] = service.state.folders;
		expect([folder?.name, others]).toEqual(['Town hall', []]);
		expect(service.state.videos.map((video) => [video.name, video.folder])).toEqual(
			['first.mp4', 'third.mp4', 'second.mp4'].map((video) => [video, folder?.uuid]),
		);
		expect(outside.messages).toEqual([
			{
				message: expect.stringMatching(
					/^A video that ada@example.com sent was not uploaded\. Binary field "attachment_2": Not wanted\./,
				),
			},
		]);
	}, 120_000);

	it('reminds of each event once, with the videos of its folder', async () => {
		const [townHall] = service.seedFolders([{ name: 'Town hall' }]);
		service.seedVideos([
			{ name: 'first.mp4', folder: townHall?.uuid ?? null },
			{ name: 'other.mp4', folder: null },
		]);
		const inMinutes = (minutes: number) => DateTime.now().setZone('Europe/Berlin').plus({ minutes });
		const soon = inMinutes(20);
		const written = (date: DateTime) => date.toFormat('yyyy-MM-dd HH:mm:ss');
		service.seedEvents([
			{ title: 'Town hall [0123abcd]', dateScheduled: written(soon) },
			{ title: 'Talk', dateScheduled: written(soon) },
			{ title: 'Later', dateScheduled: written(inMinutes(90)) },
		]);
		const workflow = await imported(name, {
			change: {
				'New Email': { disabled: true },
				'Event Starts Soon': { parameters: { pollTimes: everyTwoSeconds } },
				'Report Failed Upload': postsInstead('text'),
				'Send Reminder': postsInstead('text'),
			},
		});
		await n8n.rest.updateWorkflow(workflow.id, {
			settings: { ...workflow.settings, timezone: 'Europe/Berlin' },
		});

		await n8n.rest.activateWorkflow(workflow.id);
		await poll('both reminders', 60_000, async () => await Promise.resolve(outside.messages[1]));
		const lists = service.requestsOf('eventSearchAll').length;
		await service.until(() => service.requestsOf('eventSearchAll').length > lists + 1);
		await n8n.rest.deactivateWorkflow(workflow.id);

		const at = soon.toFormat('HH:mm');
		expect(outside.messages).toEqual(
			expect.arrayContaining([
				{ message: `Town hall starts at ${at}.\n\nVideos: first.mp4` },
				{
					message: expect.stringMatching(
						new RegExp(`^Talk starts at ${at}\\.\n\nNo videos were found\\..*folder`),
					),
				},
			]),
		);
		expect(outside.messages).toHaveLength(2);
	}, 120_000);
});

describe('Announce live events in Slack and organize their recordings', () => {
	const entry = { id: 'entry', summary: 'Town hall', start: { dateTime: '2030-03-30T18:00:00+01:00' } };
	const title = `Town hall ${markOf(entry)}`;

	it('posts one message at the start; at the end marks the event, and moves its recordings once they are listed', async () => {
		const [townHall, talk] = service.seedEvents([
			{ title, dateScheduled: '2030-03-30 18:00:00' },
			{ title: 'Talk' },
			{ title: 'Rehearsal' },
		]);
		service.seedVideos([
			{ name: 'Talk.mp4' },
			{ name: 'Something else.mp4' },
			{ name: 'Town hall of last week.mp4', createdDate: DateTime.now().minus({ weeks: 1 }).toISO() },
		]);
		if (!townHall || !talk) throw new Error('Nothing was seeded');
		const workflow = await announcements();
		await n8n.rest.activateWorkflow(workflow.id);

		service.setEventStatus(townHall.hash, 'LIVE');
		await nthExecution(workflow, 1);
		expect(outside.messages).toEqual([
			{ message: '🔴 Town hall is live now (scheduled for 2030-03-30 18:00:00).' },
		]);
		service.setEventStatus(talk.hash, 'LIVE');
		await nthExecution(workflow, 2);

		service.requests.length = 0;
		// Both in one go, so that one execution has both.
		townHall.status = 'ON_DEMAND';
		talk.status = 'ON_DEMAND';
		await service.until(
			() => service.requestsOf('videoList').filter(({ query }) => query.name === 'Town hall').length > 1,
		);
		service.seedVideos([{ name: 'Town hall, camera 1.mp4' }]);
		await nthExecution(workflow, 3);
		await n8n.rest.deactivateWorkflow(workflow.id);

		expect(outside.messages).toHaveLength(2);
		expect(service.state.events.map((event) => event.title)).toEqual([
			`Ended: ${title}`,
			'Ended: Talk',
			'Rehearsal',
		]);
		expect(service.state.folders.map(({ name }) => name)).toEqual(['Recordings']);
		const folder = service.state.folders[0]?.uuid;
		expect(service.state.videos.map((video) => [video.name, video.folder])).toEqual([
			['Talk.mp4', folder],
			['Something else.mp4', null],
			['Town hall of last week.mp4', null],
			['Town hall, camera 1.mp4', folder],
		]);

		// Ended early: the calendar still contains the entry.
		await runToItsEnd(await importedCalendar([entry]), 'Every 15 Minutes');
		expect(service.state.events).toHaveLength(3);
	}, 120_000);

	it('reports that no recording was listed in time', async () => {
		const [event] = service.seedEvents([{ title, status: 'LIVE' }]);
		if (!event) throw new Error('Nothing was seeded');
		const workflow = await announcements('seconds: 5');
		await n8n.rest.activateWorkflow(workflow.id);

		service.setEventStatus(event.hash, 'ON_DEMAND');
		await nthExecution(workflow, 1);
		await n8n.rest.deactivateWorkflow(workflow.id);

		expect(outside.messages).toEqual([
			{ message: 'No recording of Town hall was listed within two hours of its end.' },
		]);
	}, 120_000);

	/** @param patience how long to look for recordings, as in the expression of *Keep Looking?* */
	async function announcements(patience = 'hours: 2'): Promise<StoredWorkflow> {
		return await imported('announce-live-events-in-slack-and-organize-their-recordings', {
			change: {
				'Event Status Changed': { parameters: { pollTimes: everyTwoSeconds } },
				'Send Slack Message': postsInstead('text'),
				'Report Missing Recording': postsInstead('text'),
				'Keep Looking?': ({ parameters }) => ({
					parameters: JSON.parse(JSON.stringify(parameters).replace('hours: 2', patience)),
				}),
				'Wait 5 Minutes': { parameters: { amount: 1, unit: 'seconds' } },
			},
		});
	}

	async function nthExecution({ id }: StoredWorkflow, nth: number): Promise<void> {
		const execution = await poll(`execution ${nth} of the trigger`, 60_000, async () => {
			const executions = await n8n.rest.executions(id);
			return executions.length >= nth ? executions[0] : undefined;
		});
		expectSuccess(await n8n.rest.waitForExecution(execution.id));
	}
});

describe('Email a weekly disk usage report', () => {
	it.each([
		['each folder', ['Meetings', 'Trailers'], '3.62 GB\n\nMeetings: 2.5 GB\nTrailers: 120 MB'],
		['no folder, as there is none', [], '3.62 GB\n\nThere are no folders.'],
	])('reports the usage of the application and of %s', async (_what, names, usage) => {
		const [meetings, trailers] = service.seedFolders(names.map((name) => ({ name })));
		service.seedVideos([
			{ folder: meetings?.uuid, size: 2_500_000_000 },
			{ folder: trailers?.uuid, size: 120_000_000 },
			{ size: 1_000_000_000 },
		]);
		const workflow = await imported('email-a-weekly-disk-usage-report', {
			change: { 'Send Report': postsInstead('text') },
		});

		await runToItsEnd(workflow, 'Every Monday at 8');

		expect(outside.messages).toEqual([{ message: `All videos of the application: ${usage}` }]);
	});
});

describe('Ask an AI agent about live events', () => {
	const monday = DateTime.now().setZone('Europe/Berlin').startOf('week');
	const text = (date: DateTime) => date.toFormat('yyyy-MM-dd HH:mm:ss');

	beforeEach(() => {
		outside.chats.length = 0;
		outside.conversation = {
			toolArguments: {
				scheduledAfter: text(monday),
				scheduledBefore: text(monday.plus({ weeks: 1 })),
			},
			reply: (toolResponse) =>
				`This week: ${/"title":"(Town hall)"/.exec(toolResponse)?.[1] ?? toolResponse}`,
		};
	});

	it('replies from the events of the period alone, which contain no secret', async () => {
		service.seedEvents([
			{ title: 'Town hall', dateScheduled: text(monday.plus({ days: 2, hours: 18 })) },
			...Array.from({ length: 250 }, (_, day) => ({
				title: `Later ${day}`,
				dateScheduled: text(monday.plus({ days: 7 + day })),
			})),
		]);

		expect(await replyOf(await agent())).toBe('This week: Town hall');

		expect([...toolResponse().matchAll(/"title":"([^"]*)"/g)].map(([, title]) => title)).toEqual([
			'Town hall',
		]);
		for (const secret of Object.values(service.settings.plans)) expect(toolResponse()).not.toContain(secret);
	}, 120_000);

	it.each([2.2, 3.1])(
		'shows the model why its tool failed, with version %s of the agent',
		async (typeVersion) => {
			service.injectFault({
				on: 'eventSearchAll',
				kind: 'status',
				status: 422,
				error: 'The plan has expired',
				times: 30,
			});

			expect(await replyOf(await agent(typeVersion))).toContain('The plan has expired');

			expect(toolResponse()).toContain('The plan has expired');
		},
		120_000,
	);

	it('creates an event once with Retry On Fail when the response is lost, with version 3.1 of the agent', async () => {
		outside.conversation = { toolArguments: { title: 'Keynote' }, reply: (response) => response };
		service.injectFault({ on: 'eventInsert', kind: 'lostResponse' });
		const create = {
			...{ resource: 'event', operation: 'create', dateScheduled: '2030-01-01T12:00:00Z' },
			...{ descriptionType: 'manual', toolDescription: 'Creates an event' },
			title: "={{ $fromAI('title', 'Title', 'string') }}",
		};
		const tool = { parameters: create, retryOnFail: true, waitBetweenTries: 1 };

		await runToItsEnd(await agent(3.1, { 'Get Live Events': tool }), 'When chat message received');

		expect(service.requestsOf('eventInsert')).toHaveLength(1);
	}, 120_000);

	it('shows the model what was said before in the chat', async () => {
		const workflow = await agent();
		await replyOf(workflow);
		outside.chats.length = 0;

		await replyOf(workflow);

		const said = outside.chats[0]?.messages.filter(({ role }) => role === 'user' || role === 'assistant');
		expect(said?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
	}, 120_000);

	function toolResponse(): string {
		return outside.chats.at(-1)?.messages.find(({ role }) => role === 'tool')?.content ?? '';
	}

	async function agent(
		typeVersion?: number,
		change: Record<string, Partial<INode>> = {},
	): Promise<StoredWorkflow> {
		const openAi = await n8n.rest.createCredential('openAiApi', 'OpenAI', {
			apiKey: 'key-of-the-test',
			url: `${outside.url}/openai`,
		});
		return await imported('ask-an-ai-agent-about-live-events', {
			pinned: {
				'When chat message received': [
					{ sessionId: 's1', action: 'sendMessage', chatInput: 'Which events are scheduled this week?' },
				],
			},
			change: {
				'OpenAI Chat Model': { credentials: { openAiApi: { id: openAi.id, name: openAi.name } } },
				'Event Assistant': typeVersion === undefined ? {} : { typeVersion },
				...change,
			},
		});
	}

	async function replyOf(workflow: StoredWorkflow): Promise<unknown> {
		const execution = await runToItsEnd(workflow, 'When chat message received');
		const [item] = outputOf(execution, 'Event Assistant');
		return item?.json.output;
	}
});

it('uses nothing that n8n 3 removes, as the migration report of n8n 2 has it', async () => {
	const imports = exampleWorkflowNames().map(async (name) => importExampleWorkflow(n8n, name, credential));
	const removed = node('Function', 'n8n-nodes-base.function', 1, {});
	const old = await n8n.rest.createWorkflow(workflowOf('Of another time', [removed]));
	const ids = [...(await Promise.all(imports)), old].map(({ id }) => id);

	const { report } = await n8n.session.post<{
		report: { workflowResults: Array<{ ruleId: string; ruleTitle: string }> };
	}>('/breaking-changes/report/refresh?version=v3', {});

	const affected: string[][] = [];
	for (const { ruleId, ruleTitle } of report.workflowResults) {
		const { affectedWorkflows } = await n8n.session.request<{
			affectedWorkflows: Array<{ id: string; name: string }>;
		}>('GET', `/breaking-changes/report/${ruleId}`);
		const own = affectedWorkflows.filter(({ id }) => ids.includes(id));
		affected.push(...own.map(({ name }) => [ruleTitle, name]));
	}
	expect(affected).toEqual([[expect.stringContaining('Function'), 'Of another time']]);
});

interface Changes {
	/** Output of nodes that reach for outside services, pinned as a user pins it in the editor. */
	pinned?: Record<string, object[]>;
	/** Files of each pinned item, by name of its binary field. */
	files?: IBinaryKeyData;
	/** By node name: what of the node differs from the published workflow; parameters are laid over its own. */
	change?: Record<string, Partial<INode> | ((node: INode) => Partial<INode>)>;
}

async function imported(
	name: string,
	{ pinned = {}, files, change = {} }: Changes = {},
): Promise<StoredWorkflow> {
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
				items.map((json) => ({ json: json as IDataObject, ...(files && { binary: files }) })),
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

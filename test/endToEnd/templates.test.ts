import { DateTime } from 'luxon';
import type { OperationName } from '../fakeService/operations';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { expectArrived, onePixelPng, writeTestFile } from '../n8n/files';
import { placeFor } from '../n8n/place';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import { errorOf, expectSuccess, outputOf, type StoredCredential } from '../n8n/rest';
import { importTemplate, uploadAndSchedule } from '../n8n/templates';
import { everyTwoSeconds } from '../n8n/workflow';
import { startOutsideServices, type OutsideServices } from './outsideServices';

const place = placeFor();
let n8n: RunningN8n;
let credential: StoredCredential;
let outside: OutsideServices;

/** Zones in which nothing else is: not that of n8n's process, nor n8n's default for workflows. */
const zones = { TZ: 'Asia/Kolkata', GENERIC_TIMEZONE: 'Europe/Berlin' };

beforeAll(async () => {
	n8n = await place.n8n(zones);
}, 180_000);
serviceForEachTest();
beforeEach(async () => {
	credential = await n8n.rest.createCredential('videoHostingApi', 'Templates', service.credential);
	outside = await startOutsideServices();
});
afterEach(async () => {
	await outside.close();
});

const inBerlin = (minutes: number) => DateTime.now().setZone('Europe/Berlin').plus({ minutes });
const written = (date: DateTime) => date.toFormat('yyyy-MM-dd HH:mm:ss');

/** The service rejects the next requests of an operation, after the first few. */
const reject = (on: OperationName, error: string, { times = 1, skip = 0 } = {}) =>
	service.injectFault({ on, kind: 'status', status: 400, error, times, skip });

/** Waits until the trigger has read its list two more times. */
async function twoMorePolls(): Promise<void> {
	const lists = service.requestsOf('eventSearchAll').length;
	await service.until(() => service.requestsOf('eventSearchAll').length > lists + 1);
}

describe('Schedule live events from a calendar', () => {
	const name = 'schedule-live-events-from-a-calendar';
	const at = (id: string, dateTime: string | null, more: object = {}) => ({
		...{ id, status: 'confirmed', summary: 'Town hall 🎤', start: { dateTime, timeZone: 'Europe/Berlin' } },
		...more,
	});
	const runWith = async (entries: object[]) => {
		const pinData = { 'Get Calendar Entries': entries.map((json) => ({ json: { ...json } })) };
		const workflow = await importTemplate(n8n, name, credential, { pinData, timezone: 'America/New_York' });
		return await n8n.rest.runToEnd(workflow, 'Every 15 Minutes');
	};
	/** Titles as viewers see them, with the dates. */
	const scheduled = () =>
		service.state.events.map(({ title, dateScheduled }) => [
			String(title).replace(/[\u200b-\u200d\u2060]/g, ''),
			dateScheduled,
		]);
	const series = [
		at('series_1', '2030-03-30T18:00:00+01:00'),
		at('series_2', '2030-03-31T18:00:00+02:00'),
		at('talk', '2030-10-27T01:30:00Z', { summary: 'Talk' }),
	];

	it('follows each entry to come, and leaves the others out', async () => {
		const left = [
			at('day', null, { start: { date: '2030-06-01' } }),
			at('begun', inBerlin(-1).toISO()),
			{ id: 'gone', status: 'cancelled' },
		];
		for (const run of ['first', 'second']) {
			expectSuccess(await runWith([...left, ...series]));
			expect([run, scheduled()]).toEqual([
				run,
				[
					['Town hall 🎤', '2030-03-30 13:00:00'],
					['Town hall 🎤', '2030-03-31 12:00:00'],
					['Talk', '2030-10-26 21:30:00'],
				],
			]);
		}
		expect(service.requestsOf('eventInsert')).toHaveLength(3);

		const [first, second, talk] = series;
		const moved = { ...first, start: { dateTime: '2030-04-02T18:00:00+02:00' } };
		expectSuccess(
			await runWith([moved, { ...second, status: 'cancelled' }, { ...talk, summary: 'Talk, anew' }]),
		);
		expect(scheduled()).toEqual([
			['Talk, anew', '2030-10-26 21:30:00'],
			['Town hall 🎤', '2030-04-02 12:00:00'],
		]);
	}, 60_000);

	it('fails with a private entry, which has no title, once the others are scheduled', async () => {
		const failed = await runWith([at('private', '2030-05-01T12:00:00Z', { summary: undefined }), ...series]);
		expect(errorOf(failed)).toContain('Entry of 2030-05-01T12:00:00Z: Title resolves to nothing');
		expect(scheduled()).toHaveLength(3);
	}, 60_000);
});

it('posts one message at the start of each event, and nothing at its end', async () => {
	const events = service.seedEvents([{ title: 'Town hall' }, { title: 'Talk' }]);
	const workflow = await importTemplate(n8n, 'announce-live-events-in-slack', credential, {
		nodes: {
			'Event Goes Live': { parameters: { pollTimes: everyTwoSeconds } },
			'Send Slack Message': outside.postsInstead,
		},
	});
	await n8n.rest.activateWorkflow(workflow);
	for (const event of events) event.status = 'LIVE';
	await poll('both messages', 60_000, () => outside.messages[1]);
	for (const event of events) event.status = 'ON_DEMAND';
	await twoMorePolls();
	await n8n.rest.deactivateWorkflow(workflow);
	expect(outside.messages).toEqual([
		{ message: '🔴 Town hall is live now.' },
		{ message: '🔴 Talk is live now.' },
	]);
}, 60_000);

it('an AI agent replies from the events of the period alone, or from the error, and schedules an event once', async () => {
	const monday = DateTime.now().setZone('Europe/Berlin').startOf('week');
	service.seedEvents([
		{ title: 'Town hall', dateScheduled: written(monday.plus({ days: 2, hours: 18 })) },
		{ title: 'Town hall', dateScheduled: written(monday.plus({ days: 3, hours: 18 })) },
		...Array.from({ length: 250 }, (_, day) => ({
			...{ title: `Later ${day}`, dateScheduled: written(monday.plus({ days: 7 + day })) },
		})),
	]);
	const period = { scheduledAfter: written(monday), scheduledBefore: written(monday.plus({ weeks: 1 })) };
	const account = { apiKey: 'key-of-the-test', url: `${outside.url}/openai` };
	const { id, name } = await n8n.rest.createCredential('openAiApi', 'OpenAI', account);
	const asked = { sessionId: 's1', action: 'sendMessage', chatInput: 'Which events are this week?' };
	const workflow = await importTemplate(n8n, 'ask-an-ai-agent-about-live-events', credential, {
		pinData: { 'When chat message received': [{ json: asked }] },
		nodes: { 'OpenAI Chat Model': { credentials: { openAiApi: { id, name } } } },
	});
	const ask = async (tool: string, entered: object) => {
		outside.nextCall = ({ length }) => (length === 0 ? [tool, entered] : undefined);
		const execution = await n8n.rest.runToSuccess(workflow, 'When chat message received');
		return JSON.stringify(outputOf(execution, 'Event Assistant')[0]?.json.output);
	};

	reject('eventSearchAll', 'Not now', { times: 20 });
	expect(await ask('Get_Live_Events', period)).toContain('Not now');
	service.clearFaults();
	const reply = await ask('Get_Live_Events', period);
	const titles = [...reply.matchAll(/\\"title\\":\\"(.*?)\\"/g)].map(([, title]) => title);
	expect(titles).toEqual(['Town hall', 'Town hall']);
	expect(outside.chatRequests[0]).toContain(`${DateTime.now().year}-`);

	const wanted = { title: 'Board meeting', dateScheduled: '2031-05-01 18:00:00' };
	for (const skipped of [false, true])
		expect(await ask('Schedule_Live_Event', wanted)).toContain(`\\"skipped\\":${skipped}`);
	expect(service.state.events.filter(({ title }) => title === wanted.title)).toMatchObject([wanted]);
}, 60_000);

it('the first template uploads a video byte for byte and schedules a live event once, with no secret in the log', async () => {
	const video = writeTestFile(n8n.filesFolder, 'my-video.avi', 6_000_000);
	const inAWeek = () =>
		DateTime.now().setZone('Europe/Berlin').plus({ days: 7 }).toFormat("yyyy-MM-dd '20:00:00'");
	const possibleDates = [inAWeek()];

	const workflow = await importTemplate(n8n, uploadAndSchedule, credential);
	reject('eventInsert', 'Not now');
	const execution = await n8n.rest.runToEnd(workflow);
	expect(errorOf(execution)).toContain('Not now');
	for (const run of ['the event that is missing', 'nothing']) {
		const next = await n8n.rest.runToSuccess(workflow);
		expect([run, outputOf(next, 'Upload Video')]).toMatchObject([run, [{ json: { skipped: true } }]]);
	}
	possibleDates.push(inAWeek());

	const uploadId = expectArrived(service, video);
	expect(service.state.events).toMatchObject([
		{ title: 'Premiere: my-video.avi', planId: service.credential.planId },
	]);
	expect(possibleDates).toContain(service.state.events[0]?.dateScheduled);
	expect(outputOf(execution, 'Upload Video')).toMatchObject([
		{ json: { uploadId, complete: true, video: { name: 'my-video.avi' } } },
	]);
	for (const secret of service.secrets) expect(n8n.log()).not.toContain(secret);
}, 60_000);

it('uploads each new video of the cloud storage once, into one folder', async () => {
	const videos = ['board-meeting.avi', 'Dr. Who 2.0'].map((name) =>
		writeTestFile(n8n.filesFolder, name, 2_000_000),
	);
	for (const { name, bytes } of videos)
		outside.files.set(encodeURIComponent(name), { type: 'video/x-msvideo', bytes, name });
	const arrived = (name: string, mimeType = 'video/x-msvideo') => ({ json: { id: name, name, mimeType } });
	const workflow = await importTemplate(n8n, 'upload-new-videos-from-cloud-storage', credential, {
		pinData: {
			'New File in Drive': [
				arrived('minutes.pdf', 'application/pdf'),
				...videos.map(({ name }) => arrived(name)),
			],
		},
		nodes: { 'Download File': outside.downloadsInstead },
	});

	reject('uploadCreate', 'Not now');
	await n8n.rest.runToSuccess(workflow, 'New File in Drive');
	await n8n.rest.runToSuccess(workflow, 'New File in Drive');

	expect(service.state.uploads.map(({ complete, sha256: hash }) => [complete, hash])).toEqual(
		videos.map(({ sha256: hash }) => [true, hash]),
	);
	const [folder, ...others] = service.state.folders;
	expect([folder?.name, others]).toEqual(['From Google Drive', []]);
	expect(service.state.videos).toMatchObject(videos.map(({ name }) => ({ name, folder: folder?.uuid })));
}, 60_000);

it('uploads each video of an email once, into the folder that the subject names', async () => {
	const attached = (bytes: Buffer, fileName: string, mimeType = 'video/mp4') => ({
		data: bytes.toString('base64'),
		...{ fileName, mimeType },
	});
	const [keynote, interview] = ['keynote.mp4', 'interview.mp4'].map((name) =>
		writeTestFile(n8n.filesFolder, name, 20_000),
	);
	if (!keynote || !interview) throw new Error('Nothing was written');
	const binary = {
		attachment_0: attached(keynote.bytes, keynote.name),
		attachment_1: attached(interview.bytes, interview.name, 'application/octet-stream'),
		attachment_2: attached(onePixelPng, 'signature.png', 'image/png'),
	};
	const runOf = async (json: { subject?: string }) => {
		const pinData = { 'New Email': [{ json: { from: { text: 'Ada <ada@example.com>' }, ...json }, binary }] };
		const workflow = await importTemplate(n8n, 'collect-videos-from-emails', credential, { pinData });
		return await n8n.rest.runToEnd(workflow, 'New Email');
	};

	for (const skipped of [false, true]) {
		const execution = expectSuccess(await runOf({ subject: 'Town hall' }));
		const output = outputOf(execution, 'Upload Videos').map(({ json }) => [json.fileName, json.skipped]);
		expect(output).toEqual([keynote, interview].map(({ name }) => [name, skipped]));
	}
	expect(errorOf(await runOf({}))).toContain('Folder');

	const [folder, ...others] = service.state.folders;
	expect([folder?.name, others]).toEqual(['Town hall', []]);
	expect(service.state.videos.map((video) => [video.name, video.folder, video.sha256])).toEqual(
		[keynote, interview].map((file) => [file.name, folder?.uuid, file.sha256]),
	);
}, 60_000);

it('reminds of each event once', async () => {
	const soon = inBerlin(20);
	service.seedEvents([
		{ title: 'Town hall', dateScheduled: written(soon) },
		{ title: 'Talk', dateScheduled: written(soon) },
		{ title: 'Later', dateScheduled: written(inBerlin(90)) },
	]);
	const workflow = await importTemplate(n8n, 'remind-the-team-before-an-event', credential, {
		timezone: 'Europe/Berlin',
		nodes: {
			'Event Starts Soon': { parameters: { pollTimes: everyTwoSeconds } },
			'Send Reminder': outside.postsInstead,
		},
	});

	await n8n.rest.activateWorkflow(workflow);
	await poll('both reminders', 60_000, () => outside.messages[1]);
	await twoMorePolls();
	await n8n.rest.deactivateWorkflow(workflow);
	expect(outside.messages).toEqual(
		['Town hall', 'Talk'].map((title) => ({
			message: expect.stringMatching(`^Starts in (19|20) min: ${title}$`),
		})),
	);
}, 60_000);

it('emails a table of the disk usage of each folder, whatever the service calls it', async () => {
	const [meetings, trailers] = service.seedFolders([{ name: 'Meetings' }, { name: 'Trailers' }]);
	service.seedVideos([
		{ folder: meetings?.uuid, size: 2_500_000_000 },
		{ folder: trailers?.uuid, size: 120_000_000 },
	]);
	const nodes = { 'Send Report': outside.postsInstead };
	const workflow = await importTemplate(n8n, 'email-a-weekly-disk-usage-report', credential, { nodes });

	await n8n.rest.runToSuccess(workflow, 'Every Monday at 8');
	const body = { total: 3_620_000_000 };
	service.injectFault({ on: 'diskUsageByFolder', kind: 'status', status: 200, body, times: 2 });
	await n8n.rest.runToSuccess(workflow, 'Every Monday at 8');

	const tables = (outside.messages as Array<{ message: string }>).map(({ message }) =>
		message
			.replace(/<\/t[dh]>/g, '|')
			.replace(/<\/tr>/g, '\n')
			.replace(/<[^>]*>/g, ''),
	);
	expect(tables[0]).toMatch(/^Uuid\|Name\|.*\n.*\|Meetings\|.*\|2\.5 GB\|.*\n.*\|Trailers\|.*\|120 MB\|/);
	expect(tables[1]).toContain('|3.62 GB|');
}, 60_000);

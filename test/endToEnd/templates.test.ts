import { isDeepStrictEqual } from 'node:util';

import { DateTime } from 'luxon';
import type { IBinaryKeyData, INode } from 'n8n-workflow';

import type { OperationName } from '../fakeService/operations';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { expectArrived, onePixelPng, sha256, writeTestFile } from '../n8n/files';
import { placeFor } from '../n8n/place';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import { errorOf, expectSuccess, outputOf, type Execution, type StoredCredential } from '../n8n/rest';
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

/** A calendar entry as Google Calendar responds: instants with an offset, or days without a time. */
interface CalendarEntry {
	id: string;
	summary?: string;
	start: { dateTime: string } | { date: string };
}

/** The mark of an entry at the end of its event's title. */
const markOf = (id: string) => `[${sha256(id).slice(0, 8)}]`;
const scheduled = () => service.state.events.map(({ title, dateScheduled }) => [title, dateScheduled]);

async function runCalendar(entries: CalendarEntry[], timezone = 'Europe/Berlin'): Promise<Execution> {
	const pinData = { 'Get Calendar Entries': entries.map((json) => ({ json: { ...json } })) };
	const name = 'schedule-live-events-from-a-calendar';
	const workflow = await importTemplate(n8n, name, credential, { pinData, timezone });
	return await n8n.rest.runToEnd(workflow, 'Every 15 Minutes');
}

/** The list of events stays as it is now for the next run: A5 of docs/promises.md. */
function letEventsLag(): void {
	const body = service.state.events.map(({ status, ...event }) => ({ ...event, event_status: status }));
	service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body, times: 20 });
}

describe('Schedule live events from a calendar', () => {
	it('writes each date once in the zone of the workflow, and only entries to come with a time', async () => {
		const entries: CalendarEntry[] = [
			{ id: 'one', summary: 'Town hall, live', start: { dateTime: '2030-03-30T18:00:00+01:00' } },
			{ id: 'two', summary: 'Town hall, live', start: { dateTime: '2030-03-31T18:00:00+02:00' } },
			{ id: 'three', summary: 'Overseas live talk', start: { dateTime: '2030-10-27T01:30:00Z' } },
			{ id: 'four', start: { dateTime: '2030-05-01T12:00:00+02:00' } },
			{ id: 'five', summary: 'Live festival', start: { date: '2030-06-01' } },
			{ id: 'six', summary: 'Live already', start: { dateTime: DateTime.now().minus(60_000).toISO() } },
		];

		letEventsLag();
		expectSuccess(await runCalendar(entries, 'America/New_York'));
		expectSuccess(await runCalendar(entries, 'America/New_York'));
		service.clearFaults();
		expectSuccess(await runCalendar(entries, 'America/New_York'));

		expect(scheduled()).toEqual([
			[`Town hall, live ${markOf('one')}`, '2030-03-30 13:00:00'],
			[`Town hall, live ${markOf('two')}`, '2030-03-31 12:00:00'],
			[`Overseas live talk ${markOf('three')}`, '2030-10-26 21:30:00'],
			[`Live event ${markOf('four')}`, '2030-05-01 06:00:00'],
		]);
	}, 60_000);

	it('fails when the service stores a title without its mark', async () => {
		const title = 'Town hall, live [1f';
		service.injectFault({ kind: 'status', on: 'eventInsert', status: 200, body: { hash: 'h1', title } });
		const start = { dateTime: '2030-03-30T18:00:00+01:00' };
		const failed = await runCalendar([{ id: 'cut', summary: 'Town hall, live', start }]);
		expect(errorOf(failed)).toContain(`without the mark at its end: ${title}.`);
	}, 60_000);

	it('moves the event of a moved entry, and leaves alone renamed and ended ones and those of other people', async () => {
		service.settings.recordNames = 'snake_case';
		const entry = (id: string, day: string): CalendarEntry => ({
			...{ id, summary: `Live ${id}` },
			start: { dateTime: `2030-05-${day}T12:00:00Z` },
		});
		await runCalendar([entry('moved', '01'), entry('ended', '03')]);
		reject('eventDelete', 'Not yet', { times: 2 });
		await runCalendar([entry('moved', '10')]);
		const undeleted = await runCalendar([entry('moved', '10'), entry('renamed', '02')]);
		expect(errorOf(undeleted)).toContain(`Live moved ${markOf('moved')}: Not yet`);
		const ended = service.state.events[1];
		Object.assign(ended ?? {}, { status: 'ON_DEMAND', title: `Ended: ${ended?.title}` });
		service.seedEvents([{ title: 'Live moved', dateScheduled: '2030-05-01 14:00:00' }]);

		const renamed = { ...entry('renamed', '02'), summary: 'Live, another name' };
		const entries = [entry('rejected', '04'), entry('moved', '11'), renamed, entry('ended', '03')];
		reject('eventInsert', 'Not now');
		letEventsLag();
		const failed = await runCalendar(entries);
		expect(errorOf(failed)).toContain(`Live rejected ${markOf('rejected')}: Not now`);
		expect(service.requestsOf('eventDelete')).toHaveLength(2 + 1);
		expectSuccess(await runCalendar(entries));
		service.clearFaults();
		expectSuccess(await runCalendar(entries));

		expect(scheduled().sort()).toEqual([
			[`Ended: Live ended ${markOf('ended')}`, '2030-05-03 14:00:00'],
			[`Live moved ${markOf('moved')}`, '2030-05-11 14:00:00'],
			['Live moved', '2030-05-01 14:00:00'],
			[`Live rejected ${markOf('rejected')}`, '2030-05-04 14:00:00'],
			[`Live renamed ${markOf('renamed')}`, '2030-05-02 14:00:00'],
		]);
	}, 60_000);
});

it('posts one message at the start of each event; at its end marks it, and moves its recordings once they are listed', async () => {
	const title = `Town hall ${markOf('entry')}`;
	const [townHall, talk] = service.seedEvents([
		{ title, dateScheduled: '2030-03-30 18:00:00' },
		{ title: 'Talk', dateScheduled: '2030-03-31 18:00:00' },
		{ title: 'Rehearsal' },
	]);
	service.seedVideos([
		{ name: 'Talk.mp4' },
		{ name: 'Something else.mp4' },
		{ name: 'Town hall of yesterday.mp4', createdDate: DateTime.now().minus({ hours: 23 }).toISO() },
	]);
	if (!townHall || !talk) throw new Error('Nothing was seeded');
	const name = 'announce-live-events-in-slack-and-organize-their-recordings';
	const workflow = await importTemplate(n8n, name, credential, {
		nodes: {
			'Event Status Changed': { parameters: { pollTimes: everyTwoSeconds } },
			'Send Slack Message': (node) => ({ ...outside.postsInstead(node), retryOnFail: false }),
			'Report Unmarked Event': outside.postsInstead,
			'Report Missing Recording': outside.postsInstead,
			'Wait 5 Minutes': { parameters: { amount: 1, unit: 'seconds' } },
		},
	});
	await n8n.rest.activateWorkflow(workflow);
	const nthExecution = async (nth: number) => {
		const executions = async () => await n8n.rest.executions(workflow);
		const { id } = await poll(`execution ${nth}`, 60_000, async () => (await executions()).at(-nth));
		return await n8n.rest.waitForExecution(id);
	};

	outside.messageStatuses.push(200, 500);
	for (const event of [townHall, talk]) event.status = 'LIVE';
	const failed = await nthExecution(1);
	expect(failed.status).toBe('error');
	expectSuccess(await n8n.rest.retryNewest(workflow));
	expect(outside.messages).toEqual([
		{ message: '🔴 Town hall is live now (scheduled for 2030-03-30 18:00:00).' },
		{ message: '🔴 Talk is live now (scheduled for 2030-03-31 18:00:00).' },
	]);

	service.requests.length = 0;
	reject('eventUpdate', 'Not now');
	reject('videoMove', 'Not now', { skip: 1 });
	// Both in one go, so that one execution has both.
	for (const event of [townHall, talk]) event.status = 'ON_DEMAND';
	await service.until(
		() => service.requestsOf('videoList').filter(({ query }) => query.name === 'Town hall').length > 1,
	);
	// Marked before the recordings of the other one are listed.
	expect(talk.title).toBe('Ended: Talk');
	service.seedVideos([{ name: 'Town hall.mp4' }, { name: 'Town hall.mp4' }]);
	expectSuccess(await nthExecution(3));
	await n8n.rest.deactivateWorkflow(workflow);

	const report = 'The title of Town hall did not get the prefix "Ended:". Not now';
	expect(outside.messages.slice(2)).toEqual([{ message: expect.stringContaining(report) }]);
	expect(service.state.events.map((event) => event.title)).toEqual([title, 'Ended: Talk', 'Rehearsal']);
	const [folder, ...others] = service.state.folders;
	expect([folder?.name, others]).toEqual(['Recordings', []]);
	expect(service.state.videos.map((video) => [video.name, video.folder])).toEqual([
		['Talk.mp4', folder?.uuid],
		['Something else.mp4', null],
		['Town hall of yesterday.mp4', null],
		['Town hall.mp4', folder?.uuid],
		['Town hall.mp4', folder?.uuid],
	]);
}, 120_000);

it('an AI agent replies from the events of the period alone, or from the error', async () => {
	const monday = DateTime.now().setZone('Europe/Berlin').startOf('week');
	service.seedEvents([
		{ title: 'Town hall', dateScheduled: written(monday.plus({ days: 2, hours: 18 })) },
		{ title: 'Town hall', dateScheduled: written(monday.plus({ days: 3, hours: 18 })) },
		...Array.from({ length: 250 }, (_, day) => ({
			...{ title: `Later ${day}`, dateScheduled: written(monday.plus({ days: 7 + day })) },
		})),
	]);
	const entered = { scheduledAfter: written(monday), scheduledBefore: written(monday.plus({ weeks: 1 })) };
	outside.nextCall = ({ length }) => (length === 0 ? ['Get_Live_Events', entered] : undefined);
	const account = { apiKey: 'key-of-the-test', url: `${outside.url}/openai` };
	const { id, name } = await n8n.rest.createCredential('openAiApi', 'OpenAI', account);
	const asked = { sessionId: 's1', action: 'sendMessage', chatInput: 'Which events are this week?' };
	const workflow = await importTemplate(n8n, 'ask-an-ai-agent-about-live-events', credential, {
		pinData: { 'When chat message received': [{ json: asked }] },
		nodes: { 'OpenAI Chat Model': { credentials: { openAiApi: { id, name } } } },
	});

	const ask = async () => {
		const execution = await n8n.rest.runToSuccess(workflow, 'When chat message received');
		return JSON.stringify(outputOf(execution, 'Event Assistant')[0]?.json.output);
	};

	reject('eventSearchAll', 'Not now', { times: 20 });
	expect(await ask()).toContain('Not now');
	service.clearFaults();
	const reply = await ask();
	const titles = [...reply.matchAll(/\\"title\\":\\"(.*?)\\"/g)].map(([, title]) => title);
	expect(titles).toEqual(['Town hall', 'Town hall']);
}, 60_000);

it('the first template uploads a video byte for byte and schedules a live event once, with no secret in the log', async () => {
	const video = writeTestFile(n8n.filesFolder, 'my-video.avi', 6_000_000);
	const inAWeek = () => inBerlin(7 * 24 * 60).toFormat("yyyy-MM-dd '20:00:00'");
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

it('uploads each new file of the cloud storage once into one folder, with a title of its own and the preview image that there is', async () => {
	const fileOf = (id: string, name: string) => ({
		...writeTestFile(n8n.filesFolder, `${id}.avi`, 2_000_000),
		...{ id, name, title: `${name.replace('.avi', '').replace('_', ' ')} ${markOf(id)}` },
	});
	const [first, twin, late] = [
		fileOf('first', 'board_meeting.avi'),
		fileOf('twin', 'board_meeting.avi'),
		fileOf('late', 'Dr. Who 2.0'),
	] as const;
	const store = ({ id, bytes }: typeof first) =>
		outside.files.set(`${id}?alt=media&supportsAllDrives=true`, {
			...{ type: 'video/x-msvideo', bytes, token: 'token-of-drive' },
		});
	[first, twin].forEach(store);
	outside.files.set('preview', { type: 'image/png', bytes: onePixelPng, token: 'token-of-drive' });
	const { id, name } = await n8n.rest.createCredential('googleDriveOAuth2Api', 'Google Drive', {
		...{ clientId: 'client', clientSecret: 'secret' },
		oauthTokenData: { access_token: 'token-of-drive', token_type: 'Bearer' },
	});
	const credentials = { googleDriveOAuth2Api: { id, name } };
	const downloaded = (node: INode) => ({ ...outside.downloadsInstead(node), credentials });
	const arrived = (file: { id: string; name: string }, more = {}) => ({
		json: { id: file.id, name: file.name, mimeType: 'video/x-msvideo', ...more },
	});
	const workflow = await importTemplate(n8n, 'upload-new-videos-from-cloud-storage', credential, {
		pinData: {
			'New File in Drive': [
				arrived(late),
				arrived(first, { thumbnailLink: `${outside.url}/files/preview` }),
				arrived({ id: 'minutes', name: 'minutes.pdf' }, { mimeType: 'application/pdf' }),
				arrived(twin),
			],
		},
		nodes: {
			'Get Preview Image': { credentials },
			'Download from Drive': downloaded,
			'Download Again': downloaded,
		},
	});

	reject('uploadCreate', 'Not now');
	const failed = await n8n.rest.runToEnd(workflow, 'New File in Drive');
	expect([failed.status, failed.data.resultData.lastNodeExecuted]).toEqual(['error', 'Download Again']);
	expect(service.state.videos).toHaveLength(2);
	store(late);
	expectSuccess(await n8n.rest.retryNewest(workflow));
	await n8n.rest.runToSuccess(workflow, 'New File in Drive');

	expect(service.state.uploads.map(({ complete, sha256: hash }) => [complete, hash])).toEqual(
		[twin, first, late].map((video) => [true, video.sha256]),
	);
	const [folder, ...others] = service.state.folders;
	expect([folder?.name, others]).toEqual(['From Google Drive', []]);
	expect(service.state.videos).toMatchObject([
		{ name: twin.title, folder: folder?.uuid, thumbnail: null },
		{ name: first.title, folder: folder?.uuid, thumbnail: { sha256: sha256(onePixelPng) } },
		{ name: late.title, folder: folder?.uuid, thumbnail: null },
	]);
}, 60_000);

describe('Collect videos from emails and remind the team before the event', () => {
	const name = 'collect-videos-from-emails-and-remind-the-team-before-the-event';

	it('uploads each attached video once into the folder of the event, and reports the one that failed', async () => {
		const attached = (content: string, fileName: string, mimeType = 'video/mp4') => ({
			data: Buffer.from(content).toString('base64'),
			...{ fileName, mimeType },
		});
		const email = (
			id: string,
			from: string,
			binary: IBinaryKeyData,
			subject = 'Re: Town hall [0123abcd]',
		) => ({
			json: { subject, from: { text: from }, messageId: id },
			binary,
		});
		const emails = [
			email('<1@a>', '"Ada Lovelace" <ada@example.com>', {
				attachment_0: attached('first', 'video.mp4'),
				attachment_1: attached('signature', 'signature.png', 'image/png'),
				attachment_2: attached('second', 'video.mp4'),
			}),
			email('<2@a>', 'grace@example.com', {
				attachment_0: attached('third', 'video.mp4', 'application/octet-stream'),
			}),
			email('<3@a>', 'alan@example.com', { attachment_0: attached('fourth', '') }, ''),
		];
		const workflow = await importTemplate(n8n, name, credential, {
			pinData: { 'New Email': emails },
			nodes: {
				'Upload Videos': { retryOnFail: false },
				'Report Failed Uploads': outside.postsInstead,
			},
		});

		for (const skip of [1, 3]) reject('uploadCreate', 'Not wanted', { skip });
		await n8n.rest.runToSuccess(workflow, 'New Email');
		await n8n.rest.runToSuccess(workflow, 'New Email');

		const [folder, other, ...others] = service.state.folders;
		expect([folder?.name, other?.name, others]).toEqual(['Town hall', 'Without Subject', []]);
		const stored = (content: string, sender: string, attachment: string) => [
			`${sender} - video ${markOf(attachment)}.mp4`,
			...[folder?.uuid, sha256(Buffer.from(content))],
		];
		expect(service.state.videos.map((video) => [video.name, video.folder, video.sha256])).toEqual([
			stored('first', 'Ada Lovelace', '<1@a>attachment_0'),
			stored('third', 'grace', '<2@a>attachment_0'),
			stored('second', 'Ada Lovelace', '<1@a>attachment_2'),
			[`alan ${markOf('<3@a>attachment_0')}`, other?.uuid, sha256(Buffer.from('fourth'))],
		]);
		const first =
			/^video\.mp4, which "Ada Lovelace" <ada@example.com> sent for Re: Town hall \[0123abcd\], was not uploaded\. Not wanted/;
		const nameless = /^A video, which alan@example.com sent, was not uploaded\. /m;
		for (const text of [first, nameless])
			expect(outside.messages).toEqual([{ message: expect.stringMatching(text) }]);
	}, 60_000);

	it('reminds of each event once, with the videos of its folder', async () => {
		const [townHall] = service.seedFolders([{ name: 'Town hall' }]);
		service.seedVideos([{ name: 'first.mp4', folder: townHall?.uuid }, { name: 'other.mp4' }]);
		const soon = inBerlin(20);
		service.seedEvents([
			{ title: 'Town hall [0123abcd]', dateScheduled: written(soon) },
			{ title: 'Ended: Town hall [4567cdef]', dateScheduled: written(soon) },
			{ title: 'Talk', dateScheduled: written(soon) },
			{ title: 'Later', dateScheduled: written(inBerlin(90)) },
		]);
		const workflow = await importTemplate(n8n, name, credential, {
			timezone: 'Europe/Berlin',
			nodes: {
				'New Email': { disabled: true },
				'Event Starts Soon': { parameters: { pollTimes: everyTwoSeconds } },
				'Report Failed Uploads': outside.postsInstead,
				'Send Reminder': outside.postsInstead,
			},
		});

		await n8n.rest.activateWorkflow(workflow);
		await poll('all reminders', 60_000, () => outside.messages[2]);
		const lists = service.requestsOf('eventSearchAll').length;
		await service.until(() => service.requestsOf('eventSearchAll').length > lists + 1);
		await n8n.rest.deactivateWorkflow(workflow);

		const at = soon.toFormat('HH:mm');
		const withoutVideos = new RegExp(`^Talk starts at ${at}\\.\n\nNo videos were found\\..*folder`);
		const withVideos = { message: `Town hall starts at ${at}.\n\nVideos: first.mp4` };
		expect(outside.messages).toHaveLength(3);
		expect(outside.messages.filter((sent) => isDeepStrictEqual(sent, withVideos))).toHaveLength(2);
		expect(outside.messages).toContainEqual({ message: expect.stringMatching(withoutVideos) });
	}, 60_000);
});

it('emails the disk usage of the application and of each folder, or why a folder has none', async () => {
	const [meetings, trailers] = service.seedFolders([{ name: 'Meetings' }, { name: 'Meetings' }]);
	service.seedVideos([
		{ folder: meetings?.uuid, size: 2_500_000_000 },
		{ folder: trailers?.uuid, size: 120_000_000 },
		{ size: 1_000_000_000 },
	]);
	const nodes = { 'Get Folder Usage': { retryOnFail: false }, 'Send Report': outside.postsInstead };
	const workflow = await importTemplate(n8n, 'email-a-weekly-disk-usage-report', credential, { nodes });

	reject('diskUsageByFolder', 'Not now', { skip: 1 });
	await n8n.rest.runToSuccess(workflow, 'Every Monday at 8');
	const body = { usage: 3_620_000_000 };
	service.injectFault({ on: 'diskUsageByApplication', kind: 'status', status: 200, body });
	await n8n.rest.runToSuccess(workflow, 'Every Monday at 8');

	const total = 'All videos of the application: 3.62 GB';
	expect(outside.messages).toEqual([
		{
			message: expect.stringMatching(
				`^${total}\n\nMeetings: 2\\.5 GB\n.*Not now.*\n\nVideos outside of folders: unknown$`,
			),
		},
		{
			message: `${total}\n\nMeetings: 2.5 GB\nMeetings: 120 MB\n\nVideos outside of folders: 1.00 GB`,
		},
	]);
}, 60_000);

import { DateTime } from 'luxon';
import type { IBinaryKeyData } from 'n8n-workflow';

import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { outputOf } from '../n8n/execution';
import { expectArrived, onePixelPng, sha256, writeTestFile } from '../n8n/files';
import type { N8n } from '../n8n/instance';
import { sharedN8n } from '../n8n/jestSetup';
import { poll } from '../n8n/poll';
import { expectSuccess, type StoredCredential } from '../n8n/rest';
import { importTemplate, uploadAndSchedule } from '../n8n/templates';
import { everyTwoSeconds } from '../n8n/workflow';
import { OutsideServices } from './outsideServices';

let n8n: N8n;
let service: RunningService;
let credential: StoredCredential;
let outside: OutsideServices;

serviceForEachTest(async (started) => {
	service = started;
	n8n = await sharedN8n();
	credential = await n8n.rest.createCredential('videoHostingApi', 'Templates', service.credential);
	outside = await OutsideServices.start();
});
afterEach(async () => {
	await outside.close();
});

const inBerlin = (minutes: number) => DateTime.now().setZone('Europe/Berlin').plus({ minutes });
const written = (date: DateTime) => date.toFormat('yyyy-MM-dd HH:mm:ss');

/** A calendar entry as Google Calendar responds: instants with an offset, or days without a time. */
interface CalendarEntry {
	id: string;
	summary?: string;
	start: { dateTime: string } | { date: string };
}

/** The mark of an entry at the end of its event's title. */
const markOf = (id: string) => `[${sha256(id).slice(0, 8)}]`;
const scheduled = () => service.state.events.map(({ title, dateScheduled }) => [title, dateScheduled]);

async function runCalendar(entries: CalendarEntry[], timezone = 'Europe/Berlin'): Promise<void> {
	const pinData = { 'Get Calendar Entries': entries.map((json) => ({ json: { ...json } })) };
	const name = 'schedule-live-events-from-a-calendar';
	const workflow = await importTemplate(n8n, name, credential, { pinData, timezone });
	await n8n.rest.runToSuccess(workflow, 'Every 15 Minutes');
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

		await runCalendar(entries, 'America/New_York');
		await runCalendar(entries, 'America/New_York');

		expect(scheduled()).toEqual([
			[`Town hall, live ${markOf('one')}`, '2030-03-30 13:00:00'],
			[`Town hall, live ${markOf('two')}`, '2030-03-31 12:00:00'],
			[`Overseas live talk ${markOf('three')}`, '2030-10-26 21:30:00'],
			[`Live event ${markOf('four')}`, '2030-05-01 06:00:00'],
		]);
	}, 60_000);

	it('moves the event of a moved entry, and leaves alone renamed and ended ones and those of other people', async () => {
		const entry = (id: string, day: string): CalendarEntry => ({
			...{ id, summary: `Live ${id}` },
			start: { dateTime: `2030-05-${day}T12:00:00Z` },
		});
		await runCalendar([entry('moved', '01'), entry('renamed', '02'), entry('ended', '03')]);
		const ended = service.state.events[2];
		Object.assign(ended ?? {}, { status: 'ON_DEMAND', title: `Ended: ${ended?.title}` });
		service.seedEvents([{ title: 'Live moved', dateScheduled: '2030-05-01 14:00:00' }]);

		const renamed = { ...entry('renamed', '02'), summary: 'Live, another name' };
		await runCalendar([entry('moved', '11'), renamed, entry('ended', '03')]);

		expect(scheduled().sort()).toEqual([
			[`Ended: Live ended ${markOf('ended')}`, '2030-05-03 14:00:00'],
			[`Live moved ${markOf('moved')}`, '2030-05-11 14:00:00'],
			['Live moved', '2030-05-01 14:00:00'],
			[`Live renamed ${markOf('renamed')}`, '2030-05-02 14:00:00'],
		]);
	}, 60_000);
});

it('posts one message at the start of an event; at its end marks it, and moves its recordings once they are listed', async () => {
	const title = `Town hall ${markOf('entry')}`;
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
	const name = 'announce-live-events-in-slack-and-organize-their-recordings';
	const workflow = await importTemplate(n8n, name, credential, {
		nodes: {
			'Event Status Changed': { parameters: { pollTimes: everyTwoSeconds } },
			'Send Slack Message': outside.postsInstead,
			'Report Missing Recording': outside.postsInstead,
			'Wait 5 Minutes': { parameters: { amount: 1, unit: 'seconds' } },
		},
	});
	await n8n.rest.activateWorkflow(workflow);
	const nthExecution = async (nth: number) => {
		const executions = async () => await n8n.rest.executions(workflow);
		const { id } = await poll(`execution ${nth}`, 60_000, async () => (await executions()).at(-nth));
		expectSuccess(await n8n.rest.waitForExecution(id));
	};

	service.setEventStatus(townHall.hash, 'LIVE');
	await nthExecution(1);
	const message = '🔴 Town hall is live now (scheduled for 2030-03-30 18:00:00).';
	expect(outside.messages).toEqual([{ message }]);
	service.setEventStatus(talk.hash, 'LIVE');
	await nthExecution(2);

	service.requests.length = 0;
	// Both in one go, so that one execution has both.
	for (const event of [townHall, talk]) event.status = 'ON_DEMAND';
	await service.until(
		() => service.requestsOf('videoList').filter(({ query }) => query.name === 'Town hall').length > 1,
	);
	service.seedVideos([{ name: 'Town hall, camera 1.mp4' }]);
	await nthExecution(3);
	await n8n.rest.deactivateWorkflow(workflow);

	expect(outside.messages).toHaveLength(2);
	expect(service.state.events.map((event) => event.title)).toEqual([
		...[`Ended: ${title}`, 'Ended: Talk', 'Rehearsal'],
	]);
	const [folder, ...others] = service.state.folders;
	expect([folder?.name, others]).toEqual(['Recordings', []]);
	expect(service.state.videos.map((video) => [video.name, video.folder])).toEqual([
		['Talk.mp4', folder?.uuid],
		['Something else.mp4', null],
		['Town hall of last week.mp4', null],
		['Town hall, camera 1.mp4', folder?.uuid],
	]);

	// Ended early: the calendar still contains the entry.
	const start = { dateTime: '2030-03-30T18:00:00+01:00' };
	await runCalendar([{ id: 'entry', summary: 'Town hall', start }]);
	expect(service.state.events).toHaveLength(3);
}, 120_000);

it('an AI agent replies from the events of the period alone, which contain no secret', async () => {
	const monday = DateTime.now().setZone('Europe/Berlin').startOf('week');
	service.seedEvents([
		{ title: 'Town hall', dateScheduled: written(monday.plus({ days: 2, hours: 18 })) },
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

	const execution = await n8n.rest.runToSuccess(workflow, 'When chat message received');

	const reply = JSON.stringify(outputOf(execution, 'Event Assistant')[0]?.json.output);
	const titles = [...reply.matchAll(/\\"title\\":\\"(.*?)\\"/g)].map(([, title]) => title);
	expect(titles).toEqual(['Town hall']);
	for (const secret of Object.values(service.settings.plans)) expect(reply).not.toContain(secret);
}, 60_000);

it('the first template uploads a video byte for byte and schedules a live event, with no secret in the log', async () => {
	const video = writeTestFile(n8n.filesFolder, 'my-video.avi', 6_000_000);
	const inAWeek = () => inBerlin(7 * 24 * 60).toFormat("yyyy-MM-dd '20:00:00'");
	const possibleDates = [inAWeek()];

	const execution = await n8n.rest.runToSuccess(await importTemplate(n8n, uploadAndSchedule, credential));
	possibleDates.push(inAWeek());

	const upload = expectArrived(service.state.uploads, video);
	expect(service.state.events).toMatchObject([
		{ title: 'Premiere: my-video.avi', planId: service.credential.planId },
	]);
	expect(possibleDates).toContain(service.state.events[0]?.dateScheduled);
	expect(outputOf(execution, 'Upload Video')).toMatchObject([
		{ json: { uploadId: upload.id, complete: true, video: { name: 'my-video.avi' } } },
	]);
	const [token = ''] = service.requests.flatMap(({ headers }) => headers.authorization ?? []);
	for (const secret of [service.credential.password, token.replace('Bearer ', '')])
		expect(n8n.log()).not.toContain(secret);
}, 60_000);

it('uploads each new file of the cloud storage into one folder, with a title and the preview image that there is', async () => {
	const videos = ['board_meeting-2030.avi', 'trailer.avi'].map((name) =>
		writeTestFile(n8n.filesFolder, name, 2_000_000),
	);
	for (const { name, bytes } of videos) outside.files.set(name, { type: 'video/x-msvideo', bytes, name });
	outside.files.set('preview', { type: 'image/png', bytes: onePixelPng, token: 'token-of-drive' });
	const { id, name } = await n8n.rest.createCredential('googleDriveOAuth2Api', 'Google Drive', {
		...{ clientId: 'client', clientSecret: 'secret' },
		oauthTokenData: { access_token: 'token-of-drive', token_type: 'Bearer' },
	});
	const arrived = (file: string, more = {}) => ({
		json: { id: file, name: file, mimeType: 'video/x-msvideo', ...more },
	});
	const workflow = await importTemplate(n8n, 'upload-new-videos-from-cloud-storage', credential, {
		pinData: {
			'New File in Drive': [
				arrived('board_meeting-2030.avi', { thumbnailLink: `${outside.url}/files/preview` }),
				arrived('minutes.pdf', { mimeType: 'application/pdf' }),
				arrived('trailer.avi'),
			],
		},
		nodes: {
			'Get Preview Image': { credentials: { googleDriveOAuth2Api: { id, name } } },
			'Download from Drive': outside.downloadsInstead,
		},
	});

	await n8n.rest.runToSuccess(workflow, 'New File in Drive');

	expect(service.state.uploads.map(({ complete, sha256: hash }) => [complete, hash])).toEqual(
		videos.map((video) => [true, video.sha256]),
	);
	const [folder, ...others] = service.state.folders;
	expect([folder?.name, others]).toEqual(['From Google Drive', []]);
	expect(service.state.videos).toMatchObject([
		{ name: 'board meeting 2030', folder: folder?.uuid, thumbnail: { sha256: sha256(onePixelPng) } },
		{ name: 'trailer', folder: folder?.uuid, thumbnail: null },
	]);
}, 60_000);

describe('Collect videos from emails and remind the team before the event', () => {
	const name = 'collect-videos-from-emails-and-remind-the-team-before-the-event';

	it('uploads each attached video into the folder of the event, and reports the one that failed', async () => {
		const attached = (fileName: string, mimeType = 'video/mp4') => ({
			data: Buffer.from(`content of ${fileName}`).toString('base64'),
			...{ fileName, mimeType },
		});
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, error: 'Not wanted', skip: 1 });
		const binary: IBinaryKeyData = {
			attachment_0: attached('first.mp4'),
			attachment_1: attached('signature.png', 'image/png'),
			attachment_2: attached('second.mp4'),
			attachment_3: attached('third.mp4'),
		};
		const json = { subject: 'Re: Town hall', from: 'ada@example.com' };
		const workflow = await importTemplate(n8n, name, credential, {
			pinData: { 'New Email': [{ json, binary }] },
			nodes: {
				'Upload Videos': { retryOnFail: false },
				'Report Failed Upload': outside.postsInstead,
			},
		});

		await n8n.rest.runToSuccess(workflow, 'New Email');
		await n8n.rest.runToSuccess(workflow, 'New Email');

		const [folder, ...others] = service.state.folders;
		expect([folder?.name, others]).toEqual(['Town hall', []]);
		expect(service.state.videos.map((video) => [video.name, video.folder])).toEqual(
			['first.mp4', 'third.mp4', 'second.mp4'].map((video) => [video, folder?.uuid]),
		);
		const report = /^A video that ada@example.com sent was not uploaded\. .*"attachment_2": Not wanted\./;
		expect(outside.messages).toEqual([{ message: expect.stringMatching(report) }]);
	}, 60_000);

	it('reminds of each event once, with the videos of its folder', async () => {
		const [townHall] = service.seedFolders([{ name: 'Town hall' }]);
		service.seedVideos([{ name: 'first.mp4', folder: townHall?.uuid }, { name: 'other.mp4' }]);
		const soon = inBerlin(20);
		service.seedEvents([
			{ title: 'Town hall [0123abcd]', dateScheduled: written(soon) },
			{ title: 'Talk', dateScheduled: written(soon) },
			{ title: 'Later', dateScheduled: written(inBerlin(90)) },
		]);
		const workflow = await importTemplate(n8n, name, credential, {
			timezone: 'Europe/Berlin',
			nodes: {
				'New Email': { disabled: true },
				'Event Starts Soon': { parameters: { pollTimes: everyTwoSeconds } },
				'Report Failed Upload': outside.postsInstead,
				'Send Reminder': outside.postsInstead,
			},
		});

		await n8n.rest.activateWorkflow(workflow);
		await poll('both reminders', 60_000, () => outside.messages[1]);
		const lists = service.requestsOf('eventSearchAll').length;
		await service.until(() => service.requestsOf('eventSearchAll').length > lists + 1);
		await n8n.rest.deactivateWorkflow(workflow);

		const at = soon.toFormat('HH:mm');
		const withoutVideos = new RegExp(`^Talk starts at ${at}\\.\n\nNo videos were found\\..*folder`);
		expect(outside.messages).toHaveLength(2);
		expect(outside.messages).toEqual(
			expect.arrayContaining([
				{ message: `Town hall starts at ${at}.\n\nVideos: first.mp4` },
				{ message: expect.stringMatching(withoutVideos) },
			]),
		);
	}, 60_000);
});

it('emails the disk usage of the application and of each folder', async () => {
	const [meetings, trailers] = service.seedFolders([{ name: 'Meetings' }, { name: 'Trailers' }]);
	service.seedVideos([
		{ folder: meetings?.uuid, size: 2_500_000_000 },
		{ folder: trailers?.uuid, size: 120_000_000 },
		{ size: 1_000_000_000 },
	]);
	const nodes = { 'Send Report': outside.postsInstead };
	const workflow = await importTemplate(n8n, 'email-a-weekly-disk-usage-report', credential, { nodes });

	await n8n.rest.runToSuccess(workflow, 'Every Monday at 8');

	const usage = '3.62 GB\n\nMeetings: 2.5 GB\nTrailers: 120 MB';
	expect(outside.messages).toEqual([{ message: `All videos of the application: ${usage}` }]);
}, 60_000);

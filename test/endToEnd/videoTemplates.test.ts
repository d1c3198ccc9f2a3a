import { createHash } from 'node:crypto';

import { DateTime } from 'luxon';
import type { IBinaryKeyData } from 'n8n-workflow';

import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { outputOf } from '../n8n/execution';
import { expectArrived, onePixelPng, writeTestFile } from '../n8n/files';
import type { N8n } from '../n8n/instance';
import { sharedN8n } from '../n8n/jestSetup';
import { poll } from '../n8n/poll';
import type { StoredCredential } from '../n8n/rest';
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
	credential = await n8n.rest.createCredential('videoHostingApi', 'Video templates', service.credential);
	outside = await OutsideServices.start();
});
afterEach(async () => {
	await outside.close();
});

const inBerlin = (minutes: number) => DateTime.now().setZone('Europe/Berlin').plus({ minutes });
const written = (date: DateTime) => date.toFormat('yyyy-MM-dd HH:mm:ss');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

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

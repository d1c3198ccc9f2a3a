import { createHash } from 'node:crypto';

import { DateTime } from 'luxon';

import { exampleWorkflowNames, importExampleWorkflow, uploadAndSchedule } from '../n8n/exampleWorkflows';
import { outputOf } from '../n8n/execution';
import { expectArrived, onePixelPng, writeTestFile } from '../n8n/files';
import { poll } from '../n8n/poll';
import { everyTwoSeconds, MANUAL_TRIGGER, node, workflowOf } from '../n8n/workflow';
import { TemplateWorld } from './templateWorld';

let world: TemplateWorld;

beforeAll(async () => {
	world = await TemplateWorld.start();
}, 180_000);
afterAll(async () => {
	await world?.end();
});
beforeEach(() => world.clear());

const inBerlin = (minutes: number) => DateTime.now().setZone('Europe/Berlin').plus({ minutes });
const written = (date: DateTime) => date.toFormat('yyyy-MM-dd HH:mm:ss');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

it('the first template uploads a video byte for byte and schedules a live event, with no secret in the log', async () => {
	const { n8n, service } = world;
	const video = writeTestFile(n8n.filesFolder, 'my-video.avi', 6_000_000);
	const fresh = await n8n.rest.createCredential('videoHostingApi', 'Not signed in yet', service.credential);
	const workflow = await importExampleWorkflow(n8n, uploadAndSchedule, fresh);
	const inAWeek = () => inBerlin(7 * 24 * 60).toFormat("yyyy-MM-dd '20:00:00'");
	const possibleDates = [inAWeek()];

	const execution = await world.run(workflow, MANUAL_TRIGGER);
	possibleDates.push(inAWeek());

	const upload = expectArrived(service.state.uploads, video);
	expect(service.state.events).toMatchObject([
		{ title: 'Premiere: my-video.avi', planId: service.credential.planId },
	]);
	expect(possibleDates).toContain(service.state.events[0]?.dateScheduled);
	expect(
		service.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => [method, path]),
	).toEqual([
		['POST', '/v1/authenticate'],
		['POST', '/v1/videos'],
		['PATCH', `/v1/videos/uploads/${upload.id}`],
		// The fake service's response to PATCH has no Upload-Offset, as none is documented (docs/api-reference.md#send-bytes).
		['HEAD', `/v1/videos/uploads/${upload.id}`],
		['POST', '/v1/events/insert'],
	]);
	expect(outputOf(execution, 'Upload Video')).toMatchObject([
		{ json: { uploadId: upload.id, complete: true, video: { name: 'my-video.avi' } } },
	]);
	const [token = ''] = service.requests.flatMap(({ headers }) => headers.authorization ?? []);
	for (const secret of [service.credential.password, token.replace('Bearer ', '')])
		expect(n8n.log()).not.toContain(secret);
}, 120_000);

it('uploads each new file of the cloud storage into one folder, with a title and the preview image that there is', async () => {
	const { n8n, service, outside } = world;
	const videos = ['board_meeting-2030.avi', 'trailer.avi'].map((name) =>
		writeTestFile(n8n.filesFolder, name, 2_000_000),
	);
	for (const { name, bytes } of videos) outside.files.set(name, { type: 'video/x-msvideo', bytes, name });
	outside.files.set('preview', { type: 'image/png', bytes: onePixelPng, token: 'token-of-drive' });
	const drive = await n8n.rest.createCredential('googleDriveOAuth2Api', 'Google Drive', {
		...{ clientId: 'client', clientSecret: 'secret' },
		oauthTokenData: { access_token: 'token-of-drive', token_type: 'Bearer' },
	});
	const arrived = (name: string) => ({ id: name, name, mimeType: 'video/x-msvideo' });
	const workflow = await world.imported('upload-new-videos-from-cloud-storage', {
		pinned: {
			'New File in Drive': [
				{ ...arrived('board_meeting-2030.avi'), thumbnailLink: `${outside.url}/files/preview` },
				{ id: 'minutes', name: 'minutes.pdf', mimeType: 'application/pdf' },
				arrived('trailer.avi'),
			],
		},
		change: {
			'Get Preview Image': { credentials: { googleDriveOAuth2Api: { id: drive.id, name: drive.name } } },
			'Download from Drive': world.downloadsInstead,
		},
	});

	await world.run(workflow, 'New File in Drive');

	expect(service.state.uploads.map(({ complete, sha256: hash }) => [complete, hash])).toEqual(
		videos.map((video) => [true, video.sha256]),
	);
	const [folder, ...others] = service.state.folders;
	expect([folder?.name, others]).toEqual(['From Google Drive', []]);
	expect(service.state.videos).toMatchObject([
		{ name: 'board meeting 2030', folder: folder?.uuid, thumbnail: { sha256: sha256(onePixelPng) } },
		{ name: 'trailer', folder: folder?.uuid, thumbnail: null },
	]);
}, 120_000);

describe('Collect videos from emails and remind the team before the event', () => {
	const name = 'collect-videos-from-emails-and-remind-the-team-before-the-event';

	it('uploads each attached video into the folder of the event, and reports the one that failed', async () => {
		const { service, outside } = world;
		const attached = (fileName: string, mimeType = 'video/mp4') => ({
			data: Buffer.from(`content of ${fileName}`).toString('base64'),
			...{ fileName, mimeType },
		});
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, error: 'Not wanted', skip: 1 });
		const workflow = await world.imported(name, {
			pinned: { 'New Email': [{ subject: 'Re: Town hall', from: 'ada@example.com' }] },
			files: {
				attachment_0: attached('first.mp4'),
				attachment_1: attached('signature.png', 'image/png'),
				attachment_2: attached('second.mp4'),
				attachment_3: attached('third.mp4'),
			},
			change: {
				'Upload Videos': { retryOnFail: false },
				'Report Failed Upload': world.postsInstead,
			},
		});

		await world.run(workflow, 'New Email');
		await world.run(workflow, 'New Email');

		const [folder, ...others] = service.state.folders;
		expect([folder?.name, others]).toEqual(['Town hall', []]);
		expect(service.state.videos.map((video) => [video.name, video.folder])).toEqual(
			['first.mp4', 'third.mp4', 'second.mp4'].map((video) => [video, folder?.uuid]),
		);
		const report = /^A video that ada@example.com sent was not uploaded\. .*"attachment_2": Not wanted\./;
		expect(outside.messages).toEqual([{ message: expect.stringMatching(report) }]);
	}, 120_000);

	it('reminds of each event once, with the videos of its folder', async () => {
		const { n8n, service, outside } = world;
		const [townHall] = service.seedFolders([{ name: 'Town hall' }]);
		service.seedVideos([{ name: 'first.mp4', folder: townHall?.uuid }, { name: 'other.mp4' }]);
		const soon = inBerlin(20);
		service.seedEvents([
			{ title: 'Town hall [0123abcd]', dateScheduled: written(soon) },
			{ title: 'Talk', dateScheduled: written(soon) },
			{ title: 'Later', dateScheduled: written(inBerlin(90)) },
		]);
		const workflow = await world.imported(name, {
			timezone: 'Europe/Berlin',
			change: {
				'New Email': { disabled: true },
				'Event Starts Soon': { parameters: { pollTimes: everyTwoSeconds } },
				'Report Failed Upload': world.postsInstead,
				'Send Reminder': world.postsInstead,
			},
		});

		await n8n.rest.activateWorkflow(workflow.id);
		await poll('both reminders', 60_000, () => outside.messages[1]);
		const lists = service.requestsOf('eventSearchAll').length;
		await service.until(() => service.requestsOf('eventSearchAll').length > lists + 1);
		await n8n.rest.deactivateWorkflow(workflow.id);

		const at = soon.toFormat('HH:mm');
		const withoutVideos = new RegExp(`^Talk starts at ${at}\\.\n\nNo videos were found\\..*folder`);
		expect(outside.messages).toHaveLength(2);
		expect(outside.messages).toEqual(
			expect.arrayContaining([
				{ message: `Town hall starts at ${at}.\n\nVideos: first.mp4` },
				{ message: expect.stringMatching(withoutVideos) },
			]),
		);
	}, 120_000);
});

it('emails the disk usage of the application and of each folder', async () => {
	const { service, outside } = world;
	const [meetings, trailers] = service.seedFolders([{ name: 'Meetings' }, { name: 'Trailers' }]);
	service.seedVideos([
		{ folder: meetings?.uuid, size: 2_500_000_000 },
		{ folder: trailers?.uuid, size: 120_000_000 },
		{ size: 1_000_000_000 },
	]);
	const change = { 'Send Report': world.postsInstead };
	const workflow = await world.imported('email-a-weekly-disk-usage-report', { change });

	await world.run(workflow, 'Every Monday at 8');

	const usage = '3.62 GB\n\nMeetings: 2.5 GB\nTrailers: 120 MB';
	expect(outside.messages).toEqual([{ message: `All videos of the application: ${usage}` }]);
});

it('the templates use nothing that n8n 3 removes, as the migration report of n8n 2 has it', async () => {
	const { n8n, credential } = world;
	const imports = exampleWorkflowNames().map(async (name) => importExampleWorkflow(n8n, name, credential));
	const removed = node('Function', 'n8n-nodes-base.function', 1, {});
	const old = await n8n.rest.createWorkflow(workflowOf('Of another time', [removed]));
	const ids = [...(await Promise.all(imports)), old].map(({ id }) => id);

	const { report } = await n8n.session.post<{
		report: { workflowResults: Array<{ ruleId: string; ruleTitle: string }> };
	}>('/breaking-changes/report/refresh?version=v3', {});

	const affected: string[][] = [];
	for (const { ruleId, ruleTitle } of report.workflowResults) {
		const { affectedWorkflows } = await n8n.session.get<{
			affectedWorkflows: Array<{ id: string; name: string }>;
		}>(`/breaking-changes/report/${ruleId}`);
		const own = affectedWorkflows.filter(({ id }) => ids.includes(id));
		affected.push(...own.map(({ name }) => [ruleTitle, name]));
	}
	expect(affected).toEqual([[expect.stringContaining('Function'), 'Of another time']]);
});

import { randomBytes } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { clockAhead, MINUTE_MS } from '../execution/clock';
import { by } from '../execution/locator';
import { policies, usualPolicies } from '../execution/policies';
import type { Fault, ServiceSettings } from '../fakeService';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import {
	changeVideo,
	expectArrived,
	failureOf,
	film,
	films,
	leaveUnfinished,
	listLate,
	listNow,
	newFolder,
	onlyUpload,
	rejectTitle,
	RETURNED,
	retried,
	TITLED,
	upload,
	videoOf,
	type UploadRun,
} from './uploading';

serviceForEachTest();

/** One file; each upload without these bytes is of another file. */
const bytes = randomBytes(1_000_000);

it.each<Partial<ServiceSettings>>([
	{ videoAppearsAfterMs: 60 },
	{ videoNameFilter: 'exact' },
	{ videoNameKeepsExtension: false },
	{ videoSizes: false, videoFolders: 'none', videoDates: 'none' },
])('Return Video returns the new video (%j)', async (settings) => {
	Object.assign(service.settings, settings);
	service.seedVideos([{ name: 'keynote.mp4' }, { name: 'other.mp4' }]);
	service.seedVideos(5);
	const { output } = await upload(service, RETURNED);
	expect(Object.values(output.video as IDataObject)).toContain(videoOf(service, output)?.hash);
});

it('Return Video reads each name once while the upload is created, and before a byte is sent', async () => {
	service.injectFault({ on: 'videoList', kind: 'delay', ms: 50 });
	service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, times: 3 });
	await upload(service, RETURNED);
	const operations = service.requests.map(({ operation }) => operation);
	const beforeBytes = operations.slice(0, operations.indexOf('uploadPatch'));
	expect(beforeBytes.filter((operation) => operation === 'videoList')).toHaveLength(2);
	expect(operations.indexOf('uploadCreate')).toBeLessThan(operations.lastIndexOf('videoList'));
});

it('Return Video takes the names that Skip If Exists has read', async () => {
	await upload(service, { options: { returnVideo: true, skipIfExists: true } });
	const operations = service.requests.map(({ operation }) => operation);
	const start = operations.indexOf('videoList');
	const expected = ['videoList', 'videoList', 'uploadCreate', 'uploadPatch'];
	expect(operations.slice(start, start + 4)).toEqual(expected);
});

it.each<[string, () => Promise<unknown>]>([
	['was not sent yet', async () => await leaveUnfinished(service, {})],
	['is to get a title', async () => await failureOf(upload(service, TITLED))],
	['has a video that was identified', async () => await upload(service, RETURNED)],
])('Return Video returns the new video although another upload like it %s', async (_what, first) => {
	service.settings.slotHeldBy = 'transferring';
	rejectTitle(service);
	await first();
	policies.newVideo.passes.totalMs = 300;
	const { output } = await upload(service, RETURNED);
	expect(output.video).toMatchObject({ hash: videoOf(service, output)?.hash });
});

const later = 'Find it later with Video → Search; Video → Update renames it.';
const notCertain = 'which of the new videos of its name is the right one is not certain';
const notListed = `but the service lists no video "keynote.mp4" yet, besides older ones. ${later}`;
it.each<[string, string, () => void]>([
	[
		'when another program adds one of the same name meanwhile',
		`but ${notCertain}. ${later}`,
		() => {
			const until = service.until(() => service.state.uploads.some(({ offset }) => offset > 0));
			void until.then(() => service.seedVideos([{ name: 'keynote.mp4' }]));
		},
	],
	['when it is not listed in time', notListed, () => (service.settings.videoAppearsAfterMs = 3_600_000)],
	[
		'when videos cannot be listed',
		`but the list of videos could not be read before the upload: Storage 5.1 is down. ${later}`,
		() => answer('videoList', { error: 'Storage 5.1 is down.' }, { status: 500, times: 1_000 }),
	],
	[
		'no later when a rate limit asks for more time',
		`but the list of videos could not be read before the upload: it was not returned in time. ${later}`,
		() => {
			policies.videoReading = { timeoutMs: 100, lateTimeoutMs: 100 };
			const headers = { 'Retry-After': '3' };
			service.injectFault({ on: 'videoList', kind: 'status', status: 429, headers, times: 1_000 });
		},
	],
	[
		'where videos are listed without names',
		`but the list of videos could not be read before the upload: No video is listed with a name, so "keynote.mp4" cannot be looked up. ${later}`,
		() => answer('videoList', [{ hash: 'a' }], { times: 1_000 }),
	],
	['where no plan is known', 'no plan is set', () => (service.settings.planId = '')],
	[
		'where the service does not know the plan',
		'Plan not found. Check Plan ID in the credential',
		() => (service.settings.planId = 'plan-0'),
	],
])('Return Video returns null and a hint %s', async (_when, hint, prepare) => {
	policies.newVideo.passes.totalMs = 200;
	prepare();
	const { hints, output } = await upload(service, RETURNED);
	expect(output).toMatchObject({ complete: true, video: null });
	expect(hints).toMatchObject([{ message: expect.stringContaining(hint) }]);
});

it.each([
	[25, 'keynote.mp4'],
	[40, undefined],
])('Return Video waits 30 seconds for a video that is listed after %d', async (seconds, name) => {
	service.settings.videoAppearsAfterMs = seconds * 1_000;
	const { passes } = usualPolicies.newVideo;
	policies.newVideo = { passes: { ...passes, firstMs: 10, longestBackoffMs: 10 } };
	// Each request for a list lets two seconds pass.
	for (const clock of [Date, performance]) {
		const now = clock.now.bind(clock);
		const passedMs = () => 2_000 * service.requestsOf('videoList').length;
		jest.spyOn(clock, 'now').mockImplementation(() => now() + passedMs());
	}
	const { output } = await upload(service, RETURNED);
	expect((output.video as IDataObject | null)?.name).toBe(name);
});

it('Return Video finds the video of each file of a run, whose slow lists take longer altogether', async () => {
	policies.newVideo.passes.totalMs = 500;
	service.injectFault({ on: 'videoList', kind: 'delay', ms: 100, times: 100 });
	const { items } = await upload(service, { items: await films(...'abcd'), ...RETURNED });
	expect(items.map(({ json }) => json.video)).not.toContain(null);
});

it('Return Video returns null for two uploads of one name that overlap, also in two folders', async () => {
	listLate(service, 2_000);
	const areSent = () => service.state.uploads.filter(({ complete }) => complete).length === 2;
	void service.until(areSent).then(() => listNow(service));
	const folders = service.seedFolders(2);
	const runs = folders.map(async ({ uuid }) => {
		const parameters = { folder: by('uuid', uuid) };
		return await upload(service, { parameters, ...RETURNED });
	});
	for (const { hints, output } of await Promise.all(runs)) {
		expect(output).toMatchObject({ complete: true, video: null });
		expect(hints[0]?.message).toContain(notCertain);
	}
});

it('Return Video does not return for a resumed upload what somebody added between the two runs', async () => {
	await leaveUnfinished(service, { bytes, ...RETURNED });
	service.seedVideos([{ name: 'keynote.mp4' }]);
	listLate(service);
	expect((await upload(service, { bytes, ...RETURNED })).output.video).toBeNull();
});

it('Return Video returns null while the video of an upload of its name that stated no plan is not known', async () => {
	policies.newVideo.passes.totalMs = 300;
	await upload(service, { credential: { planId: '' } });
	const options = { returnVideo: true, planId: 'plan-1001' };
	const { hints, output } = await upload(service, { options });
	expect(output).toMatchObject({ complete: true, video: null });
	expect(hints[0]?.message).toContain(notCertain);
});

it('Return Video returns null for ten minutes after an upload of its name whose last response was lost, and that nobody repeats', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'lostResponse' });
	service.injectFault({ on: 'uploadHead', kind: 'reset', times: 30 });
	await failureOf(upload(service, { bytes }));
	service.clearFaults();
	policies.newVideo.passes.totalMs = 300;
	const again = async () => await upload(service, { bytes: randomBytes(500), ...RETURNED });
	const [early, late] = [await again(), await clockAhead(11 * MINUTE_MS, again)];
	expect(early.output.video).toBeNull();
	expect(late.output.video).toMatchObject({ hash: videoOf(service, late.output)?.hash });
});

describe('an upload whose last response is lost, at a service that forgets finished uploads', () => {
	beforeEach(() => {
		service.settings.dropsFinishedUploads = true;
		service.injectFault({ on: 'uploadPatch', kind: 'lostResponse' });
	});

	it.each<[string, UploadRun, Fault[]]>([
		['as the new video of its name', RETURNED, []],
		['by its mark, after a 429', TITLED, [{ on: 'uploadHead', kind: 'status', status: 429, skip: 3 }]],
		['by its mark, after an outage', TITLED, [{ on: 'uploadHead', kind: 'reset', times: 7 }]],
	])('An upload whose last response is lost is found %s, and not sent again', async (_how, run, faults) => {
		faults.forEach(service.injectFault.bind(service));
		const { output } = await upload(service, { bytes, ...run });
		expect(output).toMatchObject({ complete: true, video: { hash: service.state.videos[0]?.hash } });
		expectArrived(service, bytes);
	});

	it.each<[string, INodeParameters, () => void]>([
		['without a mark', {}, () => {}],
		['when no video has its mark in time', TITLED, () => listLate(service, 100)],
		[
			'where Resume Unfinished is off and nothing says what arrived',
			{ options: { returnVideo: false, resumeUnfinished: false } },
			() => {
				service.settings.dropsFinishedUploads = false;
				service.injectFault({ on: 'uploadHead', kind: 'status', status: 503, times: 11 });
			},
		],
	])('An upload whose last response is lost is not sent again, %s', async (_when, parameters, prepare) => {
		prepare();
		const options = { returnVideo: false };
		expect(await retried(service, await film(), { options, ...parameters })).toMatchObject({
			message: `The whole file of upload ${onlyUpload(service).id} was sent, but the last response of the service was lost.`,
			description: expect.stringMatching(/^Look for the video "keynote.*\.mp4" before you run this again\./),
		});
		expect(service.requestsOf('uploadCreate')).toHaveLength(1);
		expect(service.requestsOf('uploadPatch')).toHaveLength(1);
	});

	it.each<[string, boolean, boolean]>([
		['Upload', true, false],
		['Upload', false, false],
		['Resume', true, true],
	])('A lost last response: %s finds the video; forgotten: %s', async (_operation, isForgotten, isResume) => {
		service.settings.dropsFinishedUploads = isForgotten;
		service.injectFault({ on: 'uploadHead', kind: 'reset', times: 30 });
		await failureOf(upload(service, { bytes, ...RETURNED }));
		service.clearFaults();
		const { id } = onlyUpload(service);
		const { output } = await upload(service, { bytes, ...RETURNED, ...(isResume && { resume: id }) });
		expect(output).toMatchObject({ bytesSent: 0, video: { hash: service.state.videos[0]?.hash } });
		expect(service.state.videos).toHaveLength(1);
	});

	it('An upload whose last response is lost counts as uploaded in any folder with Skip If Exists, which finds the video once it is listed', async () => {
		const options = { skipIfExists: true };
		listLate(service, 100);
		await failureOf(upload(service, { parameters: { folder: newFolder(service) }, options }));
		expect((await failureOf(upload(service, { options }))).message).toContain('of the same name was sent');
		listNow(service);
		expect((await upload(service, { options })).output.skipped).toBe(true);
		onlyUpload(service);
	});
});

it.each<[string, boolean]>([
	['that was not there before', true],
	['after half a minute, where nothing was read before', false],
])('By Name means no older video until the new one of its name is listed: %s', async (_how, returnVideo) => {
	const [older] = service.seedVideos([{ name: 'keynote.mp4' }]);
	listLate(service, 50);
	// Without a plan, it may be in this one.
	const credential = returnVideo ? undefined : { planId: '' };
	await upload(service, { credential, options: { returnVideo } });
	const chosen = { operation: 'delete', video: by('name', 'keynote.mp4') };
	await expect(changeVideo(service, chosen)).rejects.toMatchObject({
		message: `The video "keynote.mp4" of upload ${onlyUpload(service).id} is not listed yet, only an older one of that name`,
	});
	expect(service.state.videos[0]).toEqual(older);
	const listed = service.state.videos.splice(returnVideo ? 0 : 1, 1);
	listNow(service);
	await clockAhead(returnVideo ? 0 : MINUTE_MS, async () => {
		await changeVideo(service, chosen);
		service.state.videos.push(...listed);
		listNow(service);
		// The other one, once the first is deleted.
		await changeVideo(service, chosen);
	});
	expect([listed.length, service.state.videos]).toEqual([1, []]);
});

it('By Name means the only video talk, although talk.mp4 was uploaded just now', async () => {
	service.seedVideos([{ name: 'talk' }]);
	await upload(service, { ...RETURNED, fileName: 'talk.mp4' });
	await changeVideo(service, { operation: 'update', video: by('name', 'talk'), name: 'Old talk' });
	expect(service.state.videos.map(({ name }) => name)).toEqual(['Old talk', 'talk.mp4']);
});

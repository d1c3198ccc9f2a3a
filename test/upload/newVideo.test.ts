import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { clockAhead, MINUTE_MS } from '../execution/clock';
import { by } from '../execution/locator';
import { executeNode } from '../execution/executeNode';
import { policies, usualPolicies } from '../execution/policies';
import { runWorkflow } from '../execution/runWorkflow';
import type { Fault, ServiceSettings } from '../fakeService';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import {
	expectArrived,
	failureOf,
	film,
	films,
	leaveUnfinished,
	listLate,
	listNow,
	newFolder,
	onlyUpload,
	upload,
	videoOf,
	type UploadRun,
} from './uploading';

serviceForEachTest();

const TITLED = { title: 'Interview' };
const RETURNED = { options: { returnVideo: true } };
/** One file; each upload without these bytes is of another file. */
const bytes = randomBytes(1_000_000);

const rejectTitle = (more: Partial<Fault> = {}) =>
	service.injectFault({ on: 'videoEdit', kind: 'status', status: 400, ...more } as Fault);

async function filmWithImage() {
	const item = await film(bytes);
	const image = { data: 'iVBORw0KGgo=', mimeType: 'image/png', fileName: 'i.png' };
	return { ...item, binary: { ...item.binary, image } };
}

/** Uploads with Retry On Fail. */
async function retried(item: INodeExecutionData, parameters: INodeParameters) {
	const { runs } = await runWorkflow({
		...{ service, rounds: [[item]], settings: { retryOnFail: true, maxTries: 3 } },
		parameters: { resource: 'upload', operation: 'upload', ...parameters },
	});
	return runs[0]?.error;
}

/** Changes a video by an operation of the node. */
async function change(parameters: INodeParameters) {
	await executeNode({ service, parameters: { resource: 'video', ...parameters } });
}

describe('Return Video', () => {
	it.each<Partial<ServiceSettings>>([
		{ videoAppearsAfterMs: 60 },
		{ videoNameFilter: 'exact' },
		{ videoNameKeepsExtension: false },
		{ videoSizes: false, videoFolders: 'none', videoDates: 'none' },
	])('returns the new video (%j)', async (settings) => {
		Object.assign(service.settings, settings);
		service.seedVideos([{ name: 'keynote.mp4' }, { name: 'other.mp4' }]);
		service.seedVideos(5);
		const { output } = await upload(service, RETURNED);
		expect(Object.values(output.video as IDataObject)).toContain(videoOf(service, output)?.hash);
	});

	it('reads each name once while the upload is created, and before a byte is sent', async () => {
		service.injectFault({ on: 'videoList', kind: 'delay', ms: 50 });
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, times: 3 });
		await upload(service, RETURNED);
		const operations = service.requests.map(({ operation }) => operation);
		const beforeBytes = operations.slice(0, operations.indexOf('uploadPatch'));
		expect(beforeBytes.filter((operation) => operation === 'videoList')).toHaveLength(2);
		expect(operations.indexOf('uploadCreate')).toBeLessThan(operations.lastIndexOf('videoList'));
	});

	it('takes the names that Skip If Exists has read', async () => {
		await upload(service, { options: { returnVideo: true, skipIfExists: true } });
		const operations = service.requests.map(({ operation }) => operation);
		const list = 'videoList';
		expect(operations.slice(operations.indexOf(list), 6)).toEqual([
			list,
			list,
			'uploadCreate',
			'uploadPatch',
		]);
	});

	it.each<[string, () => Promise<unknown>]>([
		['was not sent yet', async () => await leaveUnfinished(service, {})],
		['is to get a title', async () => await failureOf(upload(service, TITLED))],
		['has a video that was identified', async () => await upload(service, RETURNED)],
	])(
		'returns the new video at once although another upload of its name and size %s',
		async (_what, first) => {
			service.settings.slotHeldBy = 'transferring';
			rejectTitle();
			await first();
			policies.newVideo.passes.totalMs = 300;
			const { output } = await upload(service, RETURNED);
			expect(output.video).toMatchObject({ hash: videoOf(service, output)?.hash });
		},
	);

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
				policies.videoReading = { longestMs: 100, leastMs: 100 };
				const headers = { 'Retry-After': '3' };
				service.injectFault({ on: 'videoList', kind: 'status', status: 429, headers, times: 1_000 });
			},
		],
		['where no plan is known', 'no plan is set', () => (service.settings.planId = '')],
		[
			'where the service does not know the plan',
			'Plan not found. Check Plan ID in the credential',
			() => (service.settings.planId = 'plan-0'),
		],
	])('returns null and a hint %s', async (_when, hint, prepare) => {
		policies.newVideo.passes.totalMs = 200;
		prepare();
		const { hints, output } = await upload(service, RETURNED);
		expect(output).toMatchObject({ complete: true, video: null });
		expect(hints).toMatchObject([{ message: expect.stringContaining(hint) as string }]);
		expect(output.durationMs).toBeLessThan(2_500);
	});

	it.each([
		[25, 'keynote.mp4'],
		[40, undefined],
	])('waits 30 seconds for a video that is listed after %d', async (seconds, name) => {
		service.settings.videoAppearsAfterMs = seconds * 1_000;
		const { passes } = usualPolicies.newVideo;
		policies.newVideo = { passes: { ...passes, firstMs: 10, longestMs: 10 } };
		// Each request for a list lets two seconds pass.
		for (const clock of [Date, performance]) {
			const now = clock.now.bind(clock);
			const passedMs = () => 2_000 * service.requestsOf('videoList').length;
			jest.spyOn(clock, 'now').mockImplementation(() => now() + passedMs());
		}
		const { output } = await upload(service, RETURNED).finally(() => jest.restoreAllMocks());
		expect((output.video as IDataObject | null)?.name).toBe(name);
	});

	it('finds it for each file of a run, whose slow lists take longer altogether', async () => {
		policies.newVideo.passes.totalMs = 500;
		policies.videoReading = { longestMs: 2_000, leastMs: 500 };
		service.injectFault({ on: 'videoList', kind: 'delay', ms: 100, times: 100 });
		const { items } = await upload(service, { items: await films(...'abcd'), ...RETURNED });
		expect(items.map(({ json }) => json.video)).not.toContain(null);
	});

	it('returns null for two uploads of one name that overlap, also in two folders', async () => {
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

	it('does not return for a resumed upload what somebody added between the two runs', async () => {
		await leaveUnfinished(service, { bytes, ...RETURNED });
		service.seedVideos([{ name: 'keynote.mp4' }]);
		listLate(service);
		expect((await upload(service, { bytes, ...RETURNED })).output.video).toBeNull();
	});

	it('returns null while the video of an upload of its name that stated no plan is not known', async () => {
		await upload(service, { credential: { planId: '' } });
		const options = { returnVideo: true, planId: 'plan-1001' };
		const { hints, output } = await upload(service, { options });
		expect(output).toMatchObject({ complete: true, video: null });
		expect(hints[0]?.message).toContain(notCertain);
	});

	it('returns null for ten minutes after an upload of its name whose last response was lost, and that nobody repeats', async () => {
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
});

describe('Title and Thumbnail', () => {
	const titled = { bytes, ...TITLED };
	const withImage = { thumbnailBinaryPropertyName: 'image' };

	it.each([
		['talk', /^talk-\w{16}$/],
		['talk.v2.mp4', /^talk\.v2-\w{16}\.mp4$/],
		[`${'x'.repeat(60)}.mp4`, /^x{40}-\w{16}\.mp4$/],
	])('need only searches for names that only the video of %s has', async (fileName, firstName) => {
		await upload(service, { fileName, ...TITLED });
		const { filename } = onlyUpload(service);
		expect(filename).toMatch(firstName);
		const searched = new Set(service.requestsOf('videoList').map(({ query }) => query.name));
		expect([...searched].filter((name) => !filename.startsWith(name ?? '-'))).toEqual([]);
		expect(service.state.videos).toMatchObject([{ name: 'Interview' }]);
	});

	it.each<[string, { title?: string }, string]>([
		['Both', TITLED, 'Interview'],
		['Thumbnail alone', {}, 'keynote.mp4'],
	])(
		'%s: go to the right video among others of the same name, and its first name is in no output',
		async (_which, titleOrNone, name) => {
			Object.assign(service.settings, { videoAppearsAfterMs: 40, videoNameKeepsExtension: false });
			service.seedVideos([{ name: 'keynote.mp4', size: bytes.length }, { name: 'Interview' }]);
			const run = { item: await filmWithImage(), ...titleOrNone, options: withImage };
			const { hints, output } = await upload(service, run);
			expect(hints).toEqual([]);
			const video = videoOf(service, output);
			expect(video).toMatchObject({ name, thumbnail: { contentType: 'image/png', filename: 'i.png' } });
			expect(output.video).toMatchObject({ hash: video?.hash, name });
			const [, firstName = ''] = /^(keynote-[0-9a-z]{16})\.mp4$/.exec(onlyUpload(service).filename) ?? [];
			expect(firstName).not.toBe('');
			expect(JSON.stringify(output)).not.toContain(firstName);
		},
	);

	it('are those of the run that completes an upload, or of the run that began it where Resume does', async () => {
		await leaveUnfinished(service, titled);
		rejectTitle();
		await failureOf(upload(service, { bytes }));
		const { output } = await upload(service, { bytes });
		expect(output).toMatchObject({ bytesSent: 0, video: { name: 'keynote.mp4' } });
		expectArrived(service, bytes);
		const options = { ...withImage };
		const resume = await leaveUnfinished(service, { item: await filmWithImage(), options });
		const resumed = await upload(service, { bytes, resume });
		expect(resumed.output).toMatchObject({ video: { name: 'keynote.mp4' } });
		expect(resumed.hints[0]?.message).toContain('has no thumbnail, as Resume sets none');
	});

	it('are not those of an upload that was begun without a mark, which blocks others until Resume completes it', async () => {
		const uploadId = await leaveUnfinished(service, { bytes });
		await expect(upload(service, titled)).rejects.toThrow(`Unfinished upload ${uploadId}`);
	});

	it.each<[string, () => void, IDataObject?]>([
		['is not listed in time', () => listLate(service, 100)],
		['cannot be renamed', rejectTitle],
		['is renamed without a response', () => rejectTitle({ kind: 'reset', times: 3 })],
		['was looked for in another plan', () => listLate(service, 100), { planId: 'plan-2002' }],
	])(
		'are set by the next run of the same file without sending it, when the video %s',
		async (_why, cause, mistake = {}) => {
			cause();
			const failure = await failureOf(upload(service, { ...titled, options: mistake }));
			const { id } = onlyUpload(service);
			expect(failure.message).toMatch(
				new RegExp(`^"keynote.mp4" is uploaded \\(upload ${id}\\), but its title could not be set: `),
			);
			expect(failure).toMatchObject({
				description: 'Run this again with the same file: it is not sent again.',
				context: { output: { uploadId: id, offset: 1_000_000, size: 1_000_000, complete: true } },
			});
			listNow(service);
			// Neither another folder nor another file of its name and size makes n8n forget it.
			const video = by('hash', service.state.videos[0]?.hash ?? '');
			await change({ operation: 'move', video, folder: newFolder(service) });
			await upload(service, TITLED);
			const { output } = await upload(service, { bytes, title: 'Corrected' });
			expect(output).toMatchObject({
				...{ uploadId: id, bytesSent: 0, complete: true },
				video: { name: 'Corrected' },
			});
			expect(service.state.uploads).toHaveLength(2);
		},
	);

	it('are no longer waited for ten minutes after the last byte, when somebody may have deleted the video', async () => {
		listLate(service, 100);
		const item = await filmWithImage();
		const untitled = await failureOf(upload(service, { item, options: withImage }));
		expect(untitled.message).toContain('but its name and thumbnail could not be set: the service lists no');
		service.state.videos = [];
		const again = async () => await failureOf(upload(service, titled));
		const early = await clockAhead(9 * MINUTE_MS, again);
		expect(early.description).toBe('Run this again with the same file: it is not sent again.');
		await clockAhead(11 * MINUTE_MS, async () => {
			// Also by Retry On Fail, the file is not sent again.
			expect(await retried(await film(bytes), TITLED)).toMatchObject({
				message: expect.stringMatching(
					/its title could not be set: somebody has deleted or renamed the video/,
				) as string,
				description: 'If the video was deleted, upload the file again.',
			});
			expect(service.state.uploads).toHaveLength(1);
			service.settings.videoAppearsAfterMs = 0;
			expect((await upload(service, titled)).output.video).toMatchObject({ name: 'Interview' });
		});
	});

	it.each([
		['deleted', { operation: 'delete' }, 1_000_000],
		['renamed', { operation: 'update', name: 'B' }, 0],
	])('are no longer waited for when this node has %s the video by its first name', async (...given) => {
		const [, how, bytesSent] = given;
		listLate(service);
		await failureOf(upload(service, titled));
		listNow(service);
		await change({ ...how, video: by('name', onlyUpload(service).filename) });
		expect((await upload(service, titled)).output).toMatchObject({ complete: true, bytesSent });
	});

	it('are not those of a video that is listed without a hash', async () => {
		const record = { toJSON: () => ({ name: onlyUpload(service).filename }) };
		service.injectFault({ on: 'videoList', kind: 'status', status: 200, body: [record], times: 100 });
		const { description, message } = await failureOf(upload(service, titled));
		expect(message).toContain('its title could not be set: the record of the video contains no hash');
		expect(description).toBe('Run this again with the same file: it is not sent again.');
	});

	it('are set one after the other: an image that is rejected leaves the mark, by which the next run finds the video', async () => {
		const run = { item: await filmWithImage(), ...TITLED, options: withImage };
		service.injectFault({ on: 'videoThumbnail', kind: 'status', status: 422, error: 'No such image' });
		await expect(upload(service, run)).rejects.toThrow(
			'but its title and thumbnail could not be set: No such image',
		);
		expect(service.state.videos).toMatchObject([{ name: onlyUpload(service).filename, thumbnail: null }]);
		rejectTitle({ status: 422 });
		await failureOf(upload(service, { ...run, title: 'a/b' }));
		// By Retry On Fail, the file is not sent again either.
		rejectTitle();
		expect(await retried(run.item, { ...TITLED, options: withImage })).toBeUndefined();
		expect(service.state.videos).toMatchObject([{ name: 'Interview', thumbnail: { filename: 'i.png' } }]);
		expectArrived(service, bytes);
	});

	it('belong to the item that sets them: the same file with another title is another upload meanwhile', async () => {
		service.injectFault({ on: 'videoEdit', kind: 'trickle', ms: 5 });
		const first = upload(service, titled);
		await service.until(() => service.requestsOf('videoEdit').length > 0);
		await upload(service, { bytes, title: 'Second' });
		await first;
		expect(service.state.videos.map(({ name }) => name).sort()).toEqual(['Interview', 'Second']);
	});

	it.each([400, 404, 410, 422])(
		'are tried again by each run while the video is listed, after status %d',
		async (status) => {
			policies.newVideo.passes.totalMs = 500;
			for (let times = 0; times < 3; times++) rejectTitle({ status, error: 'Video not found' });
			const again = async () => (await failureOf(upload(service, titled))).description;
			expect(await again()).toBe('Run this again with the same file: it is not sent again.');
			await clockAhead(11 * MINUTE_MS, async () => {
				expect(await again()).toBe('Run this again with the same file: it is not sent again.');
			});
			service.state.videos = [];
			await clockAhead(22 * MINUTE_MS, async () => {
				expect(await again()).toContain('upload the file again');
				service.clearFaults();
				await upload(service, titled);
			});
			expect(service.state.uploads).toHaveLength(2);
		},
	);
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
	])('is found %s, and not sent again', async (_how, run, faults) => {
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
	])(
		'is an error that says to look for the video, %s, and Retry On Fail does not send the file again',
		async (_when, parameters, prepare) => {
			prepare();
			const options = { returnVideo: false };
			expect(await retried(await film(), { options, ...parameters })).toMatchObject({
				message: `The whole file of upload ${onlyUpload(service).id} was sent, but the last response of the service was lost.`,
				description: expect.stringMatching(
					/^Look for the video "keynote.*\.mp4" before you run this again\./,
				) as string,
			});
			expect(service.requestsOf('uploadCreate')).toHaveLength(1);
			expect(service.requestsOf('uploadPatch')).toHaveLength(1);
		},
	);

	it.each<[string, boolean, boolean]>([
		['Upload', true, false],
		['Upload', false, false],
		['Resume', true, true],
	])(
		'is found by %s in the next run, and not sent again, whether the upload is forgotten by then (%s)',
		async (_operation, isForgotten, isResume) => {
			service.settings.dropsFinishedUploads = isForgotten;
			service.injectFault({ on: 'uploadHead', kind: 'reset', times: 30 });
			await failureOf(upload(service, { bytes, ...RETURNED }));
			service.clearFaults();
			const { id } = onlyUpload(service);
			const { output } = await upload(service, { bytes, ...RETURNED, ...(isResume && { resume: id }) });
			expect(output).toMatchObject({ bytesSent: 0, video: { hash: service.state.videos[0]?.hash } });
			expect(service.state.videos).toHaveLength(1);
		},
	);

	it('counts as uploaded in any folder with Skip If Exists, which finds the video once it is listed', async () => {
		const options = { skipIfExists: true };
		listLate(service, 100);
		await failureOf(upload(service, { parameters: { folder: newFolder(service) }, options }));
		expect((await failureOf(upload(service, { options }))).message).toContain('of the same name was sent');
		listNow(service);
		expect((await upload(service, { options })).output.skipped).toBe(true);
		onlyUpload(service);
	});
});

describe('Skip If Exists', () => {
	const skip = { skipIfExists: true };

	it.each(['lecture.vob', 'lecture', ' lecture.vob '])(
		'skips for a listed video called %j and returns it',
		async (name) => {
			const [video] = service.seedVideos([{ name }]);
			const { output } = await upload(service, { fileName: 'lecture.vob', options: skip });
			expect(output).toMatchObject({
				...{ skipped: true, complete: null, uploadId: null, offset: null },
				video: { hash: video?.hash },
			});
			expect(service.state.uploads).toEqual([]);
		},
	);

	it('does not skip for a video that this node has moved', async () => {
		const parameters = { folder: newFolder(service) };
		const { output } = await upload(service, { parameters, ...RETURNED });
		const video = by('hash', videoOf(service, output)?.hash ?? '');
		await change({ operation: 'move', video, folder: newFolder(service) });
		expect((await upload(service, { parameters, options: skip })).output.skipped).toBe(false);
	});

	it.each<[string, INodeParameters, string, object]>([
		['deleted', { operation: 'delete' }, 'Interview', { skipped: false }],
		['renamed', { operation: 'update', name: 'B' }, 'B', { skipped: true, video: { name: 'B' } }],
	])('knows that this node has %s a video while its title was set', async (_how, how, title, expected) => {
		service.injectFault({ on: 'videoEdit', kind: 'trickle', ms: 5 });
		const running = upload(service, { bytes, ...TITLED });
		await service.until(() => service.state.videos[0]?.name === 'Interview');
		await change({ video: by('name', 'Interview'), ...how });
		await running;
		const { output } = await upload(service, { bytes, title, options: skip });
		expect(output).toMatchObject(expected);
	});

	it('asks again after the pause that lets other programs upload', async () => {
		policies.slotTurn = { useMs: 450, gapMs: 600 };
		service.injectFault({ on: 'uploadCreate', kind: 'delay', ms: 500 });
		const running = upload(service, { items: await films('a.mp4', 'b.mp4'), options: skip });
		await service.until(() => service.state.videos.length === 1);
		await setTimeout(300);
		service.seedVideos([{ name: 'b.mp4' }]);
		expect((await running).items[1]?.json.skipped).toBe(true);
	});

	it('asks for the name in the end, in both spellings of its accents, and in the chosen folder alone', async () => {
		const folder = newFolder(service);
		service.seedVideos([{ name: 'U\u0308ber uns', folder: folder.value }, { name: 'keynote.mp4' }]);
		const parameters = { folder };
		const titled = await upload(service, { parameters, title: '\u00dcber uns', options: skip });
		expect(titled.output.skipped).toBe(true);
		expect((await upload(service, { parameters, options: skip })).output.skipped).toBe(false);
		expect(service.requestsOf('folderList')).toEqual([]);
	});

	it.each([{}, TITLED])(
		'uploads one of overlapping executions to a new folder, although no list shows either, and returns its video: %j',
		async (title) => {
			const late = { videoAppearsAfterMs: 60, folderAppearsAfterMs: 30_000 };
			Object.assign(service.settings, { ...late, videoFolders: 'name' });
			const parameters = { folder: by('name', 'New') };
			const options = { ...skip, createFolder: true, returnVideo: true };
			const run = { bytes, parameters, ...title, options };
			const runs = await Promise.all([1, 2, 3].map(async () => await upload(service, run)));
			expect(runs.map(({ output }) => output.skipped).sort()).toEqual([false, true, true]);
			const { hash, name } = service.state.videos[0] ?? {};
			const folder = service.state.folders[0]?.uuid;
			for (const { output } of runs) expect(output).toMatchObject({ folder, video: { hash, name } });
			onlyUpload(service);
		},
	);

	it('counts what was uploaded here without a plan, until it is listed', async () => {
		listLate(service);
		await upload(service, { credential: { planId: '' } });
		await failureOf(upload(service, { options: { ...skip, planId: 'plan-1001' } }));
		onlyUpload(service);
	});

	it('ends the wait for the look-up of another execution when it is cancelled', async () => {
		const lists = () => service.requestsOf('videoList').length;
		listLate(service, 1_000);
		const first = upload(service, { bytes, ...RETURNED });
		await service.until(() => service.state.videos.length === 1);
		const abort = new AbortController();
		const run = { options: { skipIfExists: true }, abortSignal: abort.signal };
		const second = failureOf(upload(service, { bytes, ...run }));
		const before = lists();
		await service.until(() => lists() > before + 12);
		abort.abort();
		await second;
		const listsThen = lists();
		await first;
		expect(lists()).toBeGreaterThan(listsThen);
	});

	it('does not skip for a video in another plan', async () => {
		await upload(service, { options: skip });
		service.settings.planId = 'plan-2002';
		const { output } = await upload(service, { options: { ...skip, planId: 'plan-2002' } });
		expect(output.skipped).toBe(false);
	});

	const busy = { kind: 'status', status: 429, headers: { 'Retry-After': '1' } } as const;
	it.each<[string, boolean, Fault]>([
		['skips for', true, { on: 'uploadCreate', ...busy }],
		['has sent its file, and does not skip for', false, { on: 'uploadHead', ...busy }],
		['skips, when the service itself failed, for', true, { on: 'uploadCreate', ...busy, status: 503 }],
	])('%s a video that another program has uploaded during a wait', async (_what, skipped, fault) => {
		service.injectFault(fault);
		const running = upload(service, { options: skip });
		await service.until(() => service.requests.some(({ status = 0 }) => status >= 429));
		service.seedVideos([{ name: 'keynote.mp4' }]);
		expect((await running).output).toMatchObject({ skipped, complete: skipped ? null : true });
		expect(service.state.uploads.map(({ complete }) => complete)).toEqual(skipped ? [] : [true]);
	});

	it.each<[string, () => unknown]>([
		['the list shows', () => service.seedVideos([{ name: 'keynote.mp4', size: 1_000_000 }])],
		[
			'this process uploaded, where the list shows no size',
			async () => {
				service.settings.videoSizes = false;
				await upload(service, { bytes, ...RETURNED });
			},
		],
	])('has a hint about a video of another size that %s', async (_which, given) => {
		await given();
		const { hints } = await upload(service, { bytes: randomBytes(500), options: skip });
		expect(hints[1]?.message).toContain('has 1000000 bytes, and this file 500. If');
	});

	it('returns no video under its first name while its title is not set, and has no hint of its own', async () => {
		rejectTitle();
		const run = { items: await films('a.mp4', 'b.mp4'), ...TITLED, options: skip };
		const { hints, items } = await upload(service, { ...run, onError: 'continueRegularOutput' });
		expect(items[1]?.json.error).toMatchObject({
			message: `"b.mp4" was not uploaded: upload ${onlyUpload(service).id} of the same name was sent, but its video is not listed under that name yet.`,
			...{ uploadId: null, offset: null, size: 1_000_000 },
		});
		expect(hints.map(({ message }) => message.slice(0, 19))).toEqual(['2 of 2 items failed']);
	});

	it('no longer counts what this process completed more than ten minutes ago, resumed since or not', async () => {
		listLate(service);
		const { output } = await upload(service, { bytes, options: skip });
		const resume = { resume: output.uploadId as string };
		await clockAhead(9 * MINUTE_MS, async () => await upload(service, { bytes, ...resume }));
		const again = await clockAhead(11 * MINUTE_MS, async () => await upload(service, { options: skip }));
		expect(again.output.skipped).toBe(false);
	});
});

describe('By Name', () => {
	it.each<[string, boolean]>([
		['that was not there before', true],
		['after half a minute, where nothing was read before', false],
	])('means no older video until the new one of its name is listed: %s', async (_how, returnVideo) => {
		const [older] = service.seedVideos([{ name: 'keynote.mp4' }]);
		listLate(service, 50);
		// Without a plan, it may be in this one.
		const credential = returnVideo ? undefined : { planId: '' };
		await upload(service, { credential, options: { returnVideo } });
		const chosen = { operation: 'delete', video: by('name', 'keynote.mp4') };
		await expect(change(chosen)).rejects.toMatchObject({
			message: `The video "keynote.mp4" of upload ${onlyUpload(service).id} is not listed yet, only an older one of that name`,
		});
		expect(service.state.videos[0]).toEqual(older);
		const listed = service.state.videos.splice(returnVideo ? 0 : 1, 1);
		listNow(service);
		await clockAhead(returnVideo ? 0 : MINUTE_MS, async () => {
			await change(chosen);
			service.state.videos.push(...listed);
			listNow(service);
			// The other one, once the first is deleted.
			await change(chosen);
		});
		expect([listed.length, service.state.videos]).toEqual([1, []]);
	});

	it('means the only video talk, although talk.mp4 was uploaded just now', async () => {
		service.seedVideos([{ name: 'talk' }]);
		await upload(service, { ...RETURNED, fileName: 'talk.mp4' });
		await change({ operation: 'update', video: by('name', 'talk'), name: 'Old talk' });
		expect(service.state.videos.map(({ name }) => name)).toEqual(['Old talk', 'talk.mp4']);
	});
});

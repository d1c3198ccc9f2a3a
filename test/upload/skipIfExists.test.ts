import { randomBytes } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import { clockAhead, MINUTE_MS } from '../execution/clock';
import { by } from '../execution/locator';
import type { Fault } from '../fakeService';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import {
	onTurnOfOthers,
	changeVideo,
	failureOf,
	films,
	listLate,
	newFolder,
	onlyUpload,
	rejectTitle,
	RETURNED,
	TITLED,
	upload,
	videoOf,
} from './uploading';

serviceForEachTest();

/** One file; each upload without these bytes is of another file. */
const bytes = randomBytes(1_000_000);

const skip = { skipIfExists: true };

it.each(['lecture.vob', 'lecture', ' lecture.vob '])('Skip If Exists returns the video %j', async (name) => {
	const [video] = service.seedVideos([{ name }]);
	const { output } = await upload(service, { fileName: 'lecture.vob', options: skip });
	expect(output).toMatchObject({
		...{ skipped: true, complete: null, uploadId: null, offset: null },
		video: { hash: video?.hash },
	});
	expect(service.state.uploads).toEqual([]);
});

it('Skip If Exists does not skip for a video that this node has moved', async () => {
	const parameters = { folder: newFolder(service) };
	const { output } = await upload(service, { parameters, ...RETURNED });
	const video = by('hash', videoOf(service, output)?.hash ?? '');
	await changeVideo(service, { operation: 'move', video, folder: newFolder(service) });
	expect((await upload(service, { parameters, options: skip })).output.skipped).toBe(false);
});

it.each<[string, INodeParameters, string, object]>([
	['deleted', { operation: 'delete' }, 'Interview', { skipped: false }],
	['renamed', { operation: 'update', name: 'B' }, 'B', { skipped: true, video: { name: 'B' } }],
])('Skip If Exists knows that a video was %s while its title was set', async (_how, how, title, expected) => {
	service.injectFault({ on: 'videoEdit', kind: 'trickle', ms: 5 });
	const running = upload(service, { bytes, ...TITLED });
	await service.until(() => service.state.videos[0]?.name === 'Interview');
	await changeVideo(service, { video: by('name', 'Interview'), ...how });
	await running;
	const { output } = await upload(service, { bytes, title, options: skip });
	expect(output).toMatchObject(expected);
});

it('Skip If Exists asks again after the pause that lets other programs upload', async () => {
	onTurnOfOthers(service, () => service.seedVideos([{ name: 'b.mp4' }]));
	const { items } = await upload(service, { items: await films('a.mp4', 'b.mp4'), options: skip });
	expect(items[1]?.json.skipped).toBe(true);
});

it('Skip If Exists asks for the name in the end, in both spellings of its accents, and in the chosen folder alone', async () => {
	const folder = newFolder(service);
	service.seedVideos([{ name: 'U\u0308ber uns', folder: folder.value }, { name: 'keynote.mp4' }]);
	const parameters = { folder };
	const titled = await upload(service, { parameters, title: '\u00dcber uns', options: skip });
	expect(titled.output.skipped).toBe(true);
	expect((await upload(service, { parameters, options: skip })).output.skipped).toBe(false);
	expect(service.requestsOf('folderList')).toEqual([]);
});

it.each(['id', 'name'] as const)('Skip If Exists finds the folder of a video by its %s', async (key) => {
	const [own, other] = service.seedFolders([{ name: 'Webinars' }, { name: 'Talks' }]);
	answer('videoList', [{ hash: 'aa', name: 'a.mp4', folder: String(own?.[key]) }]);
	const isSkipped = async (uuid = '') => {
		const parameters = { folder: by('uuid', uuid) };
		return (await upload(service, { fileName: 'a.mp4', parameters, options: skip })).output.skipped;
	};
	expect([await isSkipped(own?.uuid), await isSkipped(other?.uuid)]).toEqual([true, false]);
});

it.each([{}, TITLED])('Skip If Exists uploads one of several at once to a new folder: %j', async (title) => {
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
});

it('Skip If Exists asks for a list that cannot be read as often as any operation, and no more', async () => {
	service.injectFault({ kind: 'status', on: 'videoList', status: 503, error: 'Out of order', times: 99 });
	const { message } = await failureOf(upload(service, { options: skip }));
	expect(message).toMatch(/^Out of order\./);
	// The lists of both names are read side by side, and the first one that fails ends the upload.
	const tries = ['keynote.mp4', 'keynote'].map(
		(name) => service.requestsOf('videoList').filter(({ query }) => query.name === name).length,
	);
	expect(Math.max(...tries)).toBe(3);
	expect(service.requestsOf('uploadCreate')).toEqual([]);
});

it('Skip If Exists counts what was uploaded here without a plan, until it is listed', async () => {
	listLate(service);
	await upload(service, { credential: { planId: '' } });
	await failureOf(upload(service, { options: { ...skip, planId: 'plan-1001' } }));
	onlyUpload(service);
});

it('Skip If Exists ends the wait for the look-up of another execution when it is cancelled', async () => {
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

it('Skip If Exists does not skip for a video in another plan', async () => {
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
])('Skip If Exists %s a video that somebody uploads during a wait', async (_what, skipped, fault) => {
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
])('Skip If Exists has a hint about a video of another size that %s', async (_which, given) => {
	await given();
	const { hints } = await upload(service, { bytes: randomBytes(500), options: skip });
	const text = '"keynote.mp4" was skipped: the video "keynote.mp4" has 1000000 bytes, and this file 500. If';
	expect(hints[1]?.message).toContain(text);
});

it('Skip If Exists names the title in its hint about a video of another size', async () => {
	service.seedVideos([{ name: 'Final cut', size: 1_000_000 }]);
	const run = { bytes: randomBytes(500), parameters: { title: 'Final cut' }, options: skip };
	const { hints } = await upload(service, run);
	expect(hints[1]?.message).toContain('"keynote.mp4" was skipped: the video "Final cut" has 1000000 bytes');
});

it('Skip If Exists returns no video under its first name while its title is not set, and has no hint of its own', async () => {
	rejectTitle(service);
	const run = { items: await films('a.mp4', 'b.mp4'), ...TITLED, options: skip };
	const { hints, items } = await upload(service, { ...run, onError: 'continueRegularOutput' });
	expect(items[1]?.json.error).toMatchObject({
		message: `"b.mp4" was not uploaded: upload ${onlyUpload(service).id} of the same name was sent, but its video is not listed under that name yet.`,
		...{ uploadId: null, offset: null, size: 1_000_000 },
	});
	expect(hints.map(({ message }) => message.slice(0, 19))).toEqual(['2 of 2 items failed']);
});

it('Skip If Exists no longer counts what this process completed more than ten minutes ago, resumed since or not', async () => {
	listLate(service);
	const { output } = await upload(service, { bytes, options: skip });
	const resume = { resume: output.uploadId as string };
	await clockAhead(9 * MINUTE_MS, async () => await upload(service, { bytes, ...resume }));
	const again = await clockAhead(11 * MINUTE_MS, async () => await upload(service, { options: skip }));
	expect(again.output.skipped).toBe(false);
});

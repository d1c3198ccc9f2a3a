import { randomBytes } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { clockAhead, MINUTE_MS } from '../execution/clock';
import { by } from '../execution/locator';
import { policies } from '../execution/policies';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import {
	changeVideo,
	expectArrived,
	failureOf,
	film,
	leaveUnfinished,
	listLate,
	listNow,
	newFolder,
	onlyUpload,
	rejectTitle,
	retried,
	TITLED,
	upload,
	videoOf,
} from './uploading';

serviceForEachTest();

/** One file; each upload without these bytes is of another file. */
const bytes = randomBytes(1_000_000);

async function filmWithImage() {
	const item = await film(bytes);
	const image = { data: 'iVBORw0KGgo=', mimeType: 'image/png', fileName: 'i.png' };
	return { ...item, binary: { ...item.binary, image } };
}

const titled = { bytes, ...TITLED };
const withImage = { thumbnailBinaryPropertyName: 'image' };

it.each([
	['talk', /^talk-\w{16}$/],
	['talk.v2.mp4', /^talk\.v2-\w{16}\.mp4$/],
	[`${'x'.repeat(60)}.mp4`, /^x{20}-\w{16}\.mp4$/],
])('Title and Thumbnail need only searches for the first name of %s', async (fileName, firstName) => {
	await upload(service, { fileName, ...TITLED });
	const { filename } = onlyUpload(service);
	expect(filename).toMatch(firstName);
	const searched = new Set(service.requestsOf('videoList').map(({ query }) => query.name));
	expect([...searched].filter((name) => !filename.startsWith(name ?? '-'))).toEqual([]);
	expect(service.state.videos).toMatchObject([{ name: 'Interview' }]);
});

it.each<[string, { title?: string }, string]>([
	['Title and Thumbnail', TITLED, 'Interview'],
	['Thumbnail alone', {}, 'keynote.mp4'],
])('%s: the right video of several gets them, and no output a mark', async (_which, titleOrNone, name) => {
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
});

it('Title and Thumbnail are those of the run that completes an upload, or of the run that began it where Resume does', async () => {
	await leaveUnfinished(service, titled);
	rejectTitle(service);
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

it('Title and Thumbnail are not those of an upload that was begun without a mark, which blocks others until Resume completes it', async () => {
	const uploadId = await leaveUnfinished(service, { bytes });
	await expect(upload(service, titled)).rejects.toThrow(`Unfinished upload ${uploadId}`);
});

it.each<[string, () => void, IDataObject?]>([
	['is not listed in time', () => listLate(service, 100)],
	['cannot be renamed', () => rejectTitle(service)],
	['is renamed without a response', () => rejectTitle(service, { kind: 'reset', times: 3 })],
	['was looked for in another plan', () => listLate(service, 100), { planId: 'plan-2002' }],
])('Title and Thumbnail are set by the next run when the video %s', async (_why, cause, mistake = {}) => {
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
	await changeVideo(service, { operation: 'move', video, folder: newFolder(service) });
	await upload(service, TITLED);
	const { output } = await upload(service, { bytes, title: 'Corrected' });
	expect(output).toMatchObject({
		...{ uploadId: id, bytesSent: 0, complete: true },
		video: { name: 'Corrected' },
	});
	expect(service.state.uploads).toHaveLength(2);
});

it('Title and Thumbnail are no longer waited for ten minutes after the last byte, when somebody may have deleted the video', async () => {
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
		expect(await retried(service, await film(bytes), TITLED)).toMatchObject({
			message: expect.stringMatching(/its title could not be set: somebody has deleted or renamed the video/),
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
])('Title and Thumbnail are given up when this node has %s the video', async (...given) => {
	const [, how, bytesSent] = given;
	listLate(service);
	await failureOf(upload(service, titled));
	listNow(service);
	await changeVideo(service, { ...how, video: by('name', onlyUpload(service).filename) });
	expect((await upload(service, titled)).output).toMatchObject({ complete: true, bytesSent });
});

it('Title and Thumbnail are not those of a video that is listed without a hash', async () => {
	const record = { toJSON: () => ({ name: onlyUpload(service).filename }) };
	service.injectFault({ on: 'videoList', kind: 'status', status: 200, body: [record], times: 100 });
	const { description, message } = await failureOf(upload(service, titled));
	expect(message).toContain('its title could not be set: the record of the video contains no hash');
	expect(description).toBe('Run this again with the same file: it is not sent again.');
});

it('Title and Thumbnail are set one after the other: an image that is rejected leaves the mark, by which the next run finds the video', async () => {
	const run = { item: await filmWithImage(), ...TITLED, options: withImage };
	service.injectFault({ on: 'videoThumbnail', kind: 'status', status: 422, error: 'No such image' });
	await expect(upload(service, run)).rejects.toThrow(
		'but its title and thumbnail could not be set: No such image',
	);
	expect(service.state.videos).toMatchObject([{ name: onlyUpload(service).filename, thumbnail: null }]);
	rejectTitle(service, { status: 422 });
	await failureOf(upload(service, { ...run, title: 'a/b' }));
	// By Retry On Fail, the file is not sent again either.
	rejectTitle(service);
	expect(await retried(service, run.item, { ...TITLED, options: withImage })).toBeUndefined();
	expect(service.state.videos).toMatchObject([{ name: 'Interview', thumbnail: { filename: 'i.png' } }]);
	expectArrived(service, bytes);
});

it('Title and Thumbnail belong to the item that sets them: the same file with another title is another upload meanwhile', async () => {
	service.injectFault({ on: 'videoEdit', kind: 'trickle', ms: 5 });
	const first = upload(service, titled);
	await service.until(() => service.requestsOf('videoEdit').length > 0);
	await upload(service, { bytes, title: 'Second' });
	await first;
	expect(service.state.videos.map(({ name }) => name).sort()).toEqual(['Interview', 'Second']);
});

it.each([400, 404, 410, 422])('Title and Thumbnail are tried again by each run after %d', async (status) => {
	policies.newVideo.passes.totalMs = 500;
	for (let times = 0; times < 3; times++) rejectTitle(service, { status, error: 'Video not found' });
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
});

import { randomBytes } from 'node:crypto';

import type { IBinaryData, IDataObject, INodeParameters } from 'n8n-workflow';

import { memories } from '../../nodes/VideoHosting/upload/memory';
import { by } from '../execution/locator';
import { policies } from '../execution/policies';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { startFileServer } from '../sources/fileServer';
import {
	expectArrived,
	failureOf,
	leaveUnfinished,
	mp4Of,
	newFolder,
	onlyUpload,
	upload,
	videoOf,
	WEB_PAGE,
} from './uploading';

serviceForEachTest();

/** One file; each upload without these bytes is of another file. */
const bytes = randomBytes(1_000_000);

async function create(parameters: IDataObject): Promise<IDataObject> {
	const own = { operation: 'create', fileName: 'keynote.mp4', ...parameters } as INodeParameters;
	return (await upload(service, { parameters: own })).output;
}

async function getStatus(uploadId: unknown): Promise<IDataObject> {
	const parameters = { operation: 'getStatus', uploadId: String(uploadId) };
	return (await upload(service, { parameters })).output;
}

const requested = () => service.requests.map(({ operation }) => operation);

it('Upload sends a file byte for byte and returns its figures and its video', async () => {
	const { output, hints } = await upload(service, { bytes, options: { returnVideo: true } });
	expectArrived(service, bytes);
	expect(Object.keys(output).slice(0, 2)).toEqual(['skipped', 'video']);
	expect(output).toEqual({
		uploadId: onlyUpload(service).id,
		fileName: 'keynote.mp4',
		size: 1_000_000,
		offset: 1_000_000,
		complete: true,
		folder: null,
		bytesSent: 1_000_000,
		resumes: 0,
		waitedMs: expect.any(Number),
		durationMs: expect.any(Number),
		skipped: false,
		video: expect.objectContaining({ hash: service.state.videos[0]?.hash, name: 'keynote.mp4' }),
	});
	expect(hints).toEqual([]);
});

it('Upload sends on the wire what the reference wants, to the host of the credential alone, whatever Location contains', async () => {
	service.settings.locationForm = 'hostile';
	const folder = newFolder(service);
	const { output } = await upload(service, { parameters: { folder } });
	const metadata = `filename ${Buffer.from('keynote.mp4').toString('base64')}`;
	expect(service.requestsOf('uploadCreate')[0]?.headers).toMatchObject({
		'tus-resumable': '1.0.0',
		'upload-length': '1000000',
		'upload-metadata': metadata,
		gallery: folder.value,
		'content-length': '0',
	});
	expect(service.requestsOf('uploadPatch')[0]?.headers).toMatchObject({
		'tus-resumable': '1.0.0',
		'content-length': '1000000',
		'content-type': 'application/offset+octet-stream',
		'upload-offset': '0',
		'upload-metadata': metadata,
		gallery: folder.value,
	});
	expect(service.requestsOf('uploadHead')[0]?.headers).toMatchObject({ 'tus-resumable': '1.0.0' });
	expect(requested()).toEqual(['authenticate', 'uploadCreate', 'uploadPatch', 'uploadHead']);
	expect(output.folder).toBe(folder.value);
});

it('Upload creates a folder that is missing, once for overlapping executions, and only if it is to', async () => {
	const parameters = { folder: by('name', 'Webinars') };
	await expect(upload(service, { parameters })).rejects.toThrow(/Webinars/);
	const options = { createFolder: true };
	const runs = await Promise.all([1, 2].map(async () => await upload(service, { parameters, options })));
	expect(service.state.folders).toHaveLength(1);
	for (const { output } of runs) expect(output.folder).toBe(service.state.folders[0]?.uuid);
});

it('Upload names the video after the last segment of a path, but keeps File Name as it is entered', async () => {
	service.settings.slotHeldBy = 'transferring';
	for (const fileName of ['C:\\videos\\b.mp4', '/home/me/b.mp4'])
		expect((await upload(service, { fileName })).output.fileName).toBe('b.mp4');
	const entered = { fileName: 'either/or' };
	expect((await upload(service, { parameters: entered })).output).toMatchObject(entered);
});

it('Upload says that Create Folder If Missing does nothing without a folder', async () => {
	const { hints } = await upload(service, { options: { createFolder: true } });
	expect(hints).toMatchObject([{ message: expect.stringContaining('does nothing, as Folder is empty') }]);
});

it('Upload rejects a file without a name or without bytes', async () => {
	await expect(upload(service, { bytes: Buffer.alloc(0) })).rejects.toThrow('is empty (0 bytes)');
	const data = mp4Of('').toString('base64');
	// As a Code node may make it, which n8n does not check.
	const itemOf = (file: object) => ({
		json: {},
		binary: { data: { mimeType: 'video/mp4', ...file } as IBinaryData },
	});
	const nameless = 'File Name is empty and the file has no name';
	for (const [file, message] of [
		[{ data }, nameless],
		[{ data, fileName: '  ' }, nameless],
		[{ fileName: 'a.mp4' }, 'The binary field "data" has no content'],
		[{ fileName: 'a.mp4', data: 'filesystem-v2' }, 'The binary field "data" has no content'],
	] as Array<[object, string]>) {
		await expect(upload(service, { item: itemOf(file) })).rejects.toThrow(message);
	}
	expect((await upload(service, { item: itemOf({ data, fileName: 5, id: null }) })).output.fileName).toBe(
		'5',
	);
});

it('Create and Get Status announce a file without sending it, and report its bytes', async () => {
	service.settings.headReturnsLength = true;
	const folder = newFolder(service);
	const output = await create({ size: 5_000, folder });
	const { id } = onlyUpload(service);
	const uploadUrl = `${service.baseUrl}/v1/videos/uploads/${id}`;
	expect(output).toEqual({ uploadId: id, uploadUrl, fileName: 'keynote.mp4', size: 5_000 });
	expect(service.requestsOf('uploadCreate')[0]?.headers).toMatchObject({
		'upload-length': '5000',
		gallery: folder.value,
	});
	const status = { uploadId: id, offset: 0, size: 5_000, complete: false };
	expect(await getStatus(id)).toEqual(status);
	const otherForm = `https://127.0.0.1/videos/uploads/${id}//`;
	for (const address of [uploadUrl, otherForm]) expect(await getStatus(address)).toEqual(status);
	Object.assign(onlyUpload(service), { offset: 5_000 });
	expect(await getStatus(id)).toEqual({ ...status, offset: 5_000, complete: true });
	service.settings.headReturnsLength = false;
	expect(await getStatus(id)).toEqual({ ...status, offset: 5_000, size: null, complete: null });
});

it.each<[IDataObject, RegExp]>([
	[{ operation: 'create', size: 0 }, /^Size "0" is not a whole number of 1 or more/],
	[{ operation: 'create', size: 1, fileName: '' }, /^File Name is empty/],
	...['', '../folders', '..\\folders', 'a b', '%2e%2E', 'a?b', 'https://x/videos/uploads/'].map(
		(uploadId): [IDataObject, RegExp] => [{ operation: 'getStatus', uploadId }, /^Upload ID/],
	),
])('Create and Get Status reject %j before any request', async (parameters, message) => {
	await expect(create(parameters)).rejects.toThrow(message);
	expect(service.requests).toEqual([]);
});

it.each([
	{ title: 'A' },
	{ options: { skipIfExists: true } },
	{ options: { thumbnailBinaryPropertyName: 'image' } },
])('Upload says that %j needs a plan before any request', async (parameters) => {
	const failure = await failureOf(upload(service, { ...parameters, credential: { planId: '' } }));
	expect(failure.message).toBe('Plan ID is missing');
	expect(service.requests).toEqual([]);
});

it('Create and Get Status report an unknown upload, and an upload that was created without an ID, which no retry repeats', async () => {
	const advice = 'It may be complete: look for the video before you upload the file again.';
	for (const id of ['no-such-upload', '.a', 'a.'])
		await expect(getStatus(id)).rejects.toMatchObject({
			message: expect.stringMatching(/^The service returned 404/),
			description: advice,
		});
	const answer = { on: 'uploadHead', kind: 'status' } as const;
	service.injectFault({ ...answer, status: 410, body: '' });
	await expect(getStatus('any')).rejects.toMatchObject({ description: advice });
	for (const status of [404, 200]) {
		service.injectFault({ ...answer, status, times: 3, ...WEB_PAGE });
		const description = expect.not.stringContaining(advice);
		await expect(getStatus('any')).rejects.toMatchObject({ description });
	}
	service.clearFaults();
	service.injectFault({ ...answer, status: 200, headers: { 'Upload-Length': '5' }, body: '' });
	expect(await getStatus('any')).toMatchObject({ offset: null, size: 5, complete: null });
	service.injectFault({ on: 'uploadCreate', kind: 'status', status: 201, body: '' });
	await expect(create({ size: 5 })).rejects.toThrow('did not return its ID');
});

it('Resume sends a file that was announced, also under another name', async () => {
	const folder = newFolder(service);
	const { uploadId } = await create({ size: bytes.length, fileName: 'announced.mp4', folder });
	const run = { bytes, resume: uploadId as string, parameters: { folder } };
	const { output } = await upload(service, { ...run, options: { returnVideo: true } });
	expectArrived(service, bytes);
	const figures = { uploadId, offset: 1_000_000, complete: true, resumes: 0 };
	expect(output).toMatchObject({ ...figures, folder: folder.value });
	expect(service.requestsOf('uploadPatch')[0]?.headers.gallery).toBe(folder.value);
	expect(output.video).toMatchObject({ name: 'announced.mp4' });
});

it('Resume that was cut completes what was announced only with the same file, as does the next Upload', async () => {
	const { uploadId } = await create({ size: bytes.length });
	const resume = uploadId as string;
	await leaveUnfinished(service, { bytes, resume });
	await expect(upload(service, { resume })).rejects.toThrow('was started with other content');
	expect((await upload(service, { bytes })).output).toMatchObject({ uploadId, bytesSent: 400_000 });
	expectArrived(service, bytes);
});

it('Resume sends what is missing after a restart of n8n, given the uploadUrl, and has nothing to do after that', async () => {
	const uploadId = await leaveUnfinished(service, { bytes });
	memories.clear();
	const run = { bytes, resume: `${service.baseUrl}/v1/videos/uploads/${uploadId}` };
	expect((await upload(service, run)).output).toMatchObject({ resumes: 1, bytesSent: 400_000 });
	expectArrived(service, bytes);
	memories.clear();
	const { hints, output } = await upload(service, { ...run, options: { returnVideo: true } });
	expect(output).toMatchObject({ complete: true, bytesSent: 0, resumes: 0, video: null });
	expect(hints[0]?.message).toContain('all its bytes were at the service before');
	expect(service.requestsOf('uploadPatch')).toHaveLength(2);
	// After another restart, nothing tells its video from older ones.
	memories.clear();
	const titled = { ...run, title: 'Final cut' };
	const { description, message } = await failureOf(upload(service, titled));
	expect(message).toContain('its title could not be set: all its bytes were at the service before');
	expect(description).toContain('rename it with Video → Update.');
});

it.each([
	['resume', 'mistyped', { planId: 'plan-2002' }],
	['resume', 'plan-2002', {}],
	['upload', 'plan-2002', {}],
] as const)('The operation %s of an upload for %j looks in plan %j', async (operation, planId, own) => {
	service.settings.planId = 'plan-2002';
	const uploadId = await leaveUnfinished(service, { bytes, options: { planId } });
	const resume = operation === 'resume' ? uploadId : undefined;
	const options = { returnVideo: true, ...own };
	// Resume takes the plan of its upload before that of the credential.
	const credential = { planId: resume === undefined ? '' : 'plan-1001' };
	const { hints, output } = await upload(service, { bytes, resume, options, credential });
	expect(output.video).toMatchObject({ name: 'keynote.mp4' });
	expect(hints).toEqual([]);
});

it.each<[string, { title?: string }]>([
	['the title that it is given', { title: 'Final cut' }],
	['its first name without one', {}],
])('Resume finds the video of an upload with a title after a restart, which gets %s', async (_name, own) => {
	service.seedVideos([{ name: `keynote-${'0'.repeat(16)}.mp4` }]);
	await leaveUnfinished(service, { bytes, title: 'Interview' });
	memories.clear();
	policies.newVideo.passes.totalMs = 300;
	const { id: uploadId, filename } = onlyUpload(service);
	const isResumed = () => service.requestsOf('uploadPatch').length > 1;
	void service.until(isResumed).then(() => service.seedVideos([{ name: 'keynote2.mp4' }]));
	const run = { bytes, resume: uploadId, options: { returnVideo: true }, ...own };
	const { output } = await upload(service, run);
	const video = videoOf(service, output);
	expect(video?.name).toBe(own.title ?? filename);
	expect(output.video).toMatchObject({ hash: video?.hash, name: video?.name });
	// Its first name is not known, so there is no search for it.
	for (const { query } of service.requestsOf('videoList')) expect(query.name).toBeUndefined();
});

it('Resume gives a complete upload another title, and without one leaves that of somebody else', async () => {
	const { output } = await upload(service, { bytes, options: { returnVideo: true } });
	const resume = async (title: string) =>
		await upload(service, { bytes, resume: output.uploadId as string, title });
	expect((await resume('Final cut')).output.video).toMatchObject({ name: 'Final cut' });
	expect(service.state.videos).toMatchObject([{ name: 'Final cut' }]);
	Object.assign(service.state.videos[0] ?? {}, { name: 'By hand' });
	await resume('');
	expect(service.state.videos).toMatchObject([{ name: 'By hand' }]);
});

it('Resume returns the video of a complete upload, not another one of its name', async () => {
	const options = { returnVideo: true };
	const first = await upload(service, { bytes, options });
	const second = await upload(service, { options });
	for (const { bytes: sent, output } of [first, second]) {
		const resume = output.uploadId as string;
		const again = await upload(service, { bytes: sent, resume, options });
		expect(again.output.video).toEqual(output.video);
	}
});

it('Resume rejects another file without sending a byte, and the right one still completes the upload', async () => {
	const uploadId = await leaveUnfinished(service, { bytes });
	for (const [size, reason, headReturnsLength = false, isForgotten = false] of [
		[1_000_000, 'the upload was started with other content'],
		[500_000, 'the upload has 1000000 bytes, and this file 500000'],
		[500_000, 'the upload has 600000 bytes, and this file 500000', false, true],
		[2_000_000, 'the upload has 1000000 bytes, and this file 2000000', true, true],
	] as Array<[number, string, boolean?, boolean?]>) {
		service.settings.headReturnsLength = headReturnsLength;
		if (isForgotten) memories.clear();
		const failure = await failureOf(upload(service, { resume: uploadId, bytes: randomBytes(size) }));
		expect(failure.message).toBe(`The file does not match: ${reason}. Upload ${uploadId} stays as it is.`);
		expect(failure.description).toBe(
			'Use the same file that the upload was started with. Download it first if it is at a URL.',
		);
	}
	expect(service.requestsOf('uploadPatch')).toHaveLength(1);
	expect(service.requestsOf('uploadHead')).toHaveLength(5);
	await upload(service, { resume: uploadId, bytes });
	expectArrived(service, bytes);
});

it('Resume completes an upload after a restart and a Resume with a larger file of another name', async () => {
	policies.newVideo.passes.totalMs = 500;
	const resume = await leaveUnfinished(service, { bytes });
	memories.clear();
	await failureOf(upload(service, { resume, bytes: randomBytes(2_000_000), fileName: 'other.mp4' }));
	const { output } = await upload(service, { resume, bytes, title: 'Interview' });
	expect(output.video).toMatchObject({ name: 'Interview' });
	expectArrived(service, bytes);
});

it('Resume completes its own upload, also while the video of another one of the same file lacks its title', async () => {
	service.injectFault({ on: 'videoEdit', kind: 'status', status: 400 });
	await failureOf(upload(service, { bytes, title: 'Interview' }));
	const folder = newFolder(service);
	const { uploadId } = await create({ size: bytes.length, folder });
	const { output } = await upload(service, { bytes, resume: uploadId as string });
	expect(output).toMatchObject({ uploadId, bytesSent: bytes.length });
});

it('Resume tries again as often as for the service while the source cannot be read after a restart', async () => {
	const resume = await leaveUnfinished(service, { bytes });
	memories.clear();
	const files = await startFileServer(bytes);
	// One request is for the size.
	files.statuses = [200, ...Array<number>(5).fill(503)];
	await upload(service, { url: files.url, resume }).finally(async () => await files.close());
	expectArrived(service, bytes);
});

it('Resume creates no other upload when the service does not know this one', async () => {
	const failure = await failureOf(upload(service, { resume: 'gone' }));
	expect(failure.message).toMatch(/Upload gone is unknown to the service\.$/);
	expect(failure.description).toBe(
		'It may be complete: look for the video before you upload the file again.',
	);
	expect(requested()).toEqual(['authenticate', ...Array<string>(3).fill('uploadHead')]);
});

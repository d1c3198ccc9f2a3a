import { by, run as runNode } from '../actions/run';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { upload } from '../upload/uploading';

/** Every way to write the fields of a record that is accepted (A1); all other tests use one. */
serviceForEachTest();

const SECRET = 'plan-secret-7Qm2';
const UUID = '6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b';
const run = async (resource: string, operation: string, more = {}) =>
	await runNode({ resource, operation, ...more }, { timezone: 'UTC' });

const KNOWN = { title: 'x', eventId: 7, secret: SECRET, hash: 'a' };
const DATED = { dateScheduled: '2026-07-01 09:30:00', status: 'LIVE' };
it.each([
	{ ...KNOWN, ...DATED },
	{ ...DATED, event_title: 'x', event_id: '7', plan_secret: SECRET, event_hash: 'a' },
	{ ...DATED, name: 'x', id: 7, plan: { secret: SECRET }, hashEvent: 'a' },
	{ ...KNOWN, date: '1782898200', status: 'live' },
	{ ...KNOWN, startDate: 1_782_898_200_000, state: 'Live' },
	{ ...KNOWN, scheduled_at: '2026-07-01T11:30:00.000+02:00', liveStatus: 'LIVE' },
])('The record of an event may be %j', async (record) => {
	service.seedEvents([{ hash: 'a', eventId: 7 }]);
	answer('eventSearchAll', [{ hash: 'b' }, record]);
	answer('eventSearchByHash', [record]);
	await run('event', 'update', { event: by('title', 'x'), title: 'y' });
	const body = { title: 'y', eventId: 7, secret: SECRET, hash: 'a' };
	expect(service.requestsOf('eventUpdate').map((request) => request.body)).toEqual([body]);
	const range = { scheduledAfter: '2026-07-01 09:30', scheduledBefore: '2026-07-01 09:31' };
	const filters = { ...range, status: ['LIVE'] };
	expect(await run('event', 'getAll', { filters })).toHaveLength(1);
});

it.each([
	[{ hash: 'a', subject: 'x' }, /listed with a title/],
	[{ title: 'x' }, /^One event has the title "x": without a Hash \(no date\)$/],
])('No event is chosen by title without a title and hash of a usual name: %j', async (...given) => {
	const [record, message] = given;
	answer('eventSearchAll', [record]);
	await expect(run('event', 'get', { event: by('title', 'x') })).rejects.toThrow(message);
});

it('An event without a hash or an ID is all that is in its record', async () => {
	answer('eventSearchAll', [{ title: 'x' }, { title: 'y' }, { title: 'x' }]);
	expect(await run('event', 'getAll')).toEqual([{ title: 'x' }, { title: 'y' }]);
});

it.each([
	{ uuid: UUID, name: 'Webinars' },
	{ folder_uuid: UUID, folder_name: 'Webinars' },
	{ galleryUuid: UUID.toUpperCase(), title: 'Webinars' },
])('A folder is %j', async (folder) => {
	service.seedFolders([{ uuid: folder.uuid ?? folder.folder_uuid ?? folder.galleryUuid }]);
	service.seedVideos([{ hash: 'a' }]);
	answer('folderList', [folder]);
	await run('video', 'move', { video: by('hash', 'a'), folder: by('name', 'Webinars') });
	expect(service.state.videos).toMatchObject([{ folder: service.state.folders[0]?.uuid }]);
});

it.each([
	{ hash: 'a', name: 'x', created_date: '2026-07-01T09:30:00Z', folder_uuid: UUID },
	{ video_hash: 'a', video_name: 'x', created_at: '2026-07-01', gallery_uuid: UUID.toUpperCase() },
	// Recordings have the hash of their event, too.
	{ eventHash: 'e', videoHash: 'a', title: 'x', creationDate: '1782898200', gallery: { name: '2026' } },
	{ hashVideo: 'a', filename: 'x', created: 1_782_898_200, folder: { uuid: UUID, name: 'Old name' } },
	{ hash: 'a', name: 'x', dateCreated: '2026-07-01 09:30:00', folder: '2026' },
	{ hash: 'a', name: 'x', date: '2026-07-01T09:30:00Z', folder_name: '2026' },
	{ hash: 'a', name: 'x', created: '2026-07-01', gallery: { id: 12, name: 'Old name' } },
	{ hash: 'a', name: 'x', created: '2026-07-01', folder_id: '12' },
	{ hash: 'a', name: 'x', created: '2026-07-01', folder_uuid: UUID, folder: { name: 'Old name' } },
	{ hash: 'a', name: 'x', created: '2026-07-01', folderId: UUID },
])('The record of a video may be %j', async (video) => {
	service.seedFolders([{ uuid: undefined }, { uuid: UUID, id: 12, name: '2026' }]);
	service.seedVideos([{ hash: 'a' }]);
	const elsewhere = { hash: 'b', name: 'z', created: '2026-07-01', folder: { id: 13, name: '2026' } };
	answer('videoList', [{ ...elsewhere, hash: 'c', eventHash: 'e', folder: '13' }, video, elsewhere]);
	const filters = { folder: by('uuid', UUID), initialDate: '2026-07-01', endDate: '2026-07-02' };
	expect(await run('video', 'getAll', { filters })).toMatchObject([video]);
	await run('video', 'update', { video: by('name', 'x'), name: 'y' });
	expect(service.state.videos).toMatchObject([{ hash: 'a', name: 'y' }]);
});

it.each([
	[
		'event',
		{ hash: 'a', planId: 'p', status: 'live', eventId: '12' },
		'{"hash":"a","eventId":12,"status":"LIVE","planId":"p"}',
	],
	[
		'event',
		{ id: 12, title: null, date: '', event_title: 'x', status: 1, event_hash: 7 },
		'{"hash":"7","eventId":12,"title":"x","status":"1","id":12,"date":"","event_title":"x","event_hash":7}',
	],
	['event', { eventId: 12, event_id: null, id: 99 }, '{"eventId":12,"event_id":null,"id":99}'],
	['event', { start_date: 'soon', id: 'e12' }, '{"dateScheduled":"soon","start_date":"soon","id":"e12"}'],
	[
		'folder',
		{ id: 1, name: '', galleryName: 'x', title: 'y' },
		'{"name":"y","id":1,"galleryName":"x","title":"y"}',
	],
	['folder', { gallery_uuid: UUID }, `{"uuid":"${UUID}","gallery_uuid":"${UUID}"}`],
	[
		'video',
		{ uuid: UUID, video_hash: 'a', createdAt: 1_782_898_200, gallery: { uuid: UUID }, title: 'x' },
		`{"hash":"a","name":"x","created_date":"1782898200","folder_uuid":"${UUID}","uuid":"${UUID}","video_hash":"a","createdAt":1782898200,"gallery":{"uuid":"${UUID}"},"title":"x"}`,
	],
	[
		'video',
		{ folder_uuid: null, folder: 'Webinars', hash: 'a' },
		'{"hash":"a","folder_uuid":null,"folder":"Webinars"}',
	],
])('A record has the names of the reference first, and nothing invented: %s %j', async (...given) => {
	const [resource, record, output] = given;
	answer(['eventSearchAll', 'folderList', 'videoList'], [record]);
	expect((await run(resource, 'getAll')).map((item) => JSON.stringify(item))).toEqual([output]);
});

it('A video without a name under a usual name is not uploaded again with Skip If Exists', async () => {
	answer('videoList', [{ hash: 'a', label: 'keynote.mp4' }]);
	const running = upload(service, { options: { skipIfExists: true } });
	await expect(running).rejects.toThrow('No video is listed with a name');
	expect(service.state.uploads).toEqual([]);
});

it.each([
	['id', true],
	['none', true],
	['name', true],
	['name', false],
] as const)('A folder cannot be searched where videos do not show theirs: %s, %s', async (form, isNamed) => {
	service.settings.videoFolders = form;
	const [folder] = service.seedFolders([{ name: 'Webinars' }, { name: 'Webinars' }]);
	service.seedVideos(form === 'none' ? [{}] : [{ folder: folder?.uuid }, { folder: null }]);
	const listed = service.state.folders.map(({ uuid, name }) => (isNamed ? { uuid, name } : { uuid }));
	answer('folderList', listed);
	const chosen = { folder: by('uuid', folder?.uuid ?? '') };
	const getMany = run('video', 'getAll', { filters: chosen });
	await expect(getMany).rejects.toMatchObject({
		message: expect.stringContaining(
			'do not show for certain which folder they are in, so the filter Folder cannot be applied',
		),
		description: expect.stringMatching(/rename folders that have one name, .+ folder_uuid/),
	});
});

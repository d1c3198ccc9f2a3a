import { executeNode, itemWithFile } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

/** A folder by its name in operations about something else, and the option Create Folder If Missing. */
let service: RunningService;
serviceForEachTest((started) => (service = started));

const folder = by('name', 'Webinars');
const move = { resource: 'video', operation: 'move', folder, video: by('hash', '={{ $json.hash }}') };
const create = { createFolder: true };
const videos = (count: number) => service.seedVideos(count).map(({ hash }) => ({ json: { hash } }));

it.each([
	['diskUsage', 'getFolder', {}],
	['video', 'move', { video: by('hash', 'video-1') }],
	['upload', 'create', { fileName: 'film.mp4', size: 15 }],
])('A folder by its name is used by %s → %s', async (resource, operation, own) => {
	const [, chosen] = service.seedFolders([{ name: 'webinars' }, { name: 'Webinars' }]);
	service.seedVideos([{ hash: 'video-1' }]);
	await executeNode({ service, parameters: { resource, operation, folder, ...own } });
	const { path, body, headers } = service.requests.at(-1) ?? {};
	expect(JSON.stringify([path, body, headers?.gallery])).toContain(chosen?.uuid);
	expect(service.requestsOf('folderList')).toHaveLength(1);
});

it.each(['record', 'success', 'empty'] as const)(
	'Create Folder If Missing creates one folder for twenty items (response: %s)',
	async (writeResponse) => {
		service.settings.writeResponse = writeResponse;
		await executeNode({ service, parameters: { ...move, options: create }, items: videos(20) });
		expect(service.requestsOf('folderCreate').map(({ body }) => body)).toEqual([{ name: 'Webinars' }]);
		const [created] = service.state.folders;
		expect(new Set(service.state.videos.map((video) => video.folder))).toEqual(new Set([created?.uuid]));
		expect(service.requestsOf('folderList').length).toBeLessThanOrEqual(2);
	},
);

it.each([
	['video', 'move', { video: by('hash', 'video-1') }],
	['upload', 'upload', { options: { returnVideo: false } }],
])(
	'Create Folder If Missing is named by the error of a missing folder: %s → %s',
	async (resource, operation, own) => {
		const file = { fileName: 'film.mp4', mimeType: 'video/mp4' };
		const items = [await itemWithFile(Buffer.from('bytes of a film'), file)];
		const run = executeNode({ service, parameters: { resource, operation, folder, ...own }, items });
		await expect(run).rejects.toMatchObject({
			message: 'The application has no folder with the name "Webinars"',
			description:
				'Check Folder, or switch on Create Folder If Missing. The name must match exactly, including upper and lower case.',
		});
	},
);

it('Create Folder If Missing creates nothing for a folder that is chosen by its UUID', async () => {
	const chosen = by('uuid', '00000000-0000-4000-8000-000000000000');
	const run = executeNode({
		service,
		parameters: { ...move, folder: chosen, options: create },
		items: videos(1),
	});
	await expect(run).rejects.toThrow(/^Folder not found/);
	expect(service.requestsOf('folderCreate')).toEqual([]);
});

it('An error of the service names the folder that could not be created', async () => {
	service.injectFault({ on: 'folderCreate', kind: 'status', status: 400, error: 'Too many folders' });
	const run = executeNode({ service, parameters: { ...move, options: create }, items: videos(1) });
	await expect(run).rejects.toThrow(/^Creating the folder "Webinars" failed\. Too many folders/);
});

import type { INodeParameters } from 'n8n-workflow';

import type { Folder } from '../../fakeService';
import { answer, service, serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { film } from '../../upload/uploading';
import { by, expectError, expectUnsent, requested, run } from '../run';

let folders: Folder[];

serviceForEachTest();
beforeEach(() => {
	folders = service.seedFolders([{ name: 'Concerts' }, { name: 'Webinars' }, { name: 'Archive' }]);
});

const uuidOf = (index: number) => folders[index]?.uuid ?? '';
const operation = (name: string) => ({ resource: 'folder', operation: name });
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

it('Folder → Get Many returns folders up to Limit, and Get finds them in the list, which each reads once', async () => {
	expect(await run({ ...operation('getAll'), limit: 2 })).toEqual(folders.slice(0, 2));
	const items = [2, 0, 1, 2].map((index) => ({ json: { uuid: uuidOf(index).toUpperCase() } }));
	const output = await run({ ...operation('get'), folder: by('uuid', '={{ $json.uuid }}') }, { items });
	expect(output).toEqual([2, 0, 1, 2].map((index) => folders[index]));
	expect(service.requestsOf('folderList')).toHaveLength(2);
});

describe('Folder → Create', () => {
	const create = { ...operation('create'), name: 'Courses' };
	const described = { ...create, options: { description: 'All of 2026' } };

	it.each(['record', 'success', 'empty'] as const)(
		'with Description creates the folder, also next to one of that name (response: %s)',
		async (writeResponse) => {
			service.settings.writeResponse = writeResponse;
			service.seedFolders([{ name: 'Courses' }]);
			const [output] = await run(described);
			const created = service.state.folders.at(-1);
			expect(service.requestsOf('folderCreate').map(({ body }) => body)).toEqual([{ name: 'Courses' }]);
			expect(created?.description).toBe('All of 2026');
			expect(output).toEqual(created);
		},
	);

	it('reports that the folder exists when the description is rejected', async () => {
		service.injectFault({ on: 'folderUpdate', kind: 'status', status: 400, error: 'Out of order' });
		const [output] = await run(described, { onError: 'continueRegularOutput' });
		const uuid = service.state.folders.at(-1)?.uuid;
		const message = `The folder "Courses" was created (UUID ${uuid}), but its description could not be set: Out of order.`;
		const description = 'Set it with Folder → Update.';
		expect(output?.error).toEqual({ uuid, name: 'Courses', message, description });
	});

	it('with Skip If Exists returns an existing folder unchanged', async () => {
		const options = { description: 'new', skipIfExists: true };
		const output = await run({ ...create, name: 'Webinars', options });
		expect(output).toEqual([{ ...folders[1], skipped: true }]);
		expect(requested()).toEqual(['folderList']);
	});
});

describe('Folder → Update', () => {
	it.each([
		['an empty description, to remove it', { description: '' }, { description: '' }],
		['no field that resolves to nothing', { name: 'Gigs', description: '={{ null }}' }, { name: 'Gigs' }],
	])('sends %s', async (_what, updateFields, body) => {
		const [output] = await run({ ...operation('update'), folder: by('list', uuidOf(0)), updateFields });
		expect(service.requestsOf('folderUpdate')[0]?.body).toEqual(body);
		expect(output).toEqual(service.state.folders[0]);
	});

	it.each([
		['Update Fields', {}],
		['New Name', { name: '' }],
	])('rejects empty %s before any request', async (label, updateFields) => {
		const update = { ...operation('update'), folder: by('uuid', uuidOf(0)), updateFields };
		await expectUnsent(run(update), `${label} is empty`);
	});
});

describe('Folder → Delete', () => {
	const remove = async (folder: string, options = {}) =>
		await run({ ...operation('delete'), folder: by('uuid', folder), options });

	it('uses a name that the user entered, and lists nothing', async () => {
		await remove(uuidOf(1), { name: 'Webinars' });
		expect(requested()).toEqual(['folderDelete']);
	});

	it.each([
		[[], /^The application has no folder with the UUID .+ It may have been deleted/],
		[[{ uuid: UNKNOWN }], /contains no name\. .+ option Name\.$/],
	])('deletes nothing when no name is listed: %j', async (list, problem) => {
		answer('folderList', list);
		await expectError(remove(UNKNOWN), problem);
		expect(service.requestsOf('folderDelete')).toEqual([]);
	});

	it('is an error when the service reports that it deleted none', async () => {
		service.injectFault({ on: 'folderDelete', kind: 'status', status: 200, body: '0' });
		await expect(remove(uuidOf(0))).rejects.toThrow('The service deleted no folder');
	});
});

const move = { resource: 'video', operation: 'move', video: by('hash', 'video-1') };

it.each<[INodeParameters, RegExp]>([
	[move, /Create Folder If Missing creates the folder\.$/],
	[{ resource: 'upload', operation: 'upload' }, /Create Folder If Missing creates the folder\.$/],
	[operation('get'), /may take half a minute to be listed\.$/],
])('The error of a name that no folder has names the option that creates one: %j', async (...given) => {
	const [parameters, advice] = given;
	service.seedVideos([{ hash: 'video-1' }]);
	const items = [await film(Buffer.alloc(10))];
	await expectError(run({ ...parameters, folder: by('name', 'Gigs') }, { items }), advice);
});

it('A folder is not created when it is chosen by its UUID', async () => {
	service.seedVideos([{ hash: 'video-1' }]);
	const moving = run({ ...move, folder: by('uuid', UNKNOWN), options: { createFolder: true } });
	await expectError(moving, /^Folder not found/);
	expect(service.requestsOf('folderCreate')).toEqual([]);
});

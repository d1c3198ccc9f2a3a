import { executeForJson, executeNode } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import type { Folder, RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
let folders: Folder[];

serviceForEachTest((started) => {
	service = started;
	folders = service.seedFolders([{ name: 'Concerts' }, { name: 'Webinars' }, { name: 'Archive' }]);
});

const uuidOf = (index: number) => folders[index]?.uuid ?? '';
const operation = (name: string) => ({ resource: 'folder', operation: name });
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

it.each([
	['all', { returnAll: true }, 3],
	['up to Limit', { limit: 2 }, 2],
])('Folder → Get Many returns %s, in the one request that lists them all', async (_what, given, count) => {
	const output = await executeForJson({ service, parameters: { ...operation('getAll'), ...given } });
	expect(service.requestsOf('folderList')).toHaveLength(1);
	expect(output).toEqual(folders.slice(0, count));
});

describe('Folder → Get', () => {
	it('finds the folder in the list, which is read once for many items', async () => {
		const output = await executeForJson({
			service,
			parameters: { ...operation('get'), folder: by('uuid', '={{ $json.uuid }}') },
			items: [2, 0, 1, 2].map((index) => ({ json: { uuid: uuidOf(index).toUpperCase() } })),
		});
		expect(output).toEqual([2, 0, 1, 2].map((index) => folders[index]));
		expect(service.requestsOf('folderList')).toHaveLength(1);
	});

	it('names the folder that the application does not have', async () => {
		const run = executeNode({ service, parameters: { ...operation('get'), folder: by('uuid', UNKNOWN) } });
		await expect(run).rejects.toThrow(`The application has no folder with the UUID ${UNKNOWN}`);
	});
});

describe('Folder → Update', () => {
	it.each([
		['the name alone', { name: 'Gigs' }, { name: 'Gigs' }],
		['the description alone', { description: 'Live on stage' }, { description: 'Live on stage' }],
		['both', { name: 'Gigs', description: 'x' }, { name: 'Gigs', description: 'x' }],
		['an empty description, to remove it', { description: '' }, { description: '' }],
		['a number that an expression returns as text', { name: '={{ 2026 }}' }, { name: '2026' }],
		[
			'nothing for which an expression returns nothing',
			{ name: 'Gigs', description: '={{ null }}' },
			{ name: 'Gigs' },
		],
	])('sends %s', async (_what, updateFields, body) => {
		const parameters = { ...operation('update'), folder: by('list', uuidOf(0)), updateFields };
		const [output] = await executeForJson({ service, parameters });
		expect(service.requestsOf('folderUpdate')[0]?.body).toEqual(body);
		expect(output).toEqual(service.state.folders[0]);
	});

	it.each([
		[{}, 'Update Fields is empty'],
		[{ name: ' ' }, 'Name is empty'],
	])('rejects %j before any request', async (updateFields, message) => {
		const parameters = { ...operation('update'), folder: by('uuid', uuidOf(0)), updateFields };
		await expect(executeNode({ service, parameters })).rejects.toThrow(message);
		expect(service.requests).toEqual([]);
	});

	it('shows the error message of the service for a folder that does not exist', async () => {
		const parameters = { ...operation('update'), folder: by('uuid', UNKNOWN), updateFields: { name: 'x' } };
		await expect(executeNode({ service, parameters })).rejects.toThrow(/^Folder not found/);
	});
});

describe('Folder → Delete', () => {
	const remove = (folder = '', options = {}) => ({
		...operation('delete'),
		folder: by('uuid', folder),
		options,
	});

	it('uses a name that the user entered, and lists nothing', async () => {
		await executeNode({ service, parameters: remove(uuidOf(1), { name: 'Webinars' }) });
		expect(service.requests.map(({ operation: name }) => name)).toEqual(['authenticate', 'folderDelete']);
	});

	it('lists the folders once for many items', async () => {
		const items = folders.map(({ uuid }) => ({ json: { uuid } }));
		await executeNode({ service, parameters: remove('={{ $json.uuid }}'), items });
		expect(service.requestsOf('folderList')).toHaveLength(1);
		expect(service.state.folders).toEqual([]);
	});

	it('deletes nothing when the folder is not listed, and names the option for its name', async () => {
		await expect(executeNode({ service, parameters: remove(UNKNOWN) })).rejects.toMatchObject({
			message: `The application has no folder with the UUID ${UNKNOWN}`,
			description: expect.stringContaining('option Name') as string,
		});
		expect(service.requestsOf('folderDelete')).toEqual([]);
	});

	it('is an error when the service reports that it deleted none', async () => {
		service.injectFault({ on: 'folderDelete', kind: 'status', status: 200, body: '0' });
		await expect(executeNode({ service, parameters: remove(uuidOf(0)) })).rejects.toThrow(
			'The service deleted no folder',
		);
	});
});

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import { loadPicker } from '../execution/loadPicker';
import { by } from '../execution/locator';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

/** Lists of folders that are cut or nested (docs/api-reference.md#list-galleries shows neither). */
let service: RunningService;
serviceForEachTest((started) => (service = started));

const run = async (parameters: INodeParameters): Promise<IDataObject[]> =>
	await executeForJson({ service, parameters });

describe('Folders', () => {
	it.each([
		[{ total: 25 }, '25'],
		[{ page: { number: 1, totalPages: 3 } }, 'more'],
		[{ pagination: { hasNext: true } }, 'more'],
	])('are an error when the response shows by %j that it does not contain all', async (paging, all) => {
		const body = JSON.stringify({ data: service.seedFolders(10), ...paging });
		service.injectFault({ on: 'folderList', kind: 'status', status: 200, body, times: 9 });
		await expect(run({ resource: 'folder', operation: 'getAll', returnAll: true })).rejects.toThrow(
			`The service returned 10 of ${all} folders, so the list is not complete`,
		);
	});

	it.each(['children', 'subfolders'])('are found in %s of others, at any depth', async (field) => {
		const folders = service.seedFolders(4);
		const nested = folders.reduceRight<object[]>((inner, folder) => [{ ...folder, [field]: inner }], []);
		const body = JSON.stringify(nested);
		service.injectFault({ on: 'folderList', kind: 'status', status: 200, body, times: 9 });
		const uuids = folders.map(({ uuid }) => uuid);
		const all = await run({ resource: 'folder', operation: 'getAll', returnAll: true });
		expect(all.map(({ uuid }) => uuid)).toEqual(uuids);
		expect((await loadPicker('searchFolders', { service })).results).toHaveLength(4);
		const folder = by('uuid', uuids[3] ?? '');
		expect(await run({ resource: 'folder', operation: 'get', folder })).toMatchObject([{ uuid: uuids[3] }]);
		await run({ resource: 'folder', operation: 'delete', folder });
		expect(service.state.folders).toHaveLength(3);
	});

	it('of one response cost one request', async () => {
		service.seedFolders(12);
		await run({ resource: 'folder', operation: 'getAll' });
		expect(service.requests.map(({ operation }) => operation)).toEqual(['authenticate', 'folderList']);
	});
});

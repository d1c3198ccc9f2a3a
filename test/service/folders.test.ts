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
	const everywhere = async () => {
		const all = await run({ resource: 'folder', operation: 'getAll', returnAll: true });
		const { results } = await loadPicker('searchFolders', { service });
		expect(results).toHaveLength(all.length);
		const last = service.state.folders.at(-1);
		const folder = by('uuid', last?.uuid ?? '');
		expect(await run({ resource: 'folder', operation: 'get', folder })).toMatchObject([{ uuid: last?.uuid }]);
		await run({ resource: 'folder', operation: 'delete', folder });
		expect(service.state.folders).toHaveLength(all.length - 1);
		return all.map(({ uuid }) => uuid);
	};

	it.each(['total', 'totalPages', 'hasNext'] as const)(
		'are an error when the response shows by %s that it does not contain all',
		async (folderPaging) => {
			Object.assign(service.settings, { folderPageSize: 10, folderPaging });
			service.seedFolders(25);
			await expect(run({ resource: 'folder', operation: 'getAll', returnAll: true })).rejects.toThrow(
				/^The service returned 10 of (25|more) folders, so the list is not complete/,
			);
		},
	);

	it.each(['children', 'subfolders'] as const)(
		'are found in %s of others, at any depth',
		async (folderNesting) => {
			service.settings.folderNesting = folderNesting;
			const parents = [null, 101, 102, 103];
			const uuids = service.seedFolders(parents.map((parentId) => ({ parentId }))).map(({ uuid }) => uuid);
			expect(await everywhere()).toEqual(uuids);
		},
	);

	it('that the service counts but does not return are an error', async () => {
		service.seedFolders(3);
		const body = JSON.stringify({ data: service.state.folders, total: 9 });
		service.injectFault({ on: 'folderList', kind: 'status', status: 200, body, times: 9 });
		await expect(run({ resource: 'folder', operation: 'getAll' })).rejects.toThrow('3 of 9 folders');
	});

	it('of one response cost one request', async () => {
		service.seedFolders(12);
		await run({ resource: 'folder', operation: 'getAll' });
		expect(service.requests.map(({ operation }) => operation)).toEqual(['authenticate', 'folderList']);
	});
});

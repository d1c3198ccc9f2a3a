import { executeForJson, executeNode } from '../../execution/executeNode';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const create = { resource: 'folder', operation: 'create', name: 'Webinars' };
const two = [{ json: {} }, { json: {} }];

describe('Folder → Create with Description', () => {
	it.each(['record', 'success', 'empty'] as const)(
		'creates the folder, then sets the description (response: %s)',
		async (writeResponse) => {
			service.settings.writeResponse = writeResponse;
			const parameters = { ...create, options: { description: 'All of 2026' } };
			const [output] = await executeForJson({ service, parameters });
			const [folder] = service.state.folders;
			expect(service.requestsOf('folderCreate').map(({ body }) => body)).toEqual([{ name: 'Webinars' }]);
			expect(service.requestsOf('folderUpdate')).toMatchObject([
				{ method: 'PUT', path: `/v1/folders/${folder?.uuid}`, body: { description: 'All of 2026' } },
			]);
			expect(folder?.description).toBe('All of 2026');
			expect(output).toEqual(folder);
		},
	);

	it('reports that the folder exists when the description is rejected', async () => {
		service.injectFault({ on: 'folderUpdate', kind: 'status', status: 400, error: 'Out of order' });
		const parameters = { ...create, options: { description: 'x' } };
		const [output] = await executeForJson({ service, parameters, onError: 'continueRegularOutput' });
		const uuid = service.state.folders[0]?.uuid;
		expect(output?.error).toMatchObject({ uuid, name: 'Webinars' });
		const { message } = output?.error as { message: string };
		expect(message).toContain(
			`The folder "Webinars" was created (UUID ${uuid}), but its description could not be set. Out of order.`,
		);
	});
});

describe('Folder → Create with Skip If Exists', () => {
	const skip = { ...create, options: { skipIfExists: true, description: 'new' } };

	it('returns an existing folder unchanged', async () => {
		const [folder] = service.seedFolders([{ name: 'Webinars', description: 'old' }]);
		const output = await executeForJson({ service, parameters: skip });
		expect(output).toEqual([{ ...folder, description: 'old', skipped: true }]);
		expect(service.requests.map(({ operation }) => operation)).toEqual(['authenticate', 'folderList']);
	});

	it('creates one folder for two items of the same name', async () => {
		const output = await executeForJson({ service, parameters: skip, items: two });
		const [folder] = service.state.folders;
		expect(service.state.folders).toHaveLength(1);
		expect(output).toMatchObject([
			{ uuid: folder?.uuid, skipped: false },
			{ uuid: folder?.uuid, skipped: true },
		]);
		expect(service.requestsOf('folderList')).toHaveLength(1);
	});

	it('creates a folder for each item without the option', async () => {
		await executeNode({ service, parameters: create, items: two });
		expect(service.state.folders).toHaveLength(2);
		expect(service.requestsOf('folderList')).toEqual([]);
	});
});

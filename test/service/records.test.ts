import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import { by } from '../execution/locator';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

/** What a response contains next to a record, or instead of one. */
let service: RunningService;
serviceForEachTest((started) => (service = started));

const run = async (parameters: INodeParameters): Promise<IDataObject[]> =>
	await executeForJson({ service, parameters });

describe('Fields next to a wrapped record', () => {
	const stream = { rtmpUrl: 'rtmp://ingest.example/live', streamKey: 'key-of-the-user' };

	it.each(['data', 'resource'] as const)('are kept, without the envelope: %s', async (singleShape) => {
		Object.assign(service.settings, {
			singleShape,
			recordSiblings: { success: true, message: 'ok', ...stream },
		});
		const [event] = service.seedEvents(1);
		const [got] = await run({ resource: 'event', operation: 'get', event: by('hash', event?.hash ?? '') });
		expect(got).toEqual({ ...event, ...stream });

		const created = await run({
			resource: 'event',
			operation: 'create',
			title: 'Next',
			dateScheduled: '2030-05-05 10:00',
		});
		expect(created).toEqual([expect.objectContaining({ ...service.state.events[1], ...stream })]);
	});

	it('do not replace a field of the record', async () => {
		Object.assign(service.settings, { singleShape: 'resource', recordSiblings: { title: 'Not the title' } });
		const [event] = service.seedEvents(1);
		const [got] = await run({ resource: 'event', operation: 'get', event: by('hash', event?.hash ?? '') });
		expect(got).toEqual({ ...event, responseFields: { title: 'Not the title' } });
	});
});

describe('Secrets', () => {
	it('are removed by their whole name, at any depth', async () => {
		const harmless = { passwordProtected: true, secretary: 'Ann', tokenCount: 3, streamKey: 'key' };
		service.settings.extraEventFields = {
			...harmless,
			'access-token': 'a',
			Plan_Secret: 'b',
			viewer: { password: 'c', ...harmless },
		};
		const [event] = service.seedEvents(1);
		const [listed] = await run({ resource: 'event', operation: 'getAll' });
		expect(listed).toEqual({ ...event, ...harmless, viewer: harmless });
	});
});

describe('A response 200 that reports a failure', () => {
	const hash = by('hash', 'no-such-hash');
	const UUID = '3b1f8f5e-0c55-4f7a-9a51-0d3f0c4b7e11';
	it.each<[string, INodeParameters]>([
		['Event not found', { resource: 'event', operation: 'get', event: hash }],
		['Event not found', { resource: 'event', operation: 'delete', event: by('id', 99) }],
		[
			'Folder not found',
			{ resource: 'folder', operation: 'update', folder: by('uuid', UUID), updateFields: { name: 'x' } },
		],
		['Video not found', { resource: 'video', operation: 'delete', video: hash }],
		['Plan not found', { resource: 'event', operation: 'getAll', options: { planId: 'plan-none' } }],
		['Plan not found', { resource: 'video', operation: 'getAll', options: { planId: 'plan-none' } }],
	])('is an error with its message: %s', async (message, parameters) => {
		for (const errorsAsSuccess of ['error', 'success'] as const) {
			service.settings.errorsAsSuccess = errorsAsSuccess;
			await expect(run(parameters)).rejects.toThrow(message);
		}
	});

	it('of an empty list is an empty list', async () => {
		Object.assign(service.settings, { emptyList: '404', errorsAsSuccess: 'error' });
		expect(await run({ resource: 'event', operation: 'getAll' })).toEqual([]);
	});

	it.each([{ error: null }, { error: false }, { error: '' }, { error: {} }, { success: 'Done' }])(
		'is not seen in %j',
		async (body) => {
			service.injectFault({ on: 'folderTotal', kind: 'status', status: 200, body: JSON.stringify(body) });
			expect(await run({ resource: 'folder', operation: 'count' })).toEqual([body]);
		},
	);
});

describe('A write without a record', () => {
	it.each(['emptyArray', 'empty'] as const)('returns one item: %s', async (writeResponse) => {
		service.settings.writeResponse = writeResponse;
		const result = writeResponse === 'empty' ? '' : [];
		expect(await run({ resource: 'folder', operation: 'create', name: 'Concerts' })).toEqual([{ result }]);
		const created = { resource: 'event', operation: 'create', title: 'x', dateScheduled: '2030-05-05 10:00' };
		expect(await run(created)).toEqual([expect.objectContaining({ result })]);
	});
});

describe('Deleting a folder', () => {
	it('is an error when the service counts none deleted', async () => {
		const [folder] = service.seedFolders(1);
		const parameters = { resource: 'folder', operation: 'delete', folder: by('uuid', folder?.uuid ?? '') };
		for (const body of ['0', '[0]', '{"deleted":0}', '{"affected":0}', 'false']) {
			service.injectFault({ on: 'folderDelete', kind: 'status', status: 200, body });
			await expect(run(parameters)).rejects.toThrow('The service deleted no folder');
		}
		service.settings.foldersDeleted = 0;
		await expect(run(parameters)).rejects.toThrow('The service deleted no folder');
		service.settings.foldersDeleted = 1;
		expect(await run(parameters)).toEqual([{ deleted: true, uuid: folder?.uuid, name: folder?.name }]);
	});
});

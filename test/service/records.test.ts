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

describe('A record in a response', () => {
	const read = async (resourceName: string, siblings: object) => {
		const [event] = service.seedEvents(1);
		const body = JSON.stringify({ [resourceName]: event, ...siblings });
		service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 200, body });
		const [output] = await run({ resource: 'event', operation: 'get', event: by('hash', event?.hash ?? '') });
		return { event, output };
	};

	it.each(['data', 'event'])('keeps the fields next to %s, without the envelope', async (resourceName) => {
		const stream = { rtmpUrl: 'rtmp://ingest.example/live', streamKey: 'key-of-the-user' };
		const { event, output } = await read(resourceName, { success: true, message: 'ok', ...stream });
		expect(output).toEqual({ ...event, ...stream });
	});

	it('keeps its own field of the same name', async () => {
		const { event, output } = await read('event', { title: 'Not the title' });
		expect(output).toEqual({ ...event, responseFields: { title: 'Not the title' } });
	});

	it('loses secrets by their whole name, at any depth', async () => {
		const harmless = { passwordProtected: true, secretary: 'Ann', tokenCount: 3, streamKey: 'key' };
		const secret = { 'access-token': 'a', Plan_Secret: 'b', viewer: { password: 'c', ...harmless } };
		const { event, output } = await read('event', { ...harmless, ...secret });
		expect(output).toEqual({ ...event, ...harmless, viewer: harmless });
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
		expect(await run(parameters)).toEqual([{ deleted: true, uuid: folder?.uuid, name: folder?.name }]);
	});
});

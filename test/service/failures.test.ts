import type { INodeParameters } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import { by } from '../execution/locator';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

/** Fields named `error` and `success` in responses 200: of a failure, or of a record. */
let service: RunningService;
serviceForEachTest((started) => (service = started));

const run = async (parameters: INodeParameters) => await executeForJson({ service, parameters });
const hash = by('hash', 'no-such-hash');
const folder = by('uuid', '3b1f8f5e-0c55-4f7a-9a51-0d3f0c4b7e11');

describe('A response 200 that reports a failure', () => {
	it.each<[string, INodeParameters]>([
		['Event not found', { resource: 'event', operation: 'delete', event: by('id', 99) }],
		['Folder not found', { resource: 'folder', operation: 'update', folder, updateFields: { name: 'x' } }],
		['Video not found', { resource: 'video', operation: 'delete', video: hash }],
		['Plan not found', { resource: 'event', operation: 'getAll', options: { planId: 'plan-none' } }],
		['Plan not found', { resource: 'video', operation: 'getAll', options: { planId: 'plan-none' } }],
	])('is an error with its message: %s', async (message, parameters) => {
		for (const errorsAsSuccess of ['error', 'success'] as const) {
			service.settings.errorsAsSuccess = errorsAsSuccess;
			await expect(run(parameters)).rejects.toThrow(message);
		}
	});

	it.each([{ error: null }, { error: false }, { error: '' }, { success: 'Done' }])(
		'is not seen in %j',
		async (body) => {
			service.injectFault({ on: 'folderTotal', kind: 'status', status: 200, body: JSON.stringify(body) });
			expect(await run({ resource: 'folder', operation: 'count' })).toEqual([body]);
		},
	);

	it('is not seen in a record that describes an error of its own', async () => {
		const record = { hash: 'abc', title: 'x', error: 'transcoding failed' };
		service.injectFault({
			...{ on: 'eventSearchByHash', kind: 'status', status: 200 },
			body: JSON.stringify(record),
		});
		expect(await run({ resource: 'event', operation: 'get', event: by('hash', 'abc') })).toEqual([record]);
	});
});

describe('A write without a record', () => {
	it.each(['emptyArray', 'empty', 'success'] as const)('returns one item: %s', async (writeResponse) => {
		service.settings.writeResponse = writeResponse;
		const returned = (success: string) =>
			writeResponse === 'success' ? { success } : { result: writeResponse === 'empty' ? '' : [] };
		const name = 'Concerts';
		expect(await run({ resource: 'folder', operation: 'create', name })).toEqual([
			returned('Folder created'),
		]);
		const created = { resource: 'event', operation: 'create', title: 'x', dateScheduled: '2030-05-05 10:00' };
		expect(await run(created)).toEqual([expect.objectContaining(returned('Event created'))]);
	});
});

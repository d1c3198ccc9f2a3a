import type { INodeParameters } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import { by } from '../execution/locator';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

/** Fields named `error` and `success` in responses 200: of a failure, or of a record. */
let service: RunningService;
serviceForEachTest((started) => (service = started));

const run = async (parameters: INodeParameters) => await executeForJson({ service, parameters });

describe('A failure reported with status 200', () => {
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
	it.each(['empty', 'success'] as const)('returns one item: %s', async (writeResponse) => {
		service.settings.writeResponse = writeResponse;
		const returned = (success: string) => (writeResponse === 'success' ? { success } : { result: '' });
		const name = 'Concerts';
		expect(await run({ resource: 'folder', operation: 'create', name })).toEqual([
			returned('Folder created'),
		]);
		const created = { resource: 'event', operation: 'create', title: 'x', dateScheduled: '2030-05-05 10:00' };
		expect(await run(created)).toEqual([expect.objectContaining(returned('Event created'))]);
	});
});

import type { INodeParameters } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import { fc } from '../execution/generated';
import { by } from '../execution/locator';
import { activeTrigger } from '../execution/pollNode';
import { startService, type RunningService } from '../fakeService';

/** Fields named `error` and `success` in responses 200: of a record, or of a failure. */
let service: RunningService;

beforeAll(async () => {
	service = await startService();
});
afterAll(async () => {
	await service.close();
});

const respond = (on: 'eventSearchAll' | 'eventSearchByHash', body: unknown) =>
	service.injectFault({ on, kind: 'status', status: 200, body: JSON.stringify(body) });
const run = async (parameters: INodeParameters) => await executeForJson({ service, parameters });

/** Fields with which a record may describe an error of its own. */
const ownFields = fc.record(
	{
		error: fc.oneof(
			fc.constantFrom('transcoding failed', '', null, true, 500),
			fc.record({ code: fc.nat(), message: fc.string() }),
		),
		success: fc.constantFrom(false, true, 'false'),
		message: fc.string(),
	},
	{ requiredKeys: ['error'] },
);
const identity = fc.constantFrom(
	{ hash: 'abc' },
	{ event_hash: 'abc' },
	{ eventId: 7 },
	{ uuid: 'f6a1cf83-55d1-4bd2-9d2f-3d3f6f0d3b52' },
);
/** Values of `error` that mean that there was none. */
const noError = fc.constantFrom('', null, false, 0, '0', 'none', 'OK', {}, [], { code: 0, message: '' });
const realError = fc.constantFrom('No such plan', true, 404, { message: 'No such plan' }, ['No such plan']);

describe('A record with a hash or an ID', () => {
	it('is a record when it is read, whatever its error and success contain', async () => {
		const wrap = fc.constantFrom(
			(record: unknown) => record,
			(record: unknown) => ({ data: record }),
			(record: unknown) => ({ event: record, error: null }),
			(record: unknown) => [record],
		);
		await fc.assert(
			fc.asyncProperty(identity, ownFields, wrap, async (key, fields, wrapped) => {
				const record = { ...key, ...fields };
				respond('eventSearchByHash', wrapped(record));
				const get = { resource: 'event', operation: 'get', event: by('hash', 'abc') };
				expect(await run(get)).toEqual([JSON.parse(JSON.stringify(record))]);
			}),
			{ numRuns: 40 },
		);
	});

	it('is a record in a list, next to an error that means none', async () => {
		const wrap = fc.constantFrom('bare', 'data', 'events');
		await fc.assert(
			fc.asyncProperty(identity, ownFields, wrap, noError, async (key, fields, name, error) => {
				const record = { ...key, ...fields };
				const list = name === 'bare' ? [record] : { [name]: [record], error };
				service.clearFaults();
				for (let times = 0; times < 9; times++) respond('eventSearchAll', list);
				const getAll = { resource: 'event', operation: 'getAll', returnAll: true };
				expect(await run(getAll)).toEqual([JSON.parse(JSON.stringify(record))]);
			}),
			{ numRuns: 25 },
		);
		service.clearFaults();
	});
});

describe('A response without a hash or an ID', () => {
	it('is a failure exactly when its error means one, in reads, writes and the trigger', async () => {
		const [folder] = service.seedFolders(1);
		const body = fc.oneof(
			realError.map((error) => ({ body: { error, message: 'No such plan' }, isFailure: true })),
			fc.constant({ body: { success: false, message: 'No such plan' }, isFailure: true }),
			noError.map((error) => ({ body: { error, events: [], folders: 3 }, isFailure: false })),
		);
		await fc.assert(
			fc.asyncProperty(body, async ({ body: response, isFailure }) => {
				const outcome = async (promise: Promise<unknown>) =>
					await promise.then(
						() => 'success',
						() => 'failure',
					);
				const text = JSON.stringify(response);
				for (const on of ['folderTotal', 'folderUpdate', 'eventSearchAll'] as const)
					service.injectFault({ on, kind: 'status', status: 200, body: text, times: 9 });
				const update = { operation: 'update', folder: by('uuid', folder?.uuid ?? '') };
				const trigger = await activeTrigger({ service });
				expect([
					await outcome(run({ resource: 'folder', operation: 'count' })),
					await outcome(run({ resource: 'folder', ...update, updateFields: { name: 'x' } })),
					await outcome(run({ resource: 'event', operation: 'getAll' })),
					await outcome(trigger.poll()),
				]).toEqual(Array(4).fill(isFailure ? 'failure' : 'success'));
				service.clearFaults();
			}),
			{ numRuns: 40 },
		);
	});

	it('is a failure of a write that reports success: false, even with the ID of the record', async () => {
		const [folder] = service.seedFolders(1);
		const body = JSON.stringify({ uuid: folder?.uuid, success: false, message: 'Name is taken' });
		service.injectFault({ on: 'folderUpdate', kind: 'status', status: 200, body });
		const update = { operation: 'update', folder: by('uuid', folder?.uuid ?? '') };
		await expect(run({ resource: 'folder', ...update, updateFields: { name: 'x' } })).rejects.toThrow(
			'Name is taken',
		);
	});
});

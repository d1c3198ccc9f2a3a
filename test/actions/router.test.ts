import { NodeApiError, sleep, type INodeExecutionData, type INodeParameters } from 'n8n-workflow';

import { onPause } from '../execution/clock';
import { executeNode } from '../execution/executeNode';
import { runWorkflow } from '../execution/runWorkflow';
import type { Fault } from '../fakeService';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { film } from '../upload/uploading';
import { createFolder, expectError, expectUnsent, named, run } from './run';

serviceForEachTest();

it('Items are paired with all that they return, and keep their files where that is one thing, whatever it is, and no list', async () => {
	service.seedEvents([{ planId: 'plan-1001' }, { planId: 'plan-2002' }, { planId: 'plan-2002' }]);
	const { binary } = await film(Buffer.alloc(10));
	const items = ['plan-2002', 'plan-1001'].map((planId) => ({ json: { planId }, binary }));
	const outputOf = async (parameters: INodeParameters) =>
		(await executeNode({ service, parameters, items })).items;
	const options = { planId: '={{ $json.planId }}' };
	expect(await outputOf({ resource: 'event', operation: 'getAll', options })).toMatchObject([
		{ json: { eventId: 4002 }, binary: undefined, pairedItem: { item: 0 } },
		{ json: { eventId: 4003 }, binary: undefined, pairedItem: { item: 0 } },
		{ json: { eventId: 4001 }, binary: undefined, pairedItem: { item: 1 } },
	]);
	answer('diskUsageByApplication', [{ size: 1 }, 2]);
	const json = { result: [{ size: 1, sizeReadable: '1 B' }, 2] };
	expect(await outputOf({ resource: 'diskUsage', operation: 'getApplication' })).toEqual(
		[0, 1].map((item) => ({ json, binary, pairedItem: { item } })),
	);
});

describe('A failed item', () => {
	const order = () =>
		service.injectFault({ on: 'folderCreate', kind: 'status', status: 400, error: 'Name taken', skip: 1 });
	const description = 'Check the values that were entered.';
	const texts = expect.stringMatching(/Name taken\. Check the values that were entered\.$/);

	it('ends the run and is named with how many are complete', async () => {
		order();
		const error: unknown = await run(createFolder, { items: named('a', 'b', 'c') }).catch((thrown) => thrown);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: expect.stringContaining('Name taken'),
			description: `${description} 1 of 3 items is complete. Before you run this again, add Skip If Exists.`,
			httpCode: '400',
			context: { itemIndex: 1 },
		});
		expect(service.requestsOf('folderCreate')).toHaveLength(2);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'reaches the next node with message, advice and details, keeps JSON and files of its input item, and the others go on (%s)',
		async (onError) => {
			order();
			service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, error: 'Broken', afterBytes: 4 });
			const file = await film(Buffer.alloc(10));
			const output = async (parameters: INodeParameters, items: INodeExecutionData[]) => {
				const { runs } = await runWorkflow({ service, parameters, rounds: [items], settings: { onError } });
				return runs[0]?.data?.main?.[onError === 'continueErrorOutput' ? 1 : 0] ?? [];
			};

			const items = ['a', 'b', 'c'].map((name) => ({
				...file,
				json: { name, error: 'earlier', message: 'm' },
			}));
			const folders = await output(createFolder, items);
			expect(service.state.folders).toMatchObject([{ name: 'a' }, { name: 'c' }]);
			expect(folders.at(onError === 'continueErrorOutput' ? 0 : 1)).toEqual({
				...{ ...items[1], json: { ...items[1]?.json, error: texts } },
				pairedItem: { item: 1 },
			});
			const [failed] = await output({ resource: 'upload', operation: 'upload' }, items.slice(0, 1));
			const error = {
				message: expect.stringContaining('Broken'),
				description: expect.stringContaining('Upload → Resume'),
				...{ uploadId: service.state.uploads[0]?.id, offset: expect.any(Number), size: 10 },
			};
			expect(failed?.json).toEqual({ ...items[0]?.json, error });
			expect(failed?.binary).toEqual(file.binary);
		},
	);

	it.each<[string, Fault, RegExp]>([
		[
			'during a request',
			{ on: 'folderCreate', kind: 'hang', skip: 1 },
			/ The request was cancelled before the service responded\. It may have been carried out/,
		],
		[
			'while it waits to send a request again',
			{ on: 'folderCreate', kind: 'status', status: 429, headers: { 'Retry-After': '3' }, skip: 1 },
			/ This operation was aborted/,
		],
	])('ends a run that is cancelled %s, at once', async (_when, fault, texts) => {
		onPause(3_000, () => {});
		service.injectFault(fault);
		const abort = new AbortController();
		const items = named('a', 'b', 'c');
		const onError = 'continueRegularOutput';
		const running = run(createFolder, { items, onError, abortSignal: abort.signal });
		const ended = expectError(running, texts);
		await service.until(() => service.requestsOf('folderCreate').length === 2);
		// By then a response has arrived, if there is one.
		await sleep(100);
		abort.abort();
		await ended;
		expect(service.requestsOf('folderCreate')).toHaveLength(2);
	});
});

it('An operation that the node does not have is an error before any request', async () => {
	await expectUnsent(run({ resource: 'event', operation: 'list' }), /^The node has no operation /);
});

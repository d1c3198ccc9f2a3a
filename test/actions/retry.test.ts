import type { INodeExecutionData, IPairedItemData } from 'n8n-workflow';

import { executeNode } from '../execution/executeNode';
import { fc } from '../execution/generated';
import { by } from '../execution/locator';
import { runWorkflow, type FailureSettings } from '../execution/runWorkflow';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const create = { resource: 'folder', operation: 'create', name: '={{ $json.name }}' };
const named = (...names: string[]): INodeExecutionData[] => names.map((name) => ({ json: { name } }));
const failCreate = (skip: number) =>
	service.injectFault({ on: 'folderCreate', kind: 'status', status: 500, skip });
const folderNames = () => service.state.folders.map(({ name }) => name);

it('Each item is sent once, whatever fails, and its output is its own', async () => {
	const settings = fc.record<FailureSettings>({
		retryOnFail: fc.boolean(),
		maxTries: fc.integer({ min: 2, max: 5 }),
		onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
		executeOnce: fc.constantFrom(false, false, true),
	});
	const roundsOfNames = fc.array(fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 5 }), {
		minLength: 1,
		maxLength: 4,
	});
	const failedRequests = fc.uniqueArray(fc.nat(25), { maxLength: 12 });
	await fc.assert(
		fc.asyncProperty(failedRequests, roundsOfNames, settings, async (failed, rounds, failureSettings) => {
			service.state.folders.length = 0;
			service.clearFaults();
			failed.forEach(failCreate);
			const { runs, result } = await runWorkflow({
				service,
				parameters: create,
				rounds: rounds.map((names) => named(...names)),
				settings: failureSettings,
			});

			const returned = runs.flatMap(({ data, error }, round) => {
				const items = (data?.main ?? []).flatMap((output) => output ?? []);
				const names = failureSettings.executeOnce ? rounds[round]?.slice(0, 1) : rounds[round];
				if (!error) expect(items).toHaveLength(names?.length ?? 0);
				const succeeded = items.filter(({ json }) => json.uuid !== undefined);
				expect(succeeded.map(({ json }) => json.name)).toEqual(
					succeeded.map((item) => names?.[pairedItem(item)]),
				);
				return succeeded.map(({ json }) => json.uuid);
			});
			const sent = service.state.folders.map(({ uuid }) => uuid);
			if (result.status === 'success') expect(returned.sort()).toEqual(sent.sort());
			else {
				// The round that ended the execution has no output; none of its items was sent twice.
				expect(sent.slice(0, returned.length)).toEqual(returned);
				const last = folderNames().slice(returned.length);
				expect(rounds[runs.length - 1]?.slice(0, last.length)).toEqual(last);
			}
		}),
		{ numRuns: 150 },
	);
}, 120_000);

function pairedItem({ pairedItem: paired }: INodeExecutionData): number {
	// The node sets one for each item.
	return (paired as IPairedItemData).item;
}

describe('Of one array of input items', () => {
	const retried = { retryOnFail: true, runIndex: 0, executionId: '1' };
	it.each([
		['another try returns what is completed', retried, ['a', 'b', 'c']],
		['another run of the node runs all', { ...retried, runIndex: 1 }, ['a', 'b', 'a', 'b', 'c']],
		['another execution runs all', { ...retried, executionId: '2' }, ['a', 'b', 'a', 'b', 'c']],
		['a node without Retry On Fail runs all', { ...retried, retryOnFail: false }, ['a', 'b', 'a', 'b', 'c']],
	])('%s', async (_name, settings, expected) => {
		const items = named('a', 'b', 'c');
		failCreate(2);
		const first = executeNode({ service, parameters: create, items, ...retried });
		await expect(first).rejects.toThrow('Injected fault 500');
		const second = await executeNode({ service, parameters: create, items, ...settings });
		expect(second.items.map(({ json }) => json.name)).toEqual(['a', 'b', 'c']);
		expect(folderNames()).toEqual(expected);
	});
});

it.each([
	['eventDelete', { resource: 'event', operation: 'delete' }],
	['videoDelete', { resource: 'video', operation: 'delete' }],
] as const)('What may have been deleted is not deleted again by another try: %s', async (on, operation) => {
	const [known] = on === 'videoDelete' ? service.seedVideos(1) : service.seedEvents(1);
	service.injectFault({ on, kind: 'lostResponse' });
	const chosen = by('hash', known?.hash ?? '');
	const { result } = await runWorkflow({
		service,
		parameters: { ...operation, event: chosen, video: chosen },
		rounds: [[{ json: {} }]],
		settings: { retryOnFail: true, maxTries: 3 },
	});
	expect(result.data.resultData.error?.message).toMatch(/closed the connection/);
	expect(service.requestsOf(on)).toHaveLength(1);
});

it('Hints of the items that an earlier try completed are shown once', async () => {
	const [first, second] = service.seedEvents(2);
	service.injectFault({ on: 'eventStartOrEnd', kind: 'status', status: 500, skip: 1 });
	const { runs } = await runWorkflow({
		service,
		parameters: { resource: 'event', operation: 'end', event: by('hash', '={{ $json.hash }}') },
		rounds: [[{ json: { hash: first?.hash } }, { json: { hash: second?.hash } }]],
		settings: { retryOnFail: true },
	});
	expect(runs[0]?.hints?.map(({ message }) => message)).toEqual([
		expect.stringContaining(`"${first?.title}" was not live`),
		expect.stringContaining(`"${second?.title}" was not live`),
	]);
});

import { SupplyDataContext } from 'n8n-core';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import {
	createRunExecutionData,
	NodeConnectionTypes,
	type INodeExecutionData,
	type IPairedItemData,
} from 'n8n-workflow';

import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import { CredentialStore } from '../execution/credentialStore';
import { executeNode } from '../execution/executeNode';
import { fc } from '../execution/generated';
import { by } from '../execution/locator';
import { binaryDataService } from '../execution/n8nCore';
import { runWorkflow, type FailureSettings } from '../execution/runWorkflow';
import { additionalData, workflowOfOneNode } from '../execution/workflowOfOneNode';
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

it('A tool of an agent does not repeat in its next try what may have been carried out', async () => {
	await binaryDataService();
	const nodeType = new VideoHosting();
	const { workflow, node } = workflowOfOneNode(nodeType, { ...create, name: 'a' }, { retryOnFail: true });
	const credentials = additionalData(new CredentialStore({ accessToken: '', ...service.credential }));
	const [runData, type] = [createRunExecutionData({}), NodeConnectionTypes.AiTool];
	const executeData = { node, data: {}, source: null };
	// As agents up to 2.2 and the MCP Server Trigger call a tool: each try has a run index of its own.
	const contextOf = (run: number) =>
		new SupplyDataContext(
			workflow,
			node,
			credentials,
			'trigger',
			runData,
			run,
			[],
			{},
			type,
			executeData,
			[],
		);
	const invoke = makeHandleToolInvocation(contextOf, node, nodeType, runData);
	service.injectFault({ on: 'folderCreate', kind: 'lostResponse' });
	await expect(invoke({ Name: 'a' })).rejects.toThrow(/may have been carried out/);
	expect(folderNames()).toEqual(['a']);
	// Another call is another folder.
	await invoke({ Name: 'a' });
	expect(folderNames()).toEqual(['a', 'a']);
}, 60_000);

it('The hints of a node are those of its last try, each once', async () => {
	const events = service.seedEvents(2);
	service.injectFault({ on: 'eventStartOrEnd', kind: 'status', status: 400, skip: 1 });
	const { runs } = await runWorkflow({
		service,
		parameters: { resource: 'event', operation: 'end', event: by('hash', '={{ $json.hash }}') },
		rounds: [events.map(({ hash }) => ({ json: { hash } }))],
		settings: { retryOnFail: true },
	});
	expect(runs[0]?.hints?.map(({ message }) => message)).toEqual([
		expect.stringContaining(`"${events[1]?.title}" was not live`),
	]);
});

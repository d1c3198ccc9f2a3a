import { SupplyDataContext } from 'n8n-core';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import { createRunExecutionData, NodeConnectionTypes, type INodeParameters } from 'n8n-workflow';

import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import { CredentialStore } from '../execution/credentialStore';
import { executeForJson } from '../execution/executeNode';
import { binaryDataService } from '../execution/n8nCore';
import { runWorkflow } from '../execution/runWorkflow';
import { additionalData, workflowOfOneNode } from '../execution/workflowOfOneNode';
import type { Fault, RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const event = {
	resource: 'event',
	operation: 'create',
	title: 'Keynote',
	dateScheduled: '2030-01-01 10:00:00',
};
const folder = { resource: 'folder', operation: 'create', name: 'Webinars' };
const retried = { retryOnFail: true, maxTries: 3 };
const run = async (parameters: INodeParameters, settings = {}) =>
	await runWorkflow({
		service,
		parameters,
		rounds: [[{ json: {} }]],
		settings: { ...retried, ...settings },
	});

describe('A creation whose response was lost', () => {
	it('is not repeated by Retry On Fail with Execute Once', async () => {
		service.injectFault({ on: 'eventInsert', kind: 'lostResponse' });
		await run(event, { executeOnce: true });
		expect(service.requestsOf('eventInsert')).toHaveLength(1);
	});

	it('is not repeated by Retry On Fail of a tool (agents up to 2.2, MCP Server Trigger)', async () => {
		await binaryDataService();
		const nodeType = new VideoHosting();
		const { workflow, node } = workflowOfOneNode(nodeType, event, { retryOnFail: true });
		const runData = createRunExecutionData({});
		const credentials = new CredentialStore({ accessToken: '', ...service.credential });
		const contextOf = (runIndex: number) =>
			new SupplyDataContext(
				workflow,
				node,
				additionalData(credentials),
				'trigger',
				runData,
				runIndex,
				[],
				{},
				NodeConnectionTypes.AiTool,
				{ node, data: {}, source: null },
				[],
			);
		const invoke = makeHandleToolInvocation(contextOf, node, nodeType, runData);
		service.injectFault({ on: 'eventInsert', kind: 'lostResponse' });
		await invoke({ Title: 'Keynote' }).catch(() => undefined);
		expect(service.requestsOf('eventInsert')).toHaveLength(1);
	});

	// Statuses of gateways: the request was passed on, and the service did not answer in time or broke off.
	it.each<Partial<Fault & { kind: 'status' }>>([
		{ status: 524, body: '<html>A timeout occurred' },
		{ status: 520, body: '<html>Web server is returning an unknown error' },
		{ status: 500, body: '<html>Internal Server Error' },
		{ status: 503, body: '' },
	])('is not repeated after the error of a gateway: %j', async (answer) => {
		service.injectFault({ on: 'eventInsert', kind: 'status', status: 500, times: 9, ...answer });
		const { result } = await run(event);
		const { error } = result.data.resultData;
		expect(`${error?.message} ${error && 'description' in error ? error.description : ''}`).toContain(
			'It may have been carried out',
		);
		expect(service.requestsOf('eventInsert')).toHaveLength(1);
	});
});

it('An upload whose creation was lost is not waited for by another try', async () => {
	service.injectFault({ on: 'uploadCreate', kind: 'lostResponse' });
	const { result } = await run({ resource: 'upload', operation: 'create', fileName: 'a.mp4', size: 10 });
	expect(result.data.resultData.error?.message).toContain('The response was lost');
	// The second one found the slot held.
	expect(service.requestsOf('uploadCreate').map(({ status }) => status)).toEqual([undefined, 429]);
});

describe('An event with Skip If Exists is not created again', () => {
	const skipping = { ...event, options: { skipIfExists: true } };

	it('by an overlapping execution, without any failure', async () => {
		await Promise.all(
			['1', '2'].map(async (executionId) => executeForJson({ service, parameters: skipping, executionId })),
		);
		expect(service.state.events).toHaveLength(1);
	});
});

describe('A sign-in that failed for a moment is no creation that may have been carried out', () => {
	const failures: Fault[] = [
		{ on: 'authenticate', kind: 'reset' },
		{ on: 'authenticate', kind: 'status', status: 503 },
		{ on: 'authenticate', kind: 'status', status: 502, body: '<html>Bad Gateway' },
	];

	it.each(failures)('so Retry On Fail creates the event: %j', async (failure) => {
		service.injectFault(failure);
		const { result } = await run(event);
		expect([result.status, service.state.events.length, service.requestsOf('eventInsert').length]).toEqual([
			'success',
			1,
			1,
		]);
	});

	it('so Retry On Fail deletes the event', async () => {
		const [known] = service.seedEvents(1);
		service.injectFault({ on: 'authenticate', kind: 'reset' });
		const byId = { __rl: true, mode: 'id', value: String(known?.eventId) };
		const { result } = await run({ resource: 'event', operation: 'delete', event: byId });
		expect([result.status, service.state.events.length]).toEqual(['success', 0]);
	});

	it('so a folder of that name can be created', async () => {
		service.injectFault({ on: 'authenticate', kind: 'reset' });
		const described = { ...folder, options: { description: 'x' } };
		await expect(executeForJson({ service, parameters: described })).rejects.toThrow();
		expect(service.requestsOf('folderCreate')).toHaveLength(0);
		const skipping = { ...folder, options: { skipIfExists: true } };
		expect(await executeForJson({ service, parameters: skipping })).toMatchObject([{ skipped: false }]);
	});
});

describe('Texts', () => {
	it('Retry On Fail is not advised where it never helps', async () => {
		service.injectFault({ on: 'folderUpdate', kind: 'status', status: 500, times: 99 });
		const { result } = await run({ ...folder, options: { description: 'x' } });
		const { error } = result.data.resultData;
		expect(`${error?.message} ${error && 'description' in error ? error.description : ''}`).not.toContain(
			'Retry On Fail',
		);
	});

	it('the creation of a folder that is not listed yet is not said to have failed', async () => {
		service.settings.writeResponse = 'success';
		service.settings.folderAppearsAfterMs = 60_000;
		const skipping = { ...folder, options: { skipIfExists: true } };
		const [output] = await executeForJson({
			service,
			parameters: skipping,
			onError: 'continueRegularOutput',
		});
		expect(service.state.folders).toHaveLength(1);
		expect(output?.error).not.toContain('failed');
	});
});

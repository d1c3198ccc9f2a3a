import type { INodeParameters } from 'n8n-workflow';

import { requestPolicy } from '../../nodes/VideoHosting/shared/retryPolicy';
import { executeForJson } from '../execution/executeNode';
import { runWorkflow } from '../execution/runWorkflow';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const event: INodeParameters = {
	...{ resource: 'event', operation: 'create', title: 'A', dateScheduled: '2030-01-01 10:00:00' },
};
const folder: INodeParameters = { resource: 'folder', operation: 'create', name: 'Webinars' };
const skip = { options: { skipIfExists: true } };
const run = async (parameters: INodeParameters, executionId = '1') =>
	await executeForJson({ service, parameters, executionId, onError: 'continueRegularOutput' });

it.each([
	['folderCreate', folder],
	['eventInsert', event],
] as const)('Create without Skip If Exists, while one with it runs: %s', async (on, parameters) => {
	service.injectFault({ on, kind: 'delay', ms: 600 });
	const plain = run(parameters, 'plain');
	await service.until(() => service.requestsOf(on).length === 1);
	await Promise.all([plain, run({ ...parameters, ...skip }, 'skip')]);
	expect(service.requestsOf(on)).toHaveLength(1);
});

it('a new folder without videos, whose disk usage is a 404, is not created again while the list is late', async () => {
	service.settings.folderAppearsAfterMs = 60_000;
	const fault = { on: 'diskUsageByFolder' as const, kind: 'status' as const, status: 404, times: 9 };
	service.injectFault({ ...fault, error: 'No videos found in this gallery' });
	await run({ ...folder, ...skip });
	await run({ ...folder, ...skip });
	expect(service.state.folders).toHaveLength(1);
});

it('a sign-in that takes too long is no creation that may have been carried out', async () => {
	const { deadlineMs, responseTimeoutMs } = requestPolicy;
	Object.assign(requestPolicy, { deadlineMs: 400, responseTimeoutMs: 300 });
	service.injectFault({ on: 'authenticate', kind: 'trickle', ms: 100 });
	const { result } = await runWorkflow({
		...{ service, parameters: event, rounds: [[{ json: {} }]], settings: { retryOnFail: true } },
	}).finally(() => Object.assign(requestPolicy, { deadlineMs, responseTimeoutMs }));
	const { error } = result.data.resultData;
	expect([error && 'description' in error && error.description, service.state.events.length]).toEqual([
		...[undefined, 1],
	]);
});

import type { INodeParameters } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const event: INodeParameters = {
	...{ resource: 'event', operation: 'create', title: 'A', dateScheduled: '2030-01-01 10:00:00' },
	...{ options: { skipIfExists: true } },
};
const folder: INodeParameters = {
	...{ resource: 'folder', operation: 'create', name: 'Webinars', options: { skipIfExists: true } },
};

it.each([
	['eventInsert', event],
	['folderCreate', folder],
] as const)('a cancelled execution in line ends at once, the next ones go on: %s', async (on, parameters) => {
	service.injectFault({ on, kind: 'delay', ms: 700 });
	const x = executeForJson({ service, parameters, executionId: 'x' });
	await service.until(() => service.requestsOf(on).length === 1);
	const stop = new AbortController();
	let isOver = false;
	const y = executeForJson({ service, parameters, executionId: 'y', abortSignal: stop.signal }).catch(
		() => (isOver = true),
	);
	const z = executeForJson({ service, parameters, executionId: 'z' });
	await new Promise((resolve) => setTimeout(resolve, 150));
	stop.abort();
	await y;
	expect(isOver).toBe(true);
	expect(await Promise.all([x, z])).toMatchObject([[{ skipped: false }], [{ skipped: true }]]);
	expect(service.requestsOf(on)).toHaveLength(1);
});

it.each([
	['eventInsert', event],
	['folderCreate', folder],
] as const)('the first one in line is cancelled within its request: %s', async (on, parameters) => {
	service.injectFault({ on, kind: 'delay', ms: 700 });
	const stop = new AbortController();
	const x = executeForJson({ service, parameters, abortSignal: stop.signal }).catch(() => undefined);
	await service.until(() => service.requestsOf(on).length === 1);
	const z = executeForJson({ service, parameters, executionId: 'z', onError: 'continueRegularOutput' });
	stop.abort();
	await Promise.all([x, z]);
	await new Promise((resolve) => setTimeout(resolve, 900));
	await executeForJson({ service, parameters, executionId: 'w', onError: 'continueRegularOutput' });
	expect(service.requestsOf(on)).toHaveLength(1);
});

import { executeNode } from '../execution/executeNode';
import { by } from '../execution/locator';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const video = by('hash', 'video-1');

it.each([
	['event', 'create', { title: 'A', dateScheduled: '2030-05-01' }],
	['event', 'get', { event: by('hash', 'a') }],
	['event', 'getAll', {}],
	['video', 'getAll', {}],
	['video', 'get', { video }],
	['video', 'update', { video, name: 'a' }],
	['video', 'delete', { video }],
])('an unknown plan is named by %s → %s', async (resource, operation, own) => {
	const parameters = { resource, operation, options: { planId: 'plan/9 9' }, ...own };
	await expect(executeNode({ service, parameters })).rejects.toMatchObject({
		message: 'Plan not found ("plan/9 9").',
		description: 'Check the Plan ID in this node and in its credential.',
	});
});

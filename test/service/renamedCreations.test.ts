import type { INodeParameters } from 'n8n-workflow';

import { executeForJson, type NodeRun } from '../execution/executeNode';
import { by } from '../execution/locator';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const event: INodeParameters = {
	...{ resource: 'event', operation: 'create', title: 'A', dateScheduled: '2030-01-01 10:00:00' },
	options: { skipIfExists: true },
};
const folder: INodeParameters = { resource: 'folder', operation: 'create', name: 'Webinars' };
const run = async (parameters: INodeParameters, more: Partial<NodeRun> = {}) =>
	await executeForJson({ service, parameters, onError: 'continueRegularOutput', ...more });

describe('A service whose responses name nothing, and whose list is up to date', () => {
	beforeEach(() => (service.settings.writeResponse = 'success'));

	it.each(['hash', 'title'])(
		'creates an event anew after this node renamed the first one, by %s',
		async (mode) => {
			await run(event);
			const [first] = service.state.events;
			const chosen = mode === 'hash' ? by('hash', first?.hash ?? '') : by('title', 'A');
			const [renamed] = await run({ resource: 'event', operation: 'update', event: chosen, title: 'B' });
			expect(renamed?.error).toBeUndefined();
			const [json] = await run(event);
			expect([json?.error, service.state.events.map(({ title }) => title).sort()]).toEqual([
				undefined,
				['A', 'B'],
			]);
		},
	);

	it('creates an event anew after this node deleted the first one, whose own record has no title', async () => {
		await run(event);
		const [first] = service.state.events;
		const body = JSON.stringify({ eventId: first?.eventId, hash: first?.hash });
		service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 200, body });
		const [deleted] = await run({ resource: 'event', operation: 'delete', event: by('title', 'A') });
		expect([deleted?.error, service.state.events]).toEqual([undefined, []]);
		const [json] = await run(event);
		expect([json?.error, service.state.events.length]).toEqual([undefined, 1]);
	});

	it.each(['name'])('creates a folder anew after this node renamed the first one, by %s', async (mode) => {
		await run(folder);
		const [first] = service.state.folders;
		const chosen = mode === 'uuid' ? by('uuid', first?.uuid ?? '') : by('name', 'Webinars');
		const [renamed] = await run({
			...{ resource: 'folder', operation: 'update', folder: chosen, updateFields: { name: 'Old' } },
		});
		expect(renamed?.error).toBeUndefined();
		const [json] = await run({ ...folder, options: { skipIfExists: true } });
		expect([json?.error, service.state.folders.map(({ name }) => name).sort()]).toEqual([
			undefined,
			['Old', 'Webinars'],
		]);
	});
});

describe('A creation whose response names nothing, while the list is late', () => {
	beforeEach(() => (service.settings.writeResponse = 'success'));

	it.each(['event', 'plan-1001'])(
		'is not repeated because another event, titled %s, was deleted',
		async (title) => {
			const planId = title === 'plan-1001' ? 'plan-1001' : undefined;
			const [other] = service.seedEvents([{ title, ...(planId ? { planId } : {}) }]);
			service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body: '[]', times: 99 });
			const own = planId ? { planId } : {};
			await run({ ...event, options: { skipIfExists: true, ...own } });
			const [deleted] = await run({
				...{ resource: 'event', operation: 'delete', event: by('hash', other?.hash ?? ''), options: own },
			});
			expect(deleted?.error).toBeUndefined();
			await run({ ...event, options: { skipIfExists: true, ...own } });
			expect(service.state.events.filter((each) => each.title === 'A')).toHaveLength(1);
		},
	);

	it('is not repeated because the event of last week with the same title was deleted', async () => {
		const [other] = service.seedEvents([{ title: 'A', dateScheduled: '2029-12-25 10:00:00' }]);
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body: '[]', times: 99 });
		await run(event);
		const [deleted] = await run({
			resource: 'event',
			operation: 'delete',
			event: by('hash', other?.hash ?? ''),
		});
		expect(deleted?.error).toBeUndefined();
		await run(event);
		expect(service.state.events).toHaveLength(1);
	});

	it('is not repeated because another folder, named "folder", was deleted', async () => {
		const [other] = service.seedFolders([{ name: 'folder' }]);
		service.settings.folderAppearsAfterMs = 60_000;
		await run(folder);
		const [deleted] = await run({
			...{ resource: 'folder', operation: 'delete', folder: by('uuid', other?.uuid ?? '') },
			options: { name: 'folder' },
		});
		expect(deleted?.error).toBeUndefined();
		await run({ ...folder, options: { skipIfExists: true } });
		expect(service.state.folders.map(({ name }) => name)).toEqual(['Webinars']);
	});
});

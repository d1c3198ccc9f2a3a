import type { INodeParameters } from 'n8n-workflow';

import { executeForJson, type NodeRun } from '../execution/executeNode';
import { by } from '../execution/locator';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const plainEvent: INodeParameters = {
	...{ resource: 'event', operation: 'create', title: 'A', dateScheduled: '2030-01-01 10:00:00' },
};
const plainFolder: INodeParameters = { resource: 'folder', operation: 'create', name: 'Webinars' };
const KINDS = [
	['eventInsert', plainEvent],
	['folderCreate', plainFolder],
] as const;
const skipping = (parameters: INodeParameters) => ({ ...parameters, options: { skipIfExists: true } });
const run = async (parameters: INodeParameters, more: Partial<NodeRun> = {}) =>
	await executeForJson({ service, parameters, onError: 'continueRegularOutput', ...more });
const existing = () => service.state.events.length + service.state.folders.length;
const late = () => {
	service.settings.folderAppearsAfterMs = 60_000;
	service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body: '[]', times: 99 });
};

it.each(KINDS)(
	'What a plain creation without a response may have created is not created again, although an earlier one was deleted: %s',
	async (on, plain) => {
		late();
		await run(plain);
		Object.assign(service.state, { events: [], folders: [] });
		service.injectFault({ on, kind: 'lostResponse' });
		await run(plain);
		expect(existing()).toBe(1);
		await run(skipping(plain));
		expect(existing()).toBe(1);
	},
);

it.each(KINDS)('The same, when the service refuses the third creation: %s', async (on, plain) => {
	late();
	service.injectFault({ on, kind: 'lostResponse' });
	await run(plain);
	service.injectFault({ on, kind: 'status', status: 400 });
	await run(plain);
	await run(skipping(plain));
	expect(existing()).toBe(1);
});

it.each(KINDS)(
	'What a plain creation was answered for without its record is not created again, although an earlier one was deleted: %s',
	async (_on, plain) => {
		late();
		await run(plain);
		Object.assign(service.state, { events: [], folders: [] });
		service.settings.writeResponse = 'success';
		await run(plain);
		expect(existing()).toBe(1);
		await run(skipping(plain));
		expect(existing()).toBe(1);
	},
);

it('What may have been created is not created again because this n8n deleted the one before it', async () => {
	late();
	await run(plainEvent);
	const [first] = service.state.events;
	service.injectFault({ on: 'eventInsert', kind: 'lostResponse' });
	await run(plainEvent);
	await run({ resource: 'event', operation: 'delete', event: by('id', String(first?.eventId)) });
	expect(existing()).toBe(1);
	await run(skipping(plainEvent));
	expect(existing()).toBe(1);
});

it('Of items that want the same new folder, one is not skipped, although its first response was lost', async () => {
	service.injectFault({ on: 'folderCreate', kind: 'lostResponse' });
	const output = await run(skipping(plainFolder), { items: [{ json: {} }, { json: {} }, { json: {} }] });
	expect(existing()).toBe(1);
	expect(output.filter(({ skipped }) => skipped === false)).toHaveLength(1);
});

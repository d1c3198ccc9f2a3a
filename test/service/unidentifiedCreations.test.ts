import type { INodeParameters } from 'n8n-workflow';

import { MINUTE_MS } from '../execution/clock';
import { executeForJson, type NodeRun } from '../execution/executeNode';
import { by } from '../execution/locator';
import { runWorkflow } from '../execution/runWorkflow';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));
afterEach(() => jest.restoreAllMocks());

const event: INodeParameters = {
	...{ resource: 'event', operation: 'create', title: 'A', dateScheduled: '2030-01-01 10:00:00' },
	options: { skipIfExists: true },
};
const folder: INodeParameters = {
	...{ resource: 'folder', operation: 'create', name: 'Webinars' },
	options: { skipIfExists: true, description: 'of the choir' },
};
const run = async (parameters: INodeParameters, more: Partial<NodeRun> = {}) =>
	await executeForJson({ service, parameters, onError: 'continueRegularOutput', ...more });
const titled = (title: string) => service.state.events.filter((each) => each.title === title);
const named = (name: string) => service.state.folders.filter((each) => each.name === name);

describe('A creation whose response names nothing, while the list is late', () => {
	beforeEach(() => (service.settings.writeResponse = 'success'));

	it('is not repeated because another event of the plan was deleted', async () => {
		const [other] = service.seedEvents(1);
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body: '[]', times: 99 });
		await run(event);
		await run({ resource: 'event', operation: 'delete', event: by('id', String(other?.eventId)) });
		await run(event);
		expect(titled('A')).toHaveLength(1);
	});

	it('is not repeated because another event of the plan was renamed', async () => {
		const [other] = service.seedEvents(1);
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body: '[]', times: 99 });
		await run(event);
		await run({
			...{ resource: 'event', operation: 'update', event: by('hash', other?.hash ?? ''), title: 'B' },
			options: { eventId: other?.eventId ?? 0, secret: 'plan-secret-7Qm2' },
		});
		expect(titled('B')).toHaveLength(1);
		await run(event);
		expect(titled('A')).toHaveLength(1);
	});

	it('is not repeated because another folder was deleted', async () => {
		const [other] = service.seedFolders([{ name: 'Other' }]);
		service.settings.folderAppearsAfterMs = 60_000;
		await run(folder);
		await run({
			...{ resource: 'folder', operation: 'delete', folder: by('uuid', other?.uuid ?? '') },
			options: { name: 'Other' },
		});
		expect(named('Other')).toHaveLength(0);
		await run(folder);
		expect(named('Webinars')).toHaveLength(1);
	});

	it('of a folder gets its description, and counts as new, in the try that finds it', async () => {
		// The list is empty, then late once.
		service.injectFault({ on: 'folderList', kind: 'status', status: 200, body: '[]', skip: 1 });
		const { runs } = await runWorkflow({
			...{ service, rounds: [[{ json: {} }]], settings: { retryOnFail: true } },
			parameters: folder,
		});
		const json = runs[0]?.data?.main?.[0]?.[0]?.json;
		expect([json?.skipped, service.state.folders.map(({ description }) => description)]).toEqual([
			false,
			['of the choir'],
		]);
	});
});

it('An update of a folder that keeps its name does not create it again while the list is late', async () => {
	service.settings.folderAppearsAfterMs = 60_000;
	await run(folder);
	await run({
		...{ resource: 'folder', operation: 'update', folder: by('uuid', named('Webinars')[0]?.uuid ?? '') },
		updateFields: { name: 'Webinars', description: 'new' },
	});
	await run(folder);
	expect(named('Webinars')).toHaveLength(1);
});

it('A run whose clock is set back by seconds creates no second event', async () => {
	const real = Date.now.bind(Date);
	let behind = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => real() - behind);
	service.injectFault({ on: 'eventInsert', kind: 'delay', ms: 300 });
	const x = run(
		{ ...event, title: '={{ $json.t }}' },
		{ executionId: 'X', items: ['B', 'A'].map((t) => ({ json: { t } })) },
	);
	await service.until(() => service.requestsOf('eventInsert').length === 1);
	behind = 5_000;
	await run(event, { executionId: 'Y' });
	await x;
	expect(titled('A')).toHaveLength(1);
});

it('What may have been created ten minutes ago blocks no longer, although a later creation was refused', async () => {
	const real = Date.now.bind(Date);
	let ahead = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => real() + ahead);
	const plain = { ...event, options: {} };
	service.injectFault({ on: 'eventInsert', kind: 'reset' });
	await run(plain);
	ahead = 9 * MINUTE_MS;
	service.injectFault({ on: 'eventInsert', kind: 'status', status: 400 });
	await run(plain);
	ahead = 12 * MINUTE_MS;
	const [json] = await run(event);
	expect([json?.error, titled('A').length]).toEqual([undefined, 1]);
});

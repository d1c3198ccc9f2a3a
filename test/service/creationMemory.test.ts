import type { INodeParameters } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import { by } from '../execution/locator';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { shortenPauses } from '../upload/uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

const event = (title: string, options = {}): INodeParameters => ({
	...{ resource: 'event', operation: 'create', title, dateScheduled: '2030-01-01 10:00:00' },
	options: { skipIfExists: true, ...options },
});
const folder = (name: string, options = {}): INodeParameters => ({
	...{ resource: 'folder', operation: 'create', name },
	options: { skipIfExists: true, ...options },
});
const run = async (parameters: INodeParameters, more = {}) =>
	await executeForJson({ service, parameters, ...more });
const continuing = { onError: 'continueRegularOutput' as const };
const named = (name: string) => service.state.folders.filter((each) => each.name === name);
const titled = (title: string) => service.state.events.filter((each) => each.title === title);
const lateList = (on: 'eventSearchAll' | 'folderList') =>
	service.injectFault({ on, kind: 'status', status: 200, body: '[]', times: 99 });

describe('A new folder that no list shows yet is not created again', () => {
	beforeEach(() => (service.settings.folderAppearsAfterMs = 60_000));

	it.each(['update', 'delete'])('after Event → %s', async (operation) => {
		const [known] = service.seedEvents(1);
		await run(folder('A'));
		await run({ resource: 'event', operation, title: 'A', event: by('hash', known?.hash ?? '') });
		await run(folder('A'));
		expect(named('A')).toHaveLength(1);
	});

	it('after a change of its description', async () => {
		const [first] = await run(folder('A'));
		await run({
			...{ resource: 'folder', operation: 'update', folder: by('uuid', first?.uuid as string) },
			updateFields: { description: 'of the choir' },
		});
		await run(folder('A'));
		expect(named('A')).toHaveLength(1);
	});
});

it('A folder that one list has shown and the next one, of a server that lags, does not, is not created again', async () => {
	await run(folder('A'));
	await run(folder('A'));
	lateList('folderList');
	await run(folder('A'));
	expect(named('A')).toHaveLength(1);
});

it.each([400, 410, 422])('A deleted folder whose disk usage is a %i is created again', async (status) => {
	await run(folder('A'));
	service.state.folders = [];
	service.injectFault({ on: 'diskUsageByFolder', kind: 'status', status, times: 9 });
	const [second] = await run(folder('A'));
	expect([second?.skipped, named('A').length]).toEqual([false, 1]);
});

it('The description of a folder stays after a plain creation of its name that was not carried out', async () => {
	service.seedFolders([{ name: 'A', description: 'kept by hand' }]);
	service.injectFault({ on: 'folderCreate', kind: 'status', status: 504, body: '<html>Gateway Timeout' });
	await run(folder('A', { skipIfExists: false }), continuing);
	const [second] = await run(folder('A', { description: 'new' }));
	expect([second?.skipped, service.state.folders[0]?.description]).toEqual([true, 'kept by hand']);
});

it.each(['camelCase', 'snake_case', 'plain', 'nestedPlan'] as const)(
	'An event that a person renamed or moved is created again: %s',
	async (recordNames) => {
		service.settings.recordNames = recordNames;
		for (const change of [{ title: 'A (moved)' }, { dateScheduled: '2030-01-02 10:00:00' }]) {
			await run(event('A'));
			for (const each of service.state.events) Object.assign(each, change);
			expect(await run(event('A'))).toMatchObject([{ skipped: false }]);
		}
	},
);

it('Two applications of one account create an event of their plan once', async () => {
	const other = '9a1d8c1e-6f0b-4a57-9f3e-2b6f5f0c9a99';
	service.settings.otherApplicationIds = [other];
	await Promise.all([
		run(event('A'), { executionId: '1' }),
		run(event('A'), { executionId: '2', credential: { applicationId: other } }),
	]);
	expect(titled('A')).toHaveLength(1);
});

describe('At a service whose responses have no hash, an event', () => {
	beforeEach(() => (service.settings.writeResponse = 'success'));

	it.each([
		['a folder was deleted', { resource: 'folder', operation: 'delete' }],
		['an event of another plan was renamed', { resource: 'event', operation: 'update', title: 'B' }],
	])('is not created again after %s, while the list is late', async (_what, change) => {
		const [otherFolder] = service.seedFolders([{ name: 'Old' }]);
		const [otherEvent] = service.seedEvents([{ planId: 'plan-2002', title: 'Other' }]);
		await run(event('A'));
		await run({
			...change,
			folder: by('uuid', otherFolder?.uuid ?? ''),
			event: by('hash', otherEvent?.hash ?? ''),
			options: change.resource === 'event' ? { planId: 'plan-2002' } : {},
		});
		lateList('eventSearchAll');
		await run(event('A'), continuing);
		expect(titled('A')).toHaveLength(1);
	});
});

describe('A run that read the list before another execution created the event', () => {
	const itemsOf = (...titles: string[]) => ({ items: titles.map((t) => ({ json: { t } })) });
	const parameters = { ...event('A'), title: '={{ $json.t }}' };
	/** The list is read for B, whose creation takes long. */
	const startRun = async () => {
		service.injectFault({ on: 'eventInsert', kind: 'delay', ms: 800 });
		const output = run(parameters, { executionId: 'X', ...itemsOf('B', 'A'), ...continuing });
		await service.until(() => service.requestsOf('eventInsert').length === 1);
		return { output };
	};

	it.each([
		['had no hash', () => (service.settings.writeResponse = 'success')],
		['was lost', () => service.injectFault({ on: 'eventInsert', kind: 'lostResponse' })],
	])('finds it when the response to that creation %s', async (_what, prepare) => {
		const { output } = await startRun();
		prepare();
		await run(parameters, { executionId: 'Y', ...itemsOf('A'), ...continuing });
		expect((await output)[1]).toMatchObject({ skipped: true });
		expect(titled('A')).toHaveLength(1);
	});

	it('finds it when the response to that creation was an error although it was carried out', async () => {
		const { output } = await startRun();
		service.injectFault({ on: 'eventInsert', kind: 'status', status: 500, error: 'Out of memory' });
		await run(parameters, { executionId: 'Y', ...itemsOf('A'), ...continuing });
		service.seedEvents([{ title: 'A', dateScheduled: '2030-01-01 10:00:00' }]);
		expect((await output)[1]).toMatchObject({ skipped: true });
	});

	it('does not create it again after an execution that wanted it twice', async () => {
		service.settings.writeResponse = 'success';
		const { output } = await startRun();
		await run(parameters, { executionId: 'Y', ...itemsOf('A', 'A') });
		await output;
		expect(titled('A')).toHaveLength(1);
	});

	it('finds it more than ten minutes later', async () => {
		const real = Date.now.bind(Date);
		const { output } = await startRun();
		await run(parameters, { executionId: 'Y', ...itemsOf('A') });
		const now = jest.spyOn(Date, 'now').mockImplementation(() => real() + 11 * 60_000);
		expect((await output)[1]).toMatchObject({ skipped: true });
		now.mockRestore();
		expect(titled('A')).toHaveLength(1);
	});
});

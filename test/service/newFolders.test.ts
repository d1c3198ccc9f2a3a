import fc from 'fast-check';

import { executeForJson } from '../execution/executeNode';
import { by } from '../execution/locator';
import { startService, type RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const create = { resource: 'folder', operation: 'create', name: 'Webinars', options: { skipIfExists: true } };
const namedWebinars = (own: RunningService) => own.state.folders.filter(({ name }) => name === 'Webinars');

/** The list without the new folder, as a service that updates it later returns it. */
const lag = (own: RunningService, times: number) => {
	const body = JSON.stringify(own.state.folders);
	own.injectFault({ on: 'folderList', kind: 'status', status: 200, body, times });
};

describe('A missing folder', () => {
	it('is created once, whatever overlaps, lags or fails', async () => {
		const failure = fc.constantFrom(
			{ lags: 0 },
			{ lags: 7 },
			{ lags: 0, kind: 'lostResponse' as const },
			{ lags: 7, kind: 'lostResponse' as const },
			{ lags: 0, kind: 'reset' as const },
			{ lags: 3, kind: 'status' as const, status: 500 },
			{ lags: 0, kind: 'status' as const, status: 429 },
		);
		await fc.assert(
			fc.asyncProperty(
				failure,
				fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
				fc.integer({ min: 1, max: 3 }),
				async ({ lags, ...fault }, rounds, items) => {
					const own = await startService({ writeResponse: 'record' });
					own.seedFolders(2);
					if (lags > 0) lag(own, lags);
					if (fault.kind === 'status') own.injectFault({ on: 'folderCreate', ...fault });
					else if (fault.kind) own.injectFault({ on: 'folderCreate', kind: fault.kind });
					const uuids = new Set<unknown>();
					const run = async () => {
						const output = await executeForJson({
							service: own,
							parameters: create,
							items: Array.from({ length: items }, () => ({ json: {} })),
							onError: 'continueRegularOutput',
						});
						for (const { uuid } of output) if (uuid !== undefined) uuids.add(uuid);
					};
					// Executions at the same time, and rounds after each other as in Loop Over Items.
					for (const executions of rounds) await Promise.all(Array.from({ length: executions }, run));
					own.clearFaults();
					const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 11 * 60_000);
					await run();
					now.mockRestore();
					expect(namedWebinars(own)).toHaveLength(1);
					expect([...uuids]).toEqual([namedWebinars(own)[0]?.uuid]);
					await own.close();
				},
			),
			{ numRuns: 30 },
		);
	});

	it.each([
		{ kind: 'lostResponse' as const },
		{ kind: 'status' as const, status: 504 },
		{ kind: 'status' as const, status: 200, body: '<html>' },
	])('that may have been created is looked for, not created again, for ten minutes: %j', async (fault) => {
		service.injectFault({ on: 'folderCreate', ...fault });
		lag(service, 4);
		const run = async () => await executeForJson({ service, parameters: create });
		await expect(run()).rejects.toThrow();
		await expect(run()).rejects.toThrow(/The folder "Webinars" may have been created/);
		expect(service.requestsOf('folderCreate')).toHaveLength(1);
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 11 * 60_000);
		service.clearFaults();
		const isCreated = fault.kind === 'lostResponse';
		expect(await run()).toMatchObject([{ skipped: isCreated }]);
		now.mockRestore();
		expect(namedWebinars(service)).toHaveLength(1);
	});

	it.each([400, 500, 503])('that the service refused with %i is created by the next run', async (status) => {
		service.injectFault({ on: 'folderCreate', kind: 'status', status });
		const run = async () => await executeForJson({ service, parameters: create });
		await expect(run()).rejects.toThrow();
		expect(await run()).toMatchObject([{ skipped: false }]);
	});

	it('is created again when it was deleted meanwhile, by this node or elsewhere', async () => {
		const run = async () => (await executeForJson({ service, parameters: create }))[0];
		const first = await run();
		// The list has not shown it yet.
		await executeForJson({
			service,
			parameters: {
				...{ resource: 'folder', operation: 'delete', folder: by('uuid', first?.uuid as string) },
				options: { name: 'Webinars' },
			},
		});
		const second = await run();
		expect(second).toMatchObject({ skipped: false });
		expect(await run()).toMatchObject({ uuid: second?.uuid, skipped: true });
		// Now the list has shown it.
		service.state.folders = [];
		expect(await run()).toMatchObject({ skipped: false });
		expect(namedWebinars(service)).toHaveLength(1);
	});

	it('belongs to one application', async () => {
		const [other = ''] = (service.settings.otherApplicationIds = ['5a0c8c1e-6f0b-4a57-9f3e-2b6f5f0c9a22']);
		lag(service, 9);
		await executeForJson({ service, parameters: create });
		const output = await executeForJson({
			service,
			parameters: create,
			credential: { applicationId: other },
		});
		expect(output).toMatchObject([{ skipped: false }]);
	});
});

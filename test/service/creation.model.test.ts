import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { MINUTE_MS } from '../execution/clock';
import { executeForJson } from '../execution/executeNode';
import { fc } from '../execution/generated';
import { by } from '../execution/locator';
import { startService, type OperationName, type RunningService } from '../fakeService';

type Change = 'renamed' | 'deleted';

/** What is to exist once: how it is created, and what else happens to it. */
interface Kind {
	create: INodeParameters;
	on: OperationName;
	list: OperationName;
	delete: OperationName;
	/** Those that exist under its name: hash or UUID, and ID. */
	existing(service: RunningService): Array<{ key: string; id: number }>;
	/** The parameters with which this node changes it. */
	change(what: Change, known: { key: string; id: number }): INodeParameters;
	/** What a person does in the web interface. */
	byPerson(service: RunningService, what: Change): void;
}

const folder: Kind = {
	create: { resource: 'folder', operation: 'create', name: 'Webinars' },
	on: 'folderCreate',
	list: 'folderList',
	delete: 'folderDelete',
	existing: ({ state }) =>
		state.folders.filter(({ name }) => name === 'Webinars').map(({ uuid, id }) => ({ key: uuid, id })),
	change: (what, { key }) => ({
		...{ resource: 'folder', operation: what === 'renamed' ? 'update' : 'delete', folder: by('uuid', key) },
		...(what === 'renamed' ? { updateFields: { name: 'Other' } } : { options: { name: 'Webinars' } }),
	}),
	byPerson({ state }, what) {
		if (what === 'deleted') state.folders = [];
		for (const each of state.folders) each.name = 'Archive';
	},
};

const event: Kind = {
	create: { resource: 'event', operation: 'create', title: 'A', dateScheduled: '2030-01-01 10:00:00' },
	on: 'eventInsert',
	list: 'eventSearchAll',
	delete: 'eventDelete',
	existing: ({ state }) =>
		state.events
			.filter(({ title }) => title === 'A')
			.map(({ hash, eventId }) => ({ key: hash, id: eventId })),
	change: (what, { key, id }) => ({
		...{ resource: 'event', operation: what === 'renamed' ? 'update' : 'delete', event: by('hash', key) },
		...(what === 'renamed' ? { title: 'B', options: { eventId: id, secret: 'plan-secret-7Qm2' } } : {}),
	}),
	byPerson({ state }, what) {
		if (what === 'deleted') state.events = [];
		for (const each of state.events) each.title = 'C';
	},
};

/** After these, the service may have carried the request out; it has only where the response is lost. */
const noResponse = fc.constantFrom(
	{ kind: 'lostResponse' as const },
	{ kind: 'reset' as const },
	{ kind: 'status' as const, status: 504 },
	{ kind: 'status' as const, status: 200, body: '<html>' },
);
const refusal = fc.constantFrom(400, 500, 503).map((status) => ({ kind: 'status' as const, status }));
const change = fc.constantFrom<Change>('renamed', 'deleted');
const few = fc.integer({ min: 1, max: 3 });

const step = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			executions: few,
			items: few,
			noResponse: fc.option(noResponse, { freq: 2 }),
			refusal: fc.option(refusal, { freq: 1 }),
		}),
	},
	fc.record({ plain: fc.constantFrom({}, { description: 'x' }) }),
	fc.constantFrom('plain without a response', 'late list', 'list up to date'),
	fc.record({ byPerson: change }),
	fc.record({ byNode: change, isLost: fc.boolean() }),
	fc.record({ clockBy: fc.constant(11 * MINUTE_MS) }),
);

type Step = (typeof step extends fc.Arbitrary<infer T> ? T : never) | { clockBy: number };

const run = { executions: 1, items: 1, noResponse: null, refusal: null };
const lost = { ...run, noResponse: { kind: 'lostResponse' as const } };
const reset = { ...run, noResponse: { kind: 'reset' as const } };
const refused = { ...run, refusal: { kind: 'status' as const, status: 500 as const } };
/** Courses that are tried each time, whatever else is. */
const COURSES: Step[][] = [
	[run, { byPerson: 'deleted' }, run],
	[run, { byPerson: 'renamed' }, run],
	[{ plain: {} }, { byNode: 'deleted', isLost: false }, run],
	[{ plain: {} }, { byNode: 'renamed', isLost: false }, run],
	['late list', run, { byNode: 'deleted', isLost: true }, run],
	['late list', { plain: { description: 'x' } }, 'plain without a response', run],
	['late list', { ...lost, items: 2 }, run, { clockBy: 11 * MINUTE_MS }, run],
	[reset, run, { clockBy: -11 * MINUTE_MS }, run],
	[refused, run],
];

const STILL_UNKNOWN = /may have been created|was created, but|does not list the new folder/;

it.each([
	['folder', folder],
	['event', event],
])(
	'A %s with Skip If Exists is created once, and again when it is gone, whatever overlaps, fails, lags or changes',
	async (_name, kind) => {
		const real = Date.now.bind(Date);
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom('record' as const, 'success' as const),
				fc.constantFrom('off' as const, 'error' as const),
				fc.array(step, { minLength: 2, maxLength: 8 }),
				async (writeResponse, errorsAsSuccess, steps) => {
					const service = await startService({ writeResponse, errorsAsSuccess });
					let ahead = 0;
					const now = jest.spyOn(Date, 'now').mockImplementation(() => real() + ahead);
					const execute = async (parameters: INodeParameters, items = 1): Promise<IDataObject[]> =>
						await executeForJson({
							...{ service, parameters, onError: 'continueRegularOutput' },
							items: Array.from({ length: items }, () => ({ json: {} })),
						});
					const found = () => kind.existing(service);
					let isLate = false;
					/** Whether one may exist that no response and no list has shown. */
					let isUncertain = false;
					let isUnidentified = false;
					/** Whether a list may identify another one than that. */
					let isStuck = false;
					for (const each of steps) {
						const [known] = found();
						service.clearFaults();
						// Of a renamed folder, only the list shows the name.
						if (each === 'late list') isLate ||= !known && service.state.folders.length === 0;
						if (each === 'list up to date') isLate = false;
						if (isLate)
							service.injectFault({ on: kind.list, kind: 'status', status: 200, body: '[]', times: 999 });
						if (typeof each === 'string') {
							if (each !== 'plain without a response' || !known) continue;
							service.injectFault({ on: kind.on, kind: 'reset' });
							await execute(kind.create);
							isStuck = true;
						} else if ('clockBy' in each) {
							ahead += each.clockBy;
							isLate = isUncertain = isUnidentified = isStuck = false;
						} else if ('plain' in each) {
							if (known) continue;
							await execute({ ...kind.create, options: kind === folder ? each.plain : {} });
							isStuck ||= writeResponse === 'success' && (isUncertain || isUnidentified);
							isUnidentified = writeResponse === 'success';
						} else if ('byPerson' in each) {
							// Of one folder, only the list shows the name.
							if (known && !(isLate && kind === folder && each.byPerson === 'renamed'))
								kind.byPerson(service, each.byPerson);
						} else if ('byNode' in each) {
							if (!known) continue;
							const isLost = each.isLost && each.byNode === 'deleted';
							if (isLost) service.injectFault({ on: kind.delete, kind: 'lostResponse' });
							await execute(kind.change(each.byNode, known));
						} else {
							const { noResponse } = each;
							const failure = noResponse ?? each.refusal;
							if (failure) service.injectFault({ on: kind.on, ...failure });
							const parameters = { ...kind.create, options: { skipIfExists: true } };
							const runs = Array.from({ length: each.executions }, () => execute(parameters, each.items));
							const items = (await Promise.all(runs)).flat();
							const isHidden = isLate && writeResponse === 'success';
							const mayFail =
								isStuck || isUncertain || isUnidentified || (!known && (failure !== null || isHidden));
							const after = found();
							expect(after.length).toBeLessThanOrEqual(1);
							if (!mayFail) {
								expect(after).toHaveLength(1);
								expect(items.filter(({ skipped }) => skipped === false)).toHaveLength(known ? 0 : 1);
							}
							for (const { error, hash, uuid } of items) {
								if (error !== undefined) expect(mayFail).toBe(true);
								if (error !== undefined && !failure) expect(error).toMatch(STILL_UNKNOWN);
								if (error === undefined) expect([after[0]?.key, undefined]).toContain(hash ?? uuid);
							}
							if (known && !isLate) isUncertain = isUnidentified = false;
							if (!known && noResponse) isUncertain = true;
							else if (!known && after.length > 0)
								isUnidentified = writeResponse === 'success' && (isLate || kind === event);
						}
					}
					now.mockRestore();
					await service.close();
				},
			),
			{
				numRuns: Number(process.env.CREATION_SEQUENCES ?? 40),
				examples: COURSES.flatMap((course): Array<['record' | 'success', 'off' | 'error', Step[]]> => [
					['record', 'error', course],
					['success', 'off', course],
				]),
			},
		);
	},
	60_000,
);

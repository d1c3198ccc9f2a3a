import { clockAhead, MINUTE_MS } from '../execution/clock';
import { by } from '../execution/locator';
import { creationsForEachTest, event, folder, FOLDER_AND_EVENT, once, type Creations } from './creations';

let creations: Creations;
creationsForEachTest((started) => (creations = started));

describe('What is gone is created again', () => {
	it.each([400, 410, 422])('when the service answers %i for the old one', async (status) => {
		for (const [, parameters] of FOLDER_AND_EVENT) await creations.run(once(parameters));
		creations.deleteAll();
		for (const on of ['eventSearchByHash', 'diskUsageByFolder'] as const) {
			creations.service.injectFault({ on, kind: 'status', status, times: 9 });
		}
		for (const [, parameters] of FOLDER_AND_EVENT) {
			expect(await creations.run(once(parameters))).toMatchObject([{ skipped: false }]);
		}
		expect(creations.count()).toBe(2);
	});

	it.each(['camelCase', 'snake_case', 'plain', 'nestedPlan'] as const)(
		'when a person renamed or moved the event: %s',
		async (recordNames) => {
			const { service } = creations;
			service.settings.recordNames = recordNames;
			for (const change of [{ title: 'A (moved)' }, { dateScheduled: '2030-01-02 10:00:00' }]) {
				await creations.run(once(event));
				for (const each of service.state.events) Object.assign(each, change);
				expect(await creations.run(once(event))).toMatchObject([{ skipped: false }]);
			}
		},
	);
});

it('A folder that a person made in place of a new one is not made again when the next list lags', async () => {
	const { service } = creations;
	await creations.run(once(folder));
	creations.deleteAll();
	service.seedFolders([{ name: 'Webinars' }]);
	await creations.run(once(folder));
	service.injectFault({ on: 'folderList', kind: 'status', status: 200, body: '[]', times: 9 });
	await creations.run(once(folder));
	expect(creations.folders()).toHaveLength(1);
});

describe('A new folder that no list shows is not created again', () => {
	beforeEach(() => creations.listLate());

	it.each(['update', 'delete'])('after Event → %s', async (operation) => {
		const [known] = creations.service.seedEvents(1);
		await creations.run(once(folder));
		await creations.attempt({
			resource: 'event',
			operation,
			title: 'A',
			event: by('hash', known?.hash ?? ''),
		});
		await creations.run(once(folder));
		expect(creations.folders()).toHaveLength(1);
	});

	it.each([{ description: 'of the choir' }, { description: 'new', name: 'Webinars' }])(
		'after a change to %j',
		async (updateFields) => {
			const [first] = await creations.run(once(folder));
			const chosen = by('uuid', first?.uuid as string);
			await creations.run({ resource: 'folder', operation: 'update', folder: chosen, updateFields });
			await creations.run(once(folder));
			expect(creations.folders()).toHaveLength(1);
		},
	);
});

describe('At a service whose responses name nothing', () => {
	beforeEach(() => (creations.service.settings.writeResponse = 'success'));

	it.each(['update', 'delete'])(
		'what no list has shown before %s blocks its name for ten minutes: another one may have it',
		async (operation) => {
			for (const [, parameters] of FOLDER_AND_EVENT) await creations.run(parameters);
			const [{ hash = '' } = {}] = creations.events();
			const [{ uuid = '' } = {}] = creations.folders();
			await creations.run({ resource: 'event', operation, event: by('hash', hash), title: 'B' });
			await creations.run({
				...{ resource: 'folder', operation, folder: by('uuid', uuid), updateFields: { name: 'B' } },
				options: operation === 'delete' ? { name: 'Webinars' } : {},
			});
			const createAgain = async () =>
				await Promise.all(
					FOLDER_AND_EVENT.map(async ([, parameters]) => (await creations.attempt(once(parameters)))[0]),
				);
			const unlisted = { error: expect.stringMatching(/does not list/) };
			expect(await createAgain()).toMatchObject([unlisted, unlisted]);
			await clockAhead(11 * MINUTE_MS, createAgain);
			expect([creations.events().length, creations.folders().length]).toEqual([1, 1]);
		},
	);

	it('a folder whose UUID the list has shown is created anew after this node deleted it', async () => {
		await creations.run({ ...folder, options: { description: 'of the choir' } });
		const chosen = by('uuid', creations.folders()[0]?.uuid ?? '');
		await creations.run({ resource: 'folder', operation: 'delete', folder: chosen });
		expect(await creations.run(once(folder))).toMatchObject([{ skipped: false }]);
	});

	describe('and lists late, one is created, although', () => {
		it.each([
			['another event was deleted, by hash', 'hash', { title: 'event' }, 'delete'],
			['another event was deleted, by ID', 'id', {}, 'delete'],
			['another event was renamed', 'hash', {}, 'update'],
			['an event was deleted whose title is the plan', 'hash', { title: 'plan-1001' }, 'delete'],
			[
				'the event of last week was deleted',
				'hash',
				{ title: 'A', dateScheduled: '2029-12-25 10:00:00' },
				'delete',
			],
			['an event of another plan was renamed', 'hash', { planId: 'plan-2002' }, 'update'],
		] as const)('%s', async (_, mode, seed, operation) => {
			const { service } = creations;
			const [other] = service.seedEvents([seed]);
			creations.listLate();
			const { hash = '', eventId = 0, planId = '' } = other ?? {};
			await creations.run(once(event, { planId: 'plan-1001' }));
			await creations.run({
				...{ resource: 'event', operation, event: by(mode, mode === 'id' ? eventId : hash) },
				...(operation === 'update' ? { title: 'B' } : {}),
				options:
					operation === 'update'
						? { planId, eventId, secret: service.settings.plans[planId] ?? '' }
						: { planId },
			});
			await creations.attempt(once(event, { planId: 'plan-1001' }));
			const isNew = ({ dateScheduled }: { dateScheduled: string }) => dateScheduled.startsWith('2030');
			expect(creations.events().filter(isNew)).toHaveLength(1);
			expect(creations.events('B')).toHaveLength(operation === 'update' ? 1 : 0);
		});

		it('a folder was deleted that has the name of the kind', async () => {
			const [other] = creations.service.seedFolders([{ name: 'folder' }]);
			creations.listLate();
			for (const [, parameters] of FOLDER_AND_EVENT) await creations.attempt(once(parameters));
			await creations.run({
				...{ resource: 'folder', operation: 'delete', folder: by('uuid', other?.uuid ?? '') },
				options: { name: 'folder' },
			});
			for (const [, parameters] of FOLDER_AND_EVENT) await creations.attempt(once(parameters));
			expect([creations.events().length, creations.folders().length, creations.count()]).toEqual([1, 1, 2]);
		});
	});
});

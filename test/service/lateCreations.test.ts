import { MINUTE_MS } from '../execution/clock';
import { by } from '../execution/locator';
import { creationsForEachTest, event, folder, FOLDER_AND_EVENT, once, type Creations } from './creations';

let creations: Creations;
creationsForEachTest((started) => (creations = started));

/** Faults of the product: creation.model.test.ts leaves these courses out. */
describe('While the list is late, one is created', () => {
	it.each(FOLDER_AND_EVENT)(
		'when the response to the creation after a deletion is lost: %s',
		async (on, plain) => {
			creations.listLate();
			await creations.run(once(plain));
			creations.deleteAll();
			creations.service.injectFault({ on, kind: 'lostResponse' });
			for (let times = 1; times <= 2; times++) await creations.attempt(once(plain));
			expect(creations.count()).toBe(1);
		},
	);

	it.each([
		['without a response', 'lostResponse'],
		['without its record', 'success'],
	])('by a plain creation %s, although an earlier one was deleted', async (_, how) => {
		creations.listLate();
		for (const [on, plain] of FOLDER_AND_EVENT) {
			await creations.run(plain);
			creations.deleteAll();
			if (how === 'success') creations.service.settings.writeResponse = 'success';
			else creations.service.injectFault({ on, kind: 'lostResponse' });
			await creations.attempt(plain);
			expect(creations.count()).toBe(1);
			await creations.attempt(once(plain));
			expect(creations.count()).toBe(1);
			creations.deleteAll();
			creations.service.settings.writeResponse = 'record';
		}
	});

	it.each(FOLDER_AND_EVENT)(
		'when a response is lost and the service refuses the next creation: %s',
		async (on, plain) => {
			creations.listLate();
			creations.service.injectFault({ on, kind: 'lostResponse' });
			await creations.attempt(plain);
			creations.service.injectFault({ on, kind: 'status', status: 400 });
			await creations.attempt(plain);
			await creations.attempt(once(plain));
			expect(creations.count()).toBe(1);
		},
	);

	it('when this n8n deleted the one before what may have been created', async () => {
		creations.listLate();
		await creations.run(event);
		const [first] = creations.events();
		creations.service.injectFault({ on: 'eventInsert', kind: 'lostResponse' });
		await creations.attempt(event);
		await creations.run({ resource: 'event', operation: 'delete', event: by('id', first?.eventId ?? 0) });
		expect(creations.count()).toBe(1);
		await creations.attempt(once(event));
		expect(creations.count()).toBe(1);
	});

	it.each(FOLDER_AND_EVENT)(
		'when a list shows an earlier one, which is then deleted, but not the one whose response was lost: %s',
		async (on, plain) => {
			const { service } = creations;
			service.settings.eventsKeepOrder = true;
			await creations.run(plain);
			service.injectFault({ on, kind: 'lostResponse' });
			await creations.attempt(plain);
			const lists = ['eventSearchAll', 'folderList'] as const;
			service.injectFault({ on: [...lists], kind: 'shortList', records: 1 });
			expect(await creations.run(once(plain))).toMatchObject([{ skipped: true }]);
			const { events, folders } = service.state;
			Object.assign(service.state, { events: events.slice(1), folders: folders.slice(1) });
			service.injectFault({ on: [...lists], kind: 'shortList', records: 0, times: 9 });
			await creations.attempt(once(plain));
			expect(creations.count()).toBe(1);
		},
	);

	it('by two items, at a service whose response to the creation has no hash', async () => {
		creations.service.settings.writeResponse = 'success';
		creations.listLate();
		await creations.runWith(['A', 'A']);
		for (let times = 1; times <= 2; times++) await creations.attempt(once(event));
		expect(creations.events()).toHaveLength(1);
	});

	it.each([400, 404, 410, 422])('although a folder without videos has no disk usage (%i)', async (status) => {
		creations.listLate();
		const fault = { on: 'diskUsageByFolder' as const, kind: 'status' as const, status, times: 9 };
		creations.service.injectFault({ ...fault, error: 'No videos found in this gallery' });
		for (let times = 1; times <= 2; times++) await creations.run(once(folder));
		expect(creations.folders()).toHaveLength(1);
	});

	it('although one list has shown the folder, and the next one, of a server that lags, does not', async () => {
		for (let times = 1; times <= 2; times++) await creations.run(once(folder));
		creations.service.injectFault({ on: 'folderList', kind: 'status', status: 200, body: '[]', times: 9 });
		await creations.run(once(folder));
		expect(creations.folders()).toHaveLength(1);
	});
});

it('A folder that was created for an item that failed gets its description in a later item, after another folder', async () => {
	const { service } = creations;
	service.settings.writeResponse = 'success';
	service.injectFault({ on: 'folderList', kind: 'status', status: 404, body: '<html>', skip: 1 });
	const items = ['A', 'B', 'A'].map((name) => ({ json: { name } }));
	const parameters = once({ ...folder, name: '={{ $json.name }}' }, { description: 'mine' });
	const output = await creations.attempt(parameters, { items });
	expect(output.map(({ skipped }) => skipped)).toEqual([undefined, false, false]);
	expect(service.state.folders.map(({ description }) => description)).toEqual(['mine', 'mine']);
});

it('Of items that want the same new folder, one is not skipped, although its first response was lost', async () => {
	creations.service.injectFault({ on: 'folderCreate', kind: 'lostResponse' });
	const output = await creations.attempt(once(folder), { items: [{ json: {} }, { json: {} }, { json: {} }] });
	expect(creations.count()).toBe(1);
	expect(output.filter(({ skipped }) => skipped === false)).toHaveLength(1);
});

it.each([
	{ kind: 'reset' },
	{ kind: 'status', status: 500, error: 'Internal Server Error' },
	{ kind: 'status', status: 503, body: '<html>down</html>' },
	{ kind: 'status', status: 403, error: 'Not allowed for this plan' },
] as const)('A folder that a person deleted is not returned while its disk usage is %j', async (fault) => {
	await creations.run(once(folder));
	creations.deleteAll();
	creations.service.injectFault({ on: 'diskUsageByFolder', times: 9, ...fault });
	expect(await creations.attempt(once(folder))).toMatchObject([{ error: expect.any(String) }]);
});

it.each(['success', 'empty', 'emptyArray'] as const)(
	'Folder → Create does not overwrite the description of the folder that already had the name (%s)',
	async (writeResponse) => {
		const { service } = creations;
		Object.assign(service.settings, { writeResponse, folderAppearsAfterMs: 60_000 });
		service.seedFolders([{ name: 'Webinars', description: 'kept by hand' }]);
		const parameters = { ...folder, options: { description: 'of this year' } };
		await creations.attempt(parameters);
		expect(service.state.folders[0]?.description).toBe('kept by hand');
		service.settings.folderAppearsAfterMs = 0;
		expect(await creations.attempt(parameters)).toMatchObject([
			{ error: expect.stringMatching(/was created/) },
		]);
	},
);

it('A folder that a late list does not show is not created twice once an older one of its name is deleted', async () => {
	const { service } = creations;
	const [old] = service.seedFolders([{ name: 'Webinars', description: 'of last year' }]);
	Object.assign(service.settings, { writeResponse: 'success', folderAppearsAfterMs: 60_000 });
	await creations.attempt({ ...folder, options: { description: 'of the choir' } });
	service.settings.writeResponse = 'record';
	const chosen = by('uuid', old?.uuid ?? '');
	await creations.run({ resource: 'folder', operation: 'delete', folder: chosen }, { executionId: 'd' });
	await creations.attempt(once(folder), { executionId: 'e' });
	expect(creations.folders()).toHaveLength(1);
});

it('The description of a folder stays after a plain creation of its name that was not carried out', async () => {
	const { service } = creations;
	service.seedFolders([{ name: 'Webinars', description: 'kept by hand' }]);
	service.injectFault({ on: 'folderCreate', kind: 'status', status: 504, body: '<html>Gateway Timeout' });
	await creations.attempt(folder);
	const [second] = await creations.run(once(folder, { description: 'new' }));
	expect([second?.skipped, service.state.folders[0]?.description]).toEqual([true, 'kept by hand']);
});

it('What may have been created ten minutes ago blocks no longer, although a later creation was refused', async () => {
	const { service } = creations;
	const real = Date.now.bind(Date);
	let ahead = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => real() + ahead);
	service.injectFault({ on: 'eventInsert', kind: 'reset' });
	await creations.attempt(event);
	ahead = 9 * MINUTE_MS;
	service.injectFault({ on: 'eventInsert', kind: 'status', status: 400 });
	await creations.attempt(event);
	ahead = 12 * MINUTE_MS;
	await creations.run(once(event));
	expect(creations.events()).toHaveLength(1);
});

it('A retry sets the description although another run saw the folder before the response was lost', async () => {
	const { service } = creations;
	service.seedFolders([{ name: 'B' }]);
	service.injectFault({ on: 'folderCreate', kind: 'delay', ms: 800 });
	service.injectFault({ on: 'folderCreate', kind: 'status', status: 504, body: '' });
	const mine = once(folder, { description: 'of the choir' });
	const first = creations.attempt(mine, { executionId: 'Y' });
	await service.until(() => service.requestsOf('folderCreate').length === 1);
	// The service has carried it out; only its response takes long, and then is a gateway's.
	service.seedFolders([{ name: 'Webinars' }]);
	const items = ['B', 'Webinars'].map((name) => ({ json: { name } }));
	const other = await creations.attempt(once({ ...folder, name: '={{ $json.name }}' }), {
		items,
		executionId: 'X',
	});
	expect((await first)[0]?.error).toBeDefined();
	expect(other[1]).toMatchObject({ skipped: true });
	expect((await creations.attempt(mine, { executionId: 'Z' }))[0]).toMatchObject({ skipped: false });
	expect(creations.folders().map(({ description }) => description)).toEqual(['of the choir']);
});

it.each([1, 2])(
	'An attempt made after the list is not forgotten when that list is used %s times',
	async (times) => {
		const { service } = creations;
		const [old] = service.seedFolders([{ name: 'Webinars' }]);
		// X reads the list, then its creation of B takes long.
		service.injectFault({ on: 'folderCreate', kind: 'delay', ms: 800 });
		const items = ['B', ...Array<string>(times).fill('Webinars')].map((name) => ({ json: { name } }));
		const output = creations.attempt(once({ ...folder, name: '={{ $json.name }}' }), {
			items,
			executionId: 'X',
		});
		await service.until(() => service.requestsOf('folderCreate').length === 1);
		// Y creates a second Webinars on purpose; its response is lost and the list is late.
		service.settings.folderAppearsAfterMs = 60_000;
		service.injectFault({ on: 'folderCreate', kind: 'lostResponse' });
		await creations.attempt(folder, { executionId: 'Y' });
		expect(creations.folders()).toHaveLength(2);
		const done = await output;
		expect(done[1]).toMatchObject({ skipped: true });
		const chosen = by('uuid', old?.uuid ?? '');
		await creations.run({ resource: 'folder', operation: 'delete', folder: chosen }, { executionId: 'd' });
		await creations.attempt(once(folder), { executionId: 'e' });
		expect(creations.folders()).toHaveLength(1);
	},
);

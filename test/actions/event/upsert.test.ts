import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { markedTitle, markOf } from '../../../nodes/VideoHosting/service/mark';
import { clockAhead, dateIn, MINUTE_MS } from '../../execution/clock';
import type { NodeRun } from '../../execution/executeNode';
import { loadEvents, loadPicker } from '../../execution/loadPicker';
import { activeTrigger } from '../../execution/pollNode';
import type { LiveEvent, ServiceSettings } from '../../fakeService';
import { answer, service, serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { by, expectError, requested, run, runWithHints } from '../run';

/** Create or Update: one event for each entry of a calendar (L5). */
serviceForEachTest();

const MARK = /\u200C[\u200B\u200C\u200D\u2060]{30}\u200C$/;
const upsert = {
	resource: 'event',
	operation: 'upsert',
	externalId: '={{ $json.id }}',
	title: '={{ $json.title }}',
	dateScheduled: '={{ $json.date }}',
};
/** An entry of a calendar; its day is one of January 2031. */
const entry = (id: string | number, day: number, title = 'Show') => ({
	id,
	title,
	date: `2031-01-${String(day).padStart(2, '0')} 18:00:00`,
});
type Entry = ReturnType<typeof entry>;
const itemsOf = (entries: object[]): INodeExecutionData[] => entries.map((json) => ({ json: { ...json } }));
/** One run of the workflow. */
const sync = async (entries: Entry[], more: Partial<NodeRun> & { options?: INodeParameters } = {}) => {
	const { options = {}, ...others } = more;
	return await run({ ...upsert, options }, { items: itemsOf(entries), timezone: 'UTC', ...others });
};
const changes = async (...entries: Entry[]) => (await sync(entries)).map(({ change }) => change);
/** What the service has, with titles as viewers see them. */
const storedBut = (other?: LiveEvent) =>
	service.state.events
		.filter((event) => event !== other)
		.map(({ title, dateScheduled }) => [title.replace(MARK, ''), dateScheduled.slice(8, 10)]);
const stored = () => storedBut();
const later = async <T>(work: () => Promise<T>) => await clockAhead(MINUTE_MS, work);

describe.each<[string, Partial<ServiceSettings>]>([
	['as the reference has it', {}],
	['that returns dates as in UTC', { eventDates: 'Z' }],
	['whose list lags', { eventAppearsAfterMs: 20_000 }],
	['that says only that it is done', { writeResponse: 'success' }],
	['that names its fields otherwise', { recordNames: 'snake_case', singleShape: 'data', listShape: 'items' }],
])('At a service %s', (_what, settings) => {
	it('each entry has one event, whatever is repeated, moved, moved back, swapped or renamed', async () => {
		Object.assign(service.settings, settings);
		// Any event shows the secret of the plan.
		const [other] = service.seedEvents(1);
		const stored = () => storedBut(other);
		const [a, b, c] = [entry('a', 1), entry('b', 2), entry('c', 3)];
		expect(await changes(a, b, c)).toEqual(['created', 'created', 'created']);
		expect(await changes(a, b, c, a)).toEqual(['none', 'none', 'none', 'none']);
		expect(await changes(a, entry('b', 7), c)).toEqual(['none', 'moved', 'none']);
		expect(await changes(a, b, c)).toEqual(['none', 'moved', 'none']);
		expect(await changes(entry('a', 2), entry('b', 1), c)).toEqual(['moved', 'moved', 'none']);
		expect(await changes(entry('a', 2), entry('b', 1, 'Gala'), c)).toEqual(['none', 'renamed', 'none']);
		expect(stored()).toEqual([
			['Show', '03'],
			['Show', '02'],
			['Gala', '01'],
		]);
		expect(await later(async () => await changes(a, b))).toEqual(['moved', 'moved']);
		expect(stored()).toEqual([
			['Show', '03'],
			['Show', '01'],
			['Show', '02'],
		]);
	});
});

it('It returns the record, what was sent, what has changed, and the event before', async () => {
	const [created] = await sync([entry('a', 1)]);
	expect(requested()).toEqual(['eventSearchAll', 'eventSearchAll', 'eventInsert']);
	const { hash, eventId } = service.state.events[0] ?? {};
	const sent = { dateScheduled: '2031-01-01 18:00:00', timezone: 'UTC' };
	const record = {
		hash,
		eventId,
		title: 'Show',
		dateScheduled: '2031-01-01 18:00:00',
		status: 'WAITING_LIVE',
	};
	const kept = { sent, externalIdKept: true, skipped: false };
	expect(created).toEqual({ ...record, planId: 'plan-1001', ...kept, change: 'created' });
	const old = { hash, title: 'Show', dateScheduled: sent.dateScheduled };
	const gala = entry('a', 1, 'Gala');
	expect(await sync([gala, gala])).toMatchObject([
		{ ...record, title: 'Gala', ...kept, change: 'renamed', previous: { ...old, deleted: false } },
		{ change: 'none' },
	]);
	const [moved] = await sync([entry('a', 2)]);
	expect(moved).toMatchObject({ change: 'moved', previous: { ...old, title: 'Gala', deleted: true } });
	expect(moved?.hash).not.toBe(hash);
});

const TITLES = ['🎬 👨‍👩‍👧', 'عرض مباشر', 'क्ष', 'x'.repeat(180), 'Q&A <b>', 'Show\u200C'];
it.each(TITLES)('A title looks as before, and no output shows the mark: %s', async (title) => {
	const trigger = await activeTrigger({ service, parameters: { triggerOn: 'eventUpdated' } });
	await trigger.poll();
	const outputs: unknown[] = await sync([entry('a', 1, title)]);
	const [event] = service.state.events;
	expect(event?.title.replace(MARK, '')).toBe(title);
	expect(event?.title).toMatch(MARK);
	const chosen = { resource: 'event', event: by('externalId', 'a') };
	const quoting = { success: `Event ${event?.title} is ready`, data: null };
	answer('eventStartOrEnd', quoting, { times: 1 });
	for (const operation of ['start', 'get', 'getAll']) outputs.push(...(await run({ ...chosen, operation })));
	const [folder] = service.seedFolders(1);
	service.seedVideos([{ name: `${event?.title}.mp4`, folder: folder?.uuid }]);
	outputs.push(...(await run({ resource: 'video', operation: 'getAll' })));
	outputs.push(...(await run({ resource: 'diskUsage', operation: 'getFolders' })));
	answer('eventDelete', { error: `Event ${event?.title} is locked` }, { status: 409, times: 1 });
	const failing = run({ ...chosen, operation: 'delete' }, { onError: 'continueRegularOutput' });
	outputs.push(...(await failing), await loadEvents(service), await loadPicker('searchVideos', { service }));
	// Adding or removing a mark is no change of the title.
	expect(await trigger.poll()).toBeNull();
	if (event) event.title = title;
	expect(await trigger.poll()).toBeNull();
	expect(outputs).toHaveLength(9);
	expect(JSON.stringify(outputs)).not.toMatch(/[\u200B\u200C\u200D\u2060]{32}/);
});

describe('A service that drops the mark', () => {
	it.each<Partial<ServiceSettings>>([{}, { eventDates: 'Z' }, { writeResponse: 'empty' }])(
		'is named in the output and a hint, and the event is recognized by title and date: %j',
		async (settings) => {
			Object.assign(service.settings, settings, { titles: 'stripped' });
			const parameters = { ...upsert, ...entry('a', 1), externalId: 'a', dateScheduled: entry('a', 1).date };
			const { hints, output } = await runWithHints(parameters);
			expect(output).toMatchObject([{ change: 'created', externalIdKept: false }]);
			expect(hints).toEqual([expect.stringContaining('has no External ID in its title')]);
			expect(await changes(entry('a', 1))).toEqual(['none']);
			expect(await changes(entry('a', 2))).toEqual(['created']);
			expect(stored()).toEqual([
				['Show', '01'],
				['Show', '02'],
			]);
		},
	);

	it.each<[string, Partial<ServiceSettings>, string]>([
		['Show', { titles: 'question marks' }, `"Show${'?'.repeat(32)}"`],
		['Show', { titles: 'escaped' }, '"Show&#8204;'],
		['x'.repeat(180), { namesCutAt: 100 }, `"${'x'.repeat(100)}"`],
		['x'.repeat(180), { namesCutAt: 190 }, 'x'],
		['x'.repeat(180), { namesCutAt: 100, writeResponse: 'empty' }, `"${'x'.repeat(100)}"`],
	])('or stores anything else makes an error, and nothing is left: %s %j', async (title, settings, shown) => {
		Object.assign(service.settings, settings);
		for (let round = 0; round < 2; round++) await expectError(sync([entry('a', 1, title)]), shown);
		expect(service.state.events).toEqual([]);
	});

	it('or cuts the title keeps the events of others whose titles are like it', async () => {
		Object.assign(service.settings, { namesCutAt: 100, writeResponse: 'empty' });
		const wanted = entry('a', 1, 'x'.repeat(180));
		const dateScheduled = wanted.date;
		const seed = (title: string, more: Partial<LiveEvent> = {}) =>
			service.seedEvents([{ title, dateScheduled, ...more }]);
		seed('x'.repeat(100));
		service.injectFault({ on: 'eventInsert', kind: 'delay', ms: 300 });
		const synced = sync([wanted]);
		await service.until(() => service.requestsOf('eventInsert').length > 0);
		seed('Another');
		seed('x'.repeat(50), { dateScheduled: '2031-01-02 18:00:00' });
		await expectError(synced, 'so it was deleted again');
		expect(service.state.events.map(({ title }) => title.length)).toEqual([100, 7, 50]);
	});

	it('only when it is longer does not get it: the old title is set again', async () => {
		service.settings.namesCutAt = 50;
		await sync([entry('a', 1)]);
		const before = structuredClone(service.state.events);
		const title = 'x'.repeat(49);
		const update = { resource: 'event', operation: 'update', event: by('externalId', 'a'), title };
		for (const rename of [async () => await sync([entry('a', 1, title)]), async () => await run(update)]) {
			await expectError(rename(), 'so it got its old title again');
			expect(service.state.events).toEqual(before);
		}
		service.injectFault({ on: 'eventDelete', kind: 'status', status: 400, error: 'Locked' });
		await expectError(
			sync([entry('b', 1, 'x'.repeat(49))]),
			/could not be deleted again \(hash .+\): Locked/,
		);
	});
});

describe('The event of an entry', () => {
	const soon = (minutes: number) => ({ ...entry('a', 1), date: dateIn(minutes * MINUTE_MS) });
	it('that is live keeps its date and gets the title; one that is over is left as it is', async () => {
		await sync([soon(5)]);
		const [event] = service.state.events;
		if (event) event.status = 'LIVE';
		expect(await sync([{ ...soon(10), title: 'Gala' }])).toMatchObject([
			{ change: 'renamed', hash: event?.hash },
		]);
		if (event) event.status = 'ON_DEMAND';
		await clockAhead(15 * MINUTE_MS, async () => {
			const [output] = await sync([{ ...soon(-5), title: 'Show' }]);
			expect(output).toEqual({ sent: expect.anything(), change: 'none', skipped: true });
			expect(await sync([{ ...soon(-10), date: event?.dateScheduled ?? '' }])).toMatchObject([
				{ change: 'none', title: 'Gala' },
			]);
		});
		expect(await changes(soon(60))).toEqual(['created']);
		expect(service.state.events).toHaveLength(2);
	});

	it('whose date is past is neither created nor moved', async () => {
		await sync([soon(60)]);
		expect(await sync([soon(-1)])).toMatchObject([{ change: 'none', skipped: true }]);
		expect(service.state.events).toHaveLength(1);
	});

	it('may have been made by hand: one that waits under the title and date is left as it is', async () => {
		const made = { title: ' Show', dateScheduled: '2031-01-01 18:00:00' };
		service.seedEvents([{ ...made, status: 'ON_DEMAND' }, made]);
		const before = structuredClone(service.state.events);
		expect(await sync([entry('a', 1)])).toMatchObject([
			{ hash: before[1]?.hash, change: 'none', externalIdKept: false },
		]);
		expect(service.state.events).toEqual(before);
	});

	it('is the live one, then the waiting one, then that of the lowest ID, where several have its mark', async () => {
		await sync([entry('a', 1)]);
		const { title = '', dateScheduled } = service.state.events[0] ?? {};
		const copy = { title, dateScheduled };
		const [over, lowest, live] = service.seedEvents([
			{ ...copy, eventId: 1, status: 'ON_DEMAND' },
			{ ...copy, eventId: 2 },
			{ ...copy, eventId: 5, status: 'LIVE' },
		]);
		for (const event of [live, lowest, service.state.events[0], over]) {
			const [output] = await later(async () => await sync([entry('a', 1)]));
			expect(output).toMatchObject({ hash: event?.hash, change: 'none' });
			service.state.events = service.state.events.filter((each) => each !== event);
		}
	});

	it.each([
		['the status "PAUSED"', { status: 'PAUSED' }],
		['no numeric ID', { eventId: 'x' }],
	])('for another date cannot be moved with %s, and nothing is sent', async (problem, change) => {
		await sync([entry('a', 1)]);
		answer('eventSearchAll', [{ ...service.state.events[0], ...change }]);
		await expectError(sync([entry('a', 2)]), problem);
		expect(service.requestsOf('eventInsert')).toHaveLength(1);
	});

	it('is not deleted when several wait for other dates: an error lists them', async () => {
		await sync([entry('a', 1)]);
		service.seedEvents([{ title: service.state.events[0]?.title }]);
		await expectError(
			sync([entry('a', 2)]),
			/^2 events of this External ID wait for another date: \w+ \(.+, \w+ \(/,
		);
		expect(service.state.events).toHaveLength(3);
	});

	it.each([
		['LIVE', 2],
		['WAITING_LIVE', 1],
	])('for the old date that is %s right before its deletion leaves %i', async (status, left) => {
		await sync([entry('a', 1)]);
		const listed = structuredClone(service.state.events);
		if (service.state.events[0]) service.state.events[0].status = status;
		answer('eventSearchAll', listed);
		await sync([entry('a', 2)]);
		expect(service.state.events).toHaveLength(left);
	});
});

describe('A run', () => {
	it('that is interrupted between creation and deletion leaves two, and the next one tidies up', async () => {
		await sync([entry('a', 1)]);
		service.injectFault({ on: 'eventDelete', kind: 'reset', times: 9 });
		await expect(sync([entry('a', 2)])).rejects.toThrow();
		expect(stored()).toEqual([
			['Show', '01'],
			['Show', '02'],
		]);
		service.clearFaults();
		expect(await changes(entry('a', 2))).toEqual(['moved']);
		expect(stored()).toEqual([['Show', '02']]);
	});

	it.each([
		[2, 2],
		[2, 3],
	])('and another one at once make one event, for the days %i and %i', async (...days) => {
		await sync([entry('a', 1)]);
		service.injectFault({ on: 'eventInsert', kind: 'delay', ms: 300 });
		await Promise.all(
			days.map(async (day, index) => await sync([entry('a', day)], { executionId: `${index}` })),
		);
		expect(service.state.events).toHaveLength(1);
	});

	it.each<Partial<ServiceSettings>>([{}, { titles: 'stripped' }])(
		'returns each event that it has created, also where no response shows one: %j',
		async (settings) => {
			Object.assign(service.settings, settings, { writeResponse: 'success' });
			const hashes = async (...entries: Entry[]) => (await sync(entries)).map(({ hash }) => hash);
			const created = await hashes(entry('a', 2), entry('b', 1), entry('c', 2, 'Gala'), entry('a', 2));
			const [a, b, c] = service.state.events.map(({ hash }) => hash);
			expect(created).toEqual([a, b, c, a]);
			expect(await hashes(entry('a', 1, 'Moved'))).toEqual([service.state.events.at(-1)?.hash]);
		},
	);

	it('asks for the event by the hash that is all of its response, as the list may lag', async () => {
		const { title, date } = entry('a', 1);
		const [event] = service.seedEvents([
			{ title: markedTitle(title, markOf('a', date)), dateScheduled: date },
		]);
		answer('eventSearchAll', []);
		answer('eventInsert', { hash: event?.hash });
		expect(await sync([entry('a', 1)])).toMatchObject([{ hash: event?.hash, title, externalIdKept: true }]);
		expect(requested()).toEqual(['eventSearchAll', 'eventSearchAll', 'eventInsert', 'eventSearchByHash']);
	});

	it.each(['is lost', 'shows nothing'])('whose response %s does not create the event again', async (what) => {
		Object.assign(service.settings, { eventAppearsAfterMs: 20_000, writeResponse: 'success' });
		if (what === 'is lost') service.injectFault({ on: 'eventInsert', kind: 'lostResponse' });
		for (let round = 0; round < 2; round++) await expectError(sync([entry('a', 1)]), 'run this again');
		expect(await later(async () => await changes(entry('a', 1)))).toEqual(['none']);
		expect(service.state.events).toHaveLength(1);
	});

	it('in which two items have one External ID and two dates sends nothing for them, in no try', async () => {
		const items = [entry('a', 1), entry('b', 2), entry(' a', 3), { ...entry('a', 1), date: 'soon' }];
		const output = await sync(items, { onError: 'continueRegularOutput' });
		const error = expect.stringContaining('Use the ID of the instance, not of the series');
		expect(output).toMatchObject([
			{ error },
			{ change: 'created' },
			{ error },
			{ error: expect.stringContaining('is not a date') },
		]);
		expect(service.requestsOf('eventInsert')).toHaveLength(1);
		const plans = ['plan-1001', 'plan-2002'].map((plan, index) => ({ ...entry('c', index + 4), plan }));
		expect(await sync(plans, { options: { planId: '={{ $json.plan }}' } })).toHaveLength(2);
	});

	it('takes an External ID for one of the plan, which each item may have from an account of its own', async () => {
		const entries = ['plan-1001', 'plan-2002'].map((planId, index) => ({ ...entry('a', index + 1), planId }));
		const credential = { planId: '={{ $json.planId }}' };
		const output = await sync(entries, { credential });
		expect(output).toMatchObject(entries.map(({ planId }) => ({ planId, change: 'created' })));
	});

	it('of 150 unchanged entries in a plan of 600 events takes the requests of one list', async () => {
		service.seedEvents(450);
		const entries = [...Array(150).keys()].map((id) => entry(id, 1 + (id % 30)));
		service.seedEvents(
			entries.map(({ id, title, date }) => ({
				title: markedTitle(title, markOf(`${id}`, date)),
				dateScheduled: date,
			})),
		);
		service.requests.length = 0;
		await run({ resource: 'event', operation: 'get', event: by('title', 'Event 4001') });
		const ofList = service.requestsOf('eventSearchAll').length;
		service.requests.length = 0;
		expect(new Set((await sync(entries)).map(({ change }) => change))).toEqual(new Set(['none']));
		expect(requested()).toEqual(Array(ofList).fill('eventSearchAll'));
	});
});

describe('The mark', () => {
	it.each<INodeParameters>([{}, { options: { eventId: 4001, secret: 'plan-secret-7Qm2' } }])(
		'travels with an event that Event → Update renames, and the title of the entry wins: %j',
		async (more) => {
			await sync([entry('a', 1)]);
			const hash = service.state.events[0]?.hash ?? '';
			await run({ resource: 'event', operation: 'update', event: by('hash', hash), title: 'Gala', ...more });
			expect(stored()).toEqual([['Gala', '01']]);
			expect(await sync([entry('a', 1)])).toMatchObject([{ hash, change: 'renamed' }]);
		},
	);

	it.each(['created', 'renamed', 'renamed by Update'])(
		'is named where a title is too long for the service: %s',
		async (how) => {
			const title = 'x'.repeat(80);
			const error = 'title must be shorter than or equal to 100 characters';
			if (how !== 'created') await sync([entry('a', 1)]);
			const on = how === 'created' ? 'eventInsert' : 'eventUpdate';
			service.injectFault({ on, kind: 'status', status: 422, error });
			const update = { resource: 'event', operation: 'update', event: by('externalId', 'a'), title };
			const running = how === 'renamed by Update' ? run(update) : sync([entry('a', 1, title)]);
			await expectError(running, /100 characters.+ 32 invisible characters/);
		},
	);

	it('is lost by a title that is pasted in with it', async () => {
		await sync([entry('a', 1)]);
		const title = service.state.events[0]?.title ?? '';
		await run({ resource: 'event', operation: 'create', title, dateScheduled: '2031-01-02' });
		const [, plain] = service.state.events;
		await run({ resource: 'event', operation: 'update', event: by('hash', plain?.hash ?? ''), title });
		expect(plain?.title).toBe('Show');
		await sync([entry('b', 3, title)]);
		expect(service.state.events[2]?.title).toHaveLength('Show'.length + 32);
	});
});

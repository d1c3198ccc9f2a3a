import { executeContext, executeForJson, executeNode } from '../../execution/executeNode';
import { withKnownPaging } from '../../execution/knownPaging';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = withKnownPaging(started)));

const create = {
	resource: 'event',
	operation: 'create',
	title: '={{ $json.title }}',
	dateScheduled: '={{ $json.date }}',
	options: { skipIfExists: true },
};
const items = (...events: Array<[title: string, date: string]>) =>
	events.map(([title, date]) => ({ json: { title, date } }));
const operations = () => service.requests.map(({ operation }) => operation);

describe('Event → Create with Skip If Exists', () => {
	it('returns the event with the same title and date, without the secret', async () => {
		const [event] = service.seedEvents([{ title: 'All-hands', dateScheduled: '2030-05-01 18:00:00' }]);
		const output = await executeForJson({
			service,
			parameters: create,
			items: items(['All-hands', '2030-05-01T16:00:00Z']),
		});
		expect(output).toEqual([{ ...event, skipped: true }]);
		expect(operations()).not.toContain('eventInsert');
		expect(JSON.stringify(output)).not.toContain('plan-secret');
	});

	it('returns the event also when its accents are written in another way', async () => {
		const [event] = service.seedEvents([{ title: 'Cafe\u0301', dateScheduled: '2030-05-01 18:00:00' }]);
		const wanted = items(['Caf\u00e9', '2030-05-01T16:00:00Z']);
		const output = await executeForJson({ service, parameters: create, items: wanted });
		expect(output).toEqual([{ ...event, skipped: true }]);
	});

	it.each([
		['another title', 'All-hands 2', '2030-05-01 18:00'],
		['another time', 'All-hands', '2030-05-01 18:01'],
	])('creates an event with %s', async (_what, title, date) => {
		service.seedEvents([{ title: 'All-hands', dateScheduled: '2030-05-01 18:00:00' }]);
		const output = await executeForJson({ service, parameters: create, items: items([title, date]) });
		expect(output).toMatchObject([{ title, skipped: false, sent: { timezone: 'Europe/Berlin' } }]);
		expect(service.state.events).toHaveLength(2);
	});

	it.each(['record', 'success', 'empty', 'emptyArray'] as const)(
		'creates one event for two items of the same title and date (response: %s)',
		async (writeResponse) => {
			service.settings.writeResponse = writeResponse;
			const output = await executeForJson({
				service,
				parameters: create,
				items: items(['A', '2030-05-01 18:00'], ['B', '2030-05-01 18:00'], ['A', '2030-05-01 18:00']),
			});
			expect(service.state.events.map(({ title }) => title)).toEqual(['A', 'B']);
			expect(output.map(({ skipped }) => skipped)).toEqual([false, false, true]);
			expect(output[2]).toMatchObject({ title: 'A', dateScheduled: '2030-05-01 18:00:00' });
			expect(service.requestsOf('eventSearchAll')).toHaveLength(1);
		},
	);

	it('reads the list once for all items, from the newest event as far as their dates where that is proven to be enough', async () => {
		service.settings.pageSizeCap = 10;
		const events = service.seedEvents(
			[...Array(200).keys()].map((n) => ({
				eventId: 1 + ((n * 7919) % 100_003),
				dateScheduled: new Date(Date.UTC(2030, 0, n, 18)).toISOString().slice(0, 19).replace('T', ' '),
			})),
		);
		const wanted = events.slice(150, 170);
		const output = await executeForJson({
			service,
			parameters: create,
			items: items(...wanted.map(({ title, dateScheduled }): [string, string] => [title, dateScheduled])),
		});
		expect(output.map(({ hash }) => hash)).toEqual(wanted.map(({ hash }) => hash));
		expect(service.requestsOf('eventSearchAll').length).toBeLessThanOrEqual(6);
		expect(service.requestsOf('eventInsert')).toEqual([]);
	});

	it('evaluates the date of each item a constant number of times', async () => {
		const given = Array.from({ length: 50 }, (): [string, string] => ['A', '2030-05-01 18:00']);
		const run = { service, parameters: create, items: items(...given) };
		const { context, nodeType } = await executeContext(run);
		const spy = jest.spyOn(context, 'getNodeParameter');
		await nodeType.execute.call(context);
		const names = (spy.mock.calls as unknown[][]).map(([name]) => name);
		expect(names.filter((name) => name === 'dateScheduled').length).toBeLessThanOrEqual(150);
	});

	it('finds a conference that was created before the weekly events, though the list may be sorted by creation', async () => {
		const weekly = [...Array(400).keys()].map((n) => ({
			eventId: 402 - n,
			dateScheduled: new Date(Date.UTC(2030, 0, (400 - n) * 7, 18))
				.toISOString()
				.slice(0, 19)
				.replace('T', ' '),
		}));
		service.seedEvents([...weekly, { eventId: 1, title: 'Gala', dateScheduled: '2037-09-01 18:00:00' }]);
		service.settings.eventsKeepOrder = true;
		const given = items(['Gala', '2037-09-01 18:00']);
		expect(await executeForJson({ service, parameters: create, items: given })).toMatchObject([
			{ eventId: 1, skipped: true },
		]);
	});

	it('fails the item with an invalid date alone', async () => {
		const output = await executeForJson({
			service,
			parameters: create,
			items: items(['A', 'someday'], ['A', '2030-05-01']),
			onError: 'continueRegularOutput',
		});
		expect(output).toMatchObject([
			{ error: expect.stringContaining('someday') as string },
			{ skipped: false },
		]);
	});

	it('creates nothing when the list cannot be read', async () => {
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 400, error: 'No' });
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 400, error: 'No', times: 10 });
		const run = executeNode({ service, parameters: create, items: items(['A', '2030-05-01']) });
		await expect(run).rejects.toThrow(/^No\./);
		expect(service.state.events).toEqual([]);
	});

	it.each(['dayFirst', 'milliseconds', 'httpDate'] as const)(
		'creates no event twice without an error, with dates listed as %s',
		async (eventDates) => {
			service.settings.eventDates = eventDates;
			const given = items(['A', '2030-05-01 18:00'], ['B', '2030-05-02 18:00']);
			const run = () =>
				executeForJson({
					service,
					parameters: { ...create, options: { skipIfExists: true, timezone: 'UTC' } },
					items: given,
					onError: 'continueRegularOutput',
				});
			expect(await run()).toMatchObject([{ skipped: false }, { skipped: false }]);
			const again = await run();
			expect(service.state.events).toHaveLength(2);
			if (eventDates === 'dayFirst') {
				expect(again.map(({ error }) => error)).toEqual(
					['01/05/2030 18:00', '02/05/2030 18:00'].map((date) => expect.stringContaining(date) as string),
				);
			} else {
				expect(again.map(({ skipped }) => skipped)).toEqual([true, true]);
			}
		},
	);

	it('returns the event with that date although another one of the title has a date that cannot be read', async () => {
		const [event] = service.seedEvents([{ title: 'A', dateScheduled: '2030-05-01 18:00:00' }]);
		const records = [
			{ hash: 'other', title: 'A', dateScheduled: '1 May' },
			{ ...event, secret: 'plan-secret' },
		];
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body: JSON.stringify(records) });
		const output = await executeForJson({
			service,
			parameters: create,
			items: items(['A', '2030-05-01 18:00']),
		});
		expect(output).toMatchObject([{ hash: event?.hash, skipped: true }]);
	});

	it.each([
		[
			{ title: 'A', dateScheduled: '01/05/2030 18:00' },
			'The event "A" has the date "01/05/2030 18:00", which cannot be read',
		],
		[{ title: 'A', dateScheduled: null }, 'The event "A" is listed without a date'],
		[{ title: 'A' }, 'The event "A" is listed without a date'],
		[{ dateScheduled: '2030-05-01 18:00:00' }, 'An event of the plan is listed without a title'],
	])('creates nothing when an event is listed as %j, which may be the same', async (record, problem) => {
		const body = JSON.stringify([{ hash: 'h1', ...record }]);
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body, times: 5 });
		const run = executeNode({ service, parameters: create, items: items(['A', '2030-05-01 18:00']) });
		await expect(run).rejects.toThrow(`${problem}, so Skip If Exists cannot compare it`);
		expect(operations()).not.toContain('eventInsert');
	});

	it('creates an event for each item and lists nothing without the option', async () => {
		const given = items(['A', '2030-05-01'], ['A', '2030-05-01']);
		const output = await executeForJson({ service, parameters: { ...create, options: {} }, items: given });
		expect(service.state.events).toHaveLength(2);
		expect(output.filter((event) => 'skipped' in event)).toEqual([]);
		expect(operations()).toEqual(['authenticate', 'eventInsert', 'eventInsert']);
	});
});

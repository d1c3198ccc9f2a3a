import { by, run as runNode } from '../actions/run';
import type { OperationName } from '../fakeService';
import { answer, serviceForEachTest } from '../fakeService/serviceForEachTest';

/** What a response is (A1, A2, A4, A4b): a list, a record, nothing, or a failure. All other tests use one form. */
serviceForEachTest();

const run = async (resource: string, operation: string, more = {}) =>
	await runNode({ resource, operation, ...more });
const getMany = async () => await run('event', 'getAll');
const getEvent = async () => await run('event', 'get', { event: by('hash', 'a') });

const records = [{ hash: 'a' }, { hash: 'b' }];
it.each([
	[records],
	[{ EVENTS: records, total: 2 }],
	[{ events: 2, data: records }],
	[{ data: { items: records }, links: [1, 2] }],
	[{ status: 'success', events: null, data: records }],
])('A list of events may be %j', async (body) => {
	answer('eventSearchAll', body);
	expect(await getMany()).toEqual(records);
});

it.each([
	[200, null],
	[200, { events: [] }],
	[204, ''],
	[404, { error: 'No events found' }],
	[404, { error: 'Events not found' }],
	[404, { error: 'No event found for this name' }],
	[404, { message: 'Not found: there are no live events yet in this plan.' }],
])('A list of events is empty in %i %j', async (status, body) => {
	answer('eventSearchAll', body, { status });
	expect(await getMany()).toEqual([]);
});

it.each([
	[200, '', 'The service returned an empty body instead of a list of events'],
	[200, '7', 'something else instead of a list'],
	[200, { message: 'ok' }, 'something else instead of a list'],
	[200, [1, 2], 'something else instead of a list'],
	[200, { a: records }, 'something else instead of a list'],
	[404, { error: 'Plan not found' }, 'Plan not found'],
	[404, { message: 'The route v1/events/searchAll could not be found.' }, 'could not be found'],
	[404, '<html><body>No events found</body></html>', '404'],
])('A list of events is not found in %i %j', async (status, body, message) => {
	answer('eventSearchAll', body, { status });
	await expect(getMany()).rejects.toThrow(message);
});

const list = [{ hash: 'a' }, { hash: 'b' }];
it.each([
	[{ events: list, count: 3 }],
	[{ events: list, count: 3, next: 'https://api.example.com/events?page=2' }],
	[{ total: 3, data: { items: list } }],
	[{ data: { items: list, total: 3 } }],
	[{ data: { events: list, pagination: { total: 3 } } }],
	[{ meta: { totalCount: '3' }, data: { items: list } }],
	[{ events: list, count: 2, total_pages: 2 }],
	[{ events: list, pageCount: '2' }],
	[{ data: list, meta: { last_page: 2 } }],
	[{ events: list, count: 2, hasMore: true }],
	[{ events: list, paging: { next: { href: '/v1/events?page=2' } } }],
	[{ data: list, pagination: { hasNextPage: true } }],
])('A list is not whole in %j', async (body) => {
	answer('eventSearchAll', body);
	await expect(getMany()).rejects.toThrow(/lists 2 events, but (has 3|says that there are more)/);
});

it.each([
	[{ events: list, count: 2 }],
	[{ events: list, count: 2, next: null }],
	[{ events: list, total: 2, pages: 1, hasMore: false }],
	[{ events: list, other: { total: 9 } }],
])('A list is whole in %j', async (body) => {
	answer('eventSearchAll', body);
	expect(await getMany()).toEqual(list);
});

const record = { hash: 'a', title: 'x' };
const [beside, inside, empty] = [{ rtmpUrl: 'rtmp://a' }, { data: { viewers: 3 } }, { content: null }];
it.each([
	[record, {}],
	[[record], {}],
	[{ id: 7, event: record, success: true, message: 'ok' }, {}],
	[{ data: record }, {}],
	[{ data: { event: record }, ...beside }, beside],
	[
		{ data: { event: record, ...beside, status: 1 }, meta: 1 },
		{ ...beside, meta: 1 },
	],
	[{ data: [{ event: record }] }, {}],
	[{ event: record, ...beside, success: true, title: 'other' }, beside],
	[{ ...record, ...inside }, inside],
	[{ ...record, ...empty }, empty],
])('One event is in %j, and keeps %j', async (body, more) => {
	answer('eventSearchByHash', body);
	expect(await getEvent()).toEqual([{ ...record, ...more }]);
});

it.each<[body: unknown, output?: unknown]>([
	[{ success: true, message: 'Updated', data: null }],
	['OK', { result: 'OK' }],
	[{ id: 7, status: 'ok' }],
])(
	'What was changed or created is what the response says, where it has no record: %j',
	async (body, output = body) => {
		for (const operation of ['eventUpdate', 'folderCreate'] as const) answer(operation, body);
		answer('eventSearchByHash', record);
		const options = { eventId: 1, secret: 'secret-1' };
		expect(await run('event', 'update', { event: by('hash', 'a'), title: 'x', options })).toEqual([output]);
		expect(await run('folder', 'create', { name: 'x' })).toMatchObject([output]);
	},
);

const nothing = [null, [], {}, { data: null }, { success: true, data: [] }, ''];
const unknown = { error: 'Event not found' };
const says = 'The service says: Event not found. ';
it.each<readonly [status: number, body: unknown, said: string]>([
	...nothing.map((body) => [200, body, ''] as const),
	[204, '', ''],
	...[400, 404, 410, 422].map((status) => [status, unknown, says] as const),
])('An event does not exist according to %i %j', async (status, body, said) => {
	answer('eventSearchByHash', body, { status });
	await expect(getEvent()).rejects.toMatchObject({
		message: 'The plan plan-1001 has no event with the hash "a"',
		description: `${said}Check Event and Plan ID.`,
	});
});

it.each([
	[200, { message: 'Hello' }],
	[200, [record, record]],
	[404, '<html><body>Not Found</body></html>'],
	[410, 'Gone'],
])('An event may exist according to %i %j', async (status, body) => {
	answer('eventSearchByHash', body, { status });
	await expect(getEvent()).rejects.not.toThrow('has no event');
});

const FOLDER = by('uuid', '6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b');
const OPERATIONS: Array<[OperationName, () => Promise<unknown>]> = [
	['videoDelete', async () => await run('video', 'delete', { video: by('hash', 'a') })],
	['eventDelete', async () => await run('event', 'delete', { event: by('id', '7') })],
	['folderDelete', async () => await run('folder', 'delete', { folder: FOLDER, options: { name: 'x' } })],
	[
		'eventInsert',
		async () => await run('event', 'create', { title: 'A', dateScheduled: '2030-01-01 10:00' }),
	],
	['eventSearchAll', getMany],
	['eventSearchByHash', getEvent],
	['folderTotal', async () => await run('folder', 'count')],
];

it.each([
	{ error: 'Quota exceeded', requestId: 'r1', paid: true },
	{ success: false, message: 'Quota exceeded' },
	{ status: 'error', message: 'Quota exceeded', data: null },
	{ status: 'failed', message: 'Quota exceeded' },
	{ error: true, message: 'Quota exceeded', data: [] },
	{ error: { message: 'Quota exceeded' } },
	{ result: 'FAIL', message: 'Quota exceeded' },
	{ code: 402, message: 'Quota exceeded', data: null },
	{ statusCode: 409, message: 'Quota exceeded' },
	{ errcode: 40001, error: '', message: 'Quota exceeded' },
	{ status: '402', message: 'Quota exceeded' },
])('A failure in a response with status 200 is an error of any operation: %j', async (body) => {
	for (const [on, running] of OPERATIONS) {
		answer(on, body);
		await expect(running()).rejects.toThrow(/^Quota exceeded/);
	}
});

it.each([
	{ error: null, status: 'failover' },
	{ error: false, status: 'no error' },
	{ error: '', success: 'Done' },
	{ error: ' ', success: 'Done' },
	{ status: 'ok', message: 'Done' },
	{ hash: 'abc', error: 'transcoding failed' },
	{ uuid: 'abc', status: 'error' },
	{ hash: 'abc', code: 500 },
	{ code: 0, message: 'Done' },
	{ status: 200, error: {} },
])('A response with status 200 is no failure: %j', async (body) => {
	answer('folderTotal', body);
	expect(await run('folder', 'count')).toEqual([body]);
});

it.each([
	[{ error: 'Bad Request', message: '' }, /^Bad Request\.$/],
	[{ error: '', message: 'Title is too long' }, /^Title is too long\.$/],
	[{ error: 'Bad Request', message: 'Title is too long' }, /Bad Request.*Title is too long/],
	[{ error: 'Too long', message: 'Too long' }, /^Too long\.$/],
	[
		{ statusCode: 400, error: 'Bad Request', message: ['title must be shorter', 'date must be a date'] },
		/^Bad Request: title must be shorter: date must be a date\.$/,
	],
	[{ error: { message: 'Too long', code: 'E7' } }, /^Too long\.$/],
	[
		{ errors: [{ message: 'Too long' }, { message: 'Too late' }, { message: 'Too long' }] },
		/^Too long: Too late\.$/,
	],
	[
		{ message: 'The given data was invalid.', errors: { title: ['Too long'], date: ['Too late'] } },
		/^The given data was invalid: Too long: Too late\.$/,
	],
	[{ title: 'Bad Request', status: 400, detail: 'Too long' }, /^Too long\.$/],
	[{ error: 'x'.repeat(400) }, /^x{299}…$/],
	['Access denied\r\nReference 18.2f', /^Access denied\.$/],
])('An error shows all words of the service, or the first line of a text: %j', async (body, message) => {
	answer('eventInsert', body, { status: 400 });
	const create = run('event', 'create', { title: 'A', dateScheduled: '2030-01-01 10:00:00' });
	await expect(create).rejects.toThrow(message);
});

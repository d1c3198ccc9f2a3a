import { answer, service, serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { by, expectError, expectUnsent, requested, run } from '../run';

/** Update, Start and End: the secret and the ID that they send are looked up (L4). */
serviceForEachTest();

const secret = 'plan-secret-7Qm2';
const update = { resource: 'event', operation: 'update', title: 'New title' };
const start = { resource: 'event', operation: 'start' };

it.each([0, 1] as const)(
	'Of 20,000 events, one is started in 3 requests and updated in 5: first page %i',
	async (firstEventPage) => {
		service.settings.firstEventPage = firstEventPage;
		const { hash = '' } = service.seedEvents(20_000)[7_000] ?? {};
		await run({ ...start, event: by('hash', hash) });
		expect(requested().length).toBeLessThanOrEqual(3);
		service.requests.length = 0;
		await run({ ...update, event: by('hash', hash) });
		expect(requested().length).toBeLessThanOrEqual(5);
		expect(service.state.events[7_000]).toMatchObject({ status: 'LIVE', title: 'New title' });
	},
);

it.each([
	[
		'only the title, which may have a mark, where all else was entered',
		{ eventId: 4001, secret },
		['eventSearchByHash'],
	],
	['the secret where only that is missing', { eventId: 4001 }, ['eventSearchAll', 'eventSearchAll']],
	['the event ID where only that is missing', { secret }, ['eventSearchByHash']],
	['both in one list', {}, ['eventSearchAll', 'eventSearchAll']],
])('Event → Update looks up %s', async (_what, options, lookups) => {
	service.seedEvents([{ hash: 'h1' }]);
	await run({ ...update, event: by('hash', 'h1'), options });
	expect(requested()).toEqual([...lookups, 'eventUpdate']);
});

it('Event → Update of many items needs few requests besides those that update, each plan by itself', async () => {
	const events = service.seedEvents(
		[...Array(300).keys()].map((n) => ({ planId: n % 2 ? 'plan-1001' : 'plan-2002' })),
	);
	const items = events.toReversed().map(({ hash, planId }) => ({ json: { hash, planId } }));
	const options = { planId: '={{ $json.planId }}' };
	await run({ ...update, event: by('hash', '={{ $json.hash }}'), options }, { items });
	expect(service.state.events.every(({ title }) => title === 'New title')).toBe(true);
	expect(requested().filter((operation) => operation !== 'eventUpdate').length).toBeLessThanOrEqual(11);
});

it.each([
	['{ "status": "END", "planId": "plan-1001", "note": 7 }', { status: 'END', planId: 'plan-1001', note: 7 }],
	[' ', { status: 'LIVE' }],
	['={{ { mode: "rtmp", value: 5 } }}', { status: 'LIVE', mode: 'rtmp', value: 5 }],
])('Event → Start sends the secret that was entered, and Extra Body: %s', async (extraBody, fields) => {
	service.seedEvents([{ hash: 'h1' }]);
	await run({ ...start, event: by('hash', 'h1'), options: { secret, extraBody } });
	expect(requested()).toEqual(['eventStartOrEnd']);
	expect(service.requestsOf('eventStartOrEnd')[0]?.body).toEqual({ hash: 'h1', secret, ...fields });
});

it('Event → Start sends nothing for an Extra Body without fields', async () => {
	const options = { secret, extraBody: '={{ new Date() }}' };
	await expectUnsent(run({ ...start, event: by('hash', 'h1'), options }), 'Extra Body is not a JSON object');
});

const noId = 'The record of the event "h1" contains no numeric ID';
it.each([
	['update', { secret }, noId, 'option Event ID'],
	['delete', {}, noId, 'Event By ID'],
	['start', {}, 'No secret was found for the event "h1"', 'option Secret'],
])('Event → %s with the options %j changes nothing: %s. Enter it in the %s', async (...given) => {
	const [operation, options, message, place] = given;
	answer(['eventSearchAll', 'eventSearchByHash'], [{ hash: 'h1', id: 'a7', secret: '' }]);
	const running = run({ ...update, operation, event: by('hash', 'h1'), options });
	await expectError(running, new RegExp(`^${message}\\. .+ ${place}\\.$`));
	expect(service.requests.filter(({ method }) => ['PUT', 'DELETE'].includes(method))).toEqual([]);
});

it.each([
	['an error of the service', 'eventStartOrEnd', { status: 500, error: 'Internal' }],
	['a sign-in that failed', 'authenticate', { status: 502, body: '<html>' }],
] as const)('Event → Start that is rejected after %s says why alone', async (_what, on, failure) => {
	service.seedEvents([{ hash: 'h1' }]);
	service.injectFault({ kind: 'status', on, ...failure });
	const parameters = { ...start, event: by('hash', 'h1'), options: { secret: 'wrong' } };
	await expectError(run(parameters), /^Invalid plan secret\. Check the option Secret, [^.]+\.$/);
});

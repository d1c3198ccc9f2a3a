import { markedTitle, markOf } from '../../../nodes/VideoHosting/service/mark';
import type { LiveEvent } from '../../fakeService';
import { answer, service, serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { by, expectError, requested, run } from '../run';

/** By External ID: which of the events of an entry an operation means. */
serviceForEachTest();

const event = by('externalId', '={{ " a" }}');
/** Adds events of the entry `a`, in this order by date. */
const seed = (...statuses: string[]): LiveEvent[] =>
	service.seedEvents(
		statuses.map((status, day) => {
			const dateScheduled = `2031-01-0${day + 1} 18:00:00`;
			return { status, dateScheduled, title: markedTitle('Show', markOf('a', dateScheduled)) };
		}),
	);
const [WAITING, LIVE, OVER] = ['WAITING_LIVE', 'LIVE', 'ON_DEMAND'];
const counts = (stage: string) =>
	new RegExp(`^The plan plan-1001 has no event with the external ID "a".+ ${stage} counts`);

it.each([
	['get', [OVER, WAITING, LIVE, OVER], 2],
	['get', [OVER, WAITING, OVER], 1],
	['get', [OVER, OVER, 'new status'], 2],
	['update', [WAITING, LIVE], 1],
	['update', [OVER, WAITING], 1],
	['start', [LIVE, WAITING, OVER], 1],
	['end', [WAITING, LIVE, OVER], 1],
	['delete', [OVER, LIVE, WAITING], 2],
])('Event → %s takes one of %j: that at %i', async (operation, statuses, index) => {
	service.seedEvents([{ title: 'Show', status: statuses[index] }]);
	const hash = seed(...statuses)[index]?.hash;
	const output = await run({ resource: 'event', operation, event, title: 'Gala' });
	expect(output).toMatchObject([{ hash }]);
	expect(service.requests.at(-1)).toMatchObject({
		method: operation === 'get' ? 'GET' : expect.any(String),
		status: 200,
	});
});

it.each([
	['get', [], /^The plan plan-1001 has no event with the external ID "a"\. Check Event and Plan ID/],
	['start', [LIVE, OVER], counts('waiting')],
	['end', [WAITING, OVER], counts('live')],
	['delete', [LIVE, OVER], /Only an event that is waiting counts\.$/],
	[
		'delete',
		[WAITING, WAITING],
		/^2 events have the external ID "a": \w+ \(.+\), \w+ .+ By Hash, or delete the others\.$/,
	],
	['get', [OVER, LIVE, LIVE], /^2 events have the external ID "a"/],
])('Event → %s of %j is an error: %s', async (operation, statuses, message) => {
	service.seedEvents(1);
	seed(...statuses);
	await expectError(run({ resource: 'event', operation, event }), message);
	expect(new Set(requested())).toEqual(new Set(['eventSearchAll']));
});

it('Event → Delete asks for the status right before, as the list may be old', async () => {
	const listed = structuredClone(seed(WAITING));
	Object.assign(service.state.events[0] ?? {}, { status: LIVE });
	answer('eventSearchAll', listed);
	const remove = { resource: 'event', operation: 'delete', event };
	await expectError(run(remove), /is no longer waiting, .+ Choose it By Hash\.$/);
	const skipped = { deleted: false, skipped: true };
	expect(await run({ ...remove, options: { skipIfMissing: true } })).toEqual([skipped]);
	expect(service.state.events).toHaveLength(1);
});

it.each([
	['externalId', 'a', [LIVE, OVER]],
	['externalId', 'b', [WAITING]],
	['title', 'Gala', [WAITING]],
	['hash', 'gone', [WAITING]],
	['list', 'gone', []],
] as const)('With Skip If Missing, Event → Delete skips: %s %s', async (mode, value, statuses) => {
	seed(...statuses);
	const remove = { resource: 'event', operation: 'delete', options: { skipIfMissing: true } };
	expect(await run({ ...remove, event: by(mode, value) })).toEqual([{ deleted: false, skipped: true }]);
	expect(service.state.events).toHaveLength(statuses.length);
	const [there] = service.seedEvents([{ title: value, hash: value }]);
	const chosen = mode === 'externalId' ? by('title', value) : by(mode, value);
	expect(await run({ ...remove, event: chosen })).toMatchObject([{ deleted: true, hash: there?.hash }]);
});

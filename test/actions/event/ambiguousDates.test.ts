import { executeForJson } from '../../execution/executeNode';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { withKnownPaging } from '../../execution/knownPaging';

let service: RunningService;
serviceForEachTest((started) => (service = withKnownPaging(started)));

const create = { resource: 'event', operation: 'create', title: 'x' };
const sent = () =>
	service.requestsOf('eventInsert').map(({ body }) => (body as { dateScheduled: string }).dateScheduled);

it.each([
	['YYYYMMDDHHmm as a number', 202612241800],
	['YYYYMMDDHHmmss as a number', 20261224180000],
])('%s is not read as milliseconds since 1970', async (_what, dateScheduled) => {
	await executeForJson({ service, timezone: 'UTC', parameters: { ...create, dateScheduled } }).catch(
		() => undefined,
	);
	expect(sent()).toEqual([]);
});

it.each([
	['9999-12-31T23:00:00-12:00', 'UTC'],
	['0000-01-01T00:00:00Z', 'America/New_York'],
])('%s in %s is sent as YYYY-MM-DD HH:mm:ss or not at all', async (dateScheduled, timezone) => {
	await executeForJson({ service, timezone, parameters: { ...create, dateScheduled } }).catch(
		() => undefined,
	);
	for (const text of sent()) expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});

it('a JavaScript date after the year 9999 is sent as YYYY-MM-DD HH:mm:ss or not at all', async () => {
	const dateScheduled = '={{ new Date(253402300800000) }}';
	await executeForJson({ service, timezone: 'UTC', parameters: { ...create, dateScheduled } }).catch(
		() => undefined,
	);
	for (const text of sent()) expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});

describe('the hour that the clock shows twice (Europe/Berlin, 2026-10-25 02:00 to 03:00)', () => {
	const getMany = async (filters: object) =>
		(
			await executeForJson({
				service,
				timezone: 'Europe/Berlin',
				parameters: { resource: 'event', operation: 'getAll', returnAll: true, filters: { ...filters } },
			})
		).map(({ dateScheduled }) => dateScheduled);

	it('Scheduled Before 02:45 returns the event of 02:30, or the date is rejected as ambiguous', async () => {
		service.seedEvents([{ dateScheduled: '2026-10-25 02:30:00' }]);
		const found = await getMany({ scheduledBefore: '2026-10-25 02:45' }).catch(() => 'rejected');
		if (found !== 'rejected') expect(found).toEqual(['2026-10-25 02:30:00']);
	});

	it('Scheduled After 02:45 does not return the event of 02:30, or the date is rejected as ambiguous', async () => {
		service.seedEvents([{ dateScheduled: '2026-10-25 02:30:00' }]);
		const found = await getMany({ scheduledAfter: '2026-10-25 02:45' }).catch(() => 'rejected');
		if (found !== 'rejected') expect(found).toEqual([]);
	});
});

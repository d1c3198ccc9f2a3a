import type { ServiceSettings } from '../fakeService';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { calendarEntry, calendarWorkflow, syncCalendar, synced, type CalendarEntry } from '../n8n/calendar';
import type { RunningN8n } from '../n8n/instance';
import { credentialFor, placeFor } from '../n8n/place';
import { errorOf, type StoredCredential } from '../n8n/rest';

const place = placeFor();
let n8n: RunningN8n;
let credential: StoredCredential;

beforeAll(async () => {
	n8n = await place.n8n({ TZ: 'Asia/Kolkata' });
}, 180_000);
serviceForEachTest();
beforeEach(async () => {
	// Any event shows the secret of the plan.
	service.seedEvents([{ title: 'Other' }]);
	credential = await credentialFor(n8n, service);
});

const sync = async (...entries: CalendarEntry[]) => await syncCalendar(n8n, credential, entries);
/** Titles as viewers see them, and days. */
const scheduled = () =>
	service.state.events
		.filter(({ title }) => title !== 'Other')
		.map(({ title, dateScheduled }) => [
			title.replace(/[\u200B-\u200D\u2060]/g, ''),
			dateScheduled.slice(8, 13),
		]);

it('Entries of one title keep their events when they are moved, moved back, swapped and renamed, and n8n is killed in between', async () => {
	const [a, b, c] = [calendarEntry('a', 1), calendarEntry('b', 2), calendarEntry('c', 3)];
	expect(await sync(a, b, c)).toEqual(['created', 'created', 'created']);
	expect(await sync(a, b, c)).toEqual(['none', 'none', 'none']);
	service.injectFault({ on: 'eventDelete', kind: 'hang' });
	await n8n.rest.runWorkflow(calendarWorkflow(credential, [calendarEntry('b', 7)]));
	await service.until(() => service.requestsOf('eventDelete').length > 0);
	await n8n.kill();
	expect(scheduled()).toHaveLength(4);
	await n8n.start();
	expect(await sync(a, calendarEntry('b', 7), c)).toEqual(['none', 'moved', 'none']);
	expect(await sync(a, b, c)).toEqual(['none', 'moved', 'none']);
	const swapped = [calendarEntry('a', 2), calendarEntry('b', 1, 'Gala'), c];
	expect(await sync(...swapped)).toEqual(['moved', 'moved', 'none']);
	expect(scheduled()).toEqual([
		['Show', '03 18'],
		['Show', '02 18'],
		['Gala', '01 18'],
	]);
}, 180_000);

it('An event that is live keeps its date, and one whose entry is cancelled after it is over stays', async () => {
	const soon = (minutes: number): CalendarEntry => {
		const dateTime = new Date(Date.now() + minutes * 60_000).toISOString();
		return { ...calendarEntry('a', 1), start: { dateTime, timeZone: 'UTC' } };
	};
	await sync(soon(2));
	const set = async (operation: string, options = {}) => {
		const event = { __rl: true, mode: 'externalId', value: '={{ $json.id }}' };
		const workflow = calendarWorkflow(credential, [soon(0)], { operation, event, options });
		return synced(await n8n.rest.runToSuccess(workflow));
	};
	await set('start');
	expect(await sync(soon(7))).toEqual(['none']);
	expect(await set('end')).toMatchObject([{ status: 'ON_DEMAND', title: 'Show' }]);
	expect(await sync(soon(-1))).toEqual(['none']);
	expect(await set('delete', { skipIfMissing: true })).toEqual([{ deleted: false, skipped: true }]);
	expect(service.state.events).toHaveLength(2);
}, 120_000);

it.each<[string, Partial<ServiceSettings>, unknown[][]]>([
	['keeps the characters', {}, [['none', 'none', 'none'], ['moved'], ['none']]],
	['drops the characters', { titles: 'stripped' }, [['none', 'none', 'none'], ['created'], ['none']]],
	['returns dates as in UTC', { eventDates: 'Z' }, [['none', 'none', 'none'], ['moved'], ['none']]],
	['lists new events late', { eventAppearsAfterMs: 20_000 }, [['none', 'none', 'none'], ['moved'], ['none']]],
])(
	'A service that %s has one event for each run, whatever the title is',
	async (_what, settings, expected) => {
		Object.assign(service.settings, settings);
		const titles = ['🎬 Premiere 🇩🇪', 'بث مباشر', 'x'.repeat(180)];
		const entries = titles.map((title, index) => calendarEntry(`e${index}`, 1 + index, title));
		expect(await sync(...entries)).toEqual(['created', 'created', 'created']);
		const moved = calendarEntry('e0', 9, titles[0]);
		expect([await sync(...entries), await sync(moved), await sync(moved)]).toEqual(expected);
		expect(new Set(scheduled().map(([title]) => title))).toEqual(new Set(titles));
	},
	120_000,
);

it('A service that cuts titles has none of them, and the error shows what was stored', async () => {
	service.settings.namesCutAt = 190;
	const workflow = calendarWorkflow(credential, [calendarEntry('a', 1, 'x'.repeat(180))]);
	for (let round = 0; round < 2; round++)
		expect(errorOf(await n8n.rest.runToEnd(workflow))).toMatch(
			/The service stored the event "x.+, so it was deleted again/s,
		);
	expect(scheduled()).toEqual([]);
}, 60_000);

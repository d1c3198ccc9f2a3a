import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { calendarEntry, calendarWorkflow, syncCalendar, type CalendarEntry } from '../n8n/calendar';
import type { RunningN8n } from '../n8n/instance';
import { credentialFor, placeFor } from '../n8n/place';
import type { StoredCredential } from '../n8n/rest';

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

import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { polls, watching } from './polling';
import { firstRecord, listOf, sceneOf, seedLatest, SILENT } from './scenes';

serviceForEachTest({ pageSizeCap: 10, defaultPageSize: 10 });

describe.each(SILENT)('The first poll of %s', (triggerOn) => {
	it('The first poll records what is listed, without reporting it', async () => {
		seedLatest(service);
		const trigger = await watching({ triggerOn });
		// Correct listOf() in scenes.ts.
		expect(service.requestsOf(listOf(triggerOn)).length).toBeGreaterThan(0);
		// Add a record for it to seedLatest() in scenes.ts.
		expect(trigger.staticData()).not.toContain('"known":{}');
		expect(await polls(trigger, 3)).toEqual([]);
		const item = sceneOf(triggerOn).change(service);
		expect(await polls(trigger, 4)).toEqual([expect.objectContaining(item)]);
	});

	it('The first poll records an empty list too, which is read once, so that the first record is new', async () => {
		const trigger = await watching({ triggerOn });
		const requests = service.requests.map(({ method, path, query }) => JSON.stringify([method, path, query]));
		expect(new Set(requests).size).toBe(requests.length);
		const items = firstRecord(triggerOn, service).map((item) => expect.objectContaining(item));
		expect(await polls(trigger, 3)).toEqual(items);
	});
});

it.each([
	{ triggerOn: 'eventStatusChanged' },
	{ options: { planId: 'plan-2002' } },
	{ options: { scheduledWithinDays: 9_999 } },
])('Other settings begin with a silent poll, and again when they are taken back: %j', async (other) => {
	const [event] = service.seedEvents([{ title: 'Before' }, {}]);
	service.seedEvents([{ planId: 'plan-2002' }]);
	const parameters = { triggerOn: 'eventUpdated' };
	const first = await watching(parameters);
	if (event) event.title = 'After';
	const second = await watching({ ...parameters, ...other }, { staticData: first.saved() });
	const third = await watching(parameters, { staticData: second.saved() });
	if (event) event.title = 'Last';
	expect(await third.poll()).toMatchObject([{ title: 'Last', previous: { title: 'After' } }]);
});

import { clockAhead, DAY_MS, dateIn, HOUR_MS } from '../execution/clock';
import { activeTrigger } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { polls } from '../trigger/watchedPlan';

let service: RunningService;
serviceForEachTest((started) => (service = started));

/** Two events in two hours, and a plan full of others that are not watched. */
async function deleteBothWatched(withinDays: number) {
	const others = Array.from({ length: 12 }, (_each, index) => ({
		title: `Far ${index}`,
		dateScheduled: dateIn((100 + index) * DAY_MS),
	}));
	const soon = ['A', 'B'].map((title) => ({ title, dateScheduled: dateIn(2 * HOUR_MS) }));
	service.seedEvents([...others, ...soon]);
	const options = { scheduledWithinDays: withinDays };
	const trigger = await activeTrigger({ service, parameters: { triggerOn: 'eventDeleted', options } });
	expect(await polls(trigger, 3)).toEqual([]);
	service.state.events = service.state.events.filter(({ title }) => title.startsWith('Far'));
	return trigger;
}

describe('Event Deleted with Scheduled Within Days, whose list still contains a dozen events', () => {
	it('reports the only two watched events as deleted after two polls', async () => {
		const trigger = await deleteBothWatched(1);
		expect((await polls(trigger, 6)).map(({ title }) => title).sort()).toEqual(['A', 'B']);
	});

	it('reports them at all', async () => {
		const trigger = await deleteBothWatched(0.5);
		const reported = await polls(trigger, 6);
		for (let hours = 1; hours <= 30; hours++)
			await clockAhead(hours * HOUR_MS, async () => {
				reported.push(...(await polls(trigger, 2)));
			});
		expect(reported.map(({ title }) => title).sort()).toEqual(['A', 'B']);
	});

	it('control: reports them when one watched event is left', async () => {
		const trigger = await deleteBothWatched(1);
		service.seedEvents([{ title: 'C', dateScheduled: dateIn(2 * HOUR_MS) }]);
		expect((await polls(trigger, 6)).map(({ title }) => title).sort()).toEqual(['A', 'B']);
	});
});

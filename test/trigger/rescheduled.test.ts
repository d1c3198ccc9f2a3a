import { clockAhead, DAY_MS, dateIn, HOUR_MS } from '../execution/clock';
import { activeTrigger } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { polls } from '../trigger/watchedPlan';

let service: RunningService;
serviceForEachTest((started) => (service = started));

/** The only watched event is moved to next month, stays there for 30 hours, and is moved back. */
async function movedAndBack(triggerOn: string, change = () => {}) {
	const others = Array.from({ length: 3 }, (_each, index) => ({
		title: `Far ${index}`,
		dateScheduled: dateIn((100 + index) * DAY_MS),
	}));
	service.seedEvents([...others, { title: 'A', dateScheduled: dateIn(3 * DAY_MS) }]);
	const trigger = await activeTrigger({
		service,
		parameters: { triggerOn, options: { scheduledWithinDays: 7 } },
	});
	expect(await polls(trigger, 3)).toEqual([]);
	const event = service.state.events.find(({ title }) => title === 'A');
	if (!event) throw new Error('not seeded');
	const before = event.dateScheduled;
	event.dateScheduled = dateIn(40 * DAY_MS);
	const reported = await polls(trigger, 2);
	for (let hours = 1; hours <= 30; hours++)
		await clockAhead(hours * HOUR_MS, async () => {
			reported.push(...(await polls(trigger, 1)));
		});
	event.dateScheduled = before;
	change();
	await clockAhead(31 * HOUR_MS, async () => {
		reported.push(...(await polls(trigger, 3)));
	});
	return reported;
}

it('Event Created does not report an old event again that was moved out of Scheduled Within Days and back', async () => {
	expect(await movedAndBack('eventCreated')).toEqual([]);
});

it('Event Status Changed reports that it ended meanwhile', async () => {
	const reported = await movedAndBack('eventStatusChanged', () => {
		service.setEventStatus(service.state.events.find(({ title }) => title === 'A')?.hash ?? '', 'ON_DEMAND');
	});
	expect(reported.map(({ status }) => status)).toEqual(['ON_DEMAND']);
});

it('Event Updated reports that it was renamed meanwhile', async () => {
	const reported = await movedAndBack('eventUpdated', () => {
		const event = service.state.events.find(({ title }) => title === 'A');
		if (event) event.title = 'B';
	});
	expect(reported.map(({ title }) => title)).toEqual(['B']);
});

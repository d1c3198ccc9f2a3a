import { dateIn, HOUR_MS } from '../execution/clock';
import { activeTrigger } from '../execution/pollNode';
import type { LiveEvent, RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { hashesOf } from './watchedPlan';

let service: RunningService;
serviceForEachTest((started) => (service = started));

/** What one poll needs that finds one change, in a plan of so many events of which 20 are around now and the others long past. */
async function costOfPoll(count: number, optionsFor: (plan: LiveEvent[]) => object = () => ({})) {
	const hours = [...Array(count).keys()].map((n) => (n < count - 20 ? n - count - 24 * 30 : n - count + 10));
	const plan = service.seedEvents(hours.map((hour) => ({ dateScheduled: dateIn(hour * HOUR_MS) })));
	const trigger = await activeTrigger({ service, parameters: { options: { ...optionsFor(plan) } } });
	await trigger.poll();
	const { hash = '' } = plan.at(-1) ?? {};
	service.setEventStatus(hash, 'LIVE');
	const before = service.requests.length;
	expect(hashesOf(await trigger.poll())).toEqual([hash]);
	return { requests: service.requests.length - before, stateBytes: Buffer.byteLength(trigger.saved()) };
}

it('a poll of 3,000 events requests each page once, and its state has at most 60 bytes for each event', async () => {
	const { requests, stateBytes } = await costOfPoll(3_000);
	// Pages of 100 events, the empty one after them, and page 0.
	expect(requests).toBeLessThanOrEqual(32);
	expect(stateBytes).toBeLessThanOrEqual(3_000 * 60);
});

it('the state of Scheduled Within Days contains the events of this range alone', async () => {
	const { stateBytes } = await costOfPoll(1_000, () => ({ scheduledWithinDays: 7 }));
	expect(stateBytes).toBeLessThanOrEqual(2_000);
});

it('a poll of two chosen events sends two requests', async () => {
	const chosen = (plan: LiveEvent[]) => ({ events: [plan[3]?.hash, plan.at(-1)?.hash] });
	expect(await costOfPoll(1_000, chosen)).toMatchObject({ requests: 2 });
});

import { pollCost } from './pollCost';

/** Pages of 100 events, the empty one after them, and page 0. */
const requestsFor = (events: number) => events / 100 + 2;

it('a poll of 10,000 events requests each page once, and its state has at most 60 bytes for each event', async () => {
	const { requests, stateBytes } = await pollCost(10_000, 'all');
	expect(requests).toBeLessThanOrEqual(requestsFor(10_000));
	expect(stateBytes).toBeLessThanOrEqual(10_000 * 60);
});

it('the state of Scheduled Within Days contains the events of this range alone', async () => {
	const { stateBytes } = await pollCost(1_000, 'window');
	expect(stateBytes).toBeLessThanOrEqual(2_000);
});

it('a poll of two chosen events sends two requests', async () => {
	expect(await pollCost(1_000, 'chosen')).toMatchObject({ requests: 2 });
});

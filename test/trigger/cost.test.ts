import { nearEvents, pollCost } from './pollCost';

const HISTORY = [1_000, 10_000];

/** Bytes that the state may have besides its events: names of fields, the target that it belongs to. */
const FRAME_BYTES = 200;

describe('one poll', () => {
	it.each(HISTORY)(
		'of all %i events requests each page once, the empty one after them, and the one before the first',
		async (events) => {
			const { requests, stateBytes } = await pollCost(events, 'all');

			expect(requests).toBe(events / 100 + 2);
			expect(stateBytes).toBeLessThanOrEqual(events * 20);
		},
	);

	it.each(HISTORY)('of those among %i events that are near sends two requests', async (events) => {
		const { requests, stateBytes } = await pollCost(events, 'window');

		expect(requests).toBe(2);
		expect(stateBytes).toBeLessThanOrEqual(nearEvents * 20 + FRAME_BYTES);
	});

	it.each(HISTORY)('of two chosen among %i events sends two requests', async (events) => {
		expect(await pollCost(events, 'chosen')).toMatchObject({ requests: 2 });
	});
});

import { activeTrigger, type ActiveTrigger } from '../execution/pollNode';
import { startService, type LiveEvent, type RunningService } from '../service';

const HISTORY = [100, 1_000, 10_000];
const NEAR_EVENTS = 20;

let service: RunningService;
const figures: Array<Record<string, string | number>> = [];

beforeEach(async () => {
	service = await startService();
});

afterEach(async () => {
	await service.close();
});

afterAll(() => {
	const lines = figures.map((figure) =>
		Object.entries(figure)
			.map(([name, value]) => `${name}: ${value}`)
			.join(', '),
	);
	process.stdout.write(`\nOne poll of the trigger\n  ${lines.join('\n  ')}\n`);
});

const inHours = (hours: number): Partial<LiveEvent> => ({
	dateScheduled: new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
});

/** A plan with some events around now and the others long past. */
function seedPlan(events: number): LiveEvent[] {
	const past = Array.from({ length: events - NEAR_EVENTS }, (_, number) => inHours(-24 * 30 - number));
	const near = Array.from({ length: NEAR_EVENTS }, (_, number) => inHours(number - NEAR_EVENTS / 2));
	return service.seedEvents([...past, ...near]);
}

async function pollAfterAChange(trigger: ActiveTrigger, event: LiveEvent | undefined): Promise<number> {
	service.setEventStatus(event?.hash ?? '', 'LIVE');
	const before = service.requests.length;
	expect(await trigger.poll()).toMatchObject([{ hash: event?.hash }]);
	return service.requests.length - before;
}

function note(events: number, option: string, requests: number, trigger: ActiveTrigger): number {
	const bytes = Buffer.byteLength(trigger.saved());
	figures.push({ events, option, 'requests per poll': requests, 'bytes of state': bytes });
	return bytes;
}

describe('one poll', () => {
	it.each(HISTORY)(
		'of all %i events asks for each page once, and for the empty one behind them',
		async (events) => {
			const plan = seedPlan(events);
			const trigger = await activeTrigger({ service });
			await trigger.poll();
			const requests = await pollAfterAChange(trigger, plan.at(-1));
			expect(requests).toBe(events / 100 + 1);
			expect(note(events, 'none', requests, trigger)).toBeLessThanOrEqual(events * 20);
		},
	);

	it.each(HISTORY)('of those among %i events that are near asks for one page', async (events) => {
		const plan = seedPlan(events);
		const trigger = await activeTrigger({ service, parameters: { options: { scheduledWithinDays: 7 } } });
		await trigger.poll();
		const requests = await pollAfterAChange(trigger, plan.at(-1));
		expect(requests).toBe(1);
		expect(note(events, 'Scheduled Within Days 7', requests, trigger)).toBeLessThanOrEqual(
			NEAR_EVENTS * 20 + 200,
		);
	});

	it.each(HISTORY)('of two chosen among %i events asks twice', async (events) => {
		const plan = seedPlan(events);
		const chosen = `${plan[3]?.hash},${plan.at(-1)?.hash}`;
		const trigger = await activeTrigger({ service, parameters: { options: { events: chosen } } });
		await trigger.poll();
		const requests = await pollAfterAChange(trigger, plan[3]);
		expect(requests).toBe(2);
		note(events, 'Events, two of them', requests, trigger);
	});
});

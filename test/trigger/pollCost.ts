import type { INodeParameters } from 'n8n-workflow';

import type { VideoHostingTrigger } from '../../nodes/VideoHosting/VideoHostingTrigger.node';
import { dateIn, HOUR_MS } from '../execution/clock';
import { activeTrigger } from '../execution/pollNode';
import { startService, type LiveEvent } from '../fakeService';

/** Events of a plan that are scheduled around now; all others are long past. */
export const nearEvents = 20;

/** Which events a trigger watches, as a person would set it. */
export const watched = {
	all: () => ({}),
	/** Scheduled Within Days. */
	window: () => ({ options: { scheduledWithinDays: 7 } }),
	/** Two hashes under Events: an old one and the newest. */
	chosen: (plan: LiveEvent[]) => ({ options: { events: `${plan[3]?.hash},${plan.at(-1)?.hash}` } }),
} satisfies Record<string, (plan: LiveEvent[]) => INodeParameters>;

export interface PollCost {
	requests: number;
	/** Of the static data, as JSON. */
	stateBytes: number;
}

/**
 * What one poll needs that finds one change, in a plan of so many events.
 *
 * @throws Error when the poll does not emit that one change
 */
export async function pollCost(
	events: number,
	watching: keyof typeof watched,
	nodeType?: VideoHostingTrigger,
): Promise<PollCost> {
	const service = await startService();
	try {
		const plan = service.seedEvents([...pastEvents(events - nearEvents), ...eventsAroundNow()]);
		const trigger = await activeTrigger({ service, nodeType, parameters: watched[watching](plan) });
		await trigger.poll();

		const hash = plan.at(-1)?.hash ?? '';
		service.setEventStatus(hash, 'LIVE');
		const before = service.requests.length;
		const emitted = await trigger.poll();
		if (emitted?.length !== 1 || emitted[0]?.hash !== hash) {
			throw new Error(`One change was made, and the poll emitted ${JSON.stringify(emitted)}`);
		}
		return { requests: service.requests.length - before, stateBytes: Buffer.byteLength(trigger.saved()) };
	} finally {
		await service.close();
	}
}

function pastEvents(count: number): Array<Partial<LiveEvent>> {
	return Array.from({ length: count }, (_, number) => inHours(-24 * 30 - count + number));
}

function eventsAroundNow(): Array<Partial<LiveEvent>> {
	return Array.from({ length: nearEvents }, (_, number) => inHours(number - nearEvents / 2));
}

const inHours = (hours: number): Partial<LiveEvent> => ({ dateScheduled: dateIn(hours * HOUR_MS) });

import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { activeTrigger, type ActiveTrigger } from '../execution/pollNode';
import { startService, type EventStatus, type LiveEvent, type RunningService } from '../fakeService';

/** A running service whose plan has 35 events on four pages, and what a test does with it. */
export interface WatchedPlan {
	service: RunningService;
	events: LiveEvent[];
	/** Sets the status of the events at these places and returns their hashes. */
	change(places: number[], status: EventStatus): string[];
	/** An active trigger that has recorded its silent baseline. */
	activated(parameters?: INodeParameters): Promise<ActiveTrigger>;
}

export async function startWatchedPlan(): Promise<WatchedPlan> {
	const service = await startService({ pageSizeCap: 10 });
	const events = service.seedEvents(35);
	return {
		service,
		events,
		change: (places, status) =>
			places.map((place) => {
				const hash = events[place]?.hash ?? '';
				service.setEventStatus(hash, status);
				return hash;
			}),
		activated: async (parameters) => {
			const trigger = await activeTrigger({ service, parameters });
			expect(await trigger.poll()).toBeNull();
			trigger.staticDataChanged();
			return trigger;
		},
	};
}

/** A status for the event at a place of the {@link WatchedPlan}. */
export const statusChange = fc.record({
	place: fc.nat({ max: 34 }),
	status: fc.constantFrom<EventStatus>('ON_DEMAND', 'WAITING_LIVE', 'LIVE'),
});

/** Checks that each change of a status is reported once. */
export class StatusReports {
	private readonly known: Map<string, EventStatus>;

	constructor(private readonly events: LiveEvent[]) {
		this.known = new Map(events.map(({ hash, status }) => [hash, status]));
	}

	/** @param items what a poll returned; must be the changes since the last check, and no other */
	check(items: unknown[] | null): void {
		const expected = this.events
			.filter(({ hash, status }) => this.known.get(hash) !== status)
			.map(({ hash, status }) => ({ hash, status, previousStatus: this.known.get(hash) }));
		expect(items ?? []).toMatchObject(expected);
		for (const { hash, status } of this.events) this.known.set(hash, status);
	}
}

export function hashesOf(items: Array<{ hash?: unknown }> | null): unknown[] | null {
	return items?.map(({ hash }) => hash) ?? null;
}

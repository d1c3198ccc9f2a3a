import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { activeTrigger, type ActiveTrigger } from '../execution/pollNode';
import { startService, type EventStatus, type LiveEvent, type RunningService } from '../fakeService';

/** A running service whose plan has 35 events on four pages, and what a test does with it. */
export interface WatchedPlan {
	service: RunningService;
	events: LiveEvent[];
	/** Sets the status of the events at these places and returns their hashes. */
	change(places: number[], status: EventStatus): string[];
	/** An active trigger whose first poll has reported nothing. */
	activated(parameters?: INodeParameters): Promise<ActiveTrigger>;
}

/** Starts such a service before each test of a file, and closes it after the test. */
export function watchedPlanForEachTest(assign: (plan: WatchedPlan) => void): void {
	let service: RunningService;
	beforeEach(async () => {
		service = await startService({ pageSizeCap: 10 });
		assign(planOf(service, service.seedEvents(35)));
	});
	afterEach(async () => {
		await service.close();
	});
}

function planOf(service: RunningService, events: LiveEvent[]): WatchedPlan {
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
			return trigger;
		},
	};
}

export function hashesOf(items: Array<{ hash?: unknown }> | null): unknown[] | null {
	return items?.map(({ hash }) => hash) ?? null;
}

/** The items of so many polls. */
export async function polls(trigger: ActiveTrigger, times: number): Promise<IDataObject[]> {
	const items: IDataObject[] = [];
	for (let poll = 0; poll < times; poll++) items.push(...((await trigger.poll()) ?? []));
	return items;
}

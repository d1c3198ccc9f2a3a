import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { activeTrigger, type ActiveTrigger, type TriggerSetup } from '../execution/pollNode';
import { service } from '../fakeService/serviceForEachTest';

/** An active trigger whose first poll has reported nothing. */
export async function watching(
	parameters: INodeParameters = {},
	more: Partial<TriggerSetup> = {},
): Promise<ActiveTrigger> {
	const trigger = await activeTrigger({ service, parameters, ...more });
	expect(await trigger.poll()).toBeNull();
	return trigger;
}

/** The items of so many polls. */
export async function polls(trigger: ActiveTrigger, times: number): Promise<IDataObject[]> {
	const items: IDataObject[] = [];
	for (let poll = 0; poll < times; poll++) items.push(...((await trigger.poll()) ?? []));
	return items;
}

/** Begins a poll, and returns once its first request has arrived. */
export async function beginPoll(trigger: ActiveTrigger) {
	service.injectFault({ kind: 'delay', on: 'eventSearchAll', ms: 300 });
	const before = service.requestsOf('eventSearchAll').length;
	const running = trigger.poll();
	await service.until(() => service.requestsOf('eventSearchAll').length > before);
	return { running };
}

export function hashesOf(items: Array<{ hash?: unknown }> | null): unknown[] | null {
	return items?.map(({ hash }) => hash) ?? null;
}

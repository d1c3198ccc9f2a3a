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

export function hashesOf(items: Array<{ hash?: unknown }> | null): unknown[] | null {
	return items?.map(({ hash }) => hash) ?? null;
}

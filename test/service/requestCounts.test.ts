import type { INodeParameters } from 'n8n-workflow';

import { by, run } from '../actions/run';
import { activeTrigger } from '../execution/pollNode';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';

/** How many requests a user waits for, with the sign-in (L1, L3, L4). */
serviceForEachTest();

const numbers = (length: number, from = 0) => [...Array(length).keys()].map((n) => n + from);
/** Runs an operation for items with these names, and counts its requests. */
async function requestsFor(names: string[], parameters: INodeParameters): Promise<number> {
	const output = await run(parameters, { items: names.map((name) => ({ json: { name } })) });
	expect(output).toHaveLength(names.length);
	return service.requests.length;
}
const NAME = '={{ $json.name }}';

it.each([
	['the record', 'record', 35],
	['no record', 'success', 45],
] as const)('20 events with Skip If Exists among 1,000; answer: %s', async (_what, writeResponse, most) => {
	service.settings.writeResponse = writeResponse;
	service.seedEvents(1_000);
	const titles = numbers(20).map((n) => `New ${n}`);
	const event = { title: NAME, dateScheduled: '2031-01-01 10:00:00', options: { skipIfExists: true } };
	const count = await requestsFor(titles, { resource: 'event', operation: 'create', ...event });
	expect(count).toBeLessThanOrEqual(most);
	expect(service.state.events).toHaveLength(1_020);
});

it('Folder → Delete of 20 folders of 100 By Name', async () => {
	const names = service
		.seedFolders(numbers(100).map((n) => ({ name: `Folder ${n}` })))
		.map(({ name }) => name);
	const remove = { resource: 'folder', operation: 'delete', folder: by('name', NAME) };
	expect(await requestsFor(names.slice(40, 60), remove)).toBeLessThanOrEqual(45);
	expect(service.state.folders).toHaveLength(80);
});

it('A poll reads each page of 100 events once, page 0, and the one after the last', async () => {
	service.seedEvents(4_000);
	const trigger = await activeTrigger({ service });
	await trigger.poll();
	expect(service.requestsOf('eventSearchAll')).toHaveLength(40 + 2);
});

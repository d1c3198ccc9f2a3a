import type { INodeParameters } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import { activeTrigger } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

/** The service's own error, whose form docs/api-reference.md#what-is-not-documented leaves open for these operations. */
const NOT_FOUND = { kind: 'status', status: 404, body: '{"message":"Event not found"}' } as const;
const run = async (parameters: INodeParameters) =>
	await executeForJson({ service, parameters, onError: 'continueRegularOutput' });

it('Get Many reads a list of videos whose page behind the last one is refused in JSON', async () => {
	service.seedVideos(5);
	service.injectFault({
		...{ on: 'videoList', kind: 'status', status: 404, body: '{"message":"Page not found"}' },
		...{ skip: 1, every: 2, times: 50 },
	});
	const output = await run({ resource: 'video', operation: 'getAll', returnAll: true });
	expect([output[0]?.error, output.length]).toEqual([undefined, 5]);
});

it('A trigger of two events still watches the other one when one of them was deleted', async () => {
	const events = service.seedEvents(2);
	const trigger = await activeTrigger({
		service,
		parameters: {
			triggerOn: 'eventStatusChanged',
			options: { events: events.map(({ hash }) => hash) },
		},
	});
	expect(await trigger.poll()).toBeNull();
	trigger.staticDataChanged();
	const [gone, other] = events;
	service.state.events = service.state.events.filter(({ hash }) => hash !== gone?.hash);
	service.setEventStatus(other?.hash ?? '', 'LIVE');
	service.injectFault({
		on: 'eventSearchByHash',
		...NOT_FOUND,
		skip: Number(events.map(({ hash }) => hash).sort()[0] !== gone?.hash),
	});
	expect((await trigger.poll())?.map(({ hash }) => hash)).toEqual([other?.hash]);
});

it('Event Deleted reports an event that the list and its own record no longer have', async () => {
	const events = service.seedEvents(3);
	const trigger = await activeTrigger({ service, parameters: { triggerOn: 'eventDeleted' } });
	const items: unknown[] = [];
	for (let poll = 0; poll < 2; poll++) items.push(...((await trigger.poll()) ?? []));
	service.state.events = service.state.events.slice(1);
	service.injectFault({ on: 'eventSearchByHash', ...NOT_FOUND, times: 99 });
	for (let poll = 0; poll < 5; poll++) items.push(...((await trigger.poll()) ?? []).map(({ hash }) => hash));
	expect(items).toEqual([events[0]?.hash]);
});

it('An event that a person deleted is created again', async () => {
	const create: INodeParameters = {
		...{ resource: 'event', operation: 'create', title: 'A', dateScheduled: '2030-01-01 10:00:00' },
		options: { skipIfExists: true },
	};
	await run(create);
	service.state.events = [];
	service.injectFault({ on: 'eventSearchByHash', ...NOT_FOUND, times: 99 });
	const [json] = await run(create);
	expect([json?.error, service.state.events.length]).toEqual([undefined, 1]);
});

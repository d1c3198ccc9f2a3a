import type { INodeParameters } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import { activeTrigger } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

/** The service's own 404, whose form docs/api-reference.md#what-is-not-documented leaves open for these operations. */
const BODIES = [
	'{"error":"Not found, or deleted/expired","url":"https://example.com/help","path":"hash"}',
	'{"error":"Event or page not found","stack":"Error\\n at Route.dispatch (/app/node_modules/express/route.js:1)"}',
	'{"error":"Not found","links":{"help":"https://example.com/v1/help"}}',
	'{"statusCode":404,"error":"Event or page not found","path":"/v1/events/searchByHash"}',
	'{"error":"No event in the plan 2025/26, or no page 2/1. See https://example.com/docs"}',
	'{"message":"Event not found"}',
	'{"message":"Not found"}',
	'{"detail":"Invalid page."}',
	'{"statusCode":404,"message":"Not Found"}',
];
const run = async (parameters: INodeParameters) =>
	await executeForJson({ service, parameters, onError: 'continueRegularOutput' });

describe.each(BODIES)('A service that answers 404 %s for what it does not have', (body) => {
	const notFound = { kind: 'status', status: 404, body } as const;

	it('lists its videos although the page behind the last one is such an answer', async () => {
		service.seedVideos(5);
		service.injectFault({ on: 'videoList', ...notFound, skip: 1, every: 2, times: 50 });
		const output = await run({ resource: 'video', operation: 'getAll', returnAll: true });
		expect([output[0]?.error, output.length]).toEqual([undefined, 5]);
	});

	it('lets an event that a person deleted be created again', async () => {
		const create: INodeParameters = {
			...{ resource: 'event', operation: 'create', title: 'A', dateScheduled: '2030-01-01 10:00:00' },
			options: { skipIfExists: true },
		};
		await run(create);
		service.state.events = [];
		service.injectFault({ on: 'eventSearchByHash', ...notFound, times: 99 });
		const [json] = await run(create);
		expect([json?.error, service.state.events.length]).toEqual([undefined, 1]);
	});

	it('has its deleted events reported', async () => {
		const events = service.seedEvents(3);
		const trigger = await activeTrigger({ service, parameters: { triggerOn: 'eventDeleted' } });
		for (let poll = 0; poll < 2; poll++) await trigger.poll();
		service.state.events = service.state.events.slice(1);
		service.injectFault({ on: 'eventSearchByHash', ...notFound, times: 99 });
		const items: unknown[] = [];
		for (let poll = 0; poll < 12; poll++)
			items.push(...((await trigger.poll()) ?? []).map(({ hash }) => hash));
		expect(items).toEqual([events[0]?.hash]);
	});

	it('does not stop a trigger of two events, of which one was deleted', async () => {
		const events = service.seedEvents(2);
		const trigger = await activeTrigger({
			service,
			parameters: { triggerOn: 'eventStatusChanged', options: { events: events.map(({ hash }) => hash) } },
		});
		expect(await trigger.poll()).toBeNull();
		trigger.staticDataChanged();
		const [gone, other] = events;
		service.state.events = service.state.events.filter(({ hash }) => hash !== gone?.hash);
		service.setEventStatus(other?.hash ?? '', 'LIVE');
		service.injectFault({
			...{ on: 'eventSearchByHash', ...notFound },
			skip: Number(events.map(({ hash }) => hash).sort()[0] !== gone?.hash),
		});
		expect((await trigger.poll())?.map(({ hash }) => hash)).toEqual([other?.hash]);
	});
});

import type { INodeParameters } from 'n8n-workflow';

import { executeForJson, itemWithFile } from '../execution/executeNode';
import { activeTrigger } from '../execution/pollNode';
import type { OperationName, RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { polls } from '../trigger/watchedPlan';
import { shortenPauses } from '../upload/uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

const paths: Partial<Record<OperationName, string>> = {
	eventSearchByHash: 'v1/events/searchByHash',
	videoEdit: 'v1/videos/editVideo/x/plan-1001',
};
/** What gateways send while a route is missing, such as during a deployment. */
const FORMS: Array<[string, (path: string) => object]> = [
	['Laravel', (path) => ({ message: `The route ${path} could not be found.` })],
	['Express', (path) => ({ message: `Cannot GET /${path}` })],
	['Express behind /v1', (path) => ({ message: `Cannot GET ${path.slice(2)}` })],
	['Spring 6', (path) => ({ detail: `No static resource ${path}.` })],
	['Symfony', (path) => ({ message: `No route found for "GET https://api.example.com/${path}"` })],
	['APISIX', () => ({ error_msg: '404 Route Not Found' })],
	[
		'Apigee',
		(path) => ({ fault: { faultstring: `Unable to identify proxy for host: default and url: /${path}` } }),
	],
	['problem details', (path) => ({ title: 'Not Found', status: 404, instance: `/${path}` })],
	['a page', (path) => ({ message: 'Page not found', path: `/${path}` })],
	['Rails', (path) => ({ exception: `No route matches [GET] "/${path}"` })],
	['a list of errors', (path) => ({ errors: [`Cannot GET /${path}`] })],
	['a request URI', (path) => ({ message: 'Not Found', requestUri: `/${path}` })],
	['a route of a name', () => ({ error: 'Route Not Found', message: 'Route [events] not defined.' })],
	['Kong', () => ({ message: 'no Route matched with those values' })],
	[
		'Spring Cloud Gateway',
		(path) => ({ timestamp: '2026-11-22T16:00:00Z', path: `/${path}`, status: 404, error: 'Not Found' }),
	],
	['NestJS', (path) => ({ statusCode: 404, message: `Cannot GET /${path}`, error: 'Not Found' })],
];

const fault = (on: OperationName, form: (path: string) => object, times = 1) =>
	service.injectFault({
		on,
		kind: 'status',
		status: 404,
		times,
		body: JSON.stringify(form(paths[on] ?? '')),
	});

describe.each(FORMS)('JSON of %s about its routes is no answer of the service', (_name, form) => {
	it('that an event of a late list is gone, so that it is created twice', async () => {
		const parameters: INodeParameters = {
			...{ resource: 'event', operation: 'create', title: 'A', dateScheduled: '2030-01-01 10:00:00' },
			options: { skipIfExists: true },
		};
		const run = async () => await executeForJson({ service, parameters, onError: 'continueRegularOutput' });
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body: '[]', times: 99 });
		await run();
		fault('eventSearchByHash', form);
		await run();
		expect(service.state.events).toHaveLength(1);
	});

	it('that an event, which a list leaves out, was deleted', async () => {
		service.seedEvents(3);
		const trigger = await activeTrigger({ service, parameters: { triggerOn: 'eventDeleted' } });
		expect(await polls(trigger, 2)).toEqual([]);
		service.injectFault({ on: 'eventSearchAll', kind: 'shortList', records: 2, times: 99 });
		fault('eventSearchByHash', form, 99);
		expect(await polls(trigger, 4)).toEqual([]);
	});

	it('that the video of an upload is deleted, so that the file is sent again', async () => {
		const run = async () =>
			await executeForJson({
				...{ service, parameters: { resource: 'upload', operation: 'upload', options: { title: 'T' } } },
				items: [await itemWithFile(Buffer.from('a video'), { fileName: 'a.mp4', mimeType: 'video/mp4' })],
				onError: 'continueRegularOutput',
			});
		fault('videoEdit', form);
		await run();
		await run();
		expect(service.state.videos).toHaveLength(1);
	});
});

import type { INodeParameters } from 'n8n-workflow';

import { executeForJson, itemWithFile } from '../execution/executeNode';
import { activeTrigger } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { polls } from '../trigger/watchedPlan';
import { shortenPauses } from '../upload/uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

/** Of an API gateway (Kong), which has no field `error`: its routes are being changed. */
const NO_ROUTE = {
	kind: 'status',
	status: 404,
	body: '{"message":"no Route matched with those values"}',
} as const;
const plain: INodeParameters = {
	...{ resource: 'event', operation: 'create', title: 'A', dateScheduled: '2030-01-01 10:00:00' },
};

describe("A gateway's JSON without a field error is no answer of the service", () => {
	it('that an event of a late list is gone', async () => {
		const run = async () =>
			await executeForJson({
				...{ service, parameters: { ...plain, options: { skipIfExists: true } } },
				onError: 'continueRegularOutput',
			});
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body: '[]', times: 99 });
		await run();
		service.injectFault({ on: 'eventSearchByHash', ...NO_ROUTE });
		await run();
		expect(service.state.events).toHaveLength(1);
	});

	it('that an event, which a list leaves out twice, was deleted', async () => {
		service.seedEvents(3);
		const trigger = await activeTrigger({ service, parameters: { triggerOn: 'eventDeleted' } });
		expect(await polls(trigger, 2)).toEqual([]);
		service.injectFault({ on: 'eventSearchAll', kind: 'shortList', records: 2, times: 99 });
		service.injectFault({ on: 'eventSearchByHash', ...NO_ROUTE, times: 99 });
		expect(await polls(trigger, 4)).toEqual([]);
	});

	it('that the video of an upload is deleted, so that the file is sent again', async () => {
		const run = async () =>
			await executeForJson({
				...{ service, parameters: { resource: 'upload', operation: 'upload', options: { title: 'T' } } },
				items: [await itemWithFile(Buffer.from('a video'), { fileName: 'a.mp4', mimeType: 'video/mp4' })],
				onError: 'continueRegularOutput',
			});
		service.injectFault({ on: 'videoEdit', ...NO_ROUTE });
		await run();
		await run();
		expect(service.state.videos).toHaveLength(1);
	});
});

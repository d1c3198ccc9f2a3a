import { retryPolicy } from '../../../nodes/VideoHosting/shared/retryPolicy';
import { executeForJson, itemWithFile } from '../../execution/executeNode';
import { runWorkflow } from '../../execution/runWorkflow';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { shortenPauses } from '../uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

const upload = { resource: 'upload', operation: 'upload', options: { returnVideo: false } };
const reserve = { resource: 'upload', operation: 'create', fileName: 'a.mp4', size: 10 };
const item = async () =>
	await itemWithFile(Buffer.alloc(500, 'a'), { fileName: 'a.mp4', mimeType: 'video/mp4' });

it.each([500, 503])(
	'The slot is waited for although the service refused the upload with %i before',
	async (status) => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status, error: 'Service unavailable' });
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, error: 'Too many', times: 2 });
		const output = await executeForJson({ service, parameters: upload, items: [await item()] });
		expect(output).toMatchObject([{ complete: true }]);
	},
);

it('Another try follows when the service refused the upload in all tries of the first one', async () => {
	const { tries } = retryPolicy;
	service.injectFault({
		on: 'uploadCreate',
		kind: 'status',
		status: 503,
		error: 'Maintenance',
		times: tries,
	});
	const { result } = await runWorkflow({
		...{ service, parameters: upload, rounds: [[await item()]] },
		settings: { retryOnFail: true },
	});
	expect(result.status).toBe('success');
});

it.each([upload, reserve])(
	'An upload that was created without an ID is not created again: %j',
	async (parameters) => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 201, body: '', times: 99 });
		await runWorkflow({
			...{ service, parameters, rounds: [[await item()]] },
			settings: { retryOnFail: true, maxTries: 5 },
		});
		expect(service.requestsOf('uploadCreate')).toHaveLength(1);
	},
);

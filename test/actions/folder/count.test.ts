import { executeForJson } from '../../execution/executeNode';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

it('returns no secret that the service adds to the count', async () => {
	const body = JSON.stringify({ folders: 3, plan: { id: 'plan-1001', secret: 'plan-secret-7Qm2' } });
	service.injectFault({
		on: 'folderTotal',
		kind: 'status',
		status: 200,
		body,
		headers: { 'content-type': 'application/json' },
	});
	const output = await executeForJson({ service, parameters: { resource: 'folder', operation: 'count' } });
	expect(JSON.stringify(output)).not.toContain('plan-secret-7Qm2');
});

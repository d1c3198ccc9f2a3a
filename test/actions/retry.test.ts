import type { INodeExecutionData } from 'n8n-workflow';

import { runWorkflow } from '../execution/runWorkflow';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const create = { resource: 'folder', operation: 'create', name: '={{ $json.name }}' };
const named = (...names: string[]): INodeExecutionData[] => names.map((name) => ({ json: { name } }));

it('A retry continues at the failed item', async () => {
	service.injectFault({ on: 'folderCreate', kind: 'status', status: 500, skip: 2 });
	const { runs, result } = await runWorkflow({ service, parameters: create, rounds: [named('a', 'b', 'c', 'd')], settings: { retryOnFail: true } });
	console.log(JSON.stringify(result.data.resultData.error), JSON.stringify(runs, null, 1).slice(0, 3000));
	expect(service.state.folders.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
});

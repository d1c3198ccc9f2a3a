import type { INodeParameters } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import { by } from '../execution/locator';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';

serviceForEachTest();
beforeEach(() => {
	service.seedVideos([{ name: 'Clip' }, { name: 'Talk' }]);
});

/** What Get Many of videos returns when a model fills in a filter with a value. */
async function found(filters: INodeParameters, filledIn: string | null): Promise<unknown[]> {
	const parameters = { resource: 'video', operation: 'getAll', filters };
	// n8n keeps what the model filled in as the JSON of the tool's input.
	const records = await executeForJson({
		service,
		parameters,
		items: [{ json: { query: { value: filledIn } } }],
	});
	return records.map(({ name }) => name);
}

describe('A filter that an AI model fills in', () => {
	it.each<[string, INodeParameters]>([
		['a name', { name: "={{ $fromAI('value') }}" }],
		[
			'a date',
			{ initialDate: "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('value', ``, 'string') }}" },
		],
		['a folder', { folder: by('name', "={{ $fromAI('value') }}") }],
		['a name in another spelling', { name: "={{ $fromai('value') }}" }],
	])('counts as not added while it is empty: %s', async (_what, filters) => {
		for (const empty of ['', ' ', null]) expect(await found(filters, empty)).toEqual(['Clip', 'Talk']);
	});

	it('counts when it is filled', async () => {
		expect(await found({ name: "={{ $fromAI('value') }}" }, 'Talk')).toEqual(['Talk']);
	});

	it('of anyone else is an error while it is empty', async () => {
		await expect(found({ name: '={{ $json.query.value }}' }, '')).rejects.toThrow('is empty');
	});
});

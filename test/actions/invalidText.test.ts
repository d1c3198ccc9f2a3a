import { executeForJson } from '../execution/executeNode';
import { by } from '../execution/locator';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const run = async (parameters: Parameters<typeof executeForJson>[0]['parameters']) =>
	await executeForJson({ service, parameters }).then(
		() => 'success',
		(error: Error) => error.message,
	);

it.each([
	['video', { resource: 'video', operation: 'delete', video: by('hash', 'abc\ud800') }],
	[
		'plan',
		{ resource: 'video', operation: 'delete', options: { planId: 'plan\udc00' }, video: by('hash', 'abc') },
	],
	['event', { resource: 'event', operation: 'get', event: by('hash', 'abc\ud800') }],
])('half a character in the ID of a %s is named in the message', async (_what, parameters) => {
	expect(await run(parameters)).toMatch(/Video|Plan|Event/);
	expect(service.requests.filter(({ operation }) => operation !== 'authenticate')).toEqual([]);
});

it('null as the new description of a folder does not remove the description', async () => {
	const [folder] = service.seedFolders([{ name: 'Concerts', description: 'All concerts' }]);
	await run({
		resource: 'folder',
		operation: 'update',
		folder: by('uuid', folder?.uuid ?? ''),
		updateFields: { name: 'Concerts 2026', description: '={{ null }}' },
	});
	expect(service.state.folders[0]?.description).toBe('All concerts');
});

import { by, run } from '../actions/run';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { hashesOf, watching } from '../trigger/polling';
import { upload } from '../upload/uploading';

/** In which folder a video is: one question of Skip If Exists (U8), Get Many and Video Added. */
serviceForEachTest();

/** The only listed folder. */
const chosenFolder = () => by('uuid', service.seedFolders([{ name: 'Webinars' }])[0]?.uuid ?? '');

describe.each([
	['in no folder, which its record shows as 0', { folder_id: 0 }],
	['in a folder without a name', { folder_name: '' }],
	['in no folder', { folder: null }],
	['in a folder of empty fields', { gallery: { uuid: null, name: '' } }],
	['in a folder that is not listed', { folder_id: 99 }],
	['in a folder that is not listed, by its name', { folder: 'Elsewhere' }],
	[
		'in a folder that is not listed, and has the name of a listed one',
		{ folder: { id: 99, name: 'Webinars' } },
	],
])('A video %s', (_what, shown) => {
	const record = { hash: 'v1', name: 'keynote.mp4', created_date: new Date().toISOString(), ...shown };

	it('A video elsewhere is no reason to skip a file for another folder (U8)', async () => {
		const folder = chosenFolder();
		answer('videoList', [record]);
		const { output } = await upload(service, { parameters: { folder }, options: { skipIfExists: true } });
		expect(output).toMatchObject({ skipped: false });
	});

	it('A video elsewhere is not in the folder that Get Many is about', async () => {
		const folder = chosenFolder();
		answer('videoList', [record]);
		expect(
			await run({ resource: 'video', operation: 'getAll', returnAll: true, filters: { folder } }),
		).toEqual([]);
	});

	it('A video elsewhere does not keep the trigger from watching an empty folder (T1, T2)', async () => {
		const [folder] = service.seedFolders([{ name: 'Webinars' }]);
		const chosen = by('uuid', folder?.uuid ?? '');
		answer('videoList', [record], { times: 1, query: { page: '1' } });
		answer('videoList', [], { times: 1, query: { page: '2' } });
		const trigger = await watching({ triggerOn: 'videoAdded', options: { folder: chosen } });
		const added = { ...record, hash: 'v2', folder_id: folder?.id, folder: undefined };
		answer('videoList', [added, record], { query: { page: '1' } });
		answer('videoList', [], { query: { page: '2' } });
		expect(hashesOf(await trigger.poll())).toEqual(['v2']);
	});
});

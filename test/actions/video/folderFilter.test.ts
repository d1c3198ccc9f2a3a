import { executeForJson, executeNode } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const getAll = { resource: 'video', operation: 'getAll', returnAll: true };

describe('Video → Get Many with the filter Folder', () => {
	it.each(['uuid', 'name', 'list'] as const)('returns the videos of the folder: %s', async (mode) => {
		const [webinars, other] = service.seedFolders([{ name: 'Webinars' }, { name: 'Other' }]);
		const folders = [null, webinars?.uuid, other?.uuid];
		service.seedVideos(
			[...Array(60).keys()].map((n) => ({ hash: `video-${n}`, folder: folders[n % 3] ?? null })),
		);
		const folder = by(mode, mode === 'name' ? 'Webinars' : (webinars?.uuid ?? ''));
		const all = await executeForJson({ service, parameters: { ...getAll, filters: { folder } } });
		expect(all.map(({ hash }) => hash).sort()).toEqual(
			[...Array(20).keys()].map((n) => `video-${3 * n + 1}`).sort(),
		);
		const limited = { ...getAll, returnAll: false, limit: 7, filters: { folder } };
		expect(await executeForJson({ service, parameters: limited })).toHaveLength(7);
	});

	it('says so when no record contains a folder, and where to look', async () => {
		const [folder] = service.seedFolders([{ name: 'Webinars' }]);
		service.injectFault({
			on: 'videoList',
			kind: 'status',
			status: 200,
			body: '[{"hash":"a","name":"a"}]',
			headers: { 'Content-Type': 'application/json' },
			times: 9,
		});
		const filters = { folder: by('uuid', folder?.uuid ?? '') };
		await expect(executeNode({ service, parameters: { ...getAll, filters } })).rejects.toMatchObject({
			message:
				'The records of the videos do not contain their folder, so the filter Folder cannot be applied',
			description: expect.stringContaining('folder_uuid') as string,
		});
	});

	it.each([
		[by('uuid', '6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b'), /^The application has no folder with the UUID 6a2f/],
		[by('name', 'Missing'), /^The application has no folder with the name "Missing"/],
		[by('name', ''), /^Folder is empty/],
	])('is an error for a folder that does not exist or is not named: %j', async (folder, message) => {
		service.seedVideos(3);
		const run = executeNode({ service, parameters: { ...getAll, filters: { folder } } });
		await expect(run).rejects.toThrow(message);
	});

	it('returns all videos when none is chosen From List', async () => {
		service.seedVideos(3);
		const parameters = { ...getAll, filters: { folder: by('list', '') } };
		expect(await executeForJson({ service, parameters })).toHaveLength(3);
	});
});

import { executeForJson } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

describe('Disk Usage → Get for Application', () => {
	const parameters = { resource: 'diskUsage', operation: 'getApplication' };

	it('requests the usage of the application', async () => {
		service.seedVideos([{ size: 3 }, { size: 4 }]);
		const output = await executeForJson({ service, parameters });
		const [sent] = service.requestsOf('diskUsageByApplication');
		expect(sent).toMatchObject({
			method: 'GET',
			path: '/v1/videos/diskusagebyapp',
			query: {},
			body: undefined,
			status: 200,
		});
		expect(sent?.headers['content-type']).toBe('application/json');
		expect(output).toEqual([
			{ applicationId: service.credential.applicationId, diskUsage: 7, diskUsageReadable: '7 B', videos: 2 },
		]);
	});

	it('returns a bare number as result', async () => {
		service.settings.diskUsageShape = 'number';
		service.seedVideos([{ size: 9 }]);
		expect(await executeForJson({ service, parameters })).toEqual([{ result: 9 }]);
	});
});

describe('Disk Usage → Get for Folder', () => {
	it('requests the usage of one folder', async () => {
		const [folder] = service.seedFolders([{ name: 'Concerts' }]);
		service.seedVideos([{ size: 5, folder: folder?.uuid }, { size: 6 }]);
		const [output] = await executeForJson({
			service,
			parameters: { resource: 'diskUsage', operation: 'getFolder', folder: by('uuid', folder?.uuid ?? '') },
		});
		const [sent] = service.requestsOf('diskUsageByFolder');
		expect(sent).toMatchObject({
			method: 'GET',
			path: `/v1/videos/diskusagebyfolderandvideo/${folder?.uuid}`,
			query: {},
			body: undefined,
			status: 200,
		});
		expect(sent?.headers['content-type']).toBe('application/json');
		expect(output).toMatchObject({ folder: 'Concerts', diskUsage: 5 });
	});
});

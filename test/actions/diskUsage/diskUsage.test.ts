import { answer, service, serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { run } from '../run';

serviceForEachTest();

const ofFolders = { resource: 'diskUsage', operation: 'getFolders' };

it.each([
	[{ disk_usage: 999_500 }, { disk_usage: 999_500, disk_usage_readable: '1 MB' }],
	[{ videos: [{ size: 1500 }] }, { videos: [{ size: 1500, sizeReadable: '1.5 kB' }] }],
	[{ diskUsageInBytes: '1500' }, { diskUsageInBytes: '1500', diskUsageInBytesReadable: '1.5 kB' }],
	[{ size: -7, usage: 1.5, diskUsageMb: 5, videos: 2 }, undefined],
	[{ diskUsage: 5, diskUsageReadable: 'five' }, undefined],
	[
		{ total: 1500, unit: 'B' },
		{ total: 1500, totalReadable: '1.5 kB', unit: 'B' },
	],
	[
		{ total: 3, size: 1500 },
		{ total: 3, size: 1500, sizeReadable: '1.5 kB' },
	],
	[{ usage: 126, unit: 'MB' }, undefined],
	[{ totalBytes: '9223372036854775807' }, undefined],
	[7, { result: 7 }],
])('The disk usage %j comes with a readable text next to each number of bytes', async (body, output) => {
	answer('diskUsageByApplication', body);
	expect(await run({ resource: 'diskUsage', operation: 'getApplication' })).toEqual([output ?? body]);
});

it('Disk Usage → Get for All Folders returns one item for each folder up to Limit, with its UUID and name', async () => {
	const folders = service.seedFolders([{ name: 'Concerts' }, { name: 'Webinars' }, { name: 'Empty' }]);
	service.seedVideos([{ size: 126_000_000, folder: folders[0]?.uuid }]);
	const items = [{ json: {} }, { json: {} }];
	const output = await run({ ...ofFolders, limit: 2 }, { items });
	expect(output.slice(0, 2)).toMatchObject([
		{ uuid: folders[0]?.uuid, name: 'Concerts', diskUsage: 126_000_000, diskUsageReadable: '126 MB' },
		{ uuid: folders[1]?.uuid, name: 'Webinars', diskUsage: 0, diskUsageReadable: '0 B' },
	]);
	expect(output).toHaveLength(4);
	expect(service.requestsOf('folderList')).toHaveLength(1);
});

it('A folder that is listed without a UUID is an error, not the disk usage of the application', async () => {
	answer('folderList', [{ name: 'Concerts' }]);
	await expect(run(ofFolders)).rejects.toThrow('The record of the folder "Concerts" contains no UUID');
});

it('A folder whose disk usage cannot be read is one error beside the others, and a deleted one is left out', async () => {
	const [first, broken, , last] = service.seedFolders(4);
	const { uuid, name } = broken ?? {};
	const message = `The disk usage of the folder "${name}" (${uuid}) could not be read. No.`;
	const fail = (status: number, skip: number) =>
		service.injectFault({ on: 'diskUsageByFolder', kind: 'status', status, error: 'No', skip });
	fail(400, 1);
	await expect(run(ofFolders)).rejects.toThrow(message);
	fail(400, 1);
	fail(404, 2);
	const output = await run(ofFolders, { items: [{ json: { a: 1 } }], onError: 'continueRegularOutput' });
	expect(output).toMatchObject([
		{ uuid: first?.uuid, diskUsage: 0 },
		{ a: 1, error: { uuid, name, message } },
		{ uuid: last?.uuid, diskUsage: 0 },
	]);
});

import { runWorkflow } from '../../execution/runWorkflow';
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

it('The error of a folder whose disk usage cannot be read names the folder', async () => {
	const [, folder] = service.seedFolders(2);
	service.injectFault({ on: 'diskUsageByFolder', kind: 'status', status: 400, error: 'No', skip: 1 });
	await expect(run(ofFolders)).rejects.toThrow(
		`The disk usage of the folder "${folder?.name}" (${folder?.uuid}) could not be read. No.`,
	);
});

it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'A folder whose disk usage cannot be read is one error beside the others, and a deleted one is left out (%s)',
	async (onError) => {
		const [first, broken, , last] = service.seedFolders(4);
		service.injectFault({ on: 'diskUsageByFolder', kind: 'status', status: 400, error: 'No', skip: 1 });
		service.injectFault({ on: 'diskUsageByFolder', kind: 'status', status: 404, error: 'Gone', skip: 2 });
		const { runs } = await runWorkflow({
			service,
			parameters: ofFolders,
			rounds: [[{ json: { a: 1 } }]],
			settings: { onError },
		});
		const [regular = [], failed = []] = runs[0]?.data?.main ?? [];
		const error = {
			uuid: broken?.uuid,
			name: broken?.name,
			message: expect.stringContaining('No') as string,
		};
		const items = [first, last].map((folder) => expect.objectContaining({ uuid: folder?.uuid }) as object);
		const isRouted = onError === 'continueErrorOutput';
		const failures = (isRouted ? failed : regular)?.map(({ json }) => json).filter((json) => json.error);
		expect(failures).toMatchObject([{ a: 1, error }]);
		expect(regular?.map(({ json }) => json).filter((json) => !json.error)).toEqual(items);
	},
);

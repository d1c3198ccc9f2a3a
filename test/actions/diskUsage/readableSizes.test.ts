import { withReadableSizes } from '../../../nodes/VideoHosting/actions/diskUsage/readableSizes';
import { formatBytes } from '../../../nodes/VideoHosting/shared/formatBytes';
import { executeForJson, executeNode } from '../../execution/executeNode';
import { fc } from '../../execution/generated';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

describe('The readable form of a number of bytes', () => {
	it.each([
		[0, '0 B'],
		[1000, '1 kB'],
		[999_499, '999 kB'],
		[999_500, '1 MB'],
		[0.4, '0.4 B'],
		[Number.MAX_SAFE_INTEGER, '9.01 PB'],
	])('%i is %s', (bytes, text) => {
		expect(formatBytes(bytes)).toBe(text);
	});

	it('is within half a percent of the number', () => {
		const factors: Record<string, number> = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15 };
		fc.assert(
			fc.property(fc.maxSafeNat(), (bytes) => {
				const [number = '', unit = ''] = formatBytes(bytes).split(' ');
				expect(number).toMatch(/^\d{1,3}(\.\d{1,2})?$/);
				expect(Math.abs(Number(number) * (factors[unit] ?? NaN) - bytes)).toBeLessThanOrEqual(bytes * 0.005);
			}),
		);
	});

	it('is added at any depth and loses nothing', () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
				const withSizes = (inner: unknown) => ({ diskUsage: 5, list: [{ size: '7', inner }], inner });
				const result = withReadableSizes(withSizes(value));
				expect(result).toMatchObject({
					diskUsageReadable: '5 B',
					list: [{ size: '7', sizeReadable: '7 B' }],
				});
				expect(withoutAdded(result, withSizes(value))).toEqual(withSizes(value));
			}),
		);
	});

	it.each([
		[{ disk_usage: 5 }, { disk_usage: 5, disk_usage_readable: '5 B' }],
		[
			{ diskUsage: 5, diskUsageReadable: 'five' },
			{ diskUsage: 5, diskUsageReadable: 'five' },
		],
		[{ diskUsage: 1.5 }, { diskUsage: 1.5 }],
		[{ diskUsage: '1.5 GB' }, { diskUsage: '1.5 GB' }],
		[
			{ diskUsageMb: 5, videos: 2 },
			{ diskUsageMb: 5, videos: 2 },
		],
	])('of %j is %j', (response, result) => {
		expect(withReadableSizes(response)).toEqual(result);
	});

	it.each([
		{ size: 12, unit: 'GB' },
		{ size: '12', size_unit: 'gigabytes' },
		{ usage: 45, unit: '%' },
		{ usage: 45, type: 'percent' },
		{ usage: 45, isPercentage: true },
		{ percent: { usage: 45 } },
		{ unit: 'MB', folder: { size: 12, videos: [{ size: 5 }] } },
	])('is not added to a number of another unit: %j', (response) => {
		expect(withReadableSizes(response)).toEqual(response);
	});

	it('is added to a number whose unit is bytes', () => {
		expect(withReadableSizes({ size: 12, unit: 'bytes' })).toMatchObject({ sizeReadable: '12 B' });
	});
});

/** The value without the fields that the original does not have. */
function withoutAdded(value: unknown, original: unknown): unknown {
	if (Array.isArray(value) && Array.isArray(original))
		return value.map((element, index) => withoutAdded(element, original[index]));
	if (typeof value !== 'object' || value === null || typeof original !== 'object' || original === null)
		return value;
	const fields = Object.entries(value).filter(([name]) => name in original);
	return Object.fromEntries(
		fields.map(([name, inner]) => [name, withoutAdded(inner, (original as Record<string, unknown>)[name])]),
	);
}

describe('Disk Usage → Get for All Folders', () => {
	let service: RunningService;
	serviceForEachTest((started) => (service = started));
	const parameters = { resource: 'diskUsage', operation: 'getFolders' };

	it('returns one item for each folder, with its UUID and name', async () => {
		const folders = service.seedFolders([{ name: 'Concerts' }, { name: 'Webinars' }, { name: 'Empty' }]);
		service.seedVideos([
			{ size: 126_000_000, folder: folders[0]?.uuid },
			{ size: 5, folder: folders[1]?.uuid },
		]);
		const output = await executeForJson({ service, parameters: { ...parameters, returnAll: true } });
		expect(output).toMatchObject([
			{ uuid: folders[0]?.uuid, name: 'Concerts', diskUsage: 126_000_000, diskUsageReadable: '126 MB' },
			{ uuid: folders[1]?.uuid, name: 'Webinars', diskUsage: 5, diskUsageReadable: '5 B' },
			{ uuid: folders[2]?.uuid, name: 'Empty', diskUsage: 0, diskUsageReadable: '0 B' },
		]);
		expect(service.requestsOf('folderList')).toHaveLength(1);
		expect(service.requestsOf('diskUsageByFolder').map(({ path }) => path)).toEqual(
			folders.map(({ uuid }) => `/v1/videos/diskusagebyfolderandvideo/${uuid}`),
		);
	});

	it('requests no more folders than Limit, and lists them once for many items', async () => {
		service.seedFolders(5);
		const output = await executeForJson({
			service,
			parameters: { ...parameters, limit: 2 },
			items: [{ json: {} }, { json: {} }],
		});
		expect(output).toHaveLength(4);
		expect(service.requestsOf('diskUsageByFolder')).toHaveLength(4);
		expect(service.requestsOf('folderList')).toHaveLength(1);
	});

	it('returns a bare number next to UUID and name, and that of the application as result', async () => {
		service.settings.diskUsageShape = 'number';
		const [folder] = service.seedFolders(1);
		expect(await executeForJson({ service, parameters })).toEqual([
			{ uuid: folder?.uuid, name: folder?.name, result: 0 },
		]);
		const ofApplication = { resource: 'diskUsage', operation: 'getApplication' };
		expect(await executeForJson({ service, parameters: ofApplication })).toEqual([{ result: 0 }]);
	});

	it('leaves out a folder that is deleted meanwhile, with a hint', async () => {
		const [first, , last] = service.seedFolders([{ name: 'A' }, { name: 'B' }, { name: 'C' }]);
		const body = JSON.stringify(service.state.folders);
		service.injectFault({ on: 'folderList', kind: 'status', status: 200, body });
		service.state.folders.splice(1, 1);
		const { items, hints } = await executeNode({ service, parameters });
		expect(items.map(({ json }) => json.uuid)).toEqual([first?.uuid, last?.uuid]);
		expect(hints.map(({ message }) => message)).toEqual([
			'The folder "B" was deleted while the disk usage was read, so it is left out.',
		]);
	});

	it('fails for a 404 of a folder that is still there', async () => {
		service.seedFolders(2);
		service.injectFault({ on: 'diskUsageByFolder', kind: 'status', status: 404, error: 'Not Found' });
		await expect(executeForJson({ service, parameters })).rejects.toThrow('could not be read. Not Found');
	});

	it('names the folder whose disk usage cannot be read', async () => {
		const [, folder] = service.seedFolders(2);
		service.injectFault({ on: 'diskUsageByFolder', kind: 'status', status: 400, error: 'No', skip: 1 });
		await expect(executeForJson({ service, parameters })).rejects.toThrow(
			`The disk usage of the folder "${folder?.name}" (${folder?.uuid}) could not be read. No.`,
		);
	});
});

import {
	NodeOperationError,
	type IBinaryKeyData,
	type IDataObject,
	type INodeExecutionData,
} from 'n8n-workflow';

import { executeNode, itemWithFile, type NodeRun } from '../execution/executeNode';
import { by } from '../execution/locator';
import { runWorkflow } from '../execution/runWorkflow';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { sha256 } from '../upload/uploading';

serviceForEachTest();

const contentOf = (name: string) => Buffer.alloc(500, name);

/** An item with a file in each of these fields; a field's name is the file's name and its content. */
async function itemWith(...fields: string[]): Promise<INodeExecutionData> {
	const files = await Promise.all(
		fields.map(
			async (field) =>
				await itemWithFile(contentOf(field), { fileName: `${field}.mp4`, mimeType: 'video/mp4', field }),
		),
	);
	return { json: {}, binary: Object.assign({}, ...files.map(({ binary }) => binary)) as IBinaryKeyData };
}

const uploading = (binaryPropertyName: string, more: IDataObject = {}, options: IDataObject = {}) =>
	({
		resource: 'upload',
		operation: 'upload',
		binaryPropertyName,
		options: { returnVideo: false, ...options },
		...more,
	}) as NodeRun['parameters'];

const arrived = () =>
	service.state.uploads
		.filter(({ complete }) => complete)
		.map(({ filename, sha256: sum }) => [filename, sum]);
const expected = (...names: string[]) => names.map((name) => [`${name}.mp4`, sha256(contentOf(name))]);

it.each(['*', '={{ Object.keys($binary) }}', '={{ Object.values($binary) }}'])(
	'Each file is sent once and has an item of its own, also after another try: %s',
	async (selection) => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, skip: 1 });
		const items = [await itemWith('a', 'b'), await itemWith('c')];
		const { runs } = await runWorkflow({
			...{ service, parameters: uploading(selection), rounds: [items] },
			settings: { retryOnFail: true, maxTries: 2 },
		});
		const [output = []] = runs[0]?.data?.main ?? [];
		const filesOf = ({ binary }: INodeExecutionData) =>
			Object.values(binary ?? {}).map(({ fileName }) => fileName);
		expect(output?.map((item) => [item.json.fileName, filesOf(item), item.pairedItem])).toEqual([
			['a.mp4', ['a.mp4'], { item: 0 }],
			['b.mp4', ['b.mp4'], { item: 0 }],
			['c.mp4', ['c.mp4'], { item: 1 }],
		]);
		expect(arrived()).toEqual(expected('a', 'b', 'c'));
	},
);

const unnamed = '={{ Object.values($binary).map(({ fileName, ...file }) => file) }}';

it.each([
	['*', 'Binary field "c"'],
	['={{ Object.values($binary) }}', 'File "c.mp4"'],
])('The error names item and file, and says how many files are complete: %s', async (selection, name) => {
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, error: 'Broken', skip: 2 });
	const items = [await itemWith('a'), await itemWith('b', 'c')];
	await expect(executeNode({ service, items, parameters: uploading(selection) })).rejects.toMatchObject({
		message: expect.stringContaining(`${name}: Broken`) as string,
		description: expect.stringMatching(/2 of 3 files are complete\. With Skip If Exists/) as string,
		context: { itemIndex: 1 },
	});
	expect(arrived()).toEqual(expected('a', 'b'));
});

it('The error item of a file that is missing names it once', async () => {
	const run = { service, items: [await itemWith('a')], parameters: uploading('a, x') };
	const { items } = await executeNode({ ...run, onError: 'continueRegularOutput' });
	expect(items[1]?.json.error).toMatchObject({
		message: expect.stringMatching(/^The item has no binary field "x"/) as string,
	});
});

it('An item of which one file is sent keeps the others', async () => {
	const item = await itemWith('a', 'b', 'c');
	const { items } = await executeNode({ service, items: [item], parameters: uploading('b') });
	expect(items.map(({ binary }) => binary)).toEqual([item.binary]);
	expect(arrived()).toEqual(expected('b'));
});

it('An error item has only its own file, with which Resume completes the upload', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, skip: 1, afterBytes: 100 });
	const { items } = await executeNode({
		service,
		items: [await itemWith('a', 'b')],
		parameters: uploading('*'),
		onError: 'continueErrorOutput',
	});
	const [, failed] = items;
	expect(failed?.json.error).toMatchObject({ uploadId: service.state.uploads[1]?.id, size: 500 });
	await executeNode({
		service,
		items: failed ? [failed] : [],
		parameters: uploading('*', { operation: 'resume', uploadId: '={{ $json.error.uploadId }}' }),
	});
	expect(arrived()).toEqual(expected('a', 'b'));
});

describe('Names', () => {
	it.each<[string, string, string[]]>([
		['may have spaces around them', ' a , c ', ['a', 'c']],
		['count once', 'b,a,b', ['b', 'a']],
		['may be a list, with a comma in a name', '={{ ["d, e", "a"] }}', ['d, e', 'a']],
		[
			'may be a list of the files themselves, each once',
			'={{ [$binary.c, $binary.a, $binary.c] }}',
			['c', 'a'],
		],
		['may be a file itself', '={{ $binary.b }}', ['b']],
		['may be all of them', '*', ['a', 'b', 'c', 'd, e']],
	])('%s', async (_name, names, fields) => {
		await executeNode({
			service,
			items: [await itemWith('a', 'b', 'c', 'd, e')],
			parameters: uploading(names),
		});
		expect(arrived()).toEqual(expected(...fields));
	});

	it.each<[string, NodeRun['parameters'], string[], string]>([
		['an empty element', uploading('a,,b'), ['a'], 'Input Binary Field "a,,b" has an empty element'],
		['an empty list', uploading('={{ [] }}'), ['a'], 'Input Binary Field is empty'],
		['an empty text', uploading('={{ ["a", ""] }}'), ['a'], 'Input Binary Field (element 2) is empty'],
		['no file', uploading('={{ [{ mimeType: "video/mp4" }] }}'), ['a'], '(element 1) is an object'],
		['a missing name', uploading('a, x'), ['a', 'b'], '^The item has no binary field "x". It has "a", "b".'],
		['a name of none', uploading('a'), [], 'The item has no binary data.'],
		['all and one', uploading('*, a'), ['a'], 'The item has no binary field "*"'],
		['files without a name', uploading(unnamed), ['a', 'b'], '^File 1: '],
		['all of none', uploading('*'), [], 'The item has no binary data.'],
		[
			'no file for the thumbnail',
			uploading('a', { source: 'url', url: 'https://a.example/b.mp4' }, { thumbnailBinaryPropertyName: 'a' }),
			[],
			'The item has no binary data for Thumbnail Binary Field. Connect',
		],
		[
			'all besides the thumbnail',
			uploading('*', {}, { thumbnailBinaryPropertyName: 'a' }),
			['a'],
			'The item has no file besides "a"',
		],
		['one File Name', uploading('*', { fileName: 'x.mp4' }), ['a', 'b'], 'Leave File Name empty.'],
		['one Title', uploading('b,a', {}, { title: 'x' }), ['a', 'b'], 'Leave Title empty.'],
		[
			'Resume',
			uploading('*', { operation: 'resume', uploadId: 'x' }),
			['a', 'b'],
			'Input Binary Field selects 2 files. Enter the name of one.',
		],
		[
			'Set Thumbnail',
			uploading('a,b', { resource: 'video', operation: 'setThumbnail', video: by('hash', 'x') }),
			['a', 'b'],
			'Input Binary Field selects 2 files. Enter the name of one.',
		],
	])('with %s are an error before the first request', async (_name, parameters, fields, message) => {
		const error = await executeNode({ service, items: [await itemWith(...fields)], parameters }).catch(
			(thrown: unknown) => thrown,
		);
		expect(error).toBeInstanceOf(NodeOperationError);
		const { description, message: happened } = error as NodeOperationError; // as the line above shows
		expect(`^${happened}. ${description}`).toContain(message);
		expect(service.requests).toEqual([]);
	});
});

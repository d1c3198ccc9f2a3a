import {
	NodeOperationError,
	type IBinaryKeyData,
	type IDataObject,
	type INodeExecutionData,
} from 'n8n-workflow';

import { executeNode, itemWithFile, type NodeRun } from '../execution/executeNode';
import { fc } from '../execution/generated';
import { by } from '../execution/locator';
import { runWorkflow, type FailureSettings } from '../execution/runWorkflow';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { sha256, shortenPauses } from '../upload/uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

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
const errorTexts = (items: INodeExecutionData[]) =>
	items.map(({ json: { error } }) =>
		typeof error === 'object' && error !== null && 'message' in error ? error.message : error,
	);

it('Each file is sent once and has an item of its own, whatever fails', async () => {
	const fieldsOfItems = fc.array(
		fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd, e'), { minLength: 1, maxLength: 4 }),
		{ minLength: 1, maxLength: 3 },
	);
	const settings = fc.record<FailureSettings>({
		executeOnce: fc.constantFrom(false, false, true),
		retryOnFail: fc.boolean(),
		maxTries: fc.integer({ min: 2, max: 4 }),
		onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	});
	const failedRequests = fc.uniqueArray(fc.nat(12), { maxLength: 5 });
	const how = fc.constantFrom('*', '={{ Object.keys($binary) }}', '={{ Object.values($binary) }}');
	await fc.assert(
		fc.asyncProperty(
			fieldsOfItems,
			settings,
			failedRequests,
			how,
			async (names, failure, failed, selection) => {
				const fields = names.map((own, item) => own.map((name) => `${name} ${item}`));
				service.state.uploads.length = 0;
				service.clearFaults();
				failed.forEach((skip) =>
					service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, skip }),
				);
				const items = await Promise.all(fields.map(async (own) => await itemWith(...own)));
				const { runs, result } = await runWorkflow({
					service,
					parameters: uploading(selection),
					rounds: [items],
					settings: failure,
				});
				const run = failure.executeOnce ? fields.slice(0, 1) : fields;
				const wanted = run.flatMap((own, item) => own.map((name) => [`${name}.mp4`, { item }]));
				const sent = arrived().map(([filename]) => filename);
				if (result.status !== 'success') {
					expect(sent).toEqual(wanted.slice(0, sent.length).map(([fileName]) => fileName));
					return;
				}
				const output = (runs[0]?.data?.main ?? []).map((main) => main ?? []);
				expect(output.flat()).toHaveLength(wanted.length);
				const done = output.flat().filter(({ json }) => json.error === undefined);
				// In the order of the fields, each paired to its input item.
				expect(done.map(({ json, pairedItem }) => [json.fileName, pairedItem])).toEqual(
					wanted.filter(([fileName]) => sent.includes(fileName as string)),
				);
				expect(sent).toHaveLength(done.length);
				// Of several files, each item has only its own.
				for (const { json, binary, pairedItem } of output.flat()) {
					const [file] = Object.values(binary ?? {});
					expect(sent.includes(file?.fileName ?? '')).toBe(json.error === undefined);
					expect(wanted).toContainEqual([file?.fileName, pairedItem]);
				}
			},
		),
		{ numRuns: 60 },
	);
}, 120_000);

it('The error names item and field, and says how many files are complete', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, error: 'Broken', skip: 2 });
	const items = [await itemWith('a'), await itemWith('b', 'c')];
	await expect(executeNode({ service, items, parameters: uploading('*') })).rejects.toMatchObject({
		message: expect.stringMatching(/^Binary field "c": Broken/) as string,
		description: expect.stringMatching(/2 of 3 files are complete\. Switch on Skip If Exists/) as string,
		context: { itemIndex: 1 },
	});
	expect(arrived()).toEqual(expected('a', 'b'));
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
		['an empty list', uploading('={{ [] }}'), ['a'], 'Input Binary Field is empty. Enter one.'],
		[
			'a missing name',
			uploading('a, x'),
			['a', 'b'],
			'The item has no binary field "x". It has "a", "b". Enter one of these in Input Binary Field or, for a file of an earlier node, an expression such as {{ $(\'Read File\').item.binary.data }}.',
		],
		[
			'all of none',
			uploading('*'),
			[],
			"The item has no binary data. Connect a node that outputs a file or enter, for a file of an earlier node, an expression such as {{ $('Read File').item.binary.data }}.",
		],
		[
			'all besides the thumbnail',
			uploading('*', {}, { thumbnailBinaryPropertyName: 'a' }),
			['a'],
			'The item has no file besides "a"',
		],
		[
			'File Name',
			uploading('*', { fileName: 'x.mp4' }),
			['a', 'b'],
			'File Name names one video, but Input Binary Field selects 2 files. Leave File Name empty.',
		],
		[
			'Title',
			uploading('b,a', {}, { title: 'x' }),
			['a', 'b'],
			'Title names one video, but Input Binary Field selects 2 files. Leave Title empty.',
		],
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
	])('%s: an error before the first request', async (_name, parameters, fields, message) => {
		const error = await executeNode({ service, items: [await itemWith(...fields)], parameters }).catch(
			(thrown: unknown) => thrown,
		);
		expect(error).toBeInstanceOf(NodeOperationError);
		const { description, message: happened } = error as NodeOperationError;
		expect(`${happened}. ${description}`).toContain(message);
		expect(service.requests).toEqual([]);
	});

	it('that are missing do not hide the others where the node continues', async () => {
		const { items } = await executeNode({
			service,
			items: [await itemWith('a'), await itemWith('a', 'b')],
			parameters: uploading('a,b'),
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json, pairedItem }) => [json.fileName, pairedItem])).toEqual([
			['a.mp4', { item: 0 }],
			[undefined, { item: 0 }],
			['a.mp4', { item: 1 }],
			['b.mp4', { item: 1 }],
		]);
		expect(errorTexts(items)[1]).toMatch(/^The item has no binary field "b". It has "a"/);
	});

	it('are paths in n8n’s binary mode combined', async () => {
		const { binary } = await itemWith('a', 'b');
		// In this mode n8n keeps files inside the JSON, which the type does not allow.
		const items = [{ json: { mail: binary, subject: 'Clips' } as unknown as IDataObject }];
		await executeNode({
			service,
			items,
			parameters: uploading('mail.b, mail.a'),
			binaryMode: 'combined',
		});
		expect(arrived()).toEqual(expected('b', 'a'));
	});
});

it('The thumbnail is of all files, and not one of them', async () => {
	const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), contentOf('image')]);
	const image = await itemWithFile(png, { fileName: 'logo.png', mimeType: 'image/png', field: 'logo' });
	const item = await itemWith('a', 'b');
	const { items } = await executeNode({
		service,
		items: [{ json: {}, binary: { ...image.binary, ...item.binary } }],
		parameters: uploading('*', {}, { thumbnailBinaryPropertyName: 'logo', returnVideo: true }),
	});
	expect(items.map(({ json }) => json.fileName)).toEqual(['a.mp4', 'b.mp4']);
	expect(service.state.videos).toMatchObject([
		{ name: 'a.mp4', thumbnail: { bytes: png.length } },
		{ name: 'b.mp4', thumbnail: { bytes: png.length } },
	]);
});

it.each([
	['its file name', { fileName: 'two.mp4' }, 'File "two.mp4": '],
	['its position', {}, 'File 2: '],
])('The error of a file that an expression returned names %s', async (_what, file, prefix) => {
	const one = await itemWithFile(contentOf('one'), { fileName: 'one.mp4', mimeType: 'video/mp4' });
	const two = await itemWithFile(contentOf('two'), { mimeType: 'video/mp4', ...file, field: 'two' });
	service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, error: 'Not now', skip: 1 });
	const { items } = await executeNode({
		...{ service, onError: 'continueRegularOutput' },
		items: [{ json: {}, binary: { ...one.binary, ...two.binary } }],
		parameters: uploading('={{ Object.values($binary) }}'),
	});
	expect(items[0]?.json.fileName).toBe('one.mp4');
	expect(errorTexts(items)[1]).toMatch(new RegExp(`^${prefix}`));
});

it('Skip If Exists decides for each file', async () => {
	service.seedVideos([{ name: 'b.mp4' }]);
	const { items } = await executeNode({
		service,
		items: [await itemWith('a', 'b', 'c')],
		parameters: uploading('*', {}, { skipIfExists: true }),
	});
	expect(items.map(({ json }) => [json.fileName, json.skipped])).toEqual([
		['a.mp4', false],
		['b.mp4', true],
		['c.mp4', false],
	]);
	expect(arrived()).toEqual(expected('a', 'c'));
});

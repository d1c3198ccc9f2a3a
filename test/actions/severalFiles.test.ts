import type { IBinaryKeyData, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { itemWithFile } from '../execution/executeNode';
import { runWorkflow } from '../execution/runWorkflow';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { onePixelPng } from '../n8n/files';
import { mp4Of, sha256, upload } from '../upload/uploading';
import { by, expectUnsent } from './run';

serviceForEachTest();

const contentOf = (name: string) => mp4Of(name.padEnd(500 - mp4Of('').length));

/** An item with a file in each of these fields; a field's name is the file's name and its content. */
async function itemWith(...fields: string[]): Promise<INodeExecutionData> {
	const binary: IBinaryKeyData = {};
	for (const field of fields) {
		const file = { fileName: `${field}.mp4`, mimeType: 'video/mp4', field };
		Object.assign(binary, (await itemWithFile(contentOf(field), file)).binary);
	}
	return { json: {}, binary };
}

const UPLOAD = { resource: 'upload', operation: 'upload', options: { returnVideo: false } };
const ALL = { binaryPropertyName: '*' };
const arrived = () =>
	service.state.uploads
		.filter(({ complete }) => complete)
		.map(({ filename, sha256: sum }) => [filename, sum]);
const expected = (...names: string[]) => names.map((name) => [`${name}.mp4`, sha256(contentOf(name))]);

it.each(['*', '={{ Object.keys($binary) }}'])(
	'Each file is sent once and has an item of its own, also after another try: %s',
	async (binaryPropertyName) => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, skip: 1 });
		const { runs } = await runWorkflow({
			...{ service, parameters: { ...UPLOAD, binaryPropertyName } },
			rounds: [[await itemWith('a', 'b'), await itemWith('c')]],
			settings: { retryOnFail: true, maxTries: 2 },
		});
		const [output] = runs[0]?.data?.main ?? [];
		expect(output).toMatchObject([
			{ json: { fileName: 'a.mp4' }, pairedItem: { item: 0 } },
			{ json: { fileName: 'b.mp4' }, pairedItem: { item: 0 } },
			{ json: { fileName: 'c.mp4' }, pairedItem: { item: 1 } },
		]);
		const files = output?.map(({ binary }) => Object.values(binary ?? {}).map(({ fileName }) => fileName));
		expect(files).toEqual([['a.mp4'], ['b.mp4'], ['c.mp4']]);
		expect(arrived()).toEqual(expected('a', 'b', 'c'));
	},
);

it('The error names item and file, and says how many are complete', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, error: 'Broken', skip: 2 });
	const items = [await itemWith('a'), await itemWith('b', 'c')];
	await expect(upload(service, { items, parameters: ALL })).rejects.toMatchObject({
		message: expect.stringContaining('Binary field "c": Broken'),
		description: expect.stringMatching(
			/2 of 3 files are complete\. Before you run this again, add Skip If Exists\.$/,
		),
		context: { itemIndex: 1 },
	});
	expect(arrived()).toEqual(expected('a', 'b'));
});

it('An item of which one file is sent keeps the others', async () => {
	const item = await itemWith('a', 'b', 'c');
	const { items } = await upload(service, { item, parameters: { binaryPropertyName: 'b' } });
	expect(items.map(({ binary }) => binary)).toEqual([item.binary]);
	expect(arrived()).toEqual(expected('b'));
});

it('An error item has only its own file, with which Resume completes the upload, or names the one that is missing', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, skip: 1, afterBytes: 100 });
	const items = [await itemWith('a', 'b')];
	const parameters = { binaryPropertyName: 'a, b, x' };
	const output = await upload(service, { items, parameters, onError: 'continueErrorOutput' });
	const [, failed, missing] = output.items;
	const message = expect.stringMatching(/^Binary field "x": The item has no binary field "x"/);
	expect(missing?.json.error).toMatchObject({ message });
	expect(failed?.json.error).toMatchObject({ uploadId: service.state.uploads[1]?.id, size: 500 });
	await upload(service, { item: failed, resume: '={{ $json.error.uploadId }}', parameters: ALL });
	expect(arrived()).toEqual(expected('a', 'b'));
});

describe('What is plainly no video', () => {
	/** A video in the field `a`, a signature and minutes. */
	async function email(): Promise<INodeExecutionData> {
		const { binary } = await itemWith('a');
		const [signature, minutes, odd] = ['signature.png', 'minutes.pdf', ''].map((fileName) => ({
			...{ fileName, mimeType: 'video/mp4', data: Buffer.from('%PDF-1.7').toString('base64') },
		}));
		if (!signature || !minutes || !odd) throw new Error('Nothing was made');
		signature.data = onePixelPng.toString('base64');
		return { json: {}, binary: { ...binary, signature, minutes, odd } };
	}

	it('is left out of *, with a hint for all items that counts and names it, also after another try', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, skip: 1 });
		const { runs } = await runWorkflow({
			...{ service, parameters: { ...UPLOAD, ...ALL } },
			rounds: [[await email(), await email(), await itemWith('b', 'c')]],
			settings: { retryOnFail: true, maxTries: 2 },
		});
		expect(arrived()).toEqual(expected('a', 'a', 'b', 'c'));
		expect(runs[0]?.hints).toMatchObject([
			{
				message: expect.stringMatching(
					/^Left out 6 files as no video: .*signature\.png.* \(a picture\), .*minutes\.pdf.* \(a PDF\), .*odd.* \(a PDF\)$/,
				),
			},
		]);
	});

	it('does not count as one of several files', async () => {
		const parameters = { ...ALL, fileName: 'x.mp4' };
		const { items, hints } = await upload(service, { item: await email(), parameters });
		expect(arrived()).toEqual([['x.mp4', expected('a')[0]?.[1]]]);
		expect(items).toMatchObject([{ json: { fileName: 'x.mp4' }, pairedItem: { item: 0 } }]);
		expect(hints).toHaveLength(1);
	});

	it('is an error where a field names it, and where * leaves nothing else', async () => {
		const { binary, json } = await email();
		delete binary?.a;
		const named = upload(service, {
			item: { json, binary },
			parameters: { binaryPropertyName: 'signature' },
		});
		await expectUnsent(named, 'The file "signature.png" is a picture, not a video.');
		const names = 'No file of the item is a video: "signature.png" (a picture), "minutes.pdf" (a PDF)';
		await expectUnsent(upload(service, { item: { json, binary }, parameters: ALL }), names);
	});

	it('is not a file that cannot be read, which is an error in its turn', async () => {
		const item = await itemWith('a');
		const binary = { gone: { mimeType: 'image/png', data: '', id: 'filesystem-v2:gone' }, ...item.binary };
		const run = { item: { json: {}, binary }, parameters: ALL };
		const { items } = await upload(service, { ...run, onError: 'continueRegularOutput' });
		expect(items[0]?.json.error).toMatchObject({
			message: expect.stringContaining('no longer has the file'),
		});
		expect(arrived()).toEqual(expected('a'));
	});
});

describe('Names', () => {
	it.each<[string, string, string[]]>([
		['may have spaces around them', ' a , c ', ['a', 'c']],
		['count once', 'b,a,b', ['b', 'a']],
		['may be a list, with a comma in a name', '={{ ["d, e", "a"] }}', ['d, e', 'a']],
		['may be a file itself', '={{ $binary.b }}', ['b']],
		['may be all of them', '*', ['a', 'b', 'c', 'd, e']],
		['may be all of them, as n8n shows them', '={{ $binary }}', ['a', 'b', 'c', 'd, e']],
	])('%s', async (_name, binaryPropertyName, fields) => {
		const item = await itemWith('a', 'b', 'c', 'd, e');
		await upload(service, { item, parameters: { binaryPropertyName } });
		expect(arrived()).toEqual(expected(...fields));
	});

	const ofUrl = { source: 'url', url: 'https://a.example/b.mp4' };
	const setThumbnail = { resource: 'video', operation: 'setThumbnail', video: by('hash', 'x') };
	const ofTwo = 'Input Binary Field selects 2 files. Enter the name of one.';
	const withThumbnail = { options: { thumbnailBinaryPropertyName: 'a' } };
	const thumbnailUrl = { options: { thumbnailBinaryPropertyName: 'https://a.example/b.png' } };
	const noThumbnail =
		'The item has no binary data. Connect a node that outputs a file, and enter its field in Thumbnail Binary Field.';

	it.each<[string, string, string[], string, INodeParameters?]>([
		['an empty element', 'a,,b', ['a'], 'Input Binary Field "a,,b" has an empty element'],
		['an empty list', '={{ [] }}', ['a'], 'Input Binary Field is empty'],
		['an empty text', '={{ ["a", ""] }}', ['a'], 'Input Binary Field "["a",""]" has an empty element'],
		['no file', '={{ ({ a: "b" }) }}', ['a'], 'Input Binary Field is an object'],
		['a file without content', '={{ ({ mimeType: "video/mp4" }) }}', ['a'], 'enter the name of its field'],
		['a missing name', 'a, x', ['a', 'b'], 'The item has no binary field "x". It has "a", "b".'],
		['a name of none', 'a', [], 'The item has no binary data.'],
		['all and one', '*, a', ['a'], 'The item has no binary field "*"'],
		['all of none', '*', [], 'The item has no binary data.'],
		['a selection of none', '={{ $binary }}', [], 'Pinned data has no files'],
		['no file for the thumbnail', 'a', [], noThumbnail, { ...ofUrl, ...withThumbnail }],
		['a URL', 'https://a.example/b.mp4', [], 'Input Binary Field is a URL, but takes the name'],
		['a URL of the thumbnail', 'a', ['a'], 'HTTP Request first', { ...ofUrl, ...thumbnailUrl }],
		['all besides the thumbnail', '*', ['a'], 'The item has no file besides "a"', withThumbnail],
		['one File Name', '*', ['a', 'b'], 'Leave File Name empty.', { fileName: 'x.mp4' }],
		['one Title', 'b,a', ['a', 'b'], 'Leave Title empty.', { title: 'x' }],
		['Resume', '*', ['a', 'b'], ofTwo, { operation: 'resume', uploadId: 'x' }],
		['Set Thumbnail', 'a,b', ['a', 'b'], ofTwo, setThumbnail],
	])('with %s are an error before the first request', async (...given) => {
		const [, binaryPropertyName, fields, message, more] = given;
		const item = await itemWith(...fields);
		await expectUnsent(upload(service, { item, parameters: { binaryPropertyName, ...more } }), message);
	});
});

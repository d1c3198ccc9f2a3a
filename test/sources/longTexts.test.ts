import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { toBinaryFiles } from '../../nodes/VideoHosting/actions/binaryFile';
import { toTimeInWorkflow } from '../../nodes/VideoHosting/parameters/dates';
import { toHashes, toRequiredFolder } from '../../nodes/VideoHosting/parameters/references';
import * as values from '../../nodes/VideoHosting/parameters/values';
import { withoutMarks } from '../../nodes/VideoHosting/service/mark';
import { byteCount, shortened } from '../../nodes/VideoHosting/shared/text';
import { dispositionFileName, urlFileName } from '../../nodes/VideoHosting/sources/fileNames';
import { statedNoVideo } from '../../nodes/VideoHosting/sources/noVideo';
import { toServiceCredential } from '../../nodes/VideoHosting/transport/credential';
import { extractUploadId } from '../../nodes/VideoHosting/upload/tus/uploadRequests';
import { isNamedLike } from '../../nodes/VideoHosting/upload/videoNames';
import { processorMs } from '../execution/clock';
import { itemWithFileInMemory } from '../execution/executeNode';
import { by } from '../execution/locator';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { failureOf, upload } from '../upload/uploading';
import { files, fileServerForEachTest } from './fileServer';

const MEGABYTE = 1_000_000;

/** What regular expressions go back and forth over. */
const PATTERNS = [
	'/',
	'\\',
	' ',
	'\t',
	'1',
	'=',
	'= ',
	'"',
	'; a=b',
	'; filename="',
	'%2F',
	'\u0085',
	'.',
	',',
	'[',
	'2026-12-24 18:00:00.',
	'://',
	'1234567890, ',
	'\ud800',
	'\u200c',
];

describe('A text of 1 MB is read in linear time', () => {
	const entered = { mode: undefined, isExpression: false, timezone: 'Europe/Berlin' };
	const readers: Record<string, (text: string) => unknown> = {
		'name in Content-Disposition': (text) => dispositionFileName(`attachment; filename=${text}`),
		'quoted name in Content-Disposition': (text) => dispositionFileName(`attachment; filename="${text}x"`),
		'name in an address': (text) => urlFileName(`https://a.example/${text}x`),
		'MIME type': (text) => statedNoVideo(text),
		size: byteCount,
		beginning: (text) => shortened(`${text}x`, MEGABYTE),
		text: (text) => values.toText('', `x${text}x`),
		number: (text) => values.toNumber({ min: 0 })('', `${text}x`),
		switch: (text) => values.toFlag('', `${text}x`),
		list: (text) => values.toTexts('', `${text}x`),
		address: (text) => values.toWebAddress('', `https://a.example/${text}x`),
		'binary field': (text) => toBinaryFiles('', `x${text}x`),
		date: (text) => toTimeInWorkflow('', `${text}x`, entered),
		hash: (text) => toHashes('', `${text}x`),
		folder: (text) => toRequiredFolder('', `${text}x`, entered),
		'upload ID': (text) => extractUploadId(`https://a.example/videos/uploads/${text}x`),
		'name of a video': (text) => isNamedLike(`${text}x`, `x${text}`),
		'mark in a title': (text) => withoutMarks(`x${text}\u200b`),
		'Base URL': (text) => toServiceCredential({ baseUrl: `https://a.example/${text}x${text}` }),
	};

	it.each(Object.keys(readers))('%s', (name) => {
		for (const pattern of PATTERNS) {
			const text = pattern.repeat(MEGABYTE / pattern.length);
			const before = processorMs();
			try {
				readers[name]?.(text);
			} catch (error) {
				expect(String(error).length).toBeLessThan(400);
			}
			expect([pattern, processorMs(before) < 5_000]).toEqual([pattern, true]);
		}
	});
});

describe('A long text from outside', () => {
	serviceForEachTest();
	fileServerForEachTest(1_000);
	const LONG = 'x'.repeat(100_000);
	const base64 = Buffer.from('<html>').toString('base64');
	const itemOf = (file: object, field = 'data') =>
		({
			json: {},
			binary: { [field]: { mimeType: 'video/mp4', data: base64, ...file } },
		}) as INodeExecutionData;
	const setThumbnail = { resource: 'video', operation: 'setThumbnail', video: by('hash', 'x') };

	it.each<[string, INodeExecutionData, INodeParameters?]>([
		['the name of a file', itemOf({ fileName: LONG })],
		['the name of a field that is missing', itemOf({}), { binaryPropertyName: LONG }],
		['the name of a field that is there', itemOf({}, LONG)],
		['the name of a field without content', itemOf({ data: '' }, LONG), { binaryPropertyName: LONG }],
		['the name of a field without an image', itemOf({}, LONG), { ...setThumbnail, binaryPropertyName: LONG }],
		['the type of an image', itemOf({ mimeType: LONG }), setThumbnail],
		[
			'the message of an expression',
			itemOf({}),
			{ fileName: `={{ (() => { throw new Error("${LONG}") })() }}` },
		],
		['a text for a choice', itemOf({}), { source: LONG }],
		['an upload ID', itemOf({}), { operation: 'resume', uploadId: `${LONG} b` }],
		['the name of a video', itemOf({}), { fileName: LONG, options: { skipIfExists: true } }],
	])('is cut in an error: %s', async (_what, item, parameters = {}) => {
		const { description, message } = await failureOf(upload(service, { item, parameters }));
		expect(message.length).toBeLessThan(600);
		expect(description?.length ?? 0).toBeLessThan(600);
		expect(service.requestsOf('uploadCreate')).toEqual([]);
	});

	it('is cut in an error: the address of a file', async () => {
		files.statuses = [404, 404];
		const { message } = await failureOf(upload(service, { url: `${files.origin}/${'x'.repeat(10_000)}` }));
		expect(message.length).toBeLessThan(400);
	});

	it('of base64 is read in linear time', async () => {
		for (const pattern of ['=', '= ', ' ', 'A=\n']) {
			const item = itemWithFileInMemory(Buffer.from(''), { mimeType: 'video/mp4', fileName: 'a.mp4' });
			item.binary.data.data = `${pattern.repeat(MEGABYTE / pattern.length)}!`;
			const before = processorMs();
			expect((await failureOf(upload(service, { item }))).message).toContain('contains no base64');
			expect(processorMs(before)).toBeLessThan(5_000);
		}
	});
});

import { NodeApiError, type IBinaryData } from 'n8n-workflow';

import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { expectArrived, failureOf, film, mp4Of, upload } from '../upload/uploading';
import { files, fileServerForEachTest } from './fileServer';

const BEYOND = '1'.padEnd(400, '0');

/** A loop up to such a size could freeze n8n. */
describe('A size that no file has', () => {
	serviceForEachTest();
	fileServerForEachTest(1_000);

	it.each([BEYOND, '9007199254740993', '-1', '1.5', '1e3', '0x10', ' 1', '*', ''])(
		'in Content-Range counts as not stated, and the file is asked for as a whole: %j',
		async (size) => {
			files.headers = { 'Content-Range': `bytes 0-0/${size}` };
			await upload(service, { url: files.url });
			expectArrived(service, files.content);
		},
	);

	it.each([Infinity, 2 ** 53, -1, 1.5, NaN, '12 MB', null, {}])(
		'in binary data counts as not stated, and n8n is asked for that of the stored file: %p',
		async (bytes) => {
			const content = mp4Of('');
			const { binary = {} } = await film(content);
			// JSON of a Code node may have anything.
			const data = { ...binary.data, bytes } as unknown as IBinaryData;
			await upload(service, { item: { json: {}, binary: { data } } });
			expectArrived(service, content);
		},
	);

	it.each([BEYOND, '-5', '5.5'])('of the service is not an offset: %j', async (offset) => {
		const headers = { 'Upload-Offset': offset };
		service.injectFault({ on: 'uploadHead', kind: 'status', status: 200, headers, times: 9 });
		const failure = await failureOf(upload(service, { resume: 'some-upload' }));
		expect(failure).toBeInstanceOf(NodeApiError);
		expect(service.requestsOf('uploadPatch')).toEqual([]);
	});
});

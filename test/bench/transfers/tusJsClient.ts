import { createReadStream } from 'node:fs';

import { Upload as TusUpload } from 'tus-js-client';

import { metadata } from '../../fakeService/axiosClient';
import { storedFilePath } from '../storedFile';
import { bearerToken } from './bearerToken';
import type { Upload } from './transfer';

/**
 * Stock tus-js-client, its Node build. Upload-Metadata is sent with each request (docs/api-reference.md#send-bytes).
 */
export const uploadWithTusJsClient: Upload = async ({ credential, size, requestBytes, userFolder }) => {
	const headers = {
		Authorization: `Bearer ${await bearerToken(credential)}`,
		'Upload-Metadata': metadata('benchmark.mp4'),
	};
	await new Promise<void>((resolve, reject) => {
		new TusUpload(createReadStream(storedFilePath(userFolder, size)), {
			endpoint: `${credential.baseUrl}/v1/videos`,
			headers,
			chunkSize: requestBytes || Infinity,
			retryDelays: [],
			onSuccess: () => resolve(),
			onError: reject,
		}).start();
	});
};

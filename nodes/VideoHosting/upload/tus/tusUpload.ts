import type { UploadOptions } from 'tus-js-client';
import TusUpload from 'tus-js-client/lib.es5/upload.js';

import { serviceCredential } from '../../transport/credential';
import { serviceHttpStack, type TusSettings } from './httpStack';
import type { RangeReader } from '../../sources/rangeReader';
import { uploadMetadata, uploadUrl } from './uploadRequests';

/** Sends the file, and throws what the HTTP stack or the source threw. Called again, it requests the offset and resumes there. */
export type TusTransfer = () => Promise<void>;

/**
 * One upload by tus-js-client.
 *
 * @param uploadId of the upload to resume; without it one is created
 * @throws NodeOperationError when the credential's Base URL is not valid
 */
export async function createTusUpload(
	reader: RangeReader,
	settings: TusSettings,
	uploadId: string | undefined,
): Promise<TusTransfer> {
	const { context, file, maxRequestBytes } = settings;
	const { baseUrl } = await serviceCredential(context);
	const options: UploadOptions = {
		...TusUpload.defaultOptions,
		endpoint: `${baseUrl}/v1/videos`,
		uploadUrl: uploadId === undefined ? null : uploadUrl(baseUrl, uploadId),
		httpStack: serviceHttpStack(settings),
		fileReader: { openFile: () => Promise.resolve(reader) },
		// ledger.ts stores unfinished uploads with checksums of their content.
		fingerprint: () => Promise.resolve(''),
		storeFingerprintForResuming: false,
		metadata: { filename: file.name },
		chunkSize: maxRequestBytes,
		// retry.ts decides which errors are retried.
		retryDelays: null,
		onBeforeRequest: async (request) => {
			// A file that is gone is noticed before anything is created for it.
			if (request.getMethod() === 'POST') await reader.open(0);
			// tus-js-client sends it only when it creates the upload; the service requires it on PATCH too.
			if (request.getMethod() === 'PATCH') request.setHeader('Upload-Metadata', uploadMetadata(file.name));
			if (request.getMethod() !== 'HEAD' && file.folder !== undefined)
				request.setHeader('gallery', file.folder);
		},
	};
	// tus-js-client only passes its file to the file reader, which has it already.
	const upload = new TusUpload(Buffer.alloc(0), options);
	return async () => {
		await new Promise<void>((resolve, reject) => {
			upload.options.onSuccess = () => {
				resolve();
			};
			upload.options.onError = (error) => {
				// tus-js-client wraps what the HTTP stack threw.
				reject('causingError' in error && error.causingError instanceof Error ? error.causingError : error);
			};
			upload.start();
		});
	};
}

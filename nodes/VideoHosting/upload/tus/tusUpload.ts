import type { UploadOptions } from 'tus-js-client';
import TusUpload from 'tus-js-client/lib.es5/upload.js';

import { serviceCredential } from '../../transport/credential';
import { ServiceHttpStack, type TusSettings } from './httpStack';
import type { RangeReader } from '../../sources/rangeReader';
import { extractUploadId, uploadMetadata, uploadUrl } from './uploadRequests';

/** One upload by tus-js-client. Started again after an error, it requests the offset and resumes there. */
export interface TusTransfer {
	/** @throws what the HTTP stack or the source threw */
	run(): Promise<void>;
}

/**
 * @param uploadId of the upload to resume; without it one is created
 * @throws NodeOperationError when the credential's Base URL is not valid
 */
export async function createTusUpload(
	reader: RangeReader,
	settings: TusSettings,
	uploadId: string | undefined,
): Promise<TusTransfer> {
	const { context, events, file, maxRequestBytes } = settings;
	const { baseUrl } = await serviceCredential(context);
	const options: UploadOptions = {
		...TusUpload.defaultOptions,
		endpoint: `${baseUrl}/v1/videos`,
		uploadUrl: uploadId === undefined ? null : uploadUrl(baseUrl, uploadId),
		httpStack: new ServiceHttpStack(settings),
		fileReader: { openFile: () => Promise.resolve(reader) },
		// ledger.ts stores unfinished uploads with checksums of their content.
		fingerprint: () => Promise.resolve(''),
		storeFingerprintForResuming: false,
		metadata: { filename: file.fileName },
		chunkSize: maxRequestBytes,
		// retry.ts decides which errors are retried.
		retryDelays: null,
		onBeforeRequest: (request) => {
			// tus-js-client sends it only when it creates the upload; the service requires it on PATCH too.
			if (request.getMethod() === 'PATCH')
				request.setHeader('Upload-Metadata', uploadMetadata(file.fileName));
			if (request.getMethod() !== 'HEAD' && file.folder !== undefined)
				request.setHeader('gallery', file.folder);
		},
		onUploadUrlAvailable: () => {
			const known = extractUploadId(upload.url ?? undefined);
			if (known !== undefined) events.known(known);
		},
		onProgress: (offset) => {
			events.progress(offset);
		},
	};
	// tus-js-client only passes its file to the file reader, which has it already.
	const upload = new TusUpload(Buffer.alloc(0), options);
	return {
		run: async () => {
			await new Promise<void>((resolve, reject) => {
				upload.options.onSuccess = () => {
					resolve();
				};
				upload.options.onError = (error) => {
					reject(originalError(error));
				};
				upload.start();
			});
		},
	};
}

/** What the HTTP stack threw; tus-js-client wraps it. */
function originalError(error: Error): Error {
	return 'causingError' in error && error.causingError instanceof Error ? error.causingError : error;
}

import type { HttpRequest, UploadOptions } from 'tus-js-client';
import TusUpload from 'tus-js-client/lib.es5/upload.js';

/** Bytes of a file that one request carries. tus-js-client 4.3.1 uses only `size` (lib.es5/upload.js, _addChunkToRequest). */
export interface FileRange {
	start: number;
	size: number;
}

/** What tus-js-client asks for, one request of the protocol each. What they throw ends the transfer. */
export interface TusRequests {
	/** HEAD; returns the bytes that the service has. */
	requestOffset(): Promise<number>;
	/** PATCH; returns the bytes that the service has afterwards. */
	append(range: FileRange): Promise<number>;
}

/** tus-js-client needs an address; it never sends a request itself. */
const ADDRESS = 'https://service.invalid/upload';

/**
 * Transfers a file to an upload by tus-js-client: requests the offset, and sends ranges until the service has the whole file.
 *
 * @param fileSize bytes
 * @param maxRequestBytes most bytes of one PATCH; Infinity for the whole remainder
 * @throws what one of the requests threw
 */
export async function transferFile(
	fileSize: number,
	requests: TusRequests,
	maxRequestBytes: number,
): Promise<void> {
	const source = {
		size: fileSize,
		slice: (start: number, end: number) =>
			Promise.resolve({ value: { start, size: end - start }, done: end === fileSize }),
		close: () => {},
	};
	const options: UploadOptions = {
		...TusUpload.defaultOptions,
		uploadUrl: ADDRESS,
		httpStack: {
			createRequest: (method) => tusRequest(method, requests, fileSize),
			getName: () => 'n8n',
		},
		fileReader: { openFile: () => Promise.resolve(source) },
		fingerprint: () => Promise.resolve(''),
		storeFingerprintForResuming: false,
		chunkSize: maxRequestBytes,
		// The upload decides which errors are followed by another try.
		retryDelays: null,
	};
	await new Promise<void>((resolve, reject) => {
		options.onSuccess = () => {
			resolve();
		};
		options.onError = (error) => {
			// tus-js-client wraps what a request threw.
			reject('causingError' in error && error.causingError instanceof Error ? error.causingError : error);
		};
		// tus-js-client only passes its file to the file reader, which has it already.
		new TusUpload(Buffer.alloc(0), options).start();
	});
}

/** A request of tus-js-client, in the form of its HTTP stacks. The upload makes headers, counts bytes and aborts by itself. */
function tusRequest(method: string, requests: TusRequests, fileSize: number): HttpRequest {
	return {
		getMethod: () => method,
		getURL: () => ADDRESS,
		setHeader: () => {},
		getHeader: () => undefined,
		setProgressHandler: () => {},
		async send(range: FileRange | null) {
			const offset = range ? await requests.append(range) : await requests.requestOffset();
			// It fails without them (4.3.1 lib/upload.js, _handleUploadResponse and _resumeUpload), and a response may lack one.
			const headers = new Map([
				['Upload-Offset', String(offset)],
				['Upload-Length', String(fileSize)],
			]);
			return {
				getStatus: () => 200,
				getHeader: (name) => headers.get(name),
				getBody: () => '',
				getUnderlyingObject: () => undefined,
			};
		},
		abort: () => Promise.resolve(),
		getUnderlyingObject: () => undefined,
	};
}

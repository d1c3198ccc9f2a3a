import type { HttpRequest, HttpResponse, UploadOptions } from 'tus-js-client';
import TusUpload from 'tus-js-client/lib.es5/upload.js';

/** Bytes of a file that one request carries. tus-js-client 4.3.1 uses only `size` (lib.es5/upload.js, _addChunkToRequest). */
export interface FileRange {
	start: number;
	size: number;
}

/** What tus-js-client asks for, one request of the protocol each. What they throw ends the transfer. */
export interface TusRequests {
	/** POST */
	create(): Promise<void>;
	/** HEAD; returns the bytes that the service has. */
	requestOffset(): Promise<number>;
	/** PATCH; returns the bytes that the service has afterwards. */
	append(range: FileRange): Promise<number>;
}

/** tus-js-client needs an address to distinguish a new upload from an existing one; it never sends a request itself. */
const ADDRESS = 'https://service.invalid/upload';

/**
 * Transfers a file by tus-js-client: creates an upload or requests the offset of an existing one, and sends ranges until the
 * service has the whole file.
 *
 * @param fileSize bytes
 * @param maxRequestBytes most bytes of one PATCH; Infinity for the whole remainder
 * @throws what one of the requests threw
 */
export async function transferFile(
	fileSize: number,
	requests: TusRequests,
	{ exists, maxRequestBytes }: { exists: boolean; maxRequestBytes: number },
): Promise<void> {
	const source = {
		size: fileSize,
		slice: (start: number, end: number) =>
			Promise.resolve({ value: { start, size: end - start }, done: end === fileSize }),
		close: () => {},
	};
	const options: UploadOptions = {
		...TusUpload.defaultOptions,
		endpoint: ADDRESS,
		uploadUrl: exists ? ADDRESS : null,
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
			if (method === 'POST') {
				await requests.create();
				return tusResponse({ Location: ADDRESS });
			}
			const offset = range ? await requests.append(range) : await requests.requestOffset();
			return tusResponse({ 'Upload-Offset': String(offset), 'Upload-Length': String(fileSize) });
		},
		abort: () => Promise.resolve(),
		getUnderlyingObject: () => undefined,
	};
}

function tusResponse(headers: Record<string, string>): HttpResponse {
	return {
		getStatus: () => 201,
		getHeader: (name) => headers[name],
		getBody: () => '',
		getUnderlyingObject: () => undefined,
	};
}

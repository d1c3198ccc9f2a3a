import type { HttpRequest, HttpResponse, UploadOptions } from 'tus-js-client';
import TusUpload from 'tus-js-client/lib.es5/upload.js';

import type { FileReader, SourceRange } from '../../sources/fileReader';

/** What tus-js-client asks for, one request of the protocol each. What they throw ends the transfer. */
export interface TusRequests {
	/** POST */
	create(): Promise<void>;
	/** HEAD; returns the bytes that the service has. */
	requestOffset(): Promise<number>;
	/** PATCH; returns the bytes that the service has afterwards. */
	append(range: SourceRange, offset: number): Promise<number>;
}

/** tus-js-client needs an address to distinguish a new upload from an existing one; it never sends a request itself. */
const ADDRESS = 'https://service.invalid/upload';

/**
 * Transfers a file by tus-js-client: creates an upload or requests the offset of an existing one, and sends ranges until the
 * service has the whole file.
 *
 * @param maxRequestBytes most bytes of one PATCH; Infinity for the whole remainder
 * @throws what one of the requests threw
 */
export async function transferFile(
	reader: FileReader,
	requests: TusRequests,
	{ exists, maxRequestBytes }: { exists: boolean; maxRequestBytes: number },
): Promise<void> {
	const options: UploadOptions = {
		...TusUpload.defaultOptions,
		endpoint: ADDRESS,
		uploadUrl: exists ? ADDRESS : null,
		httpStack: {
			createRequest: (method) => new TusRequest(method, requests, reader.size),
			getName: () => 'n8n',
		},
		fileReader: { openFile: () => Promise.resolve(reader) },
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

/** A request of tus-js-client, in the form of its HTTP stacks. */
class TusRequest implements HttpRequest {
	private readonly headers = new Map<string, string>();

	constructor(
		private readonly method: string,
		private readonly requests: TusRequests,
		private readonly fileSize: number,
	) {}

	getMethod(): string {
		return this.method;
	}

	getURL(): string {
		return ADDRESS;
	}

	setHeader(name: string, value: string): void {
		this.headers.set(name, value);
	}

	getHeader(name: string): string | undefined {
		return this.headers.get(name);
	}

	setProgressHandler(): void {
		// The upload counts the bytes itself.
	}

	async send(range: SourceRange | null): Promise<HttpResponse> {
		const { method, requests } = this;
		if (method === 'POST') {
			await requests.create();
			return tusResponse({ location: ADDRESS });
		}
		const offset =
			method === 'HEAD' || !range
				? await requests.requestOffset()
				: await requests.append(range, Number(this.getHeader('Upload-Offset')));
		return tusResponse({ 'upload-offset': String(offset), 'upload-length': String(this.fileSize) });
	}

	/** tus-js-client aborts nothing here: the execution's cancel signal ends the request. */
	abort(): Promise<void> {
		return Promise.resolve();
	}

	getUnderlyingObject(): undefined {
		return undefined;
	}
}

function tusResponse(headers: Record<string, string>): HttpResponse {
	return {
		getStatus: () => 201,
		getHeader: (name) => headers[name.toLowerCase()],
		getBody: () => '',
		getUnderlyingObject: () => undefined,
	};
}

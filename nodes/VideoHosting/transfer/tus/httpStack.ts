import type { IExecuteFunctions } from 'n8n-workflow';
import type { HttpRequest, HttpResponse, HttpStack } from 'tus-js-client';

import { serviceCredential } from '../../service/credential';
import { toNodeError, unreadableResponseError } from '../../service/errors';
import { requestOnce, cancelSignal, path } from '../../service/request';
import type { ServiceResponse } from '../../service/serviceRequest';
import { IdleTimer } from './idleTimer';
import { RequestBody } from './requestBody';
import type { SourceRange } from '../source/rangeReader';
import { TransferError } from '../recovery/transferError';
import { uploadUrl, extractUploadId } from './uploadUrl';
import {
	createdUploadId,
	OFFSET_TYPE,
	uploadOffsetOf,
	fileMismatchError,
	uploadLengthOf,
	stateRequest,
} from './uploadRequests';

/** What the stack needs to know of the upload, and whom it tells. */
export interface StackSettings {
	context: IExecuteFunctions;
	itemIndex: number;
	/** Bytes of the file. */
	size: number;
	/** The connection is given up when no byte moved for so many milliseconds. */
	idleTimeoutMs: number;
	/** Told the service's own offset, in bytes, whenever it says one. */
	onOffset: (offset: number) => void;
	/** Told how many bytes went to the connection, after each chunk. */
	onSent: (bytes: number) => void;
}

/**
 * The HTTP of tus-js-client, over n8n's own helper. It takes nothing but the upload's ID from the addresses that it is
 * given, so the token goes to the credential's host whatever `Location` says. It answers what tus-js-client needs and the
 * reference does not promise: `Upload-Offset` after a PATCH (a HEAD tells it) and `Upload-Length` after a HEAD (the size is
 * known). Every answer that is not 2xx is thrown, so that none makes tus-js-client start a second upload by itself.
 */
export class ServiceHttpStack implements HttpStack {
	constructor(private readonly settings: StackSettings) {}

	createRequest(method: string, url: string): HttpRequest {
		return new StackRequest(method, url, this.settings);
	}

	getName(): string {
		return 'n8n';
	}
}

class StackRequest implements HttpRequest {
	private readonly headers: Record<string, string> = {};

	private onProgress: (bytesSent: number) => void = () => {};

	constructor(
		private readonly method: string,
		private readonly url: string,
		private readonly settings: StackSettings,
	) {}

	getMethod(): string {
		return this.method;
	}

	getURL(): string {
		return this.url;
	}

	setHeader(name: string, value: string): void {
		this.headers[name] = value;
	}

	getHeader(name: string): string | undefined {
		return this.headers[name];
	}

	setProgressHandler(handler: (bytesSent: number) => void): void {
		this.onProgress = handler;
	}

	/** @throws NodeApiError, NodeOperationError or TransferFault when there is no 2xx answer that can be used */
	async send(range: SourceRange | null): Promise<HttpResponse> {
		if (this.method === 'POST') return await this.create();
		return this.method === 'HEAD' ? await this.state() : await this.append(range);
	}

	/** tus-js-client aborts nothing here: the execution's cancel signal ends the request. */
	abort(): Promise<void> {
		return Promise.resolve();
	}

	getUnderlyingObject(): undefined {
		return undefined;
	}

	/** Reference 13. */
	private async create(): Promise<HttpResponse> {
		const { context, itemIndex, idleTimeoutMs } = this.settings;
		const request = { method: 'POST', path: path('videos'), headers: this.headers, itemIndex } as const;
		const answer = await requestOnce(context, { ...request, timeout: idleTimeoutMs });
		const uploadId = createdUploadId(context, answer, itemIndex);
		const { baseUrl } = await serviceCredential(context);
		return tusResponse(answer, { location: uploadUrl(baseUrl, uploadId) });
	}

	/** Reference 15. */
	private async state(): Promise<HttpResponse> {
		const { offset, answer } = await this.askOffset();
		return tusResponse(answer, {
			'upload-offset': String(offset),
			'upload-length': String(this.settings.size),
		});
	}

	/** Reference 14. */
	private async append(range: SourceRange | null): Promise<HttpResponse> {
		const start = Number(this.headers['Upload-Offset']);
		if (!range) throw new Error('tus-js-client sends no PATCH without a range');
		const answer = await this.stream(range);
		const offset = uploadOffsetOf(answer) ?? (await this.askOffset()).offset;
		this.settings.onOffset(offset);
		if (offset <= start) {
			throw new TransferError('The service took none of the bytes that were sent to it', true);
		}
		return tusResponse(answer, { 'upload-offset': String(offset) });
	}

	private async stream(range: SourceRange): Promise<ServiceResponse> {
		const { context, itemIndex, idleTimeoutMs } = this.settings;
		const cancelled = cancelSignal(context);
		const watch = new IdleTimer(idleTimeoutMs);
		let sent = 0;
		const body = new RequestBody(range, OFFSET_TYPE, {
			onRead: () => {
				watch.reset();
			},
			onTaken: (bytes) => {
				watch.reset();
				sent += bytes;
				this.settings.onSent(bytes);
				this.onProgress(sent);
			},
		});
		const close = () => {
			range.close();
		};
		const ended = AbortSignal.any([watch.signal, ...(cancelled ? [cancelled] : [])]);
		ended.addEventListener('abort', close, { once: true });
		try {
			await body.readAhead();
			return await requestOnce(context, {
				method: 'PATCH',
				path: path('videos', 'uploads', this.uploadId()),
				headers: { ...this.headers, 'Content-Type': OFFSET_TYPE, 'Content-Length': String(range.size) },
				body,
				// The idle watch knows when a connection is dead; a total limit would cut long uploads.
				timeout: 0,
				signal: watch.signal,
				itemIndex,
			});
		} catch (error) {
			cancelled?.throwIfAborted();
			throw body.failure ?? (watch.signal.aborted ? idleError(idleTimeoutMs) : toNodeError(context, error));
		} finally {
			watch.stop();
			ended.removeEventListener('abort', close);
			// An answer may come before all bytes went out; what is still being read must not go on beside the next request.
			if (sent < range.size) range.close();
		}
	}

	/**
	 * Asks the service how many bytes it has.
	 *
	 * @throws NodeOperationError when the upload is for a file of another size
	 */
	private async askOffset(): Promise<{ offset: number; answer: ServiceResponse }> {
		const { context, itemIndex, idleTimeoutMs, size } = this.settings;
		const request = { ...stateRequest(this.uploadId(), itemIndex), timeout: idleTimeoutMs };
		const answer = await requestOnce(context, request);
		const offset = uploadOffsetOf(answer);
		if (offset === undefined) {
			throw await unreadableResponseError(
				context,
				request,
				'The service did not say how many bytes of the upload it has: its answer has no Upload-Offset.',
			);
		}
		const length = uploadLengthOf(answer);
		if (offset > size || (length !== undefined && length !== size)) {
			const upload =
				length === undefined ? `has taken ${offset} bytes already` : `is for a file of ${length} bytes`;
			throw fileMismatchError(context, upload, size, itemIndex);
		}
		this.settings.onOffset(offset);
		return { offset, answer };
	}

	private uploadId(): string {
		return extractUploadId(this.url) ?? '';
	}
}

function idleError(idleTimeoutMs: number): TransferError {
	return new TransferError(
		`No byte moved for ${idleTimeoutMs / 1000} seconds, so the connection was given up`,
		true,
	);
}

function tusResponse(answer: ServiceResponse, supplied: Record<string, string>): HttpResponse {
	const headers = { ...answer.headers, ...supplied };
	return {
		getStatus: () => answer.statusCode,
		getHeader: (name) => headers[name.toLowerCase()],
		getBody: () => '',
		getUnderlyingObject: () => undefined,
	};
}

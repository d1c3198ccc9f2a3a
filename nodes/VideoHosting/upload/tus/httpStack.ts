import type { IExecuteFunctions } from 'n8n-workflow';
import type { HttpRequest, HttpResponse, HttpStack } from 'tus-js-client';

import type { SourceRange } from '../../sources/rangeReader';
import { ContentMismatchError, TransferError } from '../../sources/transferErrors';
import { serviceCredential } from '../../transport/credential';
import { errorResponseError, operationError, unreadableResponseError } from '../../transport/errors';
import { path, sendAuthenticated } from '../../transport/request';
import type { ServiceRequest, ServiceResponse } from '../../transport/serviceRequest';
import { sendRange } from './requestBody';
import {
	createdUploadId,
	decodeUploadId,
	extractUploadId,
	OFFSET_TYPE,
	otherSizeReason,
	serviceTimeOf,
	stateRequest,
	uploadLengthOf,
	uploadOffsetOf,
	UploadResponseError,
	uploadUrl,
	type UploadFile,
} from './uploadRequests';

/** What one upload reports. */
export interface TransferEvents {
	/** @param serviceTime of the response by the service's clock, in milliseconds since 1970 */
	created(uploadId: string, serviceTime: number | undefined): void;
	/**
	 * Called before the upload is continued, or found complete, at the service's offset in bytes.
	 *
	 * @param serviceTime as of {@link created}
	 * @throws when it must not be continued
	 */
	beforeResume(uploadId: string, offset: number, serviceTime: number | undefined): Promise<void>;
	/** The service reports its offset after a PATCH, in bytes. */
	acknowledged(offset: number): void;
	/** The connection accepted so many bytes, with which the file is sent up to the offset. */
	sent(bytes: number, offset: number): void;
	/** The service accepted a PATCH whose body ended with the file, and did not report its offset. */
	lastByteAccepted(): void;
}

/** One file, and how it is sent. */
export interface TusSettings {
	context: IExecuteFunctions;
	file: UploadFile;
	/** Most bytes of one PATCH; Infinity for the whole remainder. */
	maxRequestBytes: number;
	/** The connection is closed when no byte moved for this many milliseconds. */
	idleTimeoutMs: number;
	events: TransferEvents;
}

/**
 * The HTTP of tus-js-client, over n8n's own helper. It uses nothing but the upload's ID from the addresses that it
 * receives, so the token goes to the credential's host whatever `Location` contains. It supplies what tus-js-client needs
 * and the service does not promise: `Upload-Offset` after a PATCH (from a HEAD) and `Upload-Length` after a HEAD (the size
 * is known). Every response that is not 2xx is thrown, so that none makes tus-js-client start a second upload by itself.
 */
export function serviceHttpStack(settings: TusSettings): HttpStack {
	return {
		createRequest: (method, url) => new StackRequest(method, url, settings),
		getName: () => 'n8n',
	};
}

class StackRequest implements HttpRequest {
	private readonly headers: Record<string, string> = {};

	constructor(
		private readonly method: string,
		private readonly url: string,
		private readonly settings: TusSettings,
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

	setProgressHandler(): void {
		// `sent` reports the progress.
	}

	/** @throws UploadResponseError, NodeApiError, NodeOperationError or TransferError without a 2xx response that can be used */
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

	private async create(): Promise<HttpResponse> {
		const { context, events, idleTimeoutMs } = this.settings;
		const request = { method: 'POST', path: path('videos'), headers: this.headers } as const;
		const response = await this.request({ ...request, timeout: idleTimeoutMs });
		const uploadId = createdUploadId(context, response);
		events.created(uploadId, serviceTimeOf(response));
		const { baseUrl } = await serviceCredential(context);
		return tusResponse(response, { location: uploadUrl(baseUrl, uploadId) });
	}

	private async state(): Promise<HttpResponse> {
		const { events, file } = this.settings;
		const { offset, response } = await this.requestOffset();
		if (offset > file.size)
			throw new ContentMismatchError(otherSizeReason(`has ${offset} bytes already`, file.size));
		await events.beforeResume(this.uploadId(), offset, serviceTimeOf(response));
		return tusResponse(response, { 'upload-offset': String(offset), 'upload-length': String(file.size) });
	}

	/**
	 * An offset in the response is final. Without one, the HEAD that follows decides: it may report fewer bytes than were
	 * accepted, and a service that drops finished uploads no longer knows this one.
	 */
	private async append(range: SourceRange | null): Promise<HttpResponse> {
		const { context, events } = this.settings;
		const { size } = this.settings.file;
		const start = Number(this.headers['Upload-Offset']);
		if (!range) throw new Error('tus-js-client sends no PATCH without a range');
		let sent = 0;
		const onAccepted = (bytes: number) => {
			sent += bytes;
			events.sent(bytes, start + sent);
		};
		const response = await sendRange(
			range,
			OFFSET_TYPE,
			onAccepted,
			async (body, signal) =>
				await this.request({
					method: 'PATCH',
					path: path('videos', 'uploads', decodeUploadId(this.uploadId())),
					headers: { ...this.headers, 'Content-Type': OFFSET_TYPE, 'Content-Length': String(range.size) },
					body,
					// The idle timer detects a dead connection; a total limit would cut long uploads.
					timeout: 0,
					signal,
				}),
		);
		const end = start + range.size;
		const reported = uploadOffsetOf(response);
		if (reported === undefined && end === size && sent === range.size) events.lastByteAccepted();
		const offset = reported ?? (await this.requestOffset()).offset;
		if (offset > end) {
			const message = `The service reports an Upload-Offset of ${offset} bytes, but only the first ${end} bytes of the file were sent`;
			const description =
				'Its copy of the file cannot be right. Check that no other program writes to this upload, and start a new one.';
			throw operationError(context, message, description);
		}
		events.acknowledged(offset);
		if (offset <= start) {
			throw new TransferError('The service stored none of the bytes that were sent to it', true);
		}
		return tusResponse(response, { 'upload-offset': String(offset) });
	}

	/**
	 * Requests how many bytes the service has.
	 *
	 * @throws ContentMismatchError when the upload is for a file of another size
	 */
	private async requestOffset(): Promise<{ offset: number; response: ServiceResponse }> {
		const { context, file, idleTimeoutMs } = this.settings;
		const { size } = file;
		const request = { ...stateRequest(this.uploadId()), timeout: idleTimeoutMs };
		const response = await this.request(request);
		const offset = uploadOffsetOf(response);
		if (offset === undefined) {
			throw await unreadableResponseError(
				context,
				request,
				'The service did not report how many bytes of the upload it has: its response has no Upload-Offset.',
			);
		}
		const length = uploadLengthOf(response);
		if (length !== undefined && length !== size) {
			throw new ContentMismatchError(otherSizeReason(`is for a file of ${length} bytes`, size));
		}
		return { offset, response };
	}

	/** @throws UploadResponseError when the response is not 2xx, NodeApiError when no response arrives */
	private async request(request: ServiceRequest): Promise<ServiceResponse> {
		const { context } = this.settings;
		const response = await sendAuthenticated(context, request);
		if (response.statusCode >= 200 && response.statusCode < 300) return response;
		const error = await errorResponseError(context, request, response);
		throw new UploadResponseError(error, request.method, response);
	}

	private uploadId(): string {
		return extractUploadId(this.url) ?? '';
	}
}

function tusResponse(response: ServiceResponse, supplied: Record<string, string>): HttpResponse {
	const headers = { ...response.headers, ...supplied };
	return {
		getStatus: () => response.statusCode,
		getHeader: (name) => headers[name.toLowerCase()],
		getBody: () => '',
		getUnderlyingObject: () => undefined,
	};
}

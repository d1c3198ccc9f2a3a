import type { BinaryHelperFunctions, IDataObject, IHttpRequestMethods } from 'n8n-workflow';

/** Node's stream.Readable. n8n's rules for community packages refuse to import it. */
export type NodeReadable = Awaited<ReturnType<BinaryHelperFunctions['getBinaryStream']>>;

/** The class of a {@link NodeReadable}, or one that extends it, as far as it is used. */
export interface NodeReadableClass {
	from(chunks: AsyncIterable<Uint8Array>, options: { objectMode: boolean }): NodeReadable;
}

/** A body that is read while it is sent, and cannot be sent again. */
export type StreamedBody = Blob | NodeReadable;

/** One request below `{base_url}/v1`. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Path below `/v1`, its segments encoded by {@link path}. */
	path: string;
	query?: IDataObject;
	headers?: Record<string, string>;
	/** JSON object, multipart form, or a stream. */
	body?: IDataObject | FormData | StreamedBody;
	/** Ends the request and its pauses early, in addition to the execution's cancel signal. */
	signal?: AbortSignal;
	/** Whether it creates an upload or sends bytes of one: its 429 is about the upload slot. */
	needsSlot?: boolean;
}

/** A response of the service with any status. Header names are in lower case. */
export interface ServiceResponse {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: unknown;
}

/**
 * Whether a request does no harm when it is processed twice: it reads, sets a state, or belongs to an upload. A second creation of an
 * upload makes no video (docs/promises.md).
 */
export function isRepeatable({ method, needsSlot }: ServiceRequest): boolean {
	return needsSlot === true || (method !== 'POST' && method !== 'DELETE');
}

export function isStreamed(body: ServiceRequest['body']): body is StreamedBody {
	return body instanceof Blob || (body !== undefined && 'pipe' in body && typeof body.pipe === 'function');
}

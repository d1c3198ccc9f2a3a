import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

/** One request below `{base_url}/v1`. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Path below `/v1`, its segments encoded by {@link path}. */
	path: string;
	query?: IDataObject;
	headers?: Record<string, string>;
	/** JSON object, multipart form, or a Blob, which is streamed. */
	body?: IDataObject | FormData | Blob;
	/** How long the response may take from the start of the request, in milliseconds; 0 for any time. */
	timeout?: number;
	/** Ends the request early, in addition to the execution's cancel signal. */
	signal?: AbortSignal;
	/** Position of the input item that the request is made for; named in errors. */
	itemIndex?: number;
}

/** A response of the service with any status. Header names are in lower case. */
export interface ServiceResponse {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: unknown;
}

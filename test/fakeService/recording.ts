import type { IncomingHttpHeaders } from 'node:http';

import type { OperationName } from './operations';

/** A part of a form; without a file name it has the name ''. */
export interface FormFile {
	field: string;
	filename: string;
	contentType: string;
	bytes: Buffer;
}

/** One request as it arrived. Its entry is there from the first header on. */
export interface RecordedRequest {
	operation: OperationName | 'unknown';
	method: string;
	/** As sent, percent-encoding included, without the query. */
	path: string;
	query: Record<string, string>;
	headers: IncomingHttpHeaders;
	/** Parsed JSON body; undefined when there was none or it was no JSON. */
	body: unknown;
	form?: FormFile[];
	/** undefined until the response is sent; stays undefined when a fault suppresses the response. */
	status: number | undefined;
	/** Why the service rejected it, more precise than the response's `error`. */
	reason?: string;
	/** Arrival, milliseconds since the epoch. */
	at: number;
	/** Of the upload that the path names, or that the request created. */
	uploadId: string | undefined;
}

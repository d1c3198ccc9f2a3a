import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { z, type ZodType, type ZodTypeDef } from 'zod';

import type { ActiveFault, PendingFault } from './faults';
import type { OperationName } from './operations';
import type { ServiceSettings } from './settings';
import type { ServiceState } from './state';

/** One request as it arrived. Its entry is there from the first header on. */
export interface RecordedRequest {
	operation: OperationName | 'unknown';
	method: string;
	/** As sent, percent-encoding included, without the query. */
	path: string;
	query: Record<string, string>;
	headers: IncomingHttpHeaders;
	/** Parsed JSON body; undefined when there was none or it was no JSON. */
	body?: unknown;
	/** Parts of a form; one without a file name has the name ''. */
	form?: Array<{ field: string; filename: string; contentType: string; bytes: Buffer }>;
	/** undefined until the response is sent; stays undefined when a fault suppresses the response. */
	status?: number;
	/** Why the service rejected it, more precise than the response's `error`. */
	reason?: string;
	/** Arrival, milliseconds since the epoch. */
	at: number;
	/** Of the upload that the path names, or that the request created. */
	uploadId: string | undefined;
}

/** What a running service has. */
export interface ServiceParts {
	settings: ServiceSettings;
	state: ServiceState;
	/** Applications of the tokens that are still good, by the header Authorization. */
	tokens: Map<string, string>;
	/** Those that are not yet used up. */
	faults: PendingFault[];
	/** In order of arrival. */
	requests: RecordedRequest[];
	/** To be called at each request, chunk of a video and response. */
	changed: () => void;
}

/** What an operation works with: the request, and what the service has. */
export interface Call extends ServiceParts {
	req: IncomingMessage;
	request: RecordedRequest;
	/** By the names of the placeholders in the path. */
	segments: Partial<Record<string, string>>;
	/** Application of the bearer token. */
	applicationId: string;
	fault: ActiveFault | undefined;
}

/** A response of the service: a JSON body, or `text` sent as it is, or nothing. */
export interface ResponseSpec {
	status: number;
	json?: unknown;
	text?: string;
	headers?: Record<string, string>;
}

/** The outcome of a request: a response, a reset connection, or silence. */
export type Outcome = ResponseSpec | 'reset' | 'silence';

/** Ends a request with the reference's error form, `{ "error": text }`. */
export class ErrorResponse extends Error {
	constructor(
		readonly status: number,
		readonly error: string,
		/** What exactly was wrong: recorded for tests, not sent. */
		readonly reason = error,
	) {
		super(`${status} ${error}: ${reason}`);
	}
}

export const badRequest = (reason: string) => new ErrorResponse(400, 'Bad Request', reason);

export const nonEmpty = z.string().min(1);

/** The value in the form that the schema requires; throws 400 `Bad Request` otherwise. `what` names it in the reason. */
export function required<Output>(schema: ZodType<Output, ZodTypeDef, unknown>, value: unknown, what: string) {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	throw badRequest(`${[what, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'not as documented'}`);
}

/** One record, in the form that the settings require. */
export function singleResponse(record: object, { singleShape }: ServiceSettings): ResponseSpec {
	return { status: 200, json: singleShape === 'data' ? { data: record } : record };
}

/** Response to a write whose body the reference does not show. */
export function writeResponse(record: object, success: string, settings: ServiceSettings): ResponseSpec {
	if (settings.writeResponse === 'record') return singleResponse(record, settings);
	return { status: 200, json: settings.writeResponse === 'success' ? { success } : undefined };
}

import type { ZodType, ZodTypeDef } from 'zod';

import type { RecordedRequest } from './recording';
import type { ServiceSettings } from './settings';
import type { ServiceState } from './state';
import type { Tokens } from './tokens';

/** What an operation works with: the request, and what the service has. */
export interface Call {
	request: RecordedRequest;
	/** By the names of the placeholders in the path. */
	segments: Partial<Record<string, string>>;
	/** Application of the bearer token. */
	applicationId: string;
	settings: ServiceSettings;
	state: ServiceState;
	tokens: Tokens;
}

/** A response of the service: a JSON body, or `text` sent as it is, or nothing. */
export interface ResponseSpec {
	status: number;
	json?: unknown;
	text?: string;
	headers?: Record<string, string>;
}

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

/** The value in the form that the schema requires; throws 400 `Bad Request` otherwise. `what` names it in the reason. */
export function required<Output>(
	schema: ZodType<Output, ZodTypeDef, unknown>,
	value: unknown,
	what: string,
): Output {
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

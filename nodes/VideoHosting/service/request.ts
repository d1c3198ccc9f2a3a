import type {
	IAdditionalCredentialOptions,
	IExecuteFunctions,
	IDataObject,
	IHttpRequestMethods,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { CREDENTIAL_TYPE, serviceCredential, type ServiceContext, type VideoHostingCredential } from './credential';
import { answerIn, asNodeError, isTransient, noAnswerError, refusalError } from './errors';
import { growingPause, pause } from './pause';

/** A Node stream of bytes, as n8n hands out binary data. */
export type ByteStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** One request below `{base_url}/v1`. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Path below `/v1`, its segments encoded by {@link path}. */
	path: string;
	query?: IDataObject;
	headers?: Record<string, string>;
	/** JSON object, multipart form, bytes, or a stream (then `Content-Length` must be among the headers). */
	body?: IDataObject | FormData | Buffer | ByteStream;
	/** How long the connection may be silent, in milliseconds. */
	timeout?: number;
	/** Position of the input item that the request is made for; named in errors. */
	itemIndex?: number;
}

/** What the service answered, whatever the status. Header names are in lower case. */
export interface ServiceAnswer {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: unknown;
}

const SILENCE_LIMIT_MS = 60_000;
const TRIES = 3;
const FIRST_PAUSE_MS = 500;
/** A longer Retry-After is told to the user (and to n8n's poll scheduler) instead of being waited for. */
const LONGEST_PAUSE_MS = 10_000;

/** Joins path segments, each encoded, so that a hash or UUID from outside cannot leave its place in the path. */
export function path(...segments: Array<string | number>): string {
	return segments
		.map((segment) => {
			const text = String(segment);
			// An encoded "." or ".." is still resolved away by URL parsers (WHATWG URL, 4.4).
			return /^\.{1,2}$/.test(text) ? text.replace(/\./g, '%252E') : encodeURIComponent(text);
		})
		.join('/');
}

/**
 * Calls the service and returns the parsed body of a 2xx answer. GET is repeated up to three times on network faults,
 * 429 and 5xx; nothing else is repeated, since the reference does not say that it is safe.
 *
 * @throws NodeApiError with the service's own words, the status and what to do; see {@link refusalError}
 */
export async function request(context: ServiceContext, serviceRequest: ServiceRequest): Promise<unknown> {
	const tries = serviceRequest.method === 'GET' ? TRIES : 1;
	for (let attempt = 1; ; attempt++) {
		let pauseMs = growingPause(attempt, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
		try {
			const answer = await exchange(context, serviceRequest);
			if (answer.statusCode >= 200 && answer.statusCode < 300) return answer.body;
			throw await refusalError(context, serviceRequest, answer);
		} catch (error) {
			if (attempt >= tries || !isTransient(error)) throw asNodeError(context, error);
			const retryAfter = error.failure && 'retryAfterMs' in error.failure ? error.failure.retryAfterMs : undefined;
			if (retryAfter !== undefined && retryAfter > LONGEST_PAUSE_MS) {
				throw asNodeError(context, error);
			}
			pauseMs = Math.max(pauseMs, retryAfter ?? 0);
		}
		await pause(pauseMs, cancelSignal(context));
	}
}

/**
 * Sends one request through n8n's own helper and returns the service's answer with any status. The token is renewed
 * once on 401 and 403, except when the body is a stream: then it is renewed and the 401 or 403 is returned.
 *
 * @throws NodeApiError when no answer came; see {@link noAnswerError}
 */
export async function exchange(context: ServiceContext, serviceRequest: ServiceRequest): Promise<ServiceAnswer> {
	const { baseUrl } = await serviceCredential(context);
	const { method, query, headers, body, timeout = SILENCE_LIMIT_MS } = serviceRequest;
	const options = (): IHttpRequestOptions => ({
		// n8n drops the body of a GET unless the method is left out (the reference wants one in 19 and 20).
		...(method === 'GET' ? {} : { method }),
		url: `${baseUrl}/v1/${serviceRequest.path}`,
		qs: query,
		headers: { Accept: 'application/json', ...headers },
		body,
		timeout,
		returnFullResponse: true,
		// Followed redirects would carry the token elsewhere and keep a whole streamed body in memory.
		disableFollowRedirect: true,
	});

	// Whether this n8n renews on 403 shows in whether it reads the setting: before 2.41 it knows 401 alone.
	const support = { renewsOn403: false };
	const answer = await send(context, serviceRequest, options(), {
		get preAuthenticationRetryStatusCode() {
			support.renewsOn403 = true;
			return [401, 403];
		},
	});
	if (answer.statusCode !== 403 || support.renewsOn403 || isStream(body)) return answer;

	// An empty token makes n8n run the authenticate exchange before it sends.
	const stored = await context.getCredentials<VideoHostingCredential>(CREDENTIAL_TYPE);
	return await send(context, serviceRequest, options(), {
		credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data: { ...stored, accessToken: '' } },
	});
}

async function send(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	options: IHttpRequestOptions,
	credentialOptions: IAdditionalCredentialOptions,
): Promise<ServiceAnswer> {
	try {
		// returnFullResponse makes n8n answer this shape; its types say `any`.
		const { statusCode, headers, body } = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL_TYPE,
			options,
			credentialOptions,
		)) as IN8nHttpFullResponse;
		return { statusCode, headers: headers as ServiceAnswer['headers'], body };
	} catch (error) {
		const answer = answerIn(error);
		if (answer) return answer;
		throw await noAnswerError(context, serviceRequest, error);
	}
}

function isStream(body: ServiceRequest['body']): body is ByteStream {
	return typeof body === 'object' && 'pipe' in body;
}

/** The signal that n8n aborts when the execution is cancelled; polls and pickers have none. */
export function cancelSignal(context: ServiceContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

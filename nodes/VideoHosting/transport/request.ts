import type { IAdditionalCredentialOptions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import {
	CREDENTIAL_TYPE,
	serviceCredential,
	storedCredential,
	tokensReadFor,
	type ServiceContext,
} from './credential';
import { responseOf, isWebPage } from './errorResponse';
import {
	toNodeError,
	isTransient,
	noResponseError,
	errorResponseError,
	unreadableResponseError,
} from './errors';
import { backoffDelay, pause, raceSignal } from '../shared/pause';
import { reportsFailure } from './reportedFailure';
import { isStreamed, type ServiceRequest, type ServiceResponse } from './serviceRequest';

const RESPONSE_TIMEOUT_MS = 60_000;
/** The reference does not document which of them an expired token causes (docs/api-reference.md#errors). */
const REJECTED_TOKEN_STATUSES = [401, 403];
/** How GET and HEAD are retried. Tests shorten the first pause; nothing else changes it. */
export const requestPolicy = {
	tries: 3,
	/** Pause after the first error, in milliseconds; it doubles, see backoffDelay(). */
	firstPauseMs: 500,
	/**
	 * Longest pause, in milliseconds. A longer Retry-After is reported to the user and to n8n's poll scheduler instead of being
	 * waited for.
	 */
	longestPauseMs: 10_000,
};

/** Joins path segments, each encoded, so that a hash or UUID from input data cannot change the rest of the path. */
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
 * The body of {@link requestWithRetry}: parsed JSON, a text, or '' when it is empty.
 *
 * @throws NodeApiError also when the body of a 2xx response is a web page, incomplete JSON, or reports a failure
 */
export async function requestJson(context: ServiceContext, serviceRequest: ServiceRequest): Promise<unknown> {
	return (await requestJsonResponse(context, serviceRequest)).body;
}

/**
 * Like {@link requestJson}, with the status and the headers.
 *
 * @throws NodeApiError as {@link requestJson}
 */
export async function requestJsonResponse(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
): Promise<ServiceResponse> {
	const response = await requestWithRetry(context, serviceRequest);
	const { body } = response;
	const isRead = serviceRequest.method === 'GET';
	if (reportsFailure(body, isRead)) throw await errorResponseError(context, serviceRequest, response);
	if (!isWebPage(body) && !isBrokenJson(body)) return response;
	const got = isWebPage(body) ? 'a web page' : 'incomplete JSON';
	throw await unreadableResponseError(
		context,
		serviceRequest,
		`The service returned ${got}. Try again later; if it happens again, check the Base URL in the credential.`,
	);
}

/**
 * Calls the service and returns a 2xx response. GET and HEAD are tried up to three times on network errors, 429 and 5xx.
 * Other methods are not retried: the reference does not document that this is safe.
 *
 * @throws NodeApiError with the service's error message, the status and what to do; see {@link errorResponseError}
 */
export async function requestWithRetry(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
): Promise<ServiceResponse> {
	const { firstPauseMs, longestPauseMs } = requestPolicy;
	const tries = ['GET', 'HEAD'].includes(serviceRequest.method) ? requestPolicy.tries : 1;
	for (let attempt = 1; ; attempt++) {
		let pauseMs = backoffDelay(attempt, firstPauseMs, longestPauseMs);
		try {
			return await requestOnce(context, serviceRequest);
		} catch (error) {
			if (attempt >= tries || !isTransient(error)) throw toNodeError(context, error);
			const retryAfter =
				error.failure && 'retryAfterMs' in error.failure ? error.failure.retryAfterMs : undefined;
			if (retryAfter !== undefined && retryAfter > longestPauseMs) {
				throw toNodeError(context, error);
			}
			pauseMs = Math.max(pauseMs, retryAfter ?? 0);
		}
		await pause(pauseMs, cancelSignal(context));
	}
}

/**
 * Sends one request once and returns a 2xx response.
 *
 * @throws NodeApiError for any other response, and when no response arrives
 */
export async function requestOnce(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
): Promise<ServiceResponse> {
	const response = await sendAuthenticated(context, serviceRequest);
	if (response.statusCode >= 200 && response.statusCode < 300) return response;
	throw await errorResponseError(context, serviceRequest, response);
}

/**
 * Sends one request through n8n's helper and returns the service's response with any status. The token is renewed
 * once on 401 and 403; with a streamed body, which cannot be sent again, the next request renews.
 *
 * @throws NodeApiError when there is no response; see {@link noResponseError}
 */
export async function sendAuthenticated(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
): Promise<ServiceResponse> {
	const { baseUrl } = await serviceCredential(context);
	const { method, query, headers, body, timeout = RESPONSE_TIMEOUT_MS } = serviceRequest;
	// After a 401 to a stream n8n stores a new token before it throws; the error must not show the one that was sent.
	if (isStreamed(body)) await storedCredential(context);
	const options = (): IHttpRequestOptions => ({
		// n8n drops the body of a GET unless the method is left out (docs/n8n-internals.md#get-body);
		// docs/api-reference.md#list-videos needs one.
		...(method === 'GET' ? {} : { method }),
		url: `${baseUrl}/v1/${serviceRequest.path}`,
		qs: query,
		headers: { Accept: 'application/json', ...headers },
		body,
		timeout,
		returnFullResponse: true,
		// Followed redirects would carry the token elsewhere and keep a whole streamed body in memory.
		disableFollowRedirect: true,
		// Return a response for any status: the error that n8n 1.x throws has no headers and no body. n8n 1.x ignores `except`,
		// so it returns a response for a rejected token too, and does not renew the token.
		ignoreHttpStatusErrors: { ignore: true, except: REJECTED_TOKEN_STATUSES },
	});

	// An n8n that renews on both statuses (2.41 and later) reads this setting.
	const support = { renewsOnBoth: false };
	const response = await callN8nHelper(context, serviceRequest, options(), {
		get preAuthenticationRetryStatusCode() {
			support.renewsOnBoth = true;
			return REJECTED_TOKEN_STATUSES;
		},
	});
	// n8n may have signed in for this request. A later error must not show that token, whoever renews it meanwhile.
	if (tokensReadFor(context).length === 0) await storedCredential(context);
	if (!REJECTED_TOKEN_STATUSES.includes(response.statusCode) || support.renewsOnBoth || isStreamed(body))
		return response;

	// With an empty token n8n signs in before it sends the request.
	const stored = await storedCredential(context);
	return await callN8nHelper(context, serviceRequest, options(), {
		credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data: { ...stored, accessToken: '' } },
	});
}

async function callN8nHelper(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	options: IHttpRequestOptions,
	credentialOptions: IAdditionalCredentialOptions,
): Promise<ServiceResponse> {
	try {
		const response = context.helpers.httpRequestWithAuthentication.call(
			withAbortSignal(context, serviceRequest.signal),
			CREDENTIAL_TYPE,
			options,
			credentialOptions,
		);
		// With returnFullResponse n8n returns this shape; the declared type is `any`.
		const { statusCode, headers, body } = (await raceSignal(
			response,
			cancelSignal(context),
		)) as IN8nHttpFullResponse;
		return { statusCode, headers: headers as ServiceResponse['headers'], body };
	} catch (error) {
		const response = responseOf(error);
		if (response) return response;
		const isCancelled = cancelSignal(context)?.aborted === true;
		throw await noResponseError(context, serviceRequest, error, isCancelled);
	}
}

/**
 * The context with an additional signal that ends a request: n8n's helper uses the signal of the context it is called on and
 * overwrites the one in the request's options (docs/n8n-internals.md#abort-signal).
 */
function withAbortSignal<Context extends ServiceContext>(
	context: Context,
	signal: AbortSignal | undefined,
): Context {
	if (!signal) return context;
	const cancelled = cancelSignal(context);
	const either = cancelled ? AbortSignal.any([cancelled, signal]) : signal;
	// Object.create returns `any`; the new object is the context with one method replaced.
	return Object.create(context, { getExecutionCancelSignal: { value: () => either } }) as Context;
}

/** Whether a body is text that starts like JSON: n8n's helper returns what it cannot parse as text. */
function isBrokenJson(body: unknown): boolean {
	return typeof body === 'string' && /^\s*[{[]/.test(body);
}

/** The signal that n8n aborts when the execution is cancelled; polls and pickers have none. */
export function cancelSignal(context: ServiceContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import {
	CREDENTIAL_TYPE,
	serviceCredential,
	sessionOf,
	tokenIn,
	tokenOf,
	toServiceCredential,
	type ServiceContext,
} from './credential';
import { isWebPage, reportsFailure, responseOf } from './errorResponse';
import {
	toNodeError,
	isRateLimited,
	isRefusedSignIn,
	isTransient,
	noResponseError,
	errorResponseError,
	retryAfterOf,
	unreadableResponseError,
} from './errors';
import { anySignal, backoffDelay, pause, raceSignal } from '../shared/pause';
import { requestPolicy } from '../shared/retryPolicy';
import { isRepeatable, isStreamed, type ServiceRequest, type ServiceResponse } from './serviceRequest';

/** The reference does not document which of them an expired token causes (docs/api-reference.md#errors). */
const REJECTED_TOKEN_STATUSES = [401, 403];
/** How long a picker waits for a rate limit, in milliseconds: a user looks at it. */
const PICKER_RATE_LIMIT_MS = 20_000;

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
	throw await unreadableResponseError(context, serviceRequest, `The service returned ${got}.`);
}

/**
 * Calls the service and returns a 2xx response. What met a rate limit (429) was not processed, so anything is repeated after it,
 * until the time for that is used up; after an error that may pass (no response, 5xx), only what is harmless. A poll does not
 * wait for a rate limit: {@link isRateLimited} recognizes its error.
 *
 * @throws NodeApiError with the service's error message, the status and what to do; see {@link errorResponseError}
 */
export async function requestWithRetry(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
): Promise<ServiceResponse> {
	const { tries, errorPause } = requestPolicy;
	const failures = { rateLimited: 0, temporary: 0 };
	let limitedMs = 0;
	for (;;) {
		try {
			return await requestOnce(context, serviceRequest);
		} catch (error) {
			if (!isTransient(error)) throw toNodeError(context, error);
			const isLimited = isRateLimited(error);
			const failed = ++failures[isLimited ? 'rateLimited' : 'temporary'];
			const askedMs = retryAfterOf(error) ?? 0;
			const pauseMs = backoffDelay(failed, errorPause, askedMs);
			if (isLimited) limitedMs += pauseMs;
			const isRepeated = isLimited
				? limitedMs <= rateLimitPatience(context)
				: isRepeatable(serviceRequest) && failed < tries && askedMs <= errorPause.longestMs;
			if (!isRepeated) throw toNodeError(context, error);
			await pause(pauseMs, cancelSignal(context));
		}
	}
}

/** How long a request may wait for a rate limit, in milliseconds. The next poll is a better try than one in a long poll. */
function rateLimitPatience(context: ServiceContext): number {
	if ('__emit' in context) return 0;
	return 'getExecutionCancelSignal' in context ? requestPolicy.rateLimitMs : PICKER_RATE_LIMIT_MS;
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
 * Sends one request through n8n's helper and returns the service's response with any status. When it is 401 or 403, signs in
 * and sends it once more; not with a streamed body, which cannot be sent again, and not when a new token did not help the
 * last request of this method: then the service rejects something else, such as the plan secret.
 *
 * @throws NodeApiError when there is no response; see {@link noResponseError}
 */
export async function sendAuthenticated(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
): Promise<ServiceResponse> {
	const { method, body } = serviceRequest;
	const { rejections } = sessionOf(context);
	let response = await callN8nHelper(context, serviceRequest);
	const isRejected = () => REJECTED_TOKEN_STATUSES.includes(response.statusCode);
	const rejection = (status: number) => `${status} ${method}`;
	if (isRejected() && !isStreamed(body) && !rejections.has(rejection(response.statusCode))) {
		response = await callN8nHelper(context, serviceRequest, true);
		if (isRejected()) rejections.add(rejection(response.statusCode));
	}
	if (response.statusCode < 300)
		for (const status of REJECTED_TOKEN_STATUSES) rejections.delete(rejection(status));
	return response;
}

/**
 * @param isRejected whether the service rejected the token of the same request, so that n8n is to sign in first
 * @throws NodeApiError when there is no response; instead of a sign-in when this run was refused one to this account
 */
async function callN8nHelper(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	isRejected = false,
): Promise<ServiceResponse> {
	const session = sessionOf(context);
	const { baseUrl } = await serviceCredential(context);
	const { method, query, headers, body, timeout = requestPolicy.responseTimeoutMs } = serviceRequest;
	const options: IHttpRequestOptions = {
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
		// Return a response for any status: the error that n8n 1.x throws has no headers and no body, and n8n 2.41 would renew the
		// token for each 401.
		ignoreHttpStatusErrors: true,
	};
	// n8n puts a new token into this object, so it shows the one that was sent. With an empty one n8n signs in first.
	const credential = { ...(await context.getCredentials(CREDENTIAL_TYPE)) };
	if (isRejected) credential.accessToken = '';
	const account = toServiceCredential(credential);
	const hasToken = () => tokenOf(credential.accessToken, account) !== undefined;
	if (session.refusedSignIn !== undefined && !hasToken())
		throw await noResponseError(context, serviceRequest, session.refusedSignIn);
	// The body of an upload may take any time; its sender watches it.
	const deadline = isStreamed(body)
		? undefined
		: AbortSignal.timeout(Math.max(requestPolicy.deadlineMs, timeout));
	const signal = anySignal(cancelSignal(context), serviceRequest.signal, deadline);
	try {
		const sent = context.helpers.httpRequestWithAuthentication.call(
			withAbortSignal(context, signal),
			CREDENTIAL_TYPE,
			options,
			{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data: credential } },
		);
		// With returnFullResponse n8n returns this shape; the declared type is `any`. n8n signs in without a signal.
		const response = (await raceSignal(sent, signal)) as IN8nHttpFullResponse;
		const { statusCode, body: responseBody } = response;
		return { statusCode, headers: response.headers as ServiceResponse['headers'], body: responseBody };
	} catch (error) {
		const response = responseOf(error);
		if (response) return response;
		if (isRefusedSignIn(error)) session.refusedSignIn = error;
		const isCancelled = cancelSignal(context)?.aborted === true;
		const reason: unknown = deadline?.aborted === true ? deadline.reason : error;
		throw await noResponseError(context, serviceRequest, reason, { isCancelled, wasSent: hasToken() });
	} finally {
		session.tokens.add(tokenIn(credential.accessToken));
	}
}

/**
 * The context with the signal that ends a request: n8n's helper uses the signal of the context it is called on and
 * overwrites the one in the request's options (docs/n8n-internals.md#abort-signal).
 */
function withAbortSignal<Context extends ServiceContext>(context: Context, signal: AbortSignal): Context {
	// Object.create returns `any`; the new object is the context with one method replaced.
	return Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as Context;
}

/** Whether a body is text that starts like JSON: n8n's helper returns what it cannot parse as text. */
function isBrokenJson(body: unknown): boolean {
	return typeof body === 'string' && /^\s*[{[]/.test(body);
}

/** The signal that n8n aborts when the execution is cancelled; polls and pickers have none. */
export function cancelSignal(context: ServiceContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

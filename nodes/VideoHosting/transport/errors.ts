import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { isRecord } from '../shared/jsonFields';
import { sessionOf, tokenIn, type ServiceContext } from './credential';
import {
	adviceFor,
	asSentence,
	CHECK_FIRST,
	descriptionOf,
	failureOf,
	isOwnError,
	networkTexts,
	serviceMessage,
	shorten,
	UNREACHABLE,
	type ErrorTexts,
} from './errorTexts';
import { hideSecrets } from './secrets';
import { isRepeatable, type ServiceResponse, type ServiceRequest } from './serviceRequest';

export { asSentence } from './errorTexts';

/**
 * The error for a response that is not 2xx: the service's error message, and as description what to do. Status, method and path
 * are under the error's details. `failure` shows n8n's poll scheduler whether waiting helps.
 */
export async function errorResponseError(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	response: ServiceResponse,
): Promise<NodeApiError> {
	const { statusCode } = response;
	const isOwn = isOwnError(response);
	const error = await apiError(context, serviceRequest, {
		message: serviceMessage(response),
		description: adviceFor(serviceRequest, response),
		httpCode: String(statusCode),
		failure: failureOf(response),
		details: `The service returned ${statusCode} for`,
		mayBeCarriedOut: statusCode >= 500 && !isOwn,
	});
	error.context.isFromService = isOwn;
	return error;
}

/**
 * The error for a request without a response: which host, what happened, what to do.
 *
 * @param isCancelled the execution was cancelled, which ends its request
 * @param wasSent whether it may have been sent: not without a token
 */
export async function noResponseError(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	error: unknown,
	{ isCancelled = false, wasSent = false } = {},
): Promise<NodeApiError> {
	const { credential } = await sessionOf(context);
	const texts: ErrorTexts = isCancelled
		? { message: 'The request was cancelled before the service responded.' }
		: networkTexts(credential.baseUrl, error);
	const { httpCode } = texts;
	return await apiError(context, serviceRequest, {
		// Signing in failed.
		failure: error instanceof NodeApiError ? error.failure : undefined,
		...texts,
		details: 'No response to',
		mayBeCarriedOut: wasSent && (isCancelled || (httpCode !== undefined && !UNREACHABLE.test(httpCode))),
	});
}

/** The error for a 2xx response without the documented content; `missing` is one full sentence. */
export async function unreadableResponseError(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	missing: string,
): Promise<NodeApiError> {
	return await apiError(context, serviceRequest, {
		message: missing,
		description: 'Try again later. If it happens again, check the Base URL in the credential.',
		failure: { cause: 'temporarily-unavailable' },
		details: 'Response to',
		mayBeCarriedOut: true,
	});
}

/**
 * An error with at most 300 characters of the message, and without the secrets of the request: a service may echo what it received.
 *
 * @param details begins the line about the request
 * @param mayBeCarriedOut whether the service may have processed the request all the same
 */
async function apiError(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	texts: ErrorTexts & { details: string; mayBeCarriedOut: boolean },
): Promise<NodeApiError> {
	const { method, path, body } = serviceRequest;
	const isOpen = texts.mayBeCarriedOut && !isRepeatable(serviceRequest);
	const description = isOpen ? CHECK_FIRST : texts.description;
	const { credential, accessToken } = await sessionOf(context);
	const planSecret = isRecord(body) ? body.secret : undefined;
	const hide = (text: string) => hideSecrets(text, [credential.password, tokenIn(accessToken), planSecret]);
	const error = plainError(context.getNode(), {
		...texts,
		message: asSentence(shorten(hide(texts.message))),
		description: description && hide(description),
		details: hide(`${texts.details} ${method} /v1/${path}`),
	});
	return isOpen ? noteCarriedOut(error) : error;
}

/**
 * An error with exactly these texts. It is not built from axios' error, which contains the Authorization header and the
 * request's body.
 */
export function plainError(node: INode, texts: ErrorTexts): NodeApiError {
	const { message, description, httpCode, failure, details } = texts;
	const error = new NodeApiError(node, {}, { message, description });
	// The constructor replaces a message that contains a network code (n8n-workflow dist/cjs/errors/abstract/node.error.js,
	// COMMON_ERRORS), and in n8n before 2.38 it ignores `failure`.
	error.message = message;
	error.messages = details === undefined ? [] : [details];
	error.httpCode = httpCode ?? null;
	if (failure) error.failure = failure;
	return error;
}

/**
 * An error that is not about a single response of the service: what happened, and what to do. The router adds the item's index.
 */
export function operationError(
	context: Pick<ServiceContext, 'getNode'>,
	reason: string | Error,
	description = '',
): NodeOperationError {
	const error = new NodeOperationError(context.getNode(), reason, { description });
	// As in plainError(): a quoted value may contain the name of a network code.
	error.message = typeof reason === 'string' ? reason : reason.message;
	return error;
}

/** An error that n8n shows as it is: a node error unchanged, any other wrapped in a NodeOperationError. */
export function toNodeError(context: ServiceContext, error: unknown): NodeApiError | NodeOperationError {
	if (isNodeError(error)) return error;
	return operationError(context, error instanceof Error ? error : errorMessage(error), descriptionOf(error));
}

function isNodeError(error: unknown): error is NodeApiError | NodeOperationError {
	return error instanceof NodeApiError || error instanceof NodeOperationError;
}

/** Notes that what an error reports as failed was or may have been carried out, so that a retry must not repeat it. */
export function noteCarriedOut<Failure extends NodeApiError | NodeOperationError>(error: Failure): Failure {
	error.context.mayBeCarriedOut = true;
	return error;
}

/**
 * Whether an error is about something that was or may have been carried out and must not be repeated, such as a POST that was sent and
 * to which no response of the service says that it failed.
 */
export function mayBeCarriedOut(error: unknown): boolean {
	return isNodeError(error) && error.context.mayBeCarriedOut === true;
}

/** Like {@link hasStatus}, only of a response that the service itself sent: no web page, text or empty body of a gateway. */
export function isServiceError(error: unknown, status: RegExp): error is NodeApiError {
	return hasStatus(error, status) && error.context.isFromService === true;
}

/** Whether an error stands for a response whose HTTP status, in digits, or a network error whose code matches. */
export function hasStatus(error: unknown, status: RegExp): error is NodeApiError {
	return error instanceof NodeApiError && status.test(error.httpCode ?? '');
}

/** Whether a retry can help: no response, 429, or 5xx. The `failure` of such an error has a temporary cause. */
export function isTransient(error: unknown): error is NodeApiError {
	return isRateLimited(error) || hasCause(error, 'temporarily-unavailable');
}

/** Whether an error stands for a 429: the request was not processed, and a later one may be. */
export function isRateLimited(error: unknown): error is NodeApiError {
	return hasCause(error, 'rate-limited');
}

function hasCause(error: unknown, cause: string): boolean {
	return error instanceof NodeApiError && error.failure?.cause === cause;
}

/** What the Retry-After of the response says, in milliseconds. Undefined when it says nothing, or there is no response. */
export function retryAfterOf(error: unknown): number | undefined {
	const failure = error instanceof NodeApiError ? error.failure : undefined;
	return failure && 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
}

/** What happened and, when the error says so, what to do: one text, for where only one is shown. */
export function withAdvice({ message, description }: NodeApiError | NodeOperationError): string {
	// An error of which several items failed has it already.
	if (!description || message.includes(description)) return message;
	return `${asSentence(message)} ${description}`;
}

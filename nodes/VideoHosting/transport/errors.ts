import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { CREDENTIAL_TYPE, serviceCredential, sessionOf, type ServiceContext } from './credential';
import { errorMessage } from '../shared/errorMessage';
import {
	adviceFor,
	failureOf,
	firstLine,
	isOwnError,
	leavesOpen,
	serviceMessage,
	shorten,
	withSubject,
} from './errorResponse';
import { isRecord } from '../shared/jsonFields';
import { CHECK_FIRST, isSent, networkCode, networkError } from './networkErrors';
import { hideSecrets } from './secrets';
import { isRepeatable, type ServiceResponse, type ServiceRequest } from './serviceRequest';

/**
 * The error for a response that is not 2xx: the service's error message with what a 404 is about, and as description what to
 * do. Status, method and path are under the error's details. `failure` shows n8n's poll scheduler whether waiting helps.
 */
export async function errorResponseError(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	response: ServiceResponse,
): Promise<NodeApiError> {
	const error = await apiError(context, serviceRequest, {
		message: withSubject(serviceMessage(response), serviceRequest, response),
		description: adviceFor(serviceRequest, response),
		details: `The service returned ${response.statusCode} for`,
		httpCode: String(response.statusCode),
		failure: failureOf(response),
		leavesOpen: leavesOpen(response),
	});
	if (isOwnError(response)) serviceErrors.add(error);
	return error;
}

/** Errors that the service itself sent, see isOwnError(). */
const serviceErrors = new WeakSet<Error>();

/** Like {@link hasStatus}, only of a response that the service itself sent: no web page, text or empty body of a gateway. */
export function isServiceError(error: unknown, status: RegExp): error is NodeApiError {
	return error instanceof NodeApiError && serviceErrors.has(error) && hasStatus(error, status);
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
	const code = isCancelled ? undefined : networkCode(error);
	const { baseUrl } = await serviceCredential(context);
	const { message, advice } = isCancelled
		? { message: 'The execution was cancelled before the service responded.' }
		: code !== undefined
			? networkError(baseUrl, code, isRepeatable(serviceRequest) || !wasSent)
			: // n8n rejected the request (domain limits, SSRF guard), or signing in failed.
				{ message: firstLine(errorMessage(error)), advice: descriptionOf(error) };
	const ownFailure = error instanceof NodeApiError ? error.failure : undefined;
	return await apiError(context, serviceRequest, {
		message,
		description: advice,
		details: 'No response to',
		httpCode: code,
		failure: code === undefined ? ownFailure : { cause: 'temporarily-unavailable' },
		leavesOpen: wasSent && (isCancelled || (code !== undefined && isSent(code))),
	});
}

/** The description of an error that n8n itself threw: its SSRF guard explains there what an administrator can do. */
export function descriptionOf(error: unknown): string | undefined {
	for (const source of [error, error instanceof Error ? error.cause : undefined]) {
		if (isRecord(source) && typeof source.description === 'string') return source.description;
	}
	return undefined;
}

/**
 * Whether a retry can help: no response, 429, or 5xx. The `failure` of such an error has a temporary cause.
 */
export function isTransient(error: unknown): error is NodeApiError {
	return (
		error instanceof NodeApiError &&
		(error.failure?.cause === 'temporarily-unavailable' || error.failure?.cause === 'rate-limited')
	);
}

/** Errors of what was or may have been carried out, and must not be repeated. */
const carriedOut = new WeakSet<Error>();

/** Notes that what an error reports as failed was or may have been carried out, so that a retry must not repeat it. */
export function noteCarriedOut<Failure extends Error>(error: Failure): Failure {
	carriedOut.add(error);
	return error;
}

/** Notes that a retry first looks whether what an error reports as failed was carried out. */
export function noteRepeatable<Failure extends Error>(error: Failure): Failure {
	carriedOut.delete(error);
	return error;
}

/**
 * Whether an error is about something that was or may have been carried out and must not be repeated, such as a POST that was sent and
 * to which no response of the service says that it failed.
 */
export function mayBeCarriedOut(error: unknown): boolean {
	return error instanceof Error && carriedOut.has(error);
}

/** Whether an error stands for a 429: the request was not processed, and a later one may be. */
export function isRateLimited(error: unknown): error is NodeApiError {
	return error instanceof NodeApiError && error.failure?.cause === 'rate-limited';
}

/** What the Retry-After of the response says, in milliseconds. Undefined when it says nothing, or there is no response. */
export function retryAfterOf(error: unknown): number | undefined {
	const failure = error instanceof NodeApiError ? error.failure : undefined;
	return failure && 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
}

/** Whether an error stands for a response whose HTTP status, in digits, matches. */
export function hasStatus(error: unknown, status: RegExp): boolean {
	return error instanceof NodeApiError && status.test(error.httpCode ?? '');
}

/**
 * An error that n8n shows as it is: a node error unchanged, any other wrapped in a NodeOperationError.
 */
export function toNodeError(context: ServiceContext, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return operationError(context, error instanceof Error ? error : errorMessage(error), descriptionOf(error));
}

/**
 * An error that is not about a single response of the service: what happened, and what to do. Which item it is about, the router
 * adds.
 */
export function operationError(
	context: Pick<ServiceContext, 'getNode'>,
	reason: string | Error,
	description = '',
): NodeOperationError {
	const error = new NodeOperationError(context.getNode(), reason, { description });
	// The constructor replaces a message that contains the name of a network error.
	error.message = typeof reason === 'string' ? reason : reason.message;
	return error;
}

/** The error for a 2xx response without the documented content; `missing` is one full sentence. */
export async function unreadableResponseError(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	missing: string,
): Promise<NodeApiError> {
	return await apiError(context, serviceRequest, {
		message: missing,
		description: `${isRepeatable(serviceRequest) ? 'Try again later.' : CHECK_FIRST} If it happens again, check the Base URL in the credential.`,
		details: 'Response to',
		failure: { cause: 'temporarily-unavailable' },
		leavesOpen: true,
	});
}

type ErrorParts = {
	/** What happened. */
	message: string;
	/** What to do about it; nothing to do without it. */
	description?: string;
	httpCode?: string;
	failure?: NodeApiError['failure'];
};

/**
 * An error with at most 300 characters of the message, and without the secrets of the request: a service may echo what it received.
 *
 * @param details begins the line about the request, which n8n's editor shows under the error's details
 * @param leavesOpen whether the request may have been carried out all the same
 */
async function apiError(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	{ details, leavesOpen: isOpen, ...parts }: ErrorParts & { details: string; leavesOpen: boolean },
): Promise<NodeApiError> {
	const { method, path, body } = serviceRequest;
	const { password } = await serviceCredential(context);
	const planSecret = isRecord(body) ? body.secret : undefined;
	const secrets = [password, planSecret, ...sessionOf(context).tokens].filter(
		(secret): secret is string => typeof secret === 'string' && secret.length > 3,
	);
	const error = plainError(context.getNode(), {
		...parts,
		message: asSentence(shorten(hideSecrets(parts.message, secrets))),
		description: parts.description && hideSecrets(parts.description, secrets),
	});
	error.messages = [hideSecrets(`${details} ${method} /v1/${path}`, secrets)];
	return isOpen && !isRepeatable(serviceRequest) ? noteCarriedOut(error) : error;
}

/**
 * An error with exactly these texts. It is not built from axios' error, which contains the Authorization header and the
 * request's body.
 */
export function plainError(
	node: INode,
	{ message, description, httpCode, failure }: ErrorParts,
): NodeApiError {
	const plain: JsonObject = { message, ...(httpCode === undefined ? {} : { httpCode }) };
	const error = new NodeApiError(node, plain, { httpCode, ...(failure ? { failure } : {}) });
	// The constructor replaces both with its generic texts for the status.
	error.message = message;
	error.description = description ?? null;
	error.messages = [];
	// n8n before 2.38 ignores the option.
	if (failure) error.failure = failure;
	return error;
}

/**
 * Whether signing in failed for a reason that does not pass by itself, such as a wrong password. The error of a sign-in names the
 * credential as its node.
 */
export function isRefusedSignIn(error: unknown): boolean {
	return error instanceof NodeApiError && error.node.type === CREDENTIAL_TYPE && !isTransient(error);
}

/** What happened and, when the error says so, what to do: one text, for where only one is shown. */
export function withAdvice({ message, description }: NodeApiError | NodeOperationError): string {
	// An error of which several items failed has it already.
	if (!description || message.includes(description)) return message;
	return `${asSentence(message)} ${description}`;
}

/** A text with a period at its end, unless it has another end mark. */
export function asSentence(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}

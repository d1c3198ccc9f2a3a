import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { isRecord } from '../shared/jsonFields';
import { errorMessage, shortened } from '../shared/text';
import type { ServiceContext } from './credential';
import { descriptionOf, responseTexts, TRY_LATER, type ErrorTexts } from './errorTexts';
import { isFailure, isFromBetween, NOT_FOUND, serviceText, unreadableBody } from './response';
import { hideSecrets } from './secrets';
import { isRepeatable, type ServiceResponse, type ServiceRequest } from './serviceRequest';

/**
 * The error of a response that is not 2xx, reports a failure in its JSON, or cannot be read; undefined for a success. The message is the
 * service's, the description says what to do.
 */
export function failureIn(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	response: ServiceResponse,
): NodeApiError | undefined {
	if (!isFailure(response)) {
		const unreadable = unreadableBody(response.body);
		if (unreadable === undefined) return undefined;
		return unreadableResponseError(context, serviceRequest, `The service returned ${unreadable}.`);
	}
	const texts = responseTexts(response, adviceFor(serviceRequest, response));
	// The response to a HEAD has no body that could tell.
	if (serviceRequest.method === 'HEAD') texts.isFromService = !isFromBetween(response);
	return requestError(context, serviceRequest, texts);
}

/** The service may forget what is complete (docs/promises.md). */
export const UNKNOWN_UPLOAD_ADVICE =
	'It may be complete: look for the video before you upload the file again.';

/** What to do after a rejected request. */
function adviceFor({ body, method }: ServiceRequest, response: ServiceResponse): string {
	const { statusCode } = response;
	const isNotFound = NOT_FOUND.test(String(statusCode));
	if (isNotFound && method === 'HEAD') return UNKNOWN_UPLOAD_ADVICE;
	if (isNotFound)
		return /\bplan\b/i.test(serviceText(response.body) ?? '')
			? 'Check Plan ID in the credential or in the options of this node.'
			: 'It may have been deleted, or belong to another plan or application.';
	if (statusCode !== 401 && statusCode !== 403) return 'Check the values that were entered.';
	return isRecord(body) && body.secret !== undefined
		? 'Check the option Secret, which may be empty, and that the account in the credential may use this plan.'
		: 'Check email, password and application ID in the credential, and that they may use this plan.';
}

/**
 * The error for a 2xx response without the documented content.
 *
 * @param missing one full sentence
 */
export function unreadableResponseError(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	missing: string,
): NodeApiError {
	return requestError(context, serviceRequest, {
		message: missing,
		description: TRY_LATER,
		failure: { cause: 'temporarily-unavailable' },
		isLost: true,
	});
}

export const CHECK_FIRST = 'It may have been carried out: check that before you run this again.';

/**
 * The error for one request, without the secrets that the run has sent. Method and path are under the error's details. `failure` shows
 * n8n's poll scheduler whether waiting helps. `context` has the answers to the questions below.
 */
export function requestError(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	texts: ErrorTexts,
): NodeApiError {
	const { httpCode, isFromService, isLost } = texts;
	const mayBeCarriedOut = isLost === true && !isRepeatable(serviceRequest);
	const isSlotBusy = httpCode === '429' && serviceRequest.needsSlot === true;
	const description = mayBeCarriedOut ? CHECK_FIRST : texts.description;
	const error = plainError(context.getNode(), context, { ...texts, description });
	error.messages = [hideSecrets(context, `${serviceRequest.method} /v1/${serviceRequest.path}`)];
	error.context = { isFromService, isLost, isSlotBusy, mayBeCarriedOut };
	return error;
}

/**
 * An error with these texts: at most 300 characters of the message, without the secrets that the run has sent. It is not built from
 * axios' error, which contains the Authorization header and the request's body.
 *
 * @param run the context of the run, or the account of a sign-in
 */
export function plainError(node: INode, run: object, texts: ErrorTexts): NodeApiError {
	const { description, httpCode = null, failure } = texts;
	// Before it is shortened: a part of a secret is not recognized.
	const message = hideSecrets(run, texts.message);
	const shown = asSentence(shortened(message, 300));
	const error = new NodeApiError(node, {}, { message, description });
	// The constructor replaces a message that contains a network code (n8n-workflow dist/cjs/errors/abstract/node.error.js,
	// COMMON_ERRORS), and in n8n before 2.38 it ignores `failure`.
	return Object.assign(error, { message: shown, messages: [], httpCode, failure });
}

/**
 * An error that is not about a single response of the service: what happened, and what to do. Its texts may quote what the run has read.
 * The router adds the item's index.
 */
export function operationError(
	context: Pick<ServiceContext, 'getNode'>,
	reason: string | Error,
	description = '',
): NodeOperationError {
	const message = hideSecrets(context, errorMessage(reason));
	const what = message === errorMessage(reason) ? reason : message;
	const error = new NodeOperationError(context.getNode(), what, {
		description: hideSecrets(context, description),
	});
	// As in plainError(): a quoted value may contain the name of a network code.
	error.message = message;
	return error;
}

/** An error that n8n shows as it is. */
export type NodeError = NodeApiError | NodeOperationError;

/** The error as n8n shows it: a node error unchanged, any other wrapped in a NodeOperationError. */
export function toNodeError(context: ServiceContext, error: unknown): NodeError {
	if (isNodeError(error)) return error;
	return operationError(context, error instanceof Error ? error : errorMessage(error), descriptionOf(error));
}

export function isNodeError(error: unknown): error is NodeError {
	return error instanceof NodeApiError || error instanceof NodeOperationError;
}

/** Rethrows an error with what was done in front of its message: for `catch`. */
export function duringWhat(context: ServiceContext, what: string) {
	return (error: unknown): never => {
		const failure = toNodeError(context, error);
		failure.message = hideSecrets(context, `${what} ${failure.message}`);
		throw failure;
	};
}

/** Marks the error of something that was or may have been carried out: a retry must not repeat it. */
export function noteCarriedOut<Failure extends NodeError>(error: Failure): Failure {
	error.context.mayBeCarriedOut = true;
	return error;
}

/** Whether a retry must not repeat what an error is about: it may have been carried out, such as a POST without a response. */
export function mayBeCarriedOut(error: unknown): boolean {
	return isNodeError(error) && error.context.mayBeCarriedOut === true;
}

/** Whether the service did certainly not process a request: it says so, or nothing was sent. */
export function wasRejected(error: unknown): boolean {
	return error instanceof NodeApiError && error.context.isLost !== true;
}

/** Whether a request did not even leave n8n: the service cannot be reached. */
export function wasNotSent(error: unknown): boolean {
	return wasRejected(error) && hasStatus(error, /^[A-Z]/);
}

/** Marks the error of a request that has had its tries. */
export function noteRetried(error: NodeError): NodeError {
	error.context.wasRetried = true;
	return error;
}

/** Whether a request had further tries, or its kind of error has none. */
export function wasRetried(error: unknown): boolean {
	return isNodeError(error) && error.context.wasRetried === true;
}

/** Like {@link hasStatus}, only of a response that the service itself sent: no web page, text or empty body of a gateway. */
export function isServiceError(error: unknown, status: RegExp): error is NodeApiError {
	return hasStatus(error, status) && error.context.isFromService === true;
}

/** Whether an error stands for a response whose HTTP status, in digits, or a network error whose code matches. */
export function hasStatus(error: unknown, status: RegExp): error is NodeApiError {
	return error instanceof NodeApiError && status.test(error.httpCode ?? '');
}

/** What the error of a request means for another try: none helps after a final one. A 429 was not processed, and a later request may be. */
export function errorKind(error: unknown): 'slot' | 'rate limit' | 'passes' | 'final' {
	const { cause } = pollHintOf(error);
	if (cause === 'rate-limited') return isSlotBusy(error) ? 'slot' : 'rate limit';
	return cause === 'temporarily-unavailable' ? 'passes' : 'final';
}

/** Whether the service has rejected a request because another upload has the slot of the application. */
export function isSlotBusy(error: unknown): error is NodeApiError {
	return error instanceof NodeApiError && error.context.isSlotBusy === true;
}

/** Retry-After of the response in milliseconds; undefined without one. */
export function retryAfterOf(error: unknown): number | undefined {
	return pollHintOf(error).retryAfterMs;
}

/** What an error tells n8n's poll scheduler. */
function pollHintOf(error: unknown): { cause?: string; retryAfterMs?: number } {
	return (error instanceof NodeApiError && error.failure) || {};
}

/** Message and description in one text, where n8n shows only one. */
export function withAdvice({ message, description }: Pick<NodeError, 'message' | 'description'>): string {
	// The error of several failed items contains its description.
	if (!description || message.includes(description)) return message;
	return `${asSentence(message)} ${description}`;
}

/** A text with a period at its end, unless it has another end mark. */
export function asSentence(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}

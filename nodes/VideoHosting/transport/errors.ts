import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { isRecord } from '../shared/jsonFields';
import { errorMessage, excerpt } from '../shared/text';
import { CREDENTIAL_TYPE, type ServiceContext } from './credential';
import { isNodeError, isNotFound, isTokenRejected, noteCarriedOut, type NodeError } from './errorMeaning';
import { descriptionOf, responseTexts, TRY_LATER, type ErrorTexts, type RequestTexts } from './errorTexts';
import { unreadableBody } from './failure';
import { hideSecrets } from './secrets';
import { isRepeatable, type ServiceResponse, type ServiceRequest } from './serviceRequest';

export * from './errorMeaning';

/**
 * The error of a response that is not 2xx, reports a failure in its JSON, or cannot be read; undefined for a success. The message is the
 * service's, the description says what to do.
 */
export function failureIn(
	context: ServiceContext,
	baseUrl: string,
	serviceRequest: ServiceRequest,
	response: ServiceResponse,
): NodeApiError | undefined {
	const texts = responseTexts(response, baseUrl, serviceRequest);
	if (texts) {
		const error = requestError(context, serviceRequest, texts);
		error.description ??= adviceFor(context, serviceRequest, error);
		return error;
	}
	const unreadable = unreadableBody(response.body);
	if (unreadable === undefined) return undefined;
	return unreadableResponseError(context, serviceRequest, `The service returned ${unreadable}.`);
}

/** The service may forget what is complete (docs/promises.md). */
export const UNKNOWN_UPLOAD_ADVICE =
	'It may be complete: look for the video before you upload the file again.';

/** What to do after a rejected request. */
function adviceFor(context: ServiceContext, { body, method }: ServiceRequest, error: NodeApiError): string {
	const isDialog = context.getNode().type === CREDENTIAL_TYPE;
	if (isNotFound(error) && method === 'HEAD') return UNKNOWN_UPLOAD_ADVICE;
	if (isNotFound(error) && /\bplan\b/i.test(error.message))
		return `Check Plan ID${isDialog ? '' : ' in the credential or in the options of this node'}.`;
	if (isNotFound(error)) return 'It may have been deleted, or belong to another plan or application.';
	if (!isTokenRejected(error)) return 'Check the values that were entered.';
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
		httpCode: '2xx',
		failure: { cause: 'temporarily-unavailable' },
		source: 'between',
		outcome: 'unknown',
	});
}

export const CHECK_FIRST = 'It may have been carried out: check that before you run this again.';

/**
 * The error for one request, without the secrets that the run has sent. Method and path are under the error's details. `failure` shows
 * n8n's poll scheduler whether waiting helps. `errorMeaning.ts` says what it means.
 */
export function requestError(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	texts: RequestTexts,
): NodeApiError {
	const { method, needsSlot, path } = serviceRequest;
	const { outcome, source } = texts;
	const error = plainError(context.getNode(), context, texts);
	error.messages = [excerpt(errorText(context, `${method} /v1/${path}`))];
	Object.assign(error.context, { outcome, source, needsSlot });
	if (outcome === 'unknown' && !isRepeatable(serviceRequest)) noteCarriedOut(error).description = CHECK_FIRST;
	return error;
}

/**
 * A text of an error: without the secrets that the run has sent, and without tags of HTML, which n8n renders in messages and descriptions
 * (docs/n8n-internals.md#html-in-texts). An escaped text would show its escapes elsewhere.
 */
export function errorText(run: object, text: string): string {
	return hideSecrets(run, text).replace(/<(?=[a-z/!])/gi, '‹');
}

/**
 * An error with these texts: at most 300 characters of the message, without the secrets that the run has sent. It is not built from
 * axios' error, which contains the Authorization header and the request's body.
 *
 * @param run the context of the run, or the account of a sign-in
 */
export function plainError(node: INode, run: object, texts: ErrorTexts): NodeApiError {
	const { httpCode = null, failure } = texts;
	// Before it is shortened: a part of a secret is not recognized.
	const message = errorText(run, texts.message);
	const description = texts.description && errorText(run, texts.description);
	const shown = asSentence(excerpt(message));
	const error = new NodeApiError(node, {}, { message, description });
	// The constructor replaces a message that contains a network code (n8n-workflow dist/cjs/errors/abstract/node.error.js,
	// COMMON_ERRORS), and in n8n before 2.38 it ignores `failure`.
	return Object.assign(error, { message: shown, description, messages: [], httpCode, failure });
}

/**
 * An error that is not about a single response of the service: what happened, and what to do. Its texts may quote what the run has read.
 * The router adds the item's index.
 */
export function operationError(
	context: Pick<ServiceContext, 'getNode'>,
	reason: string,
	description = '',
): NodeOperationError {
	const message = errorText(context, reason);
	const options = { description: errorText(context, description) };
	// As in plainError(): a quoted value may contain the name of a network code.
	return Object.assign(new NodeOperationError(context.getNode(), message, options), { message });
}

/** The error as n8n shows it: a node error unchanged, the texts of any other in a NodeOperationError. */
export function toNodeError(context: ServiceContext, error: unknown): NodeError {
	if (isNodeError(error)) return error;
	const description = excerpt(errorText(context, descriptionOf(error) ?? ''));
	return operationError(context, excerpt(errorText(context, errorMessage(error))), description);
}

/** Rethrows an error with what was done in front of its message: for `catch`. */
export function duringWhat(context: ServiceContext, what: string) {
	return (error: unknown): never => {
		const failure = toNodeError(context, error);
		failure.message = errorText(context, `${what} ${failure.message}`);
		throw failure;
	};
}

/** Message and description in one text, where n8n shows only one. */
export function withAdvice({ message, description }: Pick<NodeError, 'message' | 'description'>): string {
	return description ? `${asSentence(message)} ${description}` : message;
}

/** A text with a period at its end, unless it has another end mark. */
export function asSentence(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}

import { NodeApiError, NodeOperationError } from 'n8n-workflow';

/**
 * What the error of a request means. No other room compares a status: it asks one of these questions, which read the outcome, the source,
 * the status and the request.
 */

/** An error that n8n shows as it is. */
export type NodeError = NodeApiError | NodeOperationError;

/** What became of a request that failed. */
export type Outcome =
	/** It did not leave n8n. */
	| 'not sent'
	/** It was not carried out: the response says so. */
	| 'rejected'
	/** It may have been carried out: no response, one that cannot be read, or a 5xx that is not the service's own. */
	| 'unknown';

/** Where an error comes from: the service itself, something between n8n and the service, or the network. */
export type Source = 'service' | 'between' | 'network';

/** What an error knows of its request. */
export interface RequestFacts {
	outcome: Outcome;
	source: Source;
	/** Whether it was about the upload slot. */
	needsSlot?: boolean;
}

function factsOf(error: unknown): Partial<RequestFacts> {
	// requestError() alone writes these fields.
	return error instanceof NodeApiError ? error.context : {};
}

export function isNodeError(error: unknown): error is NodeError {
	return error instanceof NodeApiError || error instanceof NodeOperationError;
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

/** Marks the error of a request that has had its tries. */
export function noteRetried(error: NodeError): NodeError {
	error.context.wasRetried = true;
	return error;
}

/** Whether a request had further tries, or its kind of error has none. */
export function wasRetried(error: unknown): boolean {
	return isNodeError(error) && error.context.wasRetried === true;
}

/** Whether the service did certainly not process a request: it says so, or nothing was sent. */
export function wasRejected(error: unknown): boolean {
	return error instanceof NodeApiError && factsOf(error).outcome !== 'unknown';
}

/** Whether a request did not even leave n8n: the service cannot be reached, or did not accept the sign-in. */
export function wasNotSent(error: unknown): boolean {
	return factsOf(error).outcome === 'not sent';
}

/** Whether there was no response: the next request would end, or wait, in the same way. */
export function isNetworkError(error: unknown): boolean {
	return factsOf(error).source === 'network';
}

/** Like {@link hasStatus}, only of a response that the service itself sent: no web page, text or empty body of a gateway. */
export function isServiceError(error: unknown, status: RegExp): error is NodeApiError {
	return hasStatus(error, status) && factsOf(error).source === 'service';
}

/** Whether an error stands for a response whose HTTP status, in digits, or a network error whose code matches. */
export function hasStatus(error: unknown, status: RegExp): error is NodeApiError {
	return error instanceof NodeApiError && status.test(error.httpCode ?? '');
}

/** What the service says about a token that it rejects. */
const ABOUT_TOKEN = /token|\bsession|\bjwt\b|authori[sz]ation|unauthori[sz]ed|unauthenticated/i;

/**
 * Whether an error response rejects the token. The reference does not say how (docs/api-reference.md#errors).
 *
 * @param status in digits, or a network code
 * @param text of the service itself
 */
export function rejectsToken(status: string, text: string): boolean {
	return /^(401|403)$/.test(status) || (status !== '429' && ABOUT_TOKEN.test(text));
}

/** Whether the response to a request rejected the token. */
export function isTokenRejected(error: unknown): boolean {
	if (!(error instanceof NodeApiError)) return false;
	return rejectsToken(error.httpCode ?? '', factsOf(error).source === 'service' ? error.message : '');
}

/** Whether the service itself says that a list ends before this page. */
export function saysNoSuchPage(error: unknown): boolean {
	return isServiceError(error, /^(400|404|416|422)$/);
}

/** Whether an error says that page 0 is no page, if page 1 can be read. */
export function saysNoPageZero(error: unknown): boolean {
	// A failure with status 2xx has no list either.
	return hasStatus(error, /^(2\d\d|400|404|416|422|500)$/) || isUnreadable(error);
}

/** Whether a 2xx response could not be read, or had no list or no record. */
function isUnreadable(error: unknown): boolean {
	const { outcome, source } = factsOf(error);
	return outcome === 'unknown' && source === 'between' && !hasStatus(error, /\d/);
}

/** How a 404 of the service says that a list is empty, rather than that its URL or its plan does not exist. */
const EMPTY_LIST = [
	/(^|: )(there are )?no ([a-z]+ ){0,2}(events?|folders?|galler(y|ies)|videos?|records?|results?|items?|entr(y|ies)|data)( were)?( found| available)?( yet)?( (in|for|with) (this|the) (plan|application|name))?[.!]?$/i,
	/(^|: )(events?|folders?|galler(y|ies)|videos?) not found[.!]?$/i,
];

/** Whether the service itself says that a list is empty. */
export function saysEmptyList(error: unknown): boolean {
	return isServiceError(error, /^404$/) && EMPTY_LIST.some((text) => text.test(error.message));
}

/** Whether the service itself says that it has no such record. */
export function saysNoSuchRecord(error: unknown): error is NodeApiError {
	return isServiceError(error, /^(400|404|410|422)$/);
}

/** Whether the service itself does not know what the address names, such as an upload, whatever the request contains. */
export function saysNotFound(error: unknown): error is NodeApiError {
	return isServiceError(error, /^(404|410)$/);
}

/** Whether the service itself rejects a value of the request, such as a page size, a sort direction or a name. */
export function rejectsValue(error: unknown): boolean {
	return isServiceError(error, /^(400|422)$/);
}

/** Whether the service itself rejects a request, so that no later one of the same kind succeeds. */
export function saysRejected(error: unknown): error is NodeApiError {
	return isServiceError(error, /^4/);
}

/** Whether a request was larger than the service, or a proxy, accepts. */
export function isTooLarge(error: unknown): boolean {
	return hasStatus(error, /^413$/);
}

/** Whether the advice of an error is about the account, the address or the wait: another try is no better one. */
export function hasOwnAdvice(error: unknown): boolean {
	return isTokenRejected(error) || hasStatus(error, /^(3\d\d|404|407|429)$/);
}

/** Whether a request timed out, was too early, or met an offset or a lock that is about to change. */
export function isConflict(error: unknown): boolean {
	return hasStatus(error, /^(408|409|423|425)$/);
}

/** Whether the token or an upload was rejected: the next HEAD renews the token, and decides about the upload. */
export function isUploadInDoubt(error: unknown): boolean {
	return isTokenRejected(error) || hasStatus(error, /^(404|410)$/);
}

/** What the error of a request means for another try: none helps after a final one. A 429 was not processed, and a later request may be. */
export function errorKind(error: unknown): 'slot' | 'rate limit' | 'passes' | 'final' {
	const { cause } = pollHintOf(error);
	if (cause === 'rate-limited') return isSlotBusy(error) ? 'slot' : 'rate limit';
	return cause === 'temporarily-unavailable' ? 'passes' : 'final';
}

/** Whether the service has rejected a request because another upload has the slot of the application. */
export function isSlotBusy(error: unknown): error is NodeApiError {
	return hasStatus(error, /^429$/) && factsOf(error).needsSlot === true;
}

/** Retry-After of the response in milliseconds; undefined without one. */
export function retryAfterOf(error: unknown): number | undefined {
	return pollHintOf(error).retryAfterMs;
}

/** What an error tells n8n's poll scheduler. */
function pollHintOf(error: unknown): { cause?: string; retryAfterMs?: number } {
	return (error instanceof NodeApiError && error.failure) || {};
}

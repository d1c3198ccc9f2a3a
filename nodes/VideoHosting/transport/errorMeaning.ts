import { NodeApiError, NodeOperationError } from 'n8n-workflow';

/**
 * What the error of a request means. No other room compares a status: it asks one of these questions, which read the outcome, the source,
 * the status and the request.
 */

/** An error that n8n shows as it is. */
export type NodeError = NodeApiError | NodeOperationError;

/** What an error knows of its request. */
export interface RequestFacts {
	/**
	 * Whether it left n8n; if so, whether the response says that it was not carried out. Unknown: no response, one that cannot be read, or
	 * a 5xx that is not the service's own.
	 */
	outcome: 'not sent' | 'rejected' | 'unknown';
	/** Where the error comes from: the service itself, something between n8n and the service, or the network. */
	source: 'service' | 'between' | 'network';
	/** Whether it was about the upload slot. */
	needsSlot?: boolean;
}

/** What an error knows of its request; nothing when it is not about one. */
export function factsOf(error: unknown): Partial<RequestFacts> {
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

/** Whether a request had further tries, or its kind of error has none: `requestWithRetry` marks such an error. */
export function wasRetried(error: unknown): boolean {
	return isNodeError(error) && error.context.wasRetried === true;
}

/** A question about the HTTP status of a response, in digits, whoever sent the response. */
function hasStatus(status: RegExp) {
	return (error: unknown): error is NodeApiError =>
		error instanceof NodeApiError && status.test(error.httpCode ?? '');
}

/** A question about a response that the service itself sent: no web page, text or empty body of a gateway. */
function saysStatus(status: RegExp) {
	return (error: unknown): error is NodeApiError =>
		hasStatus(status)(error) && factsOf(error).source === 'service';
}

/** Whether the service itself says that a list ends before this page. */
export const saysNoSuchPage = saysStatus(/^(400|404|416|422)$/);

const LIMIT = /\bfirst \d|\bwindow\b|\btoo (large|deep)\b|\blimit|\bmaximum\b/i;

/**
 * Whether a service that rejects a page speaks of a limit of its records, such as `Only the first 200 results are available`, and not of its
 * pages, such as `Page 4 exceeds the maximum of 3 pages`.
 */
export function namesLimit({ message }: NodeApiError): boolean {
	const isOfRecords = /\b(results?|records?|entry|entries|offset|window)\b/i.test(message);
	return isOfRecords && !/page/i.test(message) && LIMIT.test(message);
}

/** Whether the service itself says that it has no such record. */
export const saysNoSuchRecord = saysStatus(/^(400|404|410|422)$/);

/** Whether the service itself does not know what the address names, such as an upload, whatever the request contains. */
export const saysNotFound = saysStatus(/^(404|410)$/);

/** Whether the service itself rejects a value of the request, such as a page size, a sort direction or a name. */
export const rejectsValue = saysStatus(/^(400|422)$/);

/** Whether the service itself rejects a request, so that no later one of the same kind succeeds. */
export const saysRejected = saysStatus(/^4/);

/** Whether the address names nothing, whoever says so. */
export const isNotFound = hasStatus(/^(404|410)$/);

/** Whether a request was larger than the service, or a proxy, accepts. */
export const isTooLarge = hasStatus(/^413$/);

/** Whether a request timed out, was too early, or met an offset or a lock that is about to change. */
export const isConflict = hasStatus(/^(408|409|423|425)$/);

/** What the service says about a token that it rejects: of what it speaks, and what is wrong with that. */
const ABOUT_TOKEN = /token|\bsession\b|\bjwt\b|authori[sz]ation|authori[sz]ed|authenticated/i;
const IS_REJECTED =
	/expire|valid|malformed|revoked|missing|required|provided|rejected|failed|wrong|bad|denied|\bjwt\b|unauth|not auth/i;

/** Whether the response to a request rejected the token. The reference does not say how (docs/api-reference.md#errors). */
export function isTokenRejected(error: unknown): boolean {
	if (hasStatus(/^(401|403)$/)(error)) return true;
	return saysStatus(/^(?!429)/)(error) && ABOUT_TOKEN.test(error.message) && IS_REJECTED.test(error.message);
}

/** Whether a new token may help. The response to a HEAD has no text: its status alone may stand for a rejected token. */
export function mayBeToken(error: unknown, method: string): boolean {
	return isTokenRejected(error) || (method === 'HEAD' && hasStatus(/^(400|419|440|498)$/)(error));
}

/** Whether an error says that page 0 is no page, if page 1 can be read. A 2xx has no list then. */
export function saysNoPageZero(error: unknown): error is NodeApiError {
	return hasStatus(/^(2..|400|404|416|422|500)$/)(error);
}

/** How a 404 of the service says that a list is empty, rather than that its URL or its plan does not exist. */
const EMPTY_LIST = [
	/(^|: )(there are )?no ([a-z]+ ){0,2}(events?|folders?|galler(y|ies)|videos?|records?|results?|items?|entr(y|ies)|data)( were)?( found| available)?( yet)?( (in|for|with) (this|the) (plan|application|name))?[.!]?$/i,
	/(^|: )(events?|folders?|galler(y|ies)|videos?) not found[.!]?$/i,
];

/** Whether the service itself says that a list is empty. */
export function saysEmptyList(error: unknown): boolean {
	return saysNotFound(error) && EMPTY_LIST.some((text) => text.test(error.message));
}

/** Whether the advice of an error is about the account, the address or the wait: another try is no better one. */
export function hasOwnAdvice(error: unknown): boolean {
	return isTokenRejected(error) || hasStatus(/^(3\d\d|404|407|429)$/)(error);
}

/** What the error of a request means for another try: none helps after a final one. A 429 was not processed, and a later request may be. */
export function errorKind(error: unknown): 'slot' | 'rate limit' | 'passes' | 'final' {
	const { cause } = pollHintOf(error);
	if (cause === 'rate-limited') return isSlotBusy(error) ? 'slot' : 'rate limit';
	return cause === 'temporarily-unavailable' ? 'passes' : 'final';
}

/** Whether the service has rejected a request because another upload has the slot of the application. */
export function isSlotBusy(error: unknown): error is NodeApiError {
	return hasStatus(/^429$/)(error) && factsOf(error).needsSlot === true;
}

/** Retry-After of the response in milliseconds; undefined without one. */
export function retryAfterOf(error: unknown): number | undefined {
	return pollHintOf(error).retryAfterMs;
}

/** What an error tells n8n's poll scheduler. */
function pollHintOf(error: unknown): { cause?: string; retryAfterMs?: number } {
	return (error instanceof NodeApiError && error.failure) || {};
}

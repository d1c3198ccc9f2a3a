import { errorMessage } from '../shared/text';
import { OperationError, ServiceError, type Facts } from './serviceError';

/**
 * What the error of a request means. No other room compares a status: it asks one of these questions.
 */

/** Whether a retry must not repeat what an error is about: it may have been carried out, such as a POST without a response. */
export function mayBeCarriedOut(error: unknown): boolean {
	return error instanceof OperationError && error.details.mayBeCarriedOut === true;
}

/** Whether a request had further tries, or its kind of error has none: `requestWithRetry` says so. */
export function wasRetried(error: unknown): boolean {
	return error instanceof OperationError && error.details.wasRetried === true;
}

function factsOf(error: unknown): Partial<Facts> {
	return error instanceof ServiceError ? error.facts : {};
}

/** What became of a request; undefined when the error is not about one. */
export function outcomeOf(error: unknown): Facts['outcome'] | undefined {
	return factsOf(error).outcome;
}

/** A question about the HTTP status of a response, whoever sent it. */
function hasStatus(...statuses: Array<number | '2xx' | '3xx' | '4xx'>) {
	return (error: unknown): error is ServiceError => {
		const { status = 0 } = factsOf(error);
		return statuses.some((each) => each === status || each === `${Math.trunc(status / 100)}xx`);
	};
}

/** A question about a response that the service itself sent. */
function saysStatus(...statuses: Parameters<typeof hasStatus>) {
	const has = hasStatus(...statuses);
	return (error: unknown): error is ServiceError => has(error) && error.facts.isOwn === true;
}

/** Whether the service itself says that a list ends before this page. */
export const saysNoSuchPage = saysStatus(400, 404, 416, 422);

const LIMIT = /\bfirst \d|\bwindow\b|\btoo (large|deep)\b|\blimit|\bmaximum\b/i;

/**
 * Whether a service that rejects a page speaks of a limit of its records, such as `Only the first 200 results are available`, and not of its
 * pages, such as `Page 4 exceeds the maximum of 3 pages`.
 */
export function namesLimit({ message }: ServiceError): boolean {
	const isOfRecords = /\b(results?|records?|entry|entries|offset|window)\b/i.test(message);
	return isOfRecords && !/page/i.test(message) && LIMIT.test(message);
}

/** Whether the service itself says that it has no such record. */
export const saysNoSuchRecord = saysStatus(400, 404, 410, 422);

/** Whether the service itself does not know what the address names, such as an upload, whatever the request contains. */
export const saysNotFound = saysStatus(404, 410);

/** Whether the service itself rejects a value of the request, such as a page size, a sort direction or a name. */
export const rejectsValue = saysStatus(400, 422);

/** Whether the service itself rejects a request, so that no later one of the same kind succeeds. */
export const saysRejected = saysStatus('4xx');

/** Whether the address names nothing, whoever says so. */
export const isNotFound = hasStatus(404, 410);

/** Whether a request was larger than the service, or a proxy, accepts. */
export const isTooLarge = hasStatus(413);

/** Whether a request timed out, was too early, or met an offset or a lock that is about to change. */
export const isConflict = hasStatus(408, 409, 423, 425);

/** What the service says about a token that it rejects: of what it speaks, and what is wrong with that. */
const ABOUT_TOKEN = /token|\bsession\b|\bjwt\b|authori[sz]ation|authori[sz]ed|authenticated/i;
const IS_REJECTED =
	/expire|valid|malformed|revoked|missing|required|provided|rejected|failed|wrong|bad|denied|\bjwt\b|unauth|not auth/i;

/** Whether the response to a request rejected the token. The reference does not say how (docs/api-reference.md#errors). */
export function isTokenRejected(error: unknown): boolean {
	if (hasStatus(401, 403)(error)) return true;
	const { isOwn, status } = factsOf(error);
	const text = isOwn && status !== 429 ? errorMessage(error) : '';
	return ABOUT_TOKEN.test(text) && IS_REJECTED.test(text);
}

/** Whether a new token may help. The response to a HEAD has no text: its status alone may stand for a rejected token. */
export function mayBeToken(error: unknown, method: string): boolean {
	return isTokenRejected(error) || (method === 'HEAD' && hasStatus(400, 419, 440, 498)(error));
}

/** Whether an error says that page 0 is no page, if page 1 can be read. A 2xx has no list then. */
export const saysNoPageZero = hasStatus('2xx', 400, 404, 416, 422, 500);

/** How a 404 of the service says that a list is empty, rather than that its URL or its plan does not exist. */
const EMPTY_LIST = [
	/(^|: )(there are )?no ([a-z]+ ){0,2}(events?|folders?|galler(y|ies)|videos?|records?|results?|items?|entr(y|ies)|data)( were)?( found| available)?( yet)?( (in|for|with) (this|the) (plan|application|name))?[.!]?$/i,
	/(^|: )(events?|folders?|galler(y|ies)|videos?) not found[.!]?$/i,
];

/** Whether the service itself says that a list is empty. */
export function saysEmptyList(error: unknown): boolean {
	return saysNotFound(error) && EMPTY_LIST.some((text) => text.test(error.message));
}

/**
 * Whether the advice of an error is about the account, the address or the wait: another try is no better one. A final error of a request
 * that was not sent is a refused sign-in, or n8n's own, such as that of its SSRF guard.
 */
export function hasOwnAdvice(error: unknown): boolean {
	const isRefusedBefore = outcomeOf(error) === 'not sent' && errorKind(error) === 'final';
	return isRefusedBefore || isTokenRejected(error) || hasStatus('3xx', 404, 407, 429)(error);
}

/** What an error means for another try: none helps after a final one. A 429 was not processed, and a later request may be. */
export function errorKind(error: unknown): Facts['kind'] {
	return factsOf(error).kind ?? 'final';
}

/** Whether the service has rejected a request because another upload has the slot of the application. */
export function isSlotBusy(error: unknown): boolean {
	return errorKind(error) === 'slot';
}

/** Retry-After of the response in milliseconds; undefined without one. */
export function retryAfterOf(error: unknown): number | undefined {
	return factsOf(error).retryAfterMs;
}

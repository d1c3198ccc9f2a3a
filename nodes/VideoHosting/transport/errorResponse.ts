import type { NodeApiError } from 'n8n-workflow';

import { fieldEntries, fieldOf, isRecord, normalizedName } from '../shared/jsonFields';
import { retryAfterMs } from '../shared/pause';
import { CHECK_FIRST } from './networkErrors';
import { isRepeatable, type ServiceRequest, type ServiceResponse } from './serviceRequest';

/** What the user can do about a status, in one sentence; docs/api-reference.md#errors explains 400, 404, 429 and 500. */
const ADVICE: Record<string, string> = {
	'3': 'Enter the address it redirects to.',
	'400': 'Check the values of this operation.',
	'401': 'Check email, password and application ID in the credential.',
	'403': 'Check email, password and application ID in the credential, and that they may use this plan.',
	'404': 'It may have been deleted, or belong to another plan or application.',
	'409': 'It was changed in the meantime: get it again and retry.',
	'413': 'The service, or a proxy in front of it, rejects requests of this size.',
	'429': 'Run this again later.',
	'4': 'Check the values of this operation.',
	'501': 'Check the Base URL in the credential: what responded there does not know this request.',
	'5': 'Try again later.',
	'2': 'The service reported this in a response with status 200. Check the values of this node, or try again later.',
};
/** The same where repeating is harmless. */
const REPEATABLE_ADVICE: Record<string, string> = {
	'429': 'Run this again later, or turn on Retry On Fail in the settings of the node.',
	'5': 'Try again later, or turn on Retry On Fail in the settings of the node.',
};

/** The response inside an error of n8n's HTTP helpers, which keep axios' error as the cause. */
export function responseOf(error: unknown): ServiceResponse | undefined {
	const response =
		axiosResponseOf(error) ?? (error instanceof Error ? axiosResponseOf(error.cause) : undefined);
	// A 2xx response in an error broke off within its body (axios 1.18.0 lib/adapters/http.js, "stream has been aborted").
	if (!response || typeof response.status !== 'number' || response.status < 300) return undefined;
	return {
		statusCode: response.status,
		// axios' AxiosHeaders: an object with lower-case names.
		headers: (response.headers ?? {}) as ServiceResponse['headers'],
		body: response.data,
	};
}

function axiosResponseOf(error: unknown): Record<string, unknown> | undefined {
	return isRecord(error) && isRecord(error.response) ? error.response : undefined;
}

/** What the user can do about an error response; '' when there is nothing to advise. */
export function adviceFor(serviceRequest: ServiceRequest, response: ServiceResponse): string {
	const status = String(response.statusCode);
	const ofStatus = isRepeatable(serviceRequest) ? { ...ADVICE, ...REPEATABLE_ADVICE } : ADVICE;
	const advice =
		proxyAdvice(response) ??
		(missingPlan(serviceRequest, response) === undefined
			? undefined
			: 'Check the Plan ID in this node and in its credential.') ??
		secretAdvice(serviceRequest, response) ??
		(leavesOpen(response) && !isRepeatable(serviceRequest) ? CHECK_FIRST : undefined) ??
		ofStatus[status] ??
		ofStatus[status.charAt(0)] ??
		'';
	const isElsewhere = isWebPage(response.body) && !advice.includes('Base URL');
	return isElsewhere ? `${advice} Check the Base URL in the credential as well.`.trim() : advice;
}

/** What the service has, as its messages name it. */
const OWN_THINGS = /\b(event|video|folder|galler(y|ie)|plan|upload)s?\b/i;
const MESSAGE_NAMES =
	/^(errors?|message|errormessage|errormsg|msg|detail|description|exception|reason|title|faultstring)$/;
const PLACE_NAMES = /^(path|instance|url|uri|requesturi)$/;
/** A path of a request, as a gateway names it. */
const REQUEST_PATH = /(^|[\s"])\/\w|\bv1\//;

/**
 * Whether the service itself sent an error response: JSON (docs/api-reference.md#errors). A gateway that has no route for a request
 * sends a web page, text, or JSON about the route or the path (Kong, Express, NestJS, Laravel, Spring, Apigee), and about none of
 * what the service has. A 2xx that reports a failure is always the service's.
 */
export function isOwnError({ statusCode, body }: ServiceResponse): boolean {
	if (!isRecord(body)) return false;
	if (statusCode < 300) return true;
	const fields = [...fieldEntries(body)].map(({ path, value }) => ({
		// In a list, the last key is a number.
		name: normalizedName(path.findLast((key) => !/^\d+$/.test(key)) ?? ''),
		text: String(value),
	}));
	const messages = fields.filter(({ name }) => MESSAGE_NAMES.test(name)).map(({ text }) => text);
	const message = messages.join(' ');
	if (/\broutes?\b/i.test(message)) return false;
	if (OWN_THINGS.test(message.replace(/\S*\/\S*/g, ''))) return true;
	const places = fields.filter(({ name }) => PLACE_NAMES.test(name)).map(({ text }) => text);
	return ![message, ...places].some((text) => REQUEST_PATH.test(text));
}

/**
 * Whether a request with this response may have been carried out all the same: of 5xx, only 501 and a documented error of the service
 * say that it was not. 502, 504 and 52x are a gateway's, which passed it on.
 */
export function leavesOpen({ statusCode, body }: ServiceResponse): boolean {
	const isOwn = isRecord(body) && body.error !== undefined && [500, 503].includes(statusCode);
	return statusCode >= 500 && statusCode !== 501 && !isOwn;
}

/** The message of a 404 with the plan or record that the service does not find: it may report "Event not found" alone. */
export function withSubject(
	message: string,
	serviceRequest: ServiceRequest,
	response: ServiceResponse,
): string {
	const { method, path, query, body } = serviceRequest;
	// What PATCH misses may be the folder of the upload.
	const isReported = response.statusCode < 300 && /not found|does not exist/i.test(message);
	if ((response.statusCode !== 404 && !isReported) || method === 'PATCH') return message;
	const [, inPath] = /^(?:folders|videos\/\w+)\/(?!total$)([^/]+)/.exec(path) ?? [];
	const sent = isRecord(body) ? body : {};
	const folder = /\b(folder|gallery)\b/i.test(message) ? sent.folder_uuid : undefined;
	const events = Array.isArray(sent.eventIds) ? sent.eventIds.map(String).join(', ') : undefined;
	const record = folder ?? query?.hash ?? sent.hash ?? events ?? decoded(inPath);
	const subject = missingPlan(serviceRequest, response) ?? record;
	if (typeof subject !== 'string' || message.includes(subject)) return message;
	return `${message.replace(/\.$/, '')} ("${subject}")`;
}

/** The plan of a request that a 404 is about. Undefined for other responses. */
function missingPlan({ path, query, body }: ServiceRequest, response: ServiceResponse): string | undefined {
	if (response.statusCode !== 404 || !/\bplan\b/i.test(serviceMessage(response))) return undefined;
	const payload = isRecord(body) && isRecord(body.payload) ? body.payload : body;
	const inPath = /^videos\/(?:deleteVideo|uploadThumb|editVideo)\/[^/]+\/([^/]+)$/.exec(path)?.[1];
	const planId = (isRecord(payload) ? payload.planId : undefined) ?? query?.planId ?? decoded(inPath);
	return typeof planId === 'string' ? planId : undefined;
}

/** A segment of a path as it was before `path()` encoded it. */
function decoded(segment: string | undefined): string | undefined {
	return segment === undefined ? undefined : decodeURIComponent(segment);
}

/** What to do about a rejected request with the secret of a plan. Undefined for other responses. */
function secretAdvice({ body }: ServiceRequest, response: ServiceResponse): string | undefined {
	if (![401, 403].includes(response.statusCode)) return undefined;
	const isSent = isRecord(body) && body.secret !== undefined;
	if (!isSent && !/\bsecret\b/i.test(serviceMessage(response))) return undefined;
	return 'Check the option Secret, or leave it empty: the node then looks up the secret of the plan.';
}

/**
 * What to do about an error response that is a web page. The service's error responses are JSON (docs/api-reference.md#errors),
 * so a proxy or firewall sent it. Undefined for other responses.
 */
export function proxyAdvice({ statusCode, body }: ServiceResponse): string | undefined {
	if (![401, 403, 404, 405, 407].includes(statusCode) || !isWebPage(body)) return undefined;
	return 'A proxy or firewall may have sent it: ask its administrator to let n8n reach the service, and check the Base URL in the credential.';
}

/**
 * The service's error message in a response body: `{ "error": string }` in the reference. Gateways in front of the service
 * return a web page, other JSON, plain text or nothing. It may be long, and may repeat secrets of the request.
 */
export function serviceMessage({ statusCode, body }: Pick<ServiceResponse, 'statusCode' | 'body'>): string {
	if (String(statusCode).startsWith('3')) return 'The Base URL in the credential redirects';
	if (isRecord(body)) {
		for (const message of [body.error, body.message, isRecord(body.error) ? body.error.message : undefined]) {
			if (typeof message === 'string' && message.trim() !== '') return firstLine(message);
		}
		return `The service returned ${statusCode} without a message`;
	}
	if (typeof body === 'string' && body.trim() !== '') {
		return isWebPage(body)
			? `The service returned ${statusCode} with a web page instead of JSON`
			: firstLine(body);
	}
	return `The service returned ${statusCode} without a message`;
}

/** Whether a body that should be JSON is a web page, as proxies and gateways send it. */
export function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && /^\s*<(!doctype|html|head|body|\?xml)/i.test(body);
}

/**
 * What an error response proves for n8n's poll scheduler: how long to wait, or that the credential is not valid. Any other status
 * proves nothing: `configuration-invalid` would stop the polls for 30 minutes (docs/n8n-internals.md#nodeapierror).
 */
export function failureOf(
	response: Pick<ServiceResponse, 'statusCode' | 'headers'>,
): NodeApiError['failure'] {
	const wait = retryAfterMs(response.headers['retry-after']);
	const hint = wait === undefined ? {} : { retryAfterMs: wait };
	if (response.statusCode === 429) return { cause: 'rate-limited', ...hint };
	if (response.statusCode >= 500) return { cause: 'temporarily-unavailable', ...hint };
	if (response.statusCode === 401 || response.statusCode === 403) return { cause: 'credential-invalid' };
	return undefined;
}

/** The first line of a text. */
export function firstLine(text: string): string {
	return text.trim().split('\n', 1)[0] ?? '';
}

/** At most 300 characters of a text. Secrets are removed from it before: a part of one is not recognized. */
export function shorten(text: string): string {
	return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}

/** Names that only a record has: an object with one of them is the record, not the wrapping of another. */
export const RECORD_NAMES = [
	'hash',
	'eventhash',
	'hashevent',
	'videohash',
	'hashvideo',
	'uuid',
	'eventid',
	'videoid',
];

/**
 * Whether the body of a 2xx response reports a failure: an `error` or `errors` that is not empty, or a `success` that is false. Deleting
 * events returns `success` as a text (docs/api-reference.md), and a record may have fields `error` and `success` of its own,
 * for example the video `{ "hash": …, "error": "transcoding failed" }`.
 *
 * @param isRead the request only reads: what it returns with a hash or an ID is a record
 */
export function reportsFailure(body: unknown, isRead: boolean): boolean {
	if (!isRecord(body)) return false;
	const hasIdentity = RECORD_NAMES.some((name) => isIdentity(fieldOf(body, name)));
	if (hasIdentity && isRead) return false;
	const success = fieldOf(body, 'success');
	if (success === false || (typeof success === 'string' && success.trim().toLowerCase() === 'false'))
		return true;
	return !hasIdentity && ['error', 'errors'].some((name) => isNamedFailure(fieldOf(body, name)));
}

function isIdentity(value: unknown): boolean {
	return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

/** Whether the value of a field `error` stands for a failure; `{ "code": 0, "message": "" }` does not. */
function isNamedFailure(error: unknown): boolean {
	if (typeof error === 'string')
		return !['', '0', 'ok', 'false', 'null', 'none'].includes(error.trim().toLowerCase());
	if (typeof error === 'object' && error !== null) return Object.values(error).some(isNamedFailure);
	return typeof error === 'number' ? error !== 0 : error === true;
}

import type { NodeApiError } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { isRecord } from '../shared/jsonFields';
import { retryAfterMs } from '../shared/pause';
import type { ServiceRequest, ServiceResponse } from './serviceRequest';

/** What an error response or a network error means: what happened, what to do about it, and whether waiting helps. */
export interface ErrorTexts {
	/** What happened. */
	message: string;
	/** What to do about it; nothing to do without it. */
	description?: string;
	/** HTTP status or network code. */
	httpCode?: string;
	failure?: NodeApiError['failure'];
	/** A line that n8n's editor shows under the error's details. */
	details?: string;
}

/** What to do when it is not known whether a request was carried out that must not be repeated. */
export const CHECK_FIRST = 'It may have been carried out: check that before you run this again.';
/** What to do about a web page: the service's errors are JSON (docs/api-reference.md#errors). */
export const PROXY_ADVICE =
	'A proxy or firewall may have sent it: check the Base URL in the credential, and ask its administrator to let n8n reach the service.';

/** JSON with a text in `error` or `message` is the service's; anything else came from something in between. */
export function isOwnError({ body }: Pick<ServiceResponse, 'body'>): boolean {
	return ownMessage(body) !== undefined;
}

function ownMessage(body: unknown): string | undefined {
	if (!isRecord(body)) return undefined;
	const isText = (message: unknown) => typeof message === 'string' && message.trim() !== '';
	return [body.error, body.message].find((message): message is string => isText(message));
}

/** What the user can do about an error response, in one sentence for each class of statuses. */
export function adviceFor({ body: sent }: ServiceRequest, { statusCode, body }: ServiceResponse): string {
	if (statusCode >= 300 && statusCode < 400) return 'Enter the address it redirects to.';
	if (statusCode === 429) return 'Run this again later.';
	if (statusCode >= 500) return 'Try again later. If it happens again, check the Base URL in the credential.';
	if (isWebPage(body)) return PROXY_ADVICE;
	if (statusCode === 404) return 'It may have been deleted, or belong to another plan or application.';
	if (statusCode !== 401 && statusCode !== 403) return 'Check the values of this operation.';
	return isRecord(sent) && sent.secret !== undefined
		? 'Check the option Secret, which may be empty, and that the account in the credential may use this plan.'
		: 'Check email, password and application ID in the credential, and that they may use this plan.';
}

/**
 * The service's error message in a response body: `{ "error": string }` in the reference. A gateway sends a web page, plain text or
 * nothing. The message may be long, and may repeat secrets of the request.
 */
export function serviceMessage({ statusCode, body }: Pick<ServiceResponse, 'statusCode' | 'body'>): string {
	if (statusCode >= 300 && statusCode < 400) return 'The Base URL in the credential redirects';
	const own = ownMessage(body);
	if (own !== undefined) return firstLine(own);
	if (isWebPage(body)) return `The service returned ${statusCode} with a web page instead of JSON`;
	if (typeof body === 'string' && body.trim() !== '') return firstLine(body);
	return `The service returned ${statusCode} without a message`;
}

/** Whether a body that should be JSON is a web page, as proxies and gateways send it. */
export function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && /^\s*<(!--|!doctype|html|head|body|\?xml)/i.test(body);
}

/**
 * Whether the body of a 2xx response reports a failure: a `success` that is false, or a text in `error`, which a record with a hash or
 * an ID may have as a field of its own.
 */
export function reportsFailure(body: unknown): boolean {
	if (!isRecord(body)) return false;
	const isNamed = typeof body.error === 'string' && body.error.trim() !== '';
	const hasIdentity = Object.keys(body).some((name) => /(hash|id)$/i.test(name));
	return body.success === false || (isNamed && !hasIdentity);
}

/**
 * What an error response proves for n8n's poll scheduler: how long to wait, or that the credential is not valid. Any other status
 * proves nothing: `configuration-invalid` would stop the polls for 30 minutes (docs/n8n-internals.md#nodeapierror).
 */
export function failureOf({ statusCode, headers }: ServiceResponse): NodeApiError['failure'] {
	const wait = retryAfterMs(headers['retry-after']);
	const hint = wait === undefined ? {} : { retryAfterMs: wait };
	if (statusCode === 429) return { cause: 'rate-limited', ...hint };
	if (statusCode >= 500) return { cause: 'temporarily-unavailable', ...hint };
	if (statusCode === 401 || statusCode === 403) return { cause: 'credential-invalid' };
	return undefined;
}

/**
 * Network codes of errors that occur before any request was sent, so that it did nothing there: host, port, TLS handshake (EPROTO in
 * Node.js 20 to 24) or certificate. ERR_SSL_… is of a later record, such as the response.
 */
export const UNREACHABLE =
	/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EPROTO|ERR_TLS_CERT_\w+|CERT_\w+|UNABLE_TO_\w+|\w*SELF_SIGNED\w*)$/;

/** What a network error of the service means: the first of them whose codes match. */
const NETWORK_ERRORS: Array<{ codes: RegExp; happened: string; advice: string }> = [
	{
		codes: /CERT|SELF_SIGNED|UNABLE_TO_/,
		happened: 'has a TLS certificate that n8n does not trust',
		advice:
			'Check the Base URL in the credential. n8n trusts a certificate of your own that the environment variable NODE_EXTRA_CA_CERTS names.',
	},
	{
		codes: /^(ETIMEDOUT|ECONNABORTED)$/,
		happened: 'did not respond in time',
		advice: 'Try again later.',
	},
	{
		codes: UNREACHABLE,
		happened: 'cannot be reached',
		advice: 'Check the Base URL in the credential and that the service is running.',
	},
	{ codes: /./, happened: 'closed the connection before it had responded', advice: 'Try again.' },
];

/** What happened to a request without a response. Without a network code, n8n itself rejected the request. */
export function networkTexts(baseUrl: string, error: unknown): ErrorTexts {
	const httpCode = networkCode(error);
	const known = NETWORK_ERRORS.find(({ codes }) => httpCode !== undefined && codes.test(httpCode));
	if (!known) return { message: firstLine(errorMessage(error)), description: descriptionOf(error) };
	return {
		message: `The service at ${new URL(baseUrl).host} ${known.happened} (${httpCode}).`,
		description: known.advice,
		httpCode,
		failure: { cause: 'temporarily-unavailable' },
	};
}

/** The network code of an error, such as `ECONNRESET`; n8n puts it into `httpCode`, axios into `code`. */
function networkCode(error: unknown): string | undefined {
	for (const source of withCause(error)) {
		// The reason of AbortSignal.timeout().
		if (source.name === 'TimeoutError') return 'ETIMEDOUT';
		for (const code of [source.code, source.httpCode]) {
			if (typeof code === 'string' && /^[A-Z][A-Z0-9_/]+$/.test(code)) return code;
		}
	}
	return undefined;
}

/** What the description of an error says to do: n8n's SSRF guard explains there what an administrator can do. */
export function descriptionOf(error: unknown): string | undefined {
	const descriptions = withCause(error).map(({ description }) => description);
	return descriptions.find((description) => typeof description === 'string');
}

/** An error and what caused it: n8n keeps axios' error as the cause of its own. */
function withCause(error: unknown) {
	return [error, error instanceof Error ? error.cause : undefined].filter(isRecord);
}

/** A text with a period at its end, unless it has another end mark. */
export function asSentence(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** The first line of a text. */
function firstLine(text: string): string {
	return text.trim().split('\n', 1)[0] ?? '';
}

/** At most 300 characters of a text. Secrets are removed from it before: a part of one is not recognized. */
export function shorten(text: string): string {
	return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}

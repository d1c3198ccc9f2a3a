import { NodeApiError } from 'n8n-workflow';

import { isRecord } from '../shared/jsonFields';
import { retryAfterMs } from '../shared/patience';
import { errorMessage } from '../shared/text';
import type { RequestFacts } from './errorMeaning';
import { failureStatus, firstLine, isWebPage, plainText, serviceText } from './failure';
import type { ServiceRequest, ServiceResponse } from './serviceRequest';

/** What an error response or a network error means: what happened, what to do about it, and whether waiting helps. */
export interface ErrorTexts {
	/** What happened. */
	message: string;
	/** What to do; undefined when that depends on the request, or there is nothing to do. */
	description?: string;
	/** HTTP status or network code. */
	httpCode?: string;
	failure?: NodeApiError['failure'];
}

/** With what became of the request. */
export type RequestTexts = ErrorTexts & RequestFacts;

export const TRY_LATER = 'Try again later. If it happens again, check the Base URL in the credential.';

const PROXY_ADVICE =
	'A proxy or firewall may have sent it: check the Base URL in the credential, and ask its administrator to let n8n reach the service.';

/** Only a proxy sends 407 (RFC 9110 §15.5.8). */
const PROXY_SIGN_IN = {
	message: 'The proxy that n8n uses requires a sign-in (407)',
	description:
		'Check the user name and the password in the environment variables HTTP_PROXY and HTTPS_PROXY.',
};

const PAGE_ADVICE =
	'It may be a sign-in or maintenance page: open the Base URL in a browser, and ask its administrator to let n8n reach the service.';

/** What to do when the service creates no upload, and another try does not help. */
const CREATION_ADVICE = new Map([
	[402, 'The plan of the account may have ended, or may not include uploads: check it in the customer hub.'],
	[
		413,
		'The file is larger than the plan of the account, or a proxy in front of the service, accepts: ask for the limit.',
	],
	[507, 'The account has no disk space left: delete videos, or change its plan in the customer hub.'],
]);

/**
 * What a redirect means, which is never followed. Only the same path on the same host may be the service, for example with https, with a
 * slash at the end, or below `/api`: email and password must not be sent to anything else.
 */
function redirectTexts(baseUrl: string, path: string, location: string | undefined): ErrorTexts {
	const { host, href } = new URL(`${baseUrl}/v1/${path}`);
	const to = location !== undefined && URL.canParse(location, href) ? new URL(location, href) : undefined;
	const address = to && `${to.origin}${to.pathname.replace(/\/$/, '')}`;
	const redirects = `Base URL in the credential redirects${to ? ` to ${to.host}` : ''}`;
	const suffix = `/v1/${path}`;
	if (to?.host !== host || address?.endsWith(suffix) !== true)
		return { message: `A page in front of the service answers: the ${redirects}`, description: PAGE_ADVICE };
	const description = `Enter the address it redirects to: ${address.slice(0, -suffix.length)}`;
	return { message: `The ${redirects}`, description };
}

/**
 * What a response means that is a failure (docs/api-reference.md#errors); undefined for a success. The service's message may be long, and
 * may repeat secrets of the request. `failure` tells n8n's poll scheduler what passes; n8n itself decides about other statuses
 * (docs/n8n-internals.md#nodeapierror).
 */
export function responseTexts(
	response: ServiceResponse,
	baseUrl: string,
	{ method, needsSlot, path }: Pick<ServiceRequest, 'method' | 'needsSlot' | 'path'>,
): RequestTexts | undefined {
	const { body, headers, statusCode } = response;
	const status = failureStatus(response);
	if (status === undefined) return undefined;
	const own = serviceText(body);
	// A gateway sends a web page, plain text or nothing.
	const noText = isWebPage(body) ? 'with a web page instead of JSON' : 'without a message';
	const failed = status < 300 ? 'reported a failure' : `returned ${status}`;
	// The response to a HEAD has no body that could tell.
	const isBetween =
		typeof body === 'string' && (body !== '' || !/^$|json/i.test(headers['content-type'] ?? ''));
	// A 2xx that reports a failure is JSON.
	const isOwn = own !== undefined || statusCode < 300 || (method === 'HEAD' && !isBetween);
	const texts = {
		message: own ?? (plainText(body) || `The service ${failed} ${noText}`),
		httpCode: String(status),
		source: isOwn ? 'service' : 'between',
		outcome: status >= 500 && !isOwn ? 'unknown' : 'rejected',
	} as const;
	const hint = { retryAfterMs: retryAfterMs(headers['retry-after']) };
	const ofCreation = needsSlot && method === 'POST' ? CREATION_ADVICE.get(status) : undefined;
	if (ofCreation !== undefined) return { ...texts, description: ofCreation };
	if (status >= 500)
		return { ...texts, description: TRY_LATER, failure: { cause: 'temporarily-unavailable', ...hint } };
	if (status === 429)
		return { ...texts, description: 'Run this again later.', failure: { cause: 'rate-limited', ...hint } };
	if (status === 407) return { ...texts, ...PROXY_SIGN_IN };
	if (status >= 300 && status < 400) return { ...texts, ...redirectTexts(baseUrl, path, headers.location) };
	return isBetween ? { ...texts, description: PROXY_ADVICE } : texts;
}

const OWN_CERTIFICATE =
	'n8n trusts a certificate of your own that the environment variable NODE_EXTRA_CA_CERTS names.';

/**
 * What an error without a response means, for the service and for the server of a file; the first match counts. `happened` is the
 * predicate of a sentence about the server, `wasSent` whether it may have received the request, `isFinal` whether that fails again.
 */
const NETWORK_ERRORS = [
	{
		codes: /^(ERR_TLS_)?CERT_|^UNABLE_TO_|SELF_SIGNED/,
		happened: 'has a TLS certificate that n8n does not trust',
		advice: `Check the Base URL in the credential. ${OWN_CERTIFICATE}`,
		adviceForFile: `Check the URL. ${OWN_CERTIFICATE}`,
		wasSent: false,
		isFinal: true,
	},
	{
		// EPROTO is the TLS handshake in Node.js 20 to 24. ERR_SSL_… is of a later record, such as the response.
		codes: /^(ENOTFOUND|EAI_\w+|ECONNREFUSED|E(HOST|NET)UNREACH|EADDRNOTAVAIL|EACCES|EPERM|EPROTO)$/,
		happened: 'cannot be reached',
		advice: 'Check the Base URL in the credential and that the service is running.',
		adviceForFile: 'Check the URL and the network of this n8n.',
		wasSent: false,
		isFinal: false,
	},
	{
		codes: /./,
		happened: 'did not respond',
		advice: 'Try again later.',
		adviceForFile: 'Try again later. For an upload, increase Idle Timeout.',
		wasSent: true,
		isFinal: false,
	},
];

/** What a network error means, and its code; undefined for any other error, for example one of n8n's own. */
export function networkError(error: unknown) {
	const code = networkCode(error);
	const known = NETWORK_ERRORS.find(({ codes }) => codes.test(code));
	return known && { ...known, code };
}

/** What happened to a request without a response. Without a network code, n8n itself rejected the request, or the service the sign-in. */
export function networkTexts(baseUrl: string, error: unknown): RequestTexts {
	const known = networkError(error);
	if (!known) {
		const failure = error instanceof NodeApiError ? error.failure : undefined;
		const texts = { message: firstLine(errorMessage(error)), description: descriptionOf(error), failure };
		return { ...texts, outcome: 'not sent', source: 'between' };
	}
	return {
		message: `The service at ${new URL(baseUrl).host} ${known.happened} (${known.code}).`,
		description: known.advice,
		httpCode: known.code,
		failure: { cause: 'temporarily-unavailable' },
		outcome: known.wasSent ? 'unknown' : 'not sent',
		source: 'network',
	};
}

/** The network code of an error, such as `ECONNRESET`; n8n puts it into `httpCode`, axios into `code`. '' without one. */
function networkCode(error: unknown): string {
	const codes = withCause(error).flatMap(({ name, code, httpCode }) =>
		// The reason of AbortSignal.timeout() has a number as its code.
		name === 'TimeoutError' ? 'ETIMEDOUT' : [code, httpCode].map(String),
	);
	return codes.find((code) => /^[A-Z][A-Z0-9_/]+$/.test(code)) ?? '';
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

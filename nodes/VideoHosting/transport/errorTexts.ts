import { retryAfterMs } from '../shared/patience';
import { errorMessage } from '../shared/text';
import { failureStatus, firstLine, isWebPage, plainText, serviceText } from './failure';
import { descriptionOf, withCause, type Facts } from './serviceError';
import type { ServiceRequest, ServiceResponse } from './serviceRequest';

/** What an error response or a network error means. */
export interface Meaning {
	/** What happened. */
	message: string;
	/** What to do; undefined when that depends on the request, or there is nothing to do. */
	advice?: string;
	facts: Facts;
}

export const TRY_LATER = 'Try again later. If it happens again, check the Base URL in the credential.';

const PROXY_ADVICE =
	'A proxy or firewall may have sent it: check the Base URL in the credential, and ask its administrator to let n8n reach the service.';

/** Only a proxy sends 407 (RFC 9110 §15.5.8). */
const PROXY_SIGN_IN = {
	message: 'The proxy that n8n uses requires a sign-in (407)',
	advice: 'Check the user name and the password in the environment variables HTTP_PROXY and HTTPS_PROXY.',
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
function redirectTexts(baseUrl: string, path: string, location: string | undefined): Omit<Meaning, 'facts'> {
	const { host, href } = new URL(`${baseUrl}/v1/${path}`);
	const to = location !== undefined && URL.canParse(location, href) ? new URL(location, href) : undefined;
	const address = to && `${to.origin}${to.pathname.replace(/\/$/, '')}`;
	const redirects = `Base URL in the credential redirects${to ? ` to ${to.host}` : ''}`;
	const suffix = `/v1/${path}`;
	if (to?.host !== host || address?.endsWith(suffix) !== true)
		return { message: `A page in front of the service answers: the ${redirects}`, advice: PAGE_ADVICE };
	const advice = `Enter the address it redirects to: ${address.slice(0, -suffix.length)}`;
	return { message: `The ${redirects}`, advice };
}

/**
 * What a response means that is a failure (docs/api-reference.md#errors); undefined for a success. The service's message may be long, and
 * may repeat secrets of the request.
 */
export function responseMeaning(
	response: ServiceResponse,
	baseUrl: string,
	{ method, needsSlot, path }: Pick<ServiceRequest, 'method' | 'needsSlot' | 'path'>,
): Meaning | undefined {
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
	const message = own ?? (plainText(body) || `The service ${failed} ${noText}`);
	const outcome = status >= 500 && !isOwn ? 'unknown' : 'rejected';
	const facts = { status, isOwn, outcome, kind: 'final' } as const;
	const ofCreation = needsSlot && method === 'POST' ? CREATION_ADVICE.get(status) : undefined;
	if (ofCreation !== undefined) return { message, advice: ofCreation, facts };
	const retried = { ...facts, retryAfterMs: retryAfterMs(headers['retry-after']) };
	if (status >= 500) return { message, advice: TRY_LATER, facts: { ...retried, kind: 'passes' } };
	const kind = needsSlot ? 'slot' : 'rate limit';
	if (status === 429) return { message, advice: 'Run this again later.', facts: { ...retried, kind } };
	if (status === 407) return { ...PROXY_SIGN_IN, facts };
	if (status >= 300 && status < 400) return { ...redirectTexts(baseUrl, path, headers.location), facts };
	return { message, advice: isBetween ? PROXY_ADVICE : undefined, facts };
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

/** What happened to a request without a response. Without a network code, n8n itself rejected the request. */
export function networkMeaning(baseUrl: string, error: unknown): Meaning {
	const known = networkError(error);
	if (!known) {
		const message = firstLine(errorMessage(error));
		return { message, advice: descriptionOf(error), facts: { outcome: 'not sent', kind: 'final' } };
	}
	const { advice, code, happened, wasSent } = known;
	const message = `The service at ${new URL(baseUrl).host} ${happened} (${code}).`;
	return { message, advice, facts: { code, outcome: wasSent ? 'unknown' : 'not sent', kind: 'passes' } };
}

/** The network code of an error, such as `ECONNRESET`; n8n puts it into `httpCode`, axios into `code`. '' without one. */
function networkCode(error: unknown): string {
	const codes = withCause(error).flatMap(({ name, code, httpCode }) =>
		// The reason of AbortSignal.timeout() has a number as its code.
		name === 'TimeoutError' ? 'ETIMEDOUT' : [code, httpCode].map(String),
	);
	return codes.find((code) => /^[A-Z][A-Z0-9_/]+$/.test(code)) ?? '';
}

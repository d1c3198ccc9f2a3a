import { isRecord } from '../shared/jsonFields';

const ADD_CERTIFICATE = 'Add it to n8n with the environment variable NODE_EXTRA_CA_CERTS.';

/** What happened, as the end of a sentence about the service, and what the user can do about it. */
const NETWORK_ERRORS: Record<string, [happened: string, advice: string]> = {
	ECONNREFUSED: [
		'refused the connection',
		'Check the Base URL in the credential and that the service is running.',
	],
	ENOTFOUND: ['was not found', 'Check the Base URL in the credential.'],
	EAI_AGAIN: ['could not be resolved', 'Check the network of this n8n and the Base URL in the credential.'],
	ECONNABORTED: ['did not respond in time', 'Try again later.'],
	ETIMEDOUT: ['did not respond in time', 'Try again later.'],
	ECONNRESET: ['closed the connection before it responded', 'Try again.'],
	EPIPE: ['closed the connection before it responded', 'Try again.'],
	ERR_BAD_RESPONSE: ['closed the connection within its response', 'Try again.'],
	CERT_HAS_EXPIRED: ['has an expired TLS certificate', 'Ask its administrator to renew it.'],
	DEPTH_ZERO_SELF_SIGNED_CERT: ['has a self-signed TLS certificate', ADD_CERTIFICATE],
	SELF_SIGNED_CERT_IN_CHAIN: ['has a TLS certificate from an unknown authority', ADD_CERTIFICATE],
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['has a TLS certificate from an unknown authority', ADD_CERTIFICATE],
	ERR_TLS_CERT_ALTNAME_INVALID: [
		'has a TLS certificate for another host',
		'Check the Base URL in the credential.',
	],
};

/** The network code of an error, such as `ECONNRESET`; n8n puts it into `httpCode`, axios into `code`. */
export function networkCode(error: unknown): string | undefined {
	for (const source of [error, error instanceof Error ? error.cause : undefined]) {
		if (!isRecord(source)) continue;
		// The reason of AbortSignal.timeout().
		if (source.name === 'TimeoutError') return 'ETIMEDOUT';
		for (const code of [source.code, source.httpCode]) {
			if (typeof code === 'string' && /^[A-Z][A-Z0-9_/]+$/.test(code)) return code;
		}
	}
	return undefined;
}

/** What to do when it is not known whether a request was carried out that must not be repeated. */
export const CHECK_FIRST = 'It may have been carried out: check that before you run this again.';

/**
 * Network codes of errors that occur before any request was sent, so that it did nothing there: host, port, TLS handshake (EPROTO in
 * Node.js 20 to 24) or certificate. ERR_SSL_… is of a later record, such as the response.
 */
export const UNREACHABLE =
	/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EPROTO|ERR_TLS_CERT_\w+|CERT_\w+|UNABLE_TO_\w+|\w*SELF_SIGNED\w*)$/;

/** Whether a request that ended with this code may have reached the service. */
export function isSent(code: string): boolean {
	return !UNREACHABLE.test(code);
}

/**
 * A network error as an error message reports it: what happened, and what the user can do about it, one sentence each.
 *
 * @param code as {@link networkCode} returns it
 */
export function networkError(
	baseUrl: string,
	code: string,
	isRepeatable = true,
): { message: string; advice: string } {
	const unknown = [`could not be reached (${code})`, 'Check the network of this n8n.'] as const;
	const [happened, advice] = NETWORK_ERRORS[code] ?? unknown;
	return {
		message: `The service at ${new URL(baseUrl).host} ${happened}.`,
		advice: !isRepeatable && isSent(code) ? CHECK_FIRST : advice,
	};
}

import type { INode, NodeApiError } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { fieldEntries, isRecord, normalizedName } from '../shared/jsonFields';
import { CREDENTIAL_TYPE } from './credential';
import { failureOf, isWebPage, proxyAdvice, serviceMessage, shorten } from './errorResponse';
import { descriptionOf, plainError } from './errors';
import { networkCode, networkError } from './networkErrors';
import { hideSecrets } from './secrets';
import type { ServiceResponse } from './serviceRequest';

/** What a sign-in returns: the access token, or an error. */

/** Field names of an access token, the most explicit first; see {@link normalizedName}. */
const TOKEN_NAMES = ['accesstoken', 'bearertoken', 'authtoken', 'jwt', 'token'];
/** Of a header, without a leading `X-`. */
const TOKEN_HEADERS = ['authorization', 'accesstoken', 'authtoken', 'token'];
/** Tokens for another purpose. */
const OTHER_TOKEN_NAME = /refresh|csrf|xsrf/;
/** Three base64url parts (RFC 7519 §3.1). */
const JWT = /[\w-]+\.[\w-]+\.[\w-]+/g;

interface Field {
	name: string;
	/** Where it is: a path of keys, or the name of a header. */
	place: string;
	value: unknown;
}

/**
 * The bearer token in the response to docs/api-reference.md#authenticate, whose body is not documented. In this order:
 *
 * 1. a body that is the token,
 * 2. a field with a usual name (`access_token`, `token`, …) at any depth,
 * 3. a response header with a usual name (`Authorization`, `X-Auth-Token`, …),
 * 4. an `id_token`,
 * 5. the only JSON Web Token anywhere in the body or the headers.
 *
 * A refresh token is never used.
 *
 * @returns undefined when the response has no token
 * @throws NodeApiError when there are different tokens and nothing shows which one to use; it names their places, not their values
 */
export function extractAccessToken({
	body,
	headers,
}: Pick<ServiceResponse, 'body'> & { headers: Record<string, unknown> }): string | undefined {
	if (typeof body === 'string' && tokenOf(body) !== undefined) return tokenOf(body);
	const inBody = [...fieldEntries(body)]
		.filter(({ path }) => !path.some(isOfAnotherPurpose))
		.map(({ path, value }): Field => ({ name: path.at(-1) ?? '', place: path.join('.'), value }));
	const inHeaders = Object.entries(headers).flatMap(([name, value]) =>
		[value]
			.flat()
			.map((text): Field => ({ name: name.replace(/^x-/i, ''), place: `header ${name}`, value: text })),
	);
	const named =
		firstNamed(inBody, TOKEN_NAMES) ??
		firstNamed(inHeaders, TOKEN_HEADERS) ??
		firstNamed(inBody, ['idtoken']);
	if (named !== undefined) return named;
	// A cookie names its purpose in its value.
	const isCandidate = ({ value }: Field) =>
		typeof value === 'string' && !isOfAnotherPurpose(value.split('=', 1)[0] ?? '');
	return onlyToken(
		[...inBody, ...inHeaders.filter(isCandidate)].flatMap(({ place, value }) =>
			webTokensIn(value).map((token) => ({ place, token })),
		),
	);
}

/** The token under the first of the names that has one. */
function firstNamed(fields: Field[], names: string[]): string | undefined {
	for (const wanted of names) {
		const token = onlyToken(
			fields.flatMap(({ name, place, value }) => {
				const own = normalizedName(name) === wanted ? tokenOf(value) : undefined;
				return own === undefined ? [] : [{ place, token: own }];
			}),
		);
		if (token !== undefined) return token;
	}
	return undefined;
}

function isOfAnotherPurpose(name: string): boolean {
	return OTHER_TOKEN_NAME.test(normalizedName(name));
}

/** @throws NodeApiError when the candidates are not all the same */
function onlyToken(candidates: Array<{ place: string; token: string }>): string | undefined {
	if (new Set(candidates.map(({ token }) => token)).size <= 1) return candidates[0]?.token;
	const places = [...new Set(candidates.map(({ place }) => place || 'the body'))];
	throw signInError(
		`Signing in to the video hosting service returned several different tokens (${places.join(', ')}), and it is not clear which one is the access token. Check the Base URL in the credential.`,
	);
}

/** A text that can be a bearer token, which goes into a header (RFC 6750 §2.1: no spaces); a web page is not one. */
function tokenOf(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const token = value.trim().replace(/^Bearer\s+/i, '');
	return /^[\x21-\x7e]+$/.test(token) && !token.startsWith('<') ? token : undefined;
}

function webTokensIn(value: unknown): string[] {
	return typeof value === 'string' ? (value.match(JWT) ?? []).filter(isWebToken) : [];
}

/** Whether the first part decodes to the JSON header of a JSON Web Token. */
function isWebToken(text: string): boolean {
	try {
		return isRecord(JSON.parse(Buffer.from(text.split('.', 1)[0] ?? '', 'base64url').toString('utf8')));
	} catch {
		// Not JSON: some other text with two dots, such as a host name.
		return false;
	}
}

/** The error for a sign-in that the service rejected: its message without the password, and what to check. */
export function rejectedSignInError(errorResponse: ServiceResponse, password: string): NodeApiError {
	const failure = failureOf(errorResponse);
	const advice = proxyAdvice(errorResponse) ?? signInAdvice(errorResponse, failure);
	// A service may echo what it received.
	const reason = shorten(hideSecrets(serviceMessage(errorResponse), [password])).replace(/\.$/, '');
	return signInError(
		`Signing in to the video hosting service failed (${errorResponse.statusCode}): ${reason}. ${advice}`,
		{ failure },
	);
}

/** What to check in the credential. When the path of the sign-in is unknown, the Base URL is wrong. */
function signInAdvice({ statusCode, body }: ServiceResponse, failure: NodeApiError['failure']): string {
	if ([404, 405, 501].includes(statusCode) || statusCode < 400)
		return 'Check the Base URL in the credential, which usually ends after the host. If it is right, check email, password and application ID.';
	// The other failures pass: a rate limit, or an error of the service.
	if (failure === undefined || failure.cause === 'credential-invalid')
		return 'Check email, password and application ID in the credential.';
	return isWebPage(body) ? 'Check the Base URL in the credential, or try again later.' : 'Try again later.';
}

/**
 * The error for a sign-in without a response.
 *
 * @param error of axios, which contains the password in its request, or of n8n, which rejected the request
 */
export function unreachableSignInError(baseUrl: string, error: unknown): NodeApiError {
	const code = networkCode(error);
	if (code === undefined) {
		return signInError(errorMessage(error), { description: descriptionOf(error) });
	}
	const { message, advice } = networkError(baseUrl, code);
	return signInError(`${message} ${advice}`, {
		httpCode: code,
		failure: { cause: 'temporarily-unavailable' },
	});
}

/**
 * n8n passes a NodeApiError on unchanged. Of other errors the credential's dialog shows only the network code, and n8n 1.x
 * drops everything except the message. A credential has no node, so the error names the credential instead.
 */
export function signInError(
	message: string,
	more: { description?: string; httpCode?: string; failure?: NodeApiError['failure'] } = {},
): NodeApiError {
	const node: INode = {
		id: '',
		name: 'Video Hosting API',
		type: CREDENTIAL_TYPE,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	return plainError(node, { message, ...more });
}

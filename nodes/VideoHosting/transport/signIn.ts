import { NodeApiError, type INode } from 'n8n-workflow';

import { fieldEntries, normalizedName } from '../shared/jsonFields';
import { CREDENTIAL_TYPE } from './credential';
import { isTransient, plainError } from './errors';
import {
	asSentence,
	failureOf,
	isWebPage,
	networkTexts,
	PROXY_ADVICE,
	serviceMessage,
	shorten,
	type ErrorTexts,
} from './errorTexts';
import { hideSecrets } from './secrets';
import type { ServiceResponse } from './serviceRequest';

/** Usual field names of an access token, the most explicit first; see {@link normalizedName}. */
const TOKEN_NAMES = ['accesstoken', 'bearertoken', 'authtoken', 'jwt', 'token', 'idtoken'];

/**
 * The bearer token in the response to docs/api-reference.md#authenticate, whose body is not documented: the field with the most
 * explicit of the usual names at any depth, else the header Authorization. Undefined without a token.
 */
export function extractAccessToken({
	body,
	headers,
}: Pick<ServiceResponse, 'body'> & { headers: Record<string, unknown> }): string | undefined {
	const fields = [...fieldEntries(body)];
	for (const wanted of TOKEN_NAMES) {
		for (const { path, value } of fields) {
			const token = normalizedName(path.at(-1) ?? '') === wanted ? bearerToken(value) : undefined;
			if (token !== undefined) return token;
		}
	}
	return bearerToken(headers.authorization);
}

/** A text that can be a bearer token, which goes into a header (RFC 6750 §2.1: no spaces). */
function bearerToken(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const token = value.trim().replace(/^Bearer\s+/i, '');
	return /^[\x21-\x7e]+$/.test(token) ? token : undefined;
}

/** The error for a sign-in that the service rejected: its message without the password, and what to check. */
export function rejectedSignInError(response: ServiceResponse, password: string): NodeApiError {
	const { statusCode } = response;
	// A service may echo what it received.
	const reason = shorten(hideSecrets(serviceMessage(response), [password])).replace(/\.$/, '');
	return signInError({
		message: `Signing in to the video hosting service failed (${statusCode}): ${reason}. ${signInAdvice(response)}`,
		failure: failureOf(response),
	});
}

function signInAdvice({ statusCode, body }: ServiceResponse): string {
	if (statusCode === 429 || statusCode >= 500) return 'Try again later.';
	if (isWebPage(body)) return PROXY_ADVICE;
	return 'Check Base URL, email, password and application ID in the credential.';
}

/**
 * The error for a sign-in without a response.
 *
 * @param error of axios, which contains the password in its request, or of n8n, which rejected the request
 */
export function unreachableSignInError(baseUrl: string, error: unknown): NodeApiError {
	const { description = '', ...texts } = networkTexts(baseUrl, error);
	// The dialog of the credential shows the message alone.
	return signInError({ ...texts, message: `${asSentence(texts.message)} ${description}`.trim() });
}

/**
 * n8n passes a NodeApiError on unchanged. Of other errors the credential's dialog shows only the network code, and n8n 1.x
 * drops everything except the message. A credential has no node, so the error names the credential instead.
 */
export function signInError(texts: ErrorTexts): NodeApiError {
	const node: INode = {
		id: '',
		name: 'Video Hosting API',
		type: CREDENTIAL_TYPE,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	return plainError(node, texts);
}

/** Whether signing in failed for a reason that does not pass by itself, such as a wrong password. */
export function isRefusedSignIn(error: unknown): boolean {
	return error instanceof NodeApiError && error.node.type === CREDENTIAL_TYPE && !isTransient(error);
}

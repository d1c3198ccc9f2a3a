import type { INode, NodeApiError } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { CREDENTIAL_TYPE } from './credential';
import { failureOf, isWebPage, proxyAdvice, serviceMessage, shorten } from './errorResponse';
import { descriptionOf, plainError } from './errors';
import { networkCode, networkError } from './networkErrors';
import { hideSecrets } from './secrets';
import type { ServiceResponse } from './serviceRequest';

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
		...{ id: '', name: 'Video Hosting API', type: CREDENTIAL_TYPE, typeVersion: 1 },
		...{ position: [0, 0], parameters: {} },
	};
	return plainError(node, { message, ...more });
}

import { randomBytes } from 'node:crypto';
import { z } from 'zod';

import { ErrorResponse, required, type Call, type ResponseSpec } from './call';

/**
 * Counts one request against its token and returns the token's application. Throws an ErrorResponse with `expiredTokenStatus` when
 * there is no good token.
 */
export function useToken({ request: { headers }, settings, tokens }: Call): string {
	const { expiredTokenStatus, tokenLifetimeRequests } = settings;
	const token = tokens.get(headers.authorization ?? '');
	const isGood = tokenLifetimeRequests === 0 || (token?.requestsServed ?? 0) < tokenLifetimeRequests;
	if (token === undefined || !isGood) throw new ErrorResponse(expiredTokenStatus, 'Unauthorized');
	token.requestsServed += 1;
	return token.applicationId;
}

const authenticateBody = z.object({ email: z.string(), password: z.string(), resource: z.string().uuid() });

/** See docs/api-reference.md#authenticate. */
export function authenticate({ request: { body }, settings, tokens }: Call): ResponseSpec {
	const { email, password, resource } = required(authenticateBody, body, 'body');
	if (email !== settings.email || password !== settings.password) {
		throw new ErrorResponse(401, 'Invalid email or password');
	}
	if (![settings.applicationId, ...settings.otherApplicationIds].includes(resource)) {
		throw new ErrorResponse(401, 'Application not found');
	}
	const token = `token-${randomBytes(24).toString('base64url')}`;
	tokens.set(`Bearer ${token}`, { applicationId: resource, requestsServed: 0 });
	return { status: 200, json: { token } };
}

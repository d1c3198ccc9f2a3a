import { randomBytes } from 'node:crypto';
import { z } from 'zod';

import { ErrorResponse, required, type Call, type ResponseSpec } from './call';

/** Returns the application of the token. Throws an ErrorResponse with `expiredTokenStatus` when there is no good token. */
export function useToken({ request: { headers }, settings, tokens }: Call): string {
	const applicationId = tokens.get(headers.authorization ?? '');
	if (applicationId === undefined) throw new ErrorResponse(settings.expiredTokenStatus, 'Unauthorized');
	return applicationId;
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
	tokens.set(`Bearer ${token}`, resource);
	return { status: 200, json: { token } };
}

import { z } from 'zod';

import { ErrorResponse, type ResponseSpec } from './responses';
import { required, type Call } from './call';
import { authenticateResponse } from './shapes';

const authenticateBody = z.object({ email: z.string(), password: z.string(), resource: z.string().uuid() });

/** See docs/api-reference.md#authenticate. */
export function authenticate({ body, settings, issueToken }: Call): ResponseSpec {
	const { email, password, resource } = required(authenticateBody, body, 'body');
	if (email !== settings.email || password !== settings.password) {
		throw new ErrorResponse(401, 'Invalid email or password');
	}
	if (resource !== settings.applicationId && !settings.otherApplicationIds.includes(resource)) {
		throw new ErrorResponse(401, 'Application not found');
	}
	return authenticateResponse(issueToken(resource), settings);
}

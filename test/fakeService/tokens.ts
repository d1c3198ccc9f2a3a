import { randomBytes } from 'node:crypto';
import { z } from 'zod';

import { ErrorResponse, required, type Call, type ResponseSpec } from './call';
import type { ServiceSettings } from './settings';

/** The bearer tokens that are still good. */
export class Tokens {
	private readonly issued = new Map<string, { applicationId: string; requestsServed: number }>();

	issue(applicationId: string): string {
		const token = `token-${randomBytes(24).toString('base64url')}`;
		this.issued.set(token, { applicationId, requestsServed: 0 });
		return token;
	}

	/**
	 * Counts one request against the token and returns its application. Throws an ErrorResponse with
	 * `expiredTokenStatus` when there is no good token.
	 */
	use(authorization: string | undefined, settings: ServiceSettings): string {
		const { expiredTokenStatus, tokenLifetimeRequests } = settings;
		const token = this.issued.get(tokenOf(authorization));
		if (token === undefined) throw new ErrorResponse(expiredTokenStatus, 'Unauthorized');
		if (tokenLifetimeRequests > 0 && token.requestsServed >= tokenLifetimeRequests) {
			throw new ErrorResponse(expiredTokenStatus, 'Token expired');
		}
		token.requestsServed += 1;
		return token.applicationId;
	}

	revoke(authorization: string | undefined): void {
		this.issued.delete(tokenOf(authorization));
	}

	revokeAll(): void {
		this.issued.clear();
	}
}

function tokenOf(authorization = ''): string {
	return /^Bearer (\S+)$/.exec(authorization)?.[1] ?? '';
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
	const token = tokens.issue(resource);
	const responses = {
		token: { json: { token } },
		string: { json: token },
		text: { text: token },
		none: { json: { message: 'Welcome', user: { id: 7 } } },
	};
	return { status: 200, ...responses[settings.authenticateResponse] };
}

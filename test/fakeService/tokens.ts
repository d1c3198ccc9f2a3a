import { randomBytes } from 'node:crypto';

import { ErrorResponse } from './responses';
import type { ServiceSettings } from './settings';

interface IssuedToken {
	applicationId: string;
	requestsServed: number;
	revoked: boolean;
}

/** The bearer tokens issued by authenticate and whether they are still good. */
export class Tokens {
	private readonly issued = new Map<string, IssuedToken>();

	issue(applicationId: string): string {
		const token = `token-${randomBytes(24).toString('base64url')}`;
		this.issued.set(token, { applicationId, requestsServed: 0, revoked: false });
		return token;
	}

	/**
	 * Counts one request against the token and returns its application.
	 * Throws an ErrorResponse with `expiredTokenStatus` when there is no good token.
	 */
	use(authorization: string | undefined, settings: ServiceSettings): string {
		const token = this.find(authorization);
		if (token === undefined) throw new ErrorResponse(settings.expiredTokenStatus, 'Unauthorized');
		const { tokenLifetimeRequests } = settings;
		const isUsedUp = tokenLifetimeRequests > 0 && token.requestsServed >= tokenLifetimeRequests;
		if (token.revoked || isUsedUp) throw new ErrorResponse(settings.expiredTokenStatus, 'Token expired');
		token.requestsServed += 1;
		return token.applicationId;
	}

	revoke(authorization: string | undefined): void {
		const token = this.find(authorization);
		if (token !== undefined) token.revoked = true;
	}

	revokeAll(): void {
		for (const token of this.issued.values()) token.revoked = true;
	}

	private find(authorization: string | undefined): IssuedToken | undefined {
		const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
		return token === undefined ? undefined : this.issued.get(token);
	}
}

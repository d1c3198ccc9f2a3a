import { createHash } from 'crypto';

import type { Account } from './credential';

/**
 * A stored access token belongs to the account that it was obtained with. The one hidden field in which n8n keeps it contains
 * the token, a space (which no token contains, see accessToken.ts), and a fingerprint of the account.
 */

/** What the credential stores for a token of this account. */
export function storedToken(token: string, account: Account): string {
	return `${token} ${fingerprint(token, account)}`;
}

/** The token itself, of whichever account; '' when none is stored. */
export function tokenIn(stored: unknown): string {
	return typeof stored === 'string' ? (stored.split(' ', 1)[0] ?? '') : '';
}

/** The stored token if it belongs to this account; undefined for any other. */
export function tokenOf(stored: unknown, account: Account): string | undefined {
	const token = tokenIn(stored);
	return token !== '' && stored === storedToken(token, account) ? token : undefined;
}

/** Whether two credentials sign in to the same account in the same way. */
export function isSameAccount(one: Account, other: Account): boolean {
	return fingerprint('', one) === fingerprint('', other);
}

/**
 * 24 bits, salted with the token: an edit of the credential is noticed, but passwords cannot be tried against it, because one
 * of 16 million wrong ones fits.
 */
function fingerprint(token: string, { baseUrl, email, password, applicationId }: Account): string {
	const content = JSON.stringify([token, baseUrl, email, password, applicationId]);
	return createHash('sha256').update(content).digest('hex').slice(0, 6);
}

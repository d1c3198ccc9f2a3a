import { createHash } from 'crypto';

/** Characters of a fingerprint, 6 bits each. */
export const FINGERPRINT_LENGTH = 12;

/**
 * A short stand-in for a text, so that what a poll remembers stays small: the first 72 bits of its SHA-256 in
 * base64url. Among 10,000 events the chance that any two share one is about 1 in 10^14.
 */
export function fingerprint(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, FINGERPRINT_LENGTH);
}

import { createHash } from 'crypto';

/** Characters of a fingerprint, 6 bits each. */
const FINGERPRINT_LENGTH = 12;

/** Characters of a record key, 6 bits each. */
export const RECORD_KEY_LENGTH = 9;

/** The first 72 bits of a text's SHA-256 in base64url. */
export function fingerprint(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, FINGERPRINT_LENGTH);
}

/**
 * A short key for the hash or the ID of an event or a video, so that the stored state stays small: the first 54 bits of the
 * text's SHA-256 in base64url. Among 20,000 keys the chance that any two are equal is about 1 in 10^8.
 */
export function recordKey(text: string): string {
	return fingerprint(text).slice(0, RECORD_KEY_LENGTH);
}

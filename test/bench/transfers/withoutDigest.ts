import crypto from 'node:crypto';

/**
 * Makes the node's content digests cost nothing in this process, and prove nothing: the cipher that they are computed with
 * ignores what it is given. Nothing else here uses that cipher; n8n encrypts credentials with another one.
 */
export function leaveOutDigests(): void {
	const { createCipheriv } = crypto;
	const replacement = (...parameters: Parameters<typeof createCipheriv>) =>
		parameters[0] === 'aes-128-gcm' ? idleCipher : createCipheriv(...parameters);
	Object.assign(crypto, { createCipheriv: replacement });
}

/** The methods that contentDigest.ts calls. */
const idleCipher = { setAAD: () => {}, final: () => {}, getAuthTag: () => Buffer.alloc(16) };

import { createCipheriv, randomBytes } from 'crypto';

/** Fingerprint of the first bytes of a file. */
export interface ContentDigest {
	/** Bytes covered, from byte 0 on. */
	readonly to: number;
	/** Random key of the tag, in hexadecimal. */
	readonly key: string;
	/** In hexadecimal. */
	readonly tag: string;
}

/**
 * A digest of a file that grows while the file is read: GMAC (NIST SP 800-38D), the authentication tag of AES-GCM, under a random key
 * that is kept next to the tag. Two contents that were made without knowing the key have the same tag with a probability of less
 * than 2^-80 for files of up to 4 PB. It costs a small fraction of what SHA-256 costs, and holds no memory.
 */
export class RollingDigest {
	private readonly cipher;

	private covered = 0;

	private ended: ContentDigest | undefined;

	/**
	 * @param most limit of the covered bytes
	 * @param key 16 bytes in hexadecimal, of the digest to compare with; by default a new one
	 */
	constructor(
		private readonly most = Infinity,
		private readonly key = randomBytes(16).toString('hex'),
	) {
		// A nonce may be constant when its key authenticates one message only.
		this.cipher = createCipheriv('aes-128-gcm', Buffer.from(key, 'hex'), Buffer.alloc(12));
	}

	/**
	 * Covers the bytes of a chunk that follow those covered so far. Bytes that are read again count once, as after a PATCH of which
	 * the service stored a part; bytes behind a gap, or added after {@link end}, are not covered.
	 *
	 * @param offset of the chunk's first byte
	 */
	add(chunk: Uint8Array, offset: number): void {
		const start = this.covered - offset;
		const end = Math.min(chunk.length, this.most - offset);
		if (this.ended || start < 0 || start >= end) return;
		this.cipher.setAAD(chunk.subarray(start, end));
		this.covered = offset + end;
	}

	end(): ContentDigest {
		if (!this.ended) {
			this.cipher.final();
			const tag = this.cipher.getAuthTag().toString('hex');
			this.ended = { to: this.covered, key: this.key, tag };
		}
		return this.ended;
	}
}

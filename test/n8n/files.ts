import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { RunningService } from '../fakeService';

export type TestFile = ReturnType<typeof writeTestFile>;

/** Writes a file of so many random bytes. */
export function writeTestFile(folder: string, name: string, size: number) {
	const bytes = randomBytes(size);
	const path = join(folder, name);
	writeFileSync(path, bytes);
	return { name, path, bytes, sha256: sha256(bytes) };
}

/** In hexadecimal digits, as the fake service has it. */
export function sha256(content: string | Buffer): string {
	return createHash('sha256').update(content).digest('hex');
}

/** A file that begins as an MP4 does (ISO/IEC 14496-12 §4.3), with a text. */
export function mp4Of(text: string): Buffer {
	return Buffer.from(`\0\0\0\x14ftypisom${text}`);
}

/** The smallest PNG: one pixel (PNG specification, 11.2). */
export const onePixelPng = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
	'base64',
);

/**
 * Expects the file byte for byte in one complete upload, and that no byte which the service had acknowledged was sent to it again.
 * Returns the upload's ID.
 */
export function expectArrived({ state }: RunningService, { name, bytes, sha256 }: TestFile): string {
	const arrived = state.uploads.filter(({ filename, complete }) => filename === name && complete);
	expect(arrived).toMatchObject([{ sha256, bytesReceived: bytes.length }]);
	return arrived[0]?.id ?? '';
}

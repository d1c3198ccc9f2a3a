import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Upload } from '../fakeService';

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

/** The smallest PNG: one pixel (PNG specification, 11.2). */
export const onePixelPng = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
	'base64',
);

/** Throws unless exactly one complete upload of the file is there, and its bytes are those of the file. */
export function expectArrived(uploads: Upload[], { name, sha256 }: TestFile): Upload {
	const [upload, ...others] = uploads.filter(({ filename, complete }) => filename === name && complete);
	if (!upload || others.length > 0) {
		const seen = uploads.map(({ filename, offset, size }) => ({ filename, offset, size }));
		throw new Error(`${name} arrived not at all or several times: ${JSON.stringify(seen)}`);
	}
	if (upload.sha256 !== sha256) throw new Error(`${name} arrived with other bytes`);
	return upload;
}

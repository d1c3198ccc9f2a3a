import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Upload } from '../fakeService';

export interface TestFile {
	name: string;
	path: string;
	bytes: Buffer;
	sha256: string;
}

/** Writes a file of these bytes, or of so many random ones. */
export function writeTestFile(folder: string, name: string, content: number | Buffer): TestFile {
	const bytes = typeof content === 'number' ? randomBytes(content) : content;
	const path = join(folder, name);
	mkdirSync(folder, { recursive: true });
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

import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Upload } from '../fakeService';

export interface TestFile {
	name: string;
	bytes: Buffer;
	sha256: string;
}

/** A file of random bytes that is on no disk yet. */
export function fileOf(name: string, bytes: number): TestFile {
	const content = randomBytes(bytes);
	return { name, bytes: content, sha256: createHash('sha256').update(content).digest('hex') };
}

/** Writes a file of random bytes. */
export function writeTestFile(folder: string, name: string, bytes: number): TestFile & { path: string } {
	mkdirSync(folder, { recursive: true });
	const file = fileOf(name, bytes);
	const path = join(folder, name);
	writeFileSync(path, file.bytes);
	return { ...file, path };
}

/** The smallest PNG: one pixel (PNG specification, 11.2). */
export const onePixelPng = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
	'base64',
);

/** Throws unless exactly one complete upload of the file is there, and its bytes are those of the file. */
export function requireArrived(uploads: Upload[], file: TestFile): Upload {
	const arrived = uploads.filter(({ filename, complete }) => filename === file.name && complete);
	const [upload] = arrived;
	if (!upload || arrived.length !== 1) {
		throw new Error(`${file.name} arrived ${arrived.length} times: ${JSON.stringify(uploads.map(briefly))}`);
	}
	if (upload.sha256 !== file.sha256) throw new Error(`${file.name} arrived with other bytes`);
	return upload;
}

function briefly({ filename, offset, size, complete }: Upload): object {
	return { filename, offset, size, complete };
}

import busboy from 'busboy';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { badRequest } from './responses';
import type { FormFile, RecordedRequest, Recording } from './recording';

/**
 * Reads a whole body into the record, or only its first `stopAfter` bytes. Returns undefined when the client went away
 * before that.
 */
export async function readBody(
	req: IncomingMessage,
	record: RecordedRequest,
	recording: Recording,
	stopAfter = Infinity,
): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	try {
		// An IncomingMessage without an encoding yields Buffers.
		const body: AsyncIterable<Buffer> = req.iterator({ destroyOnReturn: false });
		for await (const chunk of body) {
			const kept = chunk.subarray(0, stopAfter - record.bodyBytes);
			chunks.push(kept);
			record.bodyBytes += kept.length;
			recording.changed();
			if (record.bodyBytes >= stopAfter) break;
		}
	} catch {
		return undefined;
	}
	return Buffer.concat(chunks);
}

/** Parsed JSON, or undefined when the bytes are none. */
export function parseJson(bytes: Buffer): unknown {
	try {
		return JSON.parse(bytes.toString('utf8'));
	} catch {
		return undefined;
	}
}

/** The parts of a multipart body; a part without a file name has the name ''. Throws 400 `Bad Request`. */
export async function requireMultipart(bytes: Buffer, contentType: string | undefined): Promise<FormFile[]> {
	const parts: Array<Promise<FormFile>> = [];
	try {
		const parser = busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8' });
		const done = new Promise<void>((resolve, reject) => parser.once('close', resolve).once('error', reject));
		parser.on('file', (field, stream, { filename, mimeType }) => {
			const named: string | undefined = filename;
			const part = buffer(stream).then((content) => ({
				field,
				filename: named ?? '',
				contentType: mimeType,
				bytes: content,
			}));
			part.catch(() => undefined);
			parts.push(part);
		});
		parser.on('field', (field, value, { mimeType: contentType }) => {
			parts.push(Promise.resolve({ field, filename: '', contentType, bytes: Buffer.from(value, 'utf8') }));
		});
		parser.end(bytes);
		await done;
		return await Promise.all(parts);
	} catch (error) {
		throw badRequest(`multipart body: ${error instanceof Error ? error.message : 'unreadable'}`);
	}
}

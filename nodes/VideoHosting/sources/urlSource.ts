import type { IExecuteFunctions } from 'n8n-workflow';

import { ChangedFileError, toReadError, WrongSizeError } from './transferErrors';
import {
	contentLengthOf,
	contentRangeOf,
	describeFile,
	isDecodeError,
	validatorsOf,
	type FileDescription,
} from './fileDescription';
import {
	decodedError,
	fileLabel,
	RangeNotSatisfiableError,
	requestFile,
	type FileResponse,
} from './fileRequest';
import { assertLength, closing, skipBytes, type Source } from './source';

interface RemoteFile extends FileDescription {
	context: IExecuteFunctions;
	url: string;
	timeoutMs: number;
}

/**
 * A file at a web address, streamed from there and never stored. It is requested without any credential of this node.
 *
 * @param timeoutMs how long the server may take to start its response, in milliseconds
 * @throws TransferError when the address is rejected, cannot be reached, or the server returns no size
 */
export async function urlSource(context: IExecuteFunctions, url: string, timeoutMs: number): Promise<Source> {
	const file = await describeFile(context, url, timeoutMs);
	const remote: RemoteFile = { ...file, context, url, timeoutMs };
	const { strong } = file.validators;
	return {
		size: file.size,
		fileName: file.fileName,
		isImmutable: strong !== undefined,
		bytes: (offset, signal) =>
			assertLength(remoteBytes(remote, offset, signal), file.size - offset, fileLabel(url)),
	};
}

/**
 * The file from an offset on. A server may end a response early, by a shorter range than requested (RFC 9110 §14.4) or by
 * closing the connection: where a strong validator proves that the file is the same, the rest is requested from there.
 */
async function* remoteBytes(
	remote: RemoteFile,
	offset: number,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
	const position = { next: offset };
	while (position.next < remote.size) {
		const start = position.next;
		// The next response may be of another version.
		const mayGoOn = () => remote.validators.strong !== undefined && position.next > start && !signal.aborted;
		try {
			yield* oneResponse(remote, position, signal);
		} catch (error) {
			const isDecoded = isDecodeError(error);
			const failure = isDecoded ? new WrongSizeError(decodedError(remote.url).message) : toReadError(error);
			if (!failure.isTransient || !mayGoOn()) throw failure;
		}
		// What is missing then is reported by assertLength().
		if (!mayGoOn()) return;
	}
}

/** @param position offset of the next byte, moved on with each chunk */
async function* oneResponse(
	remote: RemoteFile,
	position: { next: number },
	signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
	const { context, url, timeoutMs, validators } = remote;
	const offset = position.next;
	const range = offset > 0 ? { range: `bytes=${offset}-`, ifRange: validators.strong } : {};
	const request = { url, ...range, timeoutMs, signal };
	const response = await requestFile(context, request).catch((error: unknown) => {
		throw error instanceof RangeNotSatisfiableError ? changedSizeError(url) : error;
	});
	for await (const chunk of closing(signal, response.close, bodyFrom(remote, response, offset))) {
		position.next += chunk.length;
		yield chunk;
	}
}

/** The bytes of a response from the offset on, once the response is known to be about the file as it was described. */
async function* bodyFrom(
	remote: RemoteFile,
	response: FileResponse,
	offset: number,
): AsyncGenerator<Uint8Array, void, undefined> {
	checkUnchanged(remote, response, offset);
	const isPart = response.statusCode === 206;
	const end = isPart ? contentRangeOf(response, offset).last + 1 : remote.size;
	// A server without ranges returns 200 with the whole file.
	const skipped = isPart ? 0 : offset;
	yield* skipBytes(completeBody(remote, response, end - offset + skipped), skipped);
}

/**
 * @param offset where the requested range starts; 0 when the whole file was requested
 * @throws TransferError when the response is not about the file as it was described
 */
function checkUnchanged(remote: RemoteFile, response: FileResponse, offset: number): void {
	const isPart = response.statusCode === 206;
	if (hasChanged(remote, response)) throw new ChangedFileError(changedMessage(remote.url));
	const size = isPart ? contentRangeOf(response, offset).total : contentLengthOf(response);
	if (size !== undefined && size !== remote.size) throw changedSizeError(remote.url);
}

function hasChanged({ validators }: RemoteFile, response: FileResponse): boolean {
	const { etag, lastModified } = validatorsOf(response);
	if (validators.etag !== undefined) {
		// A 206 to If-Range has the ETag, too (RFC 9110 §15.3.7). Without it the file is not known to be the same.
		return etag !== validators.etag && (etag !== undefined || validators.strong !== undefined);
	}
	if (lastModified !== undefined || validators.strong === undefined) {
		return lastModified !== undefined && lastModified !== (validators.lastModified ?? lastModified);
	}
	// A 206 to If-Range may leave Last-Modified out (RFC 9110 §15.3.7).
	return response.statusCode !== 206;
}

/**
 * The body of a response, with an error where it ends early. HTTP marks where a body ends (RFC 9112 §6.3), and Node.js
 * reports a connection that closes before that. A body that ends before `expected` all the same is either not the file as
 * it was described, or not as the server sent it: decompressed by n8n's HTTP client.
 *
 * @param expected bytes
 */
async function* completeBody(
	{ url }: RemoteFile,
	response: FileResponse,
	expected: number,
): AsyncGenerator<Uint8Array, void, undefined> {
	let received = 0;
	for await (const chunk of response.body) {
		received += chunk.length;
		yield chunk;
	}
	if (received >= expected) return;
	if (contentLengthOf(response) !== undefined) throw new WrongSizeError(decodedError(url).message);
	if (response.header('transfer-encoding') !== undefined) throw changedSizeError(url);
}

function changedSizeError(url: string): WrongSizeError {
	return new WrongSizeError(changedMessage(url));
}

function changedMessage(url: string): string {
	return `${fileLabel(url)} changed while it was uploaded, so its remaining bytes do not match those that the service has`;
}

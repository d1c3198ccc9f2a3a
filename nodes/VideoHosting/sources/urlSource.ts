import type { IExecuteFunctions } from 'n8n-workflow';

import { ChangedFileError, toReadError, TransferError, WrongSizeError } from './transferErrors';
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
import { assertLength, skipBytes, type Source } from './source';

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
		bytes: (offset, signal, onSkipped) =>
			assertLength(remoteBytes(remote, offset, signal, onSkipped), file.size - offset, fileLabel(url)),
	};
}

/** Openings in a row that return no byte before a server counts as unable to return the rest. */
const MOST_VAIN_OPENINGS = 3;

/**
 * The file from an offset on. A server may end a response early, by a shorter range than requested (RFC 9110 §14.4) or by
 * closing the connection: where a strong validator proves that the file is the same, the rest is requested from there.
 */
async function* remoteBytes(
	remote: RemoteFile,
	offset: number,
	signal: AbortSignal,
	onSkipped: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
	const position = { next: offset };
	let vain = 0;
	while (position.next < remote.size) {
		const start = position.next;
		try {
			yield* oneResponse(remote, position, signal, onSkipped);
		} catch (error) {
			vain = position.next > start ? 0 : vain + 1;
			const isFinal = error instanceof TransferError && !error.isTransient;
			if (isFinal || signal.aborted || remote.validators.strong === undefined || vain >= MOST_VAIN_OPENINGS)
				throw toReadError(error);
			continue;
		}
		// What is missing then is reported by assertLength(). The next response may be of another version.
		if (position.next === start || remote.validators.strong === undefined) return;
	}
}

/** @param position offset of the next byte, moved on with each chunk */
async function* oneResponse(
	remote: RemoteFile,
	position: { next: number },
	signal: AbortSignal,
	onSkipped: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
	const offset = position.next;
	const response = await openAt(remote, offset, signal);
	const close = () => {
		response.close();
	};
	signal.addEventListener('abort', close, { once: true });
	if (signal.aborted) close();
	try {
		checkUnchanged(remote, response, offset);
		const isPart = response.statusCode === 206;
		const end = isPart ? contentRangeOf(response, offset).last + 1 : remote.size;
		// A server without ranges returns 200 with the whole file.
		const skipped = isPart ? 0 : offset;
		const body = completeBody(remote, response, end - offset + skipped);
		for await (const chunk of skipBytes(body, skipped, onSkipped)) {
			position.next += chunk.length;
			yield chunk;
		}
	} finally {
		signal.removeEventListener('abort', close);
		close();
	}
}

async function openAt(remote: RemoteFile, offset: number, signal: AbortSignal): Promise<FileResponse> {
	const { context, url, timeoutMs, validators } = remote;
	const range = offset > 0 ? { range: `bytes=${offset}-`, ifRange: validators.strong } : {};
	return await requestFile(context, { url, ...range, timeoutMs, signal }).catch((error: unknown) => {
		throw error instanceof RangeNotSatisfiableError ? changedSizeError(url) : error;
	});
}

/**
 * @param offset where the requested range starts; 0 when the whole file was requested
 * @throws TransferError when the response is not about the file as it was described
 */
function checkUnchanged(remote: RemoteFile, response: FileResponse, offset: number): void {
	const isPart = response.statusCode === 206;
	if (hasChanged(remote, response)) throw changedError(remote.url);
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
	const chunks = response.body[Symbol.asyncIterator]();
	const next = async () =>
		await chunks.next().catch((error: unknown) => {
			throw isDecodeError(error) ? new WrongSizeError(decodedError(url).message) : error;
		});
	for (let chunk = await next(); chunk.done !== true; chunk = await next()) {
		received += chunk.value.length;
		yield chunk.value;
	}
	if (received >= expected) return;
	if (contentLengthOf(response) !== undefined) throw new WrongSizeError(decodedError(url).message);
	if (response.header('transfer-encoding') !== undefined) throw changedSizeError(url);
}

function changedError(url: string): ChangedFileError {
	return new ChangedFileError(changedMessage(url));
}

function changedSizeError(url: string): WrongSizeError {
	return new WrongSizeError(changedMessage(url));
}

function changedMessage(url: string): string {
	return `${fileLabel(url)} changed while it was uploaded, so its remaining bytes do not match those that the service has`;
}

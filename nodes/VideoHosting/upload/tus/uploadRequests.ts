import type { IExecuteFunctions } from 'n8n-workflow';

import { byteCount } from '../../shared/text';
import { saysNotFound } from '../../transport/errorMeaning';
import { path, requestOnce } from '../../transport/request';
import { unreadableResponseError } from '../../transport/requestError';
import { OperationError, type ServiceError } from '../../transport/serviceError';
import type { ServiceRequest, ServiceResponse } from '../../transport/serviceRequest';
import type { FileRange } from './tusClient';

/** The file of an upload. */
export interface UploadFile {
	name: string;
	/** Bytes. */
	size: number;
	/** UUID of the target folder, which the service calls a gallery. */
	folder?: string;
}

/** Content type of the bytes (TUS 1.0.0, PATCH). */
export const OFFSET_TYPE = 'application/offset+octet-stream';

const VERSION = { 'Tus-Resumable': '1.0.0' };

/** Creates an upload. */
export function createRequest(file: UploadFile): ServiceRequest {
	const headers = { ...VERSION, 'Upload-Length': String(file.size), ...fileHeaders(file) };
	return { method: 'POST', path: path('videos'), headers, needsSlot: true };
}

/** Reads the state of an upload. */
export function stateRequest(uploadId: string): ServiceRequest {
	return { method: 'HEAD', path: uploadPath(uploadId), headers: VERSION };
}

/** Sends bytes of a file; the body comes on top. */
export function appendRequest(uploadId: string, file: UploadFile, range: FileRange): ServiceRequest {
	const headers = {
		...VERSION,
		'Upload-Offset': String(range.start),
		'Content-Type': OFFSET_TYPE,
		'Content-Length': String(range.size),
		...fileHeaders(file),
	};
	return { method: 'PATCH', path: uploadPath(uploadId), headers, needsSlot: true };
}

/** The service requires `Upload-Metadata` (TUS 1.0.0, Creation) on PATCH, too: a space between word and base64. */
function fileHeaders({ folder, name }: UploadFile): Record<string, string> {
	const metadata = { 'Upload-Metadata': `filename ${Buffer.from(name, 'utf8').toString('base64')}` };
	return folder === undefined ? metadata : { ...metadata, gallery: folder };
}

/** What the service reports of an upload, where the response contains it. */
export function stateIn({ headers }: ServiceResponse): Partial<UploadState> {
	return { offset: byteCount(headers['upload-offset']), length: byteCount(headers['upload-length']) };
}

/**
 * The ID of an upload that the service created.
 *
 * @throws OperationError when the response does not contain it
 */
export function createdUploadId(response: ServiceResponse): string {
	const uploadId = extractUploadId(response.headers.location);
	if (uploadId !== undefined) return uploadId;
	const message =
		'The service created an upload but did not return its ID: the Location header of the response does not end in one';
	const description = 'That upload may block others until the service drops it.';
	throw new OperationError(message, description);
}

/** An ID is shown in errors and log lines. */
const LONGEST_ID = 300;

/** Scheme and authority of an address; both may be missing (RFC 3986 §4.2). */
const ORIGIN = /^([a-z][a-z\d+.-]*:)?\/\/[^/]*/i;

/**
 * The upload ID: the last segment of an address, as it is written there. The address is the `Location` of a response, which may
 * be protocol-relative, or one that {@link uploadUrl} made. Undefined when there is no ID.
 */
export function extractUploadId(address: string | undefined): string | undefined {
	const pathname = address?.split(/[?#]/, 1)[0]?.replace(ORIGIN, '') ?? '';
	const segments = pathname.split('/').filter((segment) => segment !== '');
	const [last = '', ...parents] = segments.reverse();
	// An address that ends where the ID belongs has none.
	return isUploadId(last) && !(last === 'uploads' && parents[0] === 'videos') ? last : undefined;
}

/** Whether a text is one segment of a path, and not one of the dot segments, which lead elsewhere (RFC 3986 §3.3). */
export function isUploadId(text: string): boolean {
	return (
		text.length <= LONGEST_ID && /^[^\s/\\?#\p{Surrogate}]+$/u.test(text) && !/^(\.|%2e){1,2}$/i.test(text)
	);
}

/** The address of an upload: under the credential's own base URL, whatever `Location` contains. */
export function uploadUrl(baseUrl: string, uploadId: string): string {
	return `${baseUrl}/v1/${uploadPath(uploadId)}`;
}

/** The ID is encoded, as it was in Location. */
function uploadPath(uploadId: string): string {
	return `videos/uploads/${uploadId}`;
}

/** The service reports an upload as unknown: it has expired, or is finished and dropped. */
export class UnknownUploadError extends Error {
	readonly reason = 'the service does not know it any more';

	/** @param error to show to the user when the upload ends with it */
	constructor(readonly error: ServiceError) {
		super(error.message);
	}
}

export const NO_OFFSET =
	'The response of the service has no Upload-Offset: how many bytes it has is not known.';

/** What the service reports of an upload. */
export interface UploadState {
	/** Bytes that it has. */
	offset: number;
	/** Bytes that the whole file has. */
	length?: number;
}

/**
 * Requests what the service has of an upload.
 *
 * @param timeout how long the response may take to start, in milliseconds
 * @throws UnknownUploadError when the service itself does not find it; ServiceError as {@link requestOnce}, and without an offset in the
 * response
 */
export async function readState(context: IExecuteFunctions, uploadId: string): Promise<UploadState> {
	const request = stateRequest(uploadId);
	const response = await requestOnce(context, request).catch((error: unknown) => {
		throw saysNotFound(error) ? new UnknownUploadError(error) : error;
	});
	const { length, offset } = stateIn(response);
	if (offset === undefined) throw unreadableResponseError(context, request, NO_OFFSET);
	return { offset, length };
}

import type { ErrorKind } from '../shared/patience';
import { TransferError } from '../sources/transferErrors';
import { hasStatus, isServiceError, kindOf } from '../transport/errors';
import { UnknownUploadError } from './tus/uploadState';

/** Timeout of the request, conflict with an offset or a lock that is about to change, too early. */
const PASSING_STATUS = /^(408|409|423|425)$/;

/**
 * What an error of an upload means for another try.
 *
 * @param exists whether the upload exists at the service; what was requested before has been repeated by itself
 */
export function kindOfFailure(error: unknown, exists: boolean): ErrorKind {
	if (error instanceof TransferError) return error.isTransient ? 'passes' : 'final';
	if (error instanceof UnknownUploadError) return 'unknown';
	const kind = kindOf(error);
	if (kind === 'slot') return kind;
	if (!exists) return 'final';
	if (hasStatus(error, PASSING_STATUS)) return 'passes';
	// The HEAD of the next try renews the token: a streamed PATCH cannot be repeated with a new one.
	if (hasStatus(error, /^(401|403)$/)) return 'rejected';
	// HEAD shows whether an upload is unknown; what is not the service's own answer says nothing about it.
	if (hasStatus(error, /^(404|410)$/)) return isServiceError(error, /./) ? 'rejected' : 'passes';
	return kind;
}

import { isRecord } from '../shared/jsonFields';
import type { ServiceResponse } from './serviceRequest';

// Until all rooms import them from there, and need the others no more.
export { isWebPage, serviceMessage } from './errorTexts';

export const RECORD_NAMES = [
	'hash',
	'eventhash',
	'hashevent',
	'videohash',
	'hashvideo',
	'uuid',
	'eventid',
	'videoid',
];

export function responseOf(error: unknown): ServiceResponse | undefined {
	const response =
		axiosResponseOf(error) ?? (error instanceof Error ? axiosResponseOf(error.cause) : undefined);
	// A 2xx response in an error broke off within its body (axios 1.18.0 lib/adapters/http.js, "stream has been aborted").
	if (!response || typeof response.status !== 'number' || response.status < 300) return undefined;
	return {
		statusCode: response.status,
		// axios' AxiosHeaders: an object with lower-case names.
		headers: (response.headers ?? {}) as ServiceResponse['headers'],
		body: response.data,
	};
}

function axiosResponseOf(error: unknown): Record<string, unknown> | undefined {
	return isRecord(error) && isRecord(error.response) ? error.response : undefined;
}

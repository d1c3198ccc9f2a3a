/** Scheme and authority of an address; both may be missing (RFC 3986 §4.2). */
const ORIGIN = /^([a-z][a-z\d+.-]*:)?\/\/[^/]*/i;

/**
 * The upload ID: the last segment of an address, as it is written there. The address is the `Location` of a response, which
 * may be protocol-relative, or one that {@link uploadUrl} made. Undefined when there is no ID.
 */
export function extractUploadId(address: string | undefined): string | undefined {
	const path = address?.split(/[?#]/, 1)[0]?.replace(ORIGIN, '').replace(/\/+$/, '');
	// An address that ends where the ID belongs has none.
	if (path === undefined || path.endsWith('/videos/uploads')) return undefined;
	const last = path.split('/').at(-1)?.replace(/\s/g, encodeURIComponent) ?? '';
	return isUploadId(last) ? last : undefined;
}

/** Whether a text is one segment of a path, and not one of the dot segments, which lead elsewhere (RFC 3986 §3.3). */
export function isUploadId(text: string): boolean {
	const isSegment = text !== '' && !/[\s/?#]|\p{Surrogate}/u.test(text);
	return isSegment && !/^\.{1,2}$/.test(decodeUploadId(text));
}

/** The upload ID without percent-encoding, as the function that builds a path expects its segments. */
export function decodeUploadId(uploadId: string): string {
	try {
		return decodeURIComponent(uploadId);
	} catch {
		// A percent sign that encodes nothing.
		return uploadId;
	}
}

/** The address of an upload: under the credential's own base URL, whatever `Location` contains. */
export function uploadUrl(baseUrl: string, uploadId: string): string {
	return `${baseUrl}/v1/videos/uploads/${uploadId}`;
}

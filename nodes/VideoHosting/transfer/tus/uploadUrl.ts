/** Letters, digits and what an ID may have between them; nothing that has a meaning in an address. */
const UPLOAD_ID = /^[A-Za-z0-9][\w.~=+-]*$/;

/**
 * The upload ID, the last segment of an address (Resources, Upload): of the `Location` of an answer, which is
 * protocol-relative in the reference, or of an address made here. Undefined when there is none.
 */
export function extractUploadId(address: string | undefined): string | undefined {
	const last = address?.split(/[?#]/, 1)[0]?.replace(/\/+$/, '').split('/').at(-1);
	return last !== undefined && isUploadId(last) ? last : undefined;
}

export function isUploadId(text: string): boolean {
	return UPLOAD_ID.test(text);
}

/** Where an upload is spoken to: under the credential's own base URL, whatever `Location` said. */
export function uploadUrl(baseUrl: string, uploadId: string): string {
	return `${baseUrl}/v1/videos/uploads/${uploadId}`;
}

/** Of every request that creates an upload or sends bytes. */
const headersFor = (filename: string) => ({
	'Tus-Resumable': '1.0.0',
	'Upload-Metadata': `filename ${Buffer.from(filename, 'utf8').toString('base64')}`,
});

/** See docs/api-reference.md#create-an-upload. */
export function createHeaders(size: number, filename = 'clip.mp4'): Record<string, string> {
	return { ...headersFor(filename), 'Upload-Length': String(size), 'Content-Type': 'application/json' };
}

/** See docs/api-reference.md#send-bytes. */
export function patchHeaders(offset: number): Record<string, string> {
	const type = { 'Content-Type': 'application/offset+octet-stream' };
	return { ...headersFor('clip.mp4'), 'Upload-Offset': String(offset), ...type };
}

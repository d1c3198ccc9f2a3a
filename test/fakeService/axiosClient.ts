import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import { Agent } from 'node:http';
import type { Readable } from 'node:stream';

import type { RunningService } from './index';

const json = { 'Content-Type': 'application/json' };

/** An axios client that is signed in, and resolves with every status instead of throwing. */
export async function signedIn({ credential }: RunningService): Promise<AxiosInstance> {
	const { baseUrl, email, password, applicationId: resource } = credential;
	// As n8n does: each request on a connection of its own.
	const client = axios.create({ baseURL: baseUrl, httpAgent: new Agent(), validateStatus: () => true });
	const { data } = await client.post('/v1/authenticate', { email, password, resource }, { headers: json });
	client.defaults.headers.Authorization = `Bearer ${data.token}`;
	return client;
}

/** Of every request that creates an upload or sends bytes. */
const headersFor = (filename: string) => ({
	'Tus-Resumable': '1.0.0',
	'Upload-Metadata': `filename ${Buffer.from(filename, 'utf8').toString('base64')}`,
});

export function createHeaders(size: number, filename = 'clip.mp4'): Record<string, string> {
	return { ...headersFor(filename), 'Upload-Length': String(size), ...json };
}

/** Creates an upload (docs/api-reference.md#create-an-upload) and returns its ID. */
export async function createUpload(client: AxiosInstance, size: number): Promise<string> {
	const response = await client.post('/v1/videos', undefined, { headers: createHeaders(size) });
	if (response.status !== 201) throw new Error(`The upload was not created: ${response.status}`);
	return String(response.headers.location).split('/').at(-1) ?? '';
}

export function patchHeaders(offset: number): Record<string, string> {
	const type = { 'Content-Type': 'application/offset+octet-stream' };
	return { ...headersFor('clip.mp4'), 'Upload-Offset': String(offset), ...type };
}

/** Sends bytes (docs/api-reference.md#send-bytes); axios adds the Content-Length of a buffer. */
export async function patch(
	client: AxiosInstance,
	uploadId: string,
	offset: number,
	bytes: Buffer | Readable,
	headers: Record<string, string | undefined> = {},
): Promise<AxiosResponse> {
	const all = { ...patchHeaders(offset), ...headers };
	return await client.patch(`/v1/videos/uploads/${uploadId}`, bytes, { headers: all });
}

import axios, { type AxiosInstance, type AxiosRequestConfig, type AxiosResponse } from 'axios';
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

/** `filename <base64>`, as Upload-Metadata wants it. */
export function metadata(filename: string): string {
	return `filename ${Buffer.from(filename, 'utf8').toString('base64')}`;
}

export function createHeaders(size: number, filename = 'clip.mp4'): Record<string, string> {
	return {
		'Tus-Resumable': '1.0.0',
		'Upload-Length': String(size),
		'Upload-Metadata': metadata(filename),
		...json,
	};
}

/** Creates an upload (docs/api-reference.md#create-an-upload) and returns its ID. */
export async function createUpload(client: AxiosInstance, size: number, filename?: string): Promise<string> {
	const headers = createHeaders(size, filename);
	const response = await client.post('/v1/videos', undefined, { headers });
	if (response.status !== 201) throw new Error(`The upload was not created: ${response.status}`);
	return String(response.headers.location).split('/').at(-1) ?? '';
}

export function patchHeaders(offset: number): Record<string, string> {
	return {
		'Tus-Resumable': '1.0.0',
		'Upload-Offset': String(offset),
		'Upload-Metadata': metadata('clip.mp4'),
		'Content-Type': 'application/offset+octet-stream',
	};
}

/** Sends bytes (docs/api-reference.md#send-bytes); axios adds the Content-Length of a buffer. */
export function patch(
	client: AxiosInstance,
	uploadId: string,
	offset: number,
	bytes: Buffer | Readable,
	config: AxiosRequestConfig = {},
): Promise<AxiosResponse> {
	return client.patch(`/v1/videos/uploads/${uploadId}`, bytes, { headers: patchHeaders(offset), ...config });
}

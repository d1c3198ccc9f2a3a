import axios, { type AxiosInstance, type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { Agent } from 'node:http';

import type { RunningService } from './index';

const json = { 'Content-Type': 'application/json' };

/** An axios client of the service that resolves with every status instead of throwing; unauthorized without a token. */
function axiosClient(service: RunningService, token?: string): AxiosInstance {
	return axios.create({
		baseURL: service.baseUrl,
		headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
		// As n8n does: each request on a connection of its own.
		httpAgent: new Agent(),
		validateStatus: () => true,
		maxRedirects: 0,
	});
}

export function signIn(
	service: RunningService,
	application = service.settings.applicationId,
): Promise<AxiosResponse> {
	const { email, password } = service.settings;
	return axiosClient(service).post(
		'/v1/authenticate',
		{ email, password, resource: application },
		{ headers: json },
	);
}

/** Signs in with the default form of the authenticate response. */
export async function signedIn(service: RunningService, application?: string): Promise<AxiosInstance> {
	const { data } = await signIn(service, application);
	return axiosClient(service, String(data.token));
}

/** The Authorization header of a client that is signed in, for a request made without it. */
export function authorizationOf(client: AxiosInstance): string {
	const { Authorization } = client.defaults.headers;
	return typeof Authorization === 'string' ? Authorization : '';
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
	const { status, headers } = await client.post('/v1/videos', undefined, {
		headers: createHeaders(size, filename),
	});
	if (status !== 201) throw new Error(`The upload was not created: ${status}`);
	return String(headers.location).split('/').at(-1) ?? '';
}

export function patchHeaders(offset: number): Record<string, string> {
	return {
		'Tus-Resumable': '1.0.0',
		'Upload-Offset': String(offset),
		'Upload-Metadata': metadata('clip.mp4'),
		'Content-Type': 'application/offset+octet-stream',
	};
}

/** Sends bytes (docs/api-reference.md#send-bytes); axios adds Content-Length. */
export function patch(
	client: AxiosInstance,
	uploadId: string,
	offset: number,
	bytes: Buffer,
	config: AxiosRequestConfig = {},
): Promise<AxiosResponse> {
	return client.patch(`/v1/videos/uploads/${uploadId}`, bytes, { headers: patchHeaders(offset), ...config });
}

/** Upload-Offset as HEAD returns it (docs/api-reference.md#read-the-offset). */
export async function offsetOf(client: AxiosInstance, uploadId: string): Promise<number> {
	const { headers } = await client.head(`/v1/videos/uploads/${uploadId}`, {
		headers: { 'Tus-Resumable': '1.0.0' },
	});
	return Number(headers['upload-offset']);
}

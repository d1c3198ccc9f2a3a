import { createReadStream } from 'node:fs';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import type { ServiceCredential } from '../fakeService';
import { createHeaders, metadata, patchHeaders } from '../fakeService/axiosClient';
import { storedFilePath, storeSparseFile } from './storedFile';

/** The process of one side, named by its first argument: runs the uploads it receives and sends back how long each took. */

export interface Transfer {
	credential: ServiceCredential;
	/** Bytes. */
	size: number;
	/** n8n's user folder, where n8n-core looks for binary data. */
	userFolder: string;
	/** Of the installed package. */
	packageFolder: string;
}

/** What is sent back after an upload. */
export type Result = { milliseconds: number } | { error: string };

/** As many bytes per read as the node reads: the bare pipe is to be the limit on the machine. */
const chunkBytes = 256 * 1024;

const sides = {
	/** The node of this package in n8n-core's own ExecuteContext, over n8n's HTTP helpers: n8n without its workflow engine. */
	async node({ credential, size, userFolder, packageFolder }: Transfer): Promise<void> {
		// n8n-core is not to be in the other sides' processes.
		const { CredentialStore } = await import('../execution/credentialStore');
		const { executeNode } = await import('../execution/executeNode');
		const file = join(packageFolder, 'dist/nodes/VideoHosting/VideoHosting.node.js');
		const built: { VideoHosting: new () => VideoHosting } = await import(file);
		await executeNode({
			service: { credential },
			credentialStore: new CredentialStore({ accessToken: '', ...credential }),
			nodeType: new built.VideoHosting(),
			mode: 'trigger',
			items: [{ json: {}, binary: { data: storeSparseFile(userFolder, size) } }],
			parameters: { resource: 'upload', operation: 'upload', options: { returnVideo: false } },
		});
	},

	/** Stock tus-js-client, its Node build. Upload-Metadata is sent with each request (docs/api-reference.md#send-bytes). */
	async tusJsClient({ credential, size, userFolder }: Transfer): Promise<void> {
		const { Upload } = await import('tus-js-client');
		const headers = { authorization: await signIn(credential), 'Upload-Metadata': metadata('benchmark.mp4') };
		await new Promise<void>((resolve, reject) => {
			const endpoint = `${credential.baseUrl}/v1/videos`;
			const ends = { onSuccess: () => resolve(), onError: reject };
			const stream = createReadStream(storedFilePath(userFolder, size));
			new Upload(stream, { endpoint, headers, chunkSize: Infinity, retryDelays: [], ...ends }).start();
		});
	},

	/** A file piped into Node's own `http.request`: nothing that sends a file from Node can do with less. */
	async httpRequest({ credential, size, userFolder }: Transfer): Promise<void> {
		const authorization = await signIn(credential);
		const create = { ...createHeaders(size, 'benchmark.mp4'), authorization };
		const created = await exchange('POST', `${credential.baseUrl}/v1/videos`, create);
		const headers = { ...patchHeaders(0), authorization, 'content-length': size };
		const body = createReadStream(storedFilePath(userFolder, size), { highWaterMark: chunkBytes });
		await exchange('PATCH', `http:${created.headers.location}`, headers, body);
	},
};

export type SideName = keyof typeof sides;

async function signIn({ baseUrl, email, password, applicationId }: ServiceCredential): Promise<string> {
	const response = await fetch(`${baseUrl}/v1/authenticate`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ email, password, resource: applicationId }),
	});
	// The fake service's default; the body is not documented (docs/api-reference.md#authenticate).
	const { token } = (await response.json()) as { token: string };
	return `Bearer ${token}`;
}

async function exchange(
	method: string,
	address: string,
	headers: OutgoingHttpHeaders,
	body?: NodeJS.ReadableStream,
): Promise<IncomingMessage> {
	const outgoing = request(address, { method, headers });
	const received = new Promise<IncomingMessage>((resolve, reject) =>
		outgoing.once('response', resolve).once('error', reject),
	);
	if (body) await pipeline(body, outgoing);
	else outgoing.end();
	const response = await received;
	response.resume();
	if (response.statusCode !== 201) throw new Error(`${method} returned status ${response.statusCode}`);
	return response;
}

async function measured(side: SideName, transfer: Transfer): Promise<Result> {
	const started = performance.now();
	try {
		await sides[side](transfer);
		return { milliseconds: performance.now() - started };
	} catch (error) {
		return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
	}
}

// What sides.ts sends, and names.
const side = process.argv[2] as SideName;
process.on(
	'message',
	(transfer) => void measured(side, transfer as Transfer).then((result) => process.send?.(result)),
);
process.once('disconnect', () => process.exit());

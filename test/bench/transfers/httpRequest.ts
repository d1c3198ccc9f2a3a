import { createReadStream } from 'node:fs';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';

import { createHeaders, patchHeaders } from '../../fakeService/axiosClient';
import { storedFilePath } from '../storedFile';
import { bearerToken } from './bearerToken';
import type { Upload } from './transfer';

/** As many bytes per read as the node reads: this side is to be the limit on the machine. */
const chunkBytes = 256 * 1024;

/** A file piped into Node's own `http.request`: nothing that sends a file from Node can do with less. */
export const uploadWithHttpRequest: Upload = async ({ credential, size, requestBytes, userFolder }) => {
	const authorization = `Bearer ${await bearerToken(credential)}`;
	const created = await exchange('POST', `${credential.baseUrl}/v1/videos`, {
		...createHeaders(size, 'benchmark.mp4'),
		authorization,
	});
	const address = `http:${created.headers.location}`;
	for (let start = 0; start < size; start += requestBytes || size) {
		const length = Math.min(requestBytes || size, size - start);
		await exchange(
			'PATCH',
			address,
			{ ...patchHeaders(start), authorization, 'content-length': length },
			createReadStream(storedFilePath(userFolder, size), {
				start,
				end: start + length - 1,
				highWaterMark: chunkBytes,
			}),
		);
	}
};

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

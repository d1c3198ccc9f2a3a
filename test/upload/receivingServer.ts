import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web server that accepts any body. */
export interface ReceivingServer {
	readonly url: string;
	/** Of the last request; `sha256` in hexadecimal. */
	received: { bytes: number; sha256: string } | undefined;
	/** Milliseconds that it takes for each chunk; undefined for none. */
	pauseMs: number | undefined;
	close(): Promise<void>;
}

/** Responds with 200, and to `/redirect` with a redirect that keeps the body (307). */
export async function startReceivingServer(): Promise<ReceivingServer> {
	const server = createServer((incoming, response) => {
		const hash = createHash('sha256');
		let bytes = 0;
		incoming.on('data', (chunk: Buffer) => {
			hash.update(chunk);
			bytes += chunk.length;
			if (receiving.pauseMs === undefined) return;
			incoming.pause();
			setTimeout(() => incoming.resume(), receiving.pauseMs);
		});
		incoming.once('end', () => {
			receiving.received = { bytes, sha256: hash.digest('hex') };
			if (incoming.url === '/redirect') response.writeHead(307, { location: '/' });
			response.end();
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	// A server that listens on a TCP port has an AddressInfo; only pipes have a string.
	const { port } = server.address() as AddressInfo;
	const receiving: ReceivingServer = {
		url: `http://127.0.0.1:${port}/`,
		received: undefined,
		pauseMs: undefined,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return receiving;
}

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';

const UPLOADS = '/v1/videos/uploads';
const TOKEN = 'token-of-the-tus-server';

/**
 * A program of its own, because both packages are ES modules, which Jest does not load. Prints its port, and ends with
 * its standard input.
 *
 * The protocol is that of `@tus/server`. In front of it are only the paths, the sign-in and the headers that
 * docs/api-reference.md requires and TUS does not.
 */
function main(directory: string): void {
	const tus = new Server({ path: UPLOADS, datastore: new FileStore({ directory }) });
	const server = createServer((request, response) => {
		if (request.url === '/v1/authenticate') {
			response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ token: TOKEN }));
			request.resume();
			return;
		}
		const status = rejectedWith(request);
		if (status !== undefined) {
			response.writeHead(status).end();
			request.resume();
			return;
		}
		if (request.url === '/v1/videos') request.url = UPLOADS;
		void tus.handle(request, response);
	});
	server.listen(0, '127.0.0.1', () => {
		// A server that listens on a TCP port has an AddressInfo.
		process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
	});
	process.stdin.once('end', () => process.exit(0)).resume();
}

function rejectedWith({ method, headers }: IncomingMessage): number | undefined {
	if (headers.authorization !== `Bearer ${TOKEN}`) return 401;
	const isPatchWithoutName =
		method === 'PATCH' && !headers['upload-metadata']?.toString().startsWith('filename ');
	return isPatchWithoutName ? 400 : undefined;
}

main(process.argv[2] ?? '');

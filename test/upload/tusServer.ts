import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';

const UPLOADS = '/v1/videos/uploads';

/**
 * A program of its own, because both packages are ES modules, which Jest does not load: `@tus/server` behind the paths and the
 * sign-in of the video service. Stores files in the folder that it is given, prints its port, and ends with its standard input.
 */
const tus = new Server({ path: UPLOADS, datastore: new FileStore({ directory: process.argv[2] ?? '' }) });
const server = createServer((request, response) => {
	if (request.url === '/v1/authenticate') {
		request.resume();
		response.setHeader('Content-Type', 'application/json').end('{ "token": "token-of-the-tus-server" }');
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

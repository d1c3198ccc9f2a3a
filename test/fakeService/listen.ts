import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Lets a server listen, on loopback and any free port by default. Returns the port. */
export async function listen(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
	// Node.js closes an idle connection after five seconds, which on a busy machine may be when a client sends its next request.
	server.keepAliveTimeout = 0;
	await once(server.listen(port, host), 'listening');
	// A server that listens on a TCP port has an AddressInfo, never a pipe's name.
	return (server.address() as AddressInfo).port;
}

/** Ends a server, if it listens, and its connections. */
export async function stopListening(server: Server): Promise<void> {
	const closed = new Promise((resolve) => server.close(resolve));
	server.closeAllConnections();
	await closed;
}

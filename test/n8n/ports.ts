import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

import { SetupError } from './progress';

/** Throws a `SetupError` that ends with the advice when the port of 127.0.0.1 cannot be listened on. */
export async function requirePort(port: number, advice: string): Promise<number> {
	try {
		return await listenOnce(port);
	} catch (error) {
		throw new SetupError(`Port ${port} of 127.0.0.1 cannot be used (${String(error)}). ${advice}`);
	}
}

/**
 * A TCP port of 127.0.0.1 that nothing listens on. It is below those that Linux gives to outgoing connections (32768 and
 * above: ip_local_port_range, ip(7)), so that no test running at the same time takes it before the program that it is for.
 */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = await listenOnce(randomInt(10_000, 32_768)).catch(() => undefined);
		if (port !== undefined) return port;
	}
}

/** Throws when another program listens there. */
async function listenOnce(port: number): Promise<number> {
	const server = createServer().listen(port, '127.0.0.1');
	await once(server, 'listening');
	server.close();
	await once(server, 'close');
	return port;
}

import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';

import { listen, stopListening } from '../fakeService/listen';

/**
 * A TCP port of 127.0.0.1 that nothing listens on. Linux gives ports from 32768 on to outgoing connections (ip_local_port_range,
 * ip(7)). The port is below them, so that no test takes it before its program does.
 */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = await listenOnce(randomInt(10_000, 32_768)).catch(() => undefined);
		if (port !== undefined) return port;
	}
}

/** Throws when another program listens there. */
async function listenOnce(port: number): Promise<number> {
	const server = createServer();
	await listen(server, port);
	await stopListening(server);
	return port;
}

import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ShapedLine {
	/** Address of this end of the line. */
	baseUrl: string;
	/** Bytes that the line received from its clients so far, headers included. */
	bytesUp(): number;
	close(): Promise<void>;
}

/**
 * A TCP proxy on loopback that behaves like a line with a round-trip time and a bandwidth in each direction, which all
 * connections share. A connection opens one round trip after it was requested; then each chunk waits for its turn.
 *
 * @param target address of what lies behind the line, e.g. `http://127.0.0.1:4321`
 */
export async function startShapedLine({
	target,
	roundTripMilliseconds,
	bitsPerSecond,
}: {
	target: string;
	roundTripMilliseconds: number;
	bitsPerSecond: number;
}): Promise<ShapedLine> {
	const { hostname, port } = new URL(target);
	const up = { bytes: 0, freeAt: 0 };
	const down = { bytes: 0, freeAt: 0 };
	const sockets = new Set<Socket>();

	const carry = async (from: Socket, to: Socket, direction: typeof up) => {
		await sleep(roundTripMilliseconds);
		// A socket is an AsyncIterable of Buffers, which reads on only when the last chunk is dealt with.
		for await (const chunk of from as AsyncIterable<Buffer>) {
			direction.bytes += chunk.length;
			const start = Math.max(performance.now(), direction.freeAt);
			direction.freeAt = start + (chunk.length * 8_000) / bitsPerSecond;
			await sleep(direction.freeAt - performance.now());
			if (!to.write(chunk)) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
		}
		to.end();
	};
	const server = createServer({ allowHalfOpen: true }, (client) => {
		const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
		for (const socket of [client, far]) {
			sockets.add(socket);
			socket.setNoDelay(true).once('close', () => sockets.delete(socket));
		}
		// The for loop throws when its socket was reset.
		carry(client, far, up).catch(() => far.resetAndDestroy());
		carry(far, client, down).catch(() => client.resetAndDestroy());
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	// A server that listens on a TCP port has an AddressInfo; only pipes have a string.
	const { port: ownPort } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${ownPort}`,
		bytesUp: () => up.bytes,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The heads of an HTTP request and of its response, as far as they passed. */
export interface Exchange {
	request: string;
	response: string;
}

/** A TCP proxy on loopback that breaks connections. */
export interface BrokenLine {
	readonly baseUrl: string;
	/** The next cuts: each one resets the first connection that carries so many bytes from the client. */
	readonly cuts: number[];
	/** What each connection carried, in the order in which they were opened. n8n opens one for each request. */
	readonly exchanges: Exchange[];
	close(): Promise<void>;
}

/** @param target address of what is behind the line, e.g. `http://127.0.0.1:4321` */
export async function startBrokenLine(target: string): Promise<BrokenLine> {
	const { hostname, port } = new URL(target);
	const sockets = new Set<Socket>();
	const cuts: number[] = [];
	const exchanges: Exchange[] = [];
	const server = createServer((client) => {
		const far = connect({ host: hostname, port: Number(port) });
		for (const socket of [client, far]) {
			sockets.add(socket);
			socket.once('close', () => sockets.delete(socket));
			// The end of one side ends the other one below.
			socket.on('error', () => undefined);
		}
		client.once('close', () => far.destroy());
		far.once('close', () => client.destroy());
		const exchange: Exchange = { request: '', response: '' };
		exchanges.push(exchange);
		far.on('data', (chunk) => {
			exchange.response = withHead(exchange.response, chunk);
		});
		far.pipe(client);
		let carried = 0;
		client.on('data', (chunk) => {
			const [next] = cuts;
			const left = (next ?? Infinity) - carried;
			const part = chunk.subarray(0, Math.max(0, left));
			carried += part.length;
			exchange.request = withHead(exchange.request, part);
			if (part.length > 0 && !far.write(part)) {
				client.pause();
				far.once('drain', () => client.resume());
			}
			if (next === undefined || left > chunk.length) return;
			cuts.shift();
			client.removeAllListeners('data').pause();
			far.end(() => client.resetAndDestroy());
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	// A server that listens on a TCP port has an AddressInfo.
	const { port: ownPort } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${ownPort}`,
		cuts,
		exchanges,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function withHead(head: string, chunk: Buffer): string {
	if (head.includes('\r\n\r\n')) return head;
	return (head + chunk.toString('latin1')).replace(/(?<=\r\n\r\n).*/s, '');
}

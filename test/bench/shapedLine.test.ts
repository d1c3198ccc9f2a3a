import { createHash, randomBytes } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { connect } from 'node:net';

import { startShapedLine } from './shapedLine';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

it('carries every byte of several connections in order, in both directions', async () => {
	const server = createServer({ allowHalfOpen: true }, (socket) => {
		socket.pipe(socket);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	// A server that listens on a TCP port has an AddressInfo; only pipes have a string.
	const { port } = server.address() as AddressInfo;
	const line = await startShapedLine({
		target: `http://127.0.0.1:${port}`,
		roundTripMilliseconds: 10,
		bitsPerSecond: 1e9,
	});

	const files = [randomBytes(3_000_000), randomBytes(1_234_567), Buffer.from('end')];
	const returned = await Promise.all(
		files.map(async (bytes) => {
			const socket = connect({
				port: Number(new URL(line.baseUrl).port),
				host: '127.0.0.1',
				allowHalfOpen: true,
			});
			socket.end(bytes);
			return await buffer(socket);
		}),
	);

	expect(returned.map(sha256)).toEqual(files.map(sha256));
	await line.close();
	await new Promise((resolve) => server.close(resolve));
});

it('passes a reset on', async () => {
	const server = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	// As above.
	const { port } = server.address() as AddressInfo;
	const line = await startShapedLine({
		target: `http://127.0.0.1:${port}`,
		roundTripMilliseconds: 1,
		bitsPerSecond: 1e9,
	});

	const socket = connect(Number(new URL(line.baseUrl).port), '127.0.0.1');
	const failed = new Promise<NodeJS.ErrnoException>((resolve) => socket.once('error', resolve));
	socket.write('a request');

	expect((await failed).code).toBe('ECONNRESET');
	await line.close();
	await new Promise((resolve) => server.close(resolve));
});

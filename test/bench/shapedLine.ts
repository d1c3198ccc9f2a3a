import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

export interface LineSettings {
	/** Address of what lies behind the line, e.g. `http://127.0.0.1:4321`. */
	target: string;
	roundTripMilliseconds: number;
	/** In each direction, shared by all connections. */
	bitsPerSecond: number;
}

export interface ShapedLine {
	/** Address of this end of the line. */
	baseUrl: string;
	/** Bytes that the line received from its clients so far, headers included. */
	bytesUp(): number;
	close(): Promise<void>;
}

/**
 * A TCP proxy on loopback that behaves like a line with a round-trip time and a bandwidth. A connection opens one round
 * trip after it was requested, as TCP's handshake takes; every byte then waits for its turn on the line and travels half a
 * round trip. Slow start and loss are not imitated: they would strike all sides alike.
 */
export async function startShapedLine(settings: LineSettings): Promise<ShapedLine> {
	const { hostname, port } = new URL(settings.target);
	const up = new Direction(settings);
	const down = new Direction(settings);
	const sockets = new Set<Socket>();
	const server = createServer({ allowHalfOpen: true }, (client) => {
		const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
		const opensAt = performance.now() + settings.roundTripMilliseconds;
		for (const socket of [client, far]) {
			sockets.add(socket);
			socket.setNoDelay(true);
			socket.once('close', () => sockets.delete(socket));
		}
		up.carry(client, far, opensAt);
		down.carry(far, client, opensAt);
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

/** One direction of the line. */
class Direction {
	private readonly millisecondsPerByte: number;

	private readonly oneWayMilliseconds: number;

	/** Most bytes of one connection that may be on their way: what TCP has to have unacknowledged to fill the line. */
	private readonly window: number;

	bytes = 0;

	/** When the line has sent all it was given, by performance.now(). */
	private freeAt = 0;

	constructor({ roundTripMilliseconds, bitsPerSecond }: LineSettings) {
		this.millisecondsPerByte = 8_000 / bitsPerSecond;
		this.oneWayMilliseconds = roundTripMilliseconds / 2;
		this.window = roundTripMilliseconds / this.millisecondsPerByte;
	}

	carry(from: Socket, to: Socket, opensAt: number): void {
		const travelling = new Travelling(opensAt + this.oneWayMilliseconds);
		let underWay = 0;
		from.on('data', (chunk) => {
			const start = Math.max(performance.now(), this.freeAt, opensAt);
			this.freeAt = start + chunk.length * this.millisecondsPerByte;
			this.bytes += chunk.length;
			underWay += chunk.length;
			if (underWay > this.window) from.pause();
			travelling.add(this.freeAt + this.oneWayMilliseconds, () => {
				const arrived = () => {
					underWay -= chunk.length;
					if (underWay <= this.window) from.resume();
				};
				if (to.writable) to.write(chunk, arrived);
			});
		});
		const follow = (action: () => void) =>
			travelling.add(performance.now() + this.oneWayMilliseconds, action);
		from.once('end', () => follow(() => to.end()));
		from.once('error', () => follow(() => to.resetAndDestroy()));
	}
}

/** What is on its way on one connection in one direction; it arrives in the order in which it was sent. */
class Travelling {
	private readonly queue: Array<{ arrival: number; arrive: () => void }> = [];

	/** @param lastArrival before which nothing arrives, by performance.now() */
	constructor(private lastArrival: number) {}

	add(arrival: number, arrive: () => void): void {
		this.lastArrival = Math.max(this.lastArrival, arrival);
		this.queue.push({ arrival: this.lastArrival, arrive });
		if (this.queue.length === 1) this.awaitFirst();
	}

	private awaitFirst(): void {
		const [first] = this.queue;
		if (first) setTimeout(() => this.arriveDue(), first.arrival - performance.now());
	}

	/** Timers are exact to a millisecond only, so several may be due. */
	private arriveDue(): void {
		const now = performance.now();
		for (let [first] = this.queue; first && first.arrival <= now; [first] = this.queue) {
			first.arrive();
			this.queue.shift();
		}
		this.awaitFirst();
	}
}

import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { buffer } from 'node:stream/consumers';

import { jsonParse, type INodeParameters } from 'n8n-workflow';

import { errorMessage } from '../../nodes/VideoHosting/shared/text';
import { networkMeaning } from '../../nodes/VideoHosting/transport/errorTexts';
import { executeForJson, type NodeRun } from '../../test/execution/executeNode';
import type { ServiceCredential } from '../../test/fakeService';
import { listen, stopListening } from '../../test/fakeService/listen';
import { findRoute } from '../../test/fakeService/operations';

/** A row of the reference, or the trigger. The search for videos of a name is their list with that name. */
export type Row = ReturnType<typeof findRoute>['operation'] | 'videoSearch' | 'trigger';

/** A request and its response, with JSON parsed. Without a response, the status is 0 and `lost` says why. */
export interface Exchange {
	row: Row;
	/** Path and query of the request. */
	url: string;
	status: number;
	lost?: string;
	headers: http.IncomingHttpHeaders;
	body: unknown;
}

/** Listens on a free port of 127.0.0.1, passes each request on to the service, and records what comes back. */
export async function startForwarder(baseUrl: string) {
	const exchanges: Exchange[] = [];
	const { request: send } = baseUrl.startsWith('https:') ? https : http;
	const own = { host: new URL(baseUrl).host, 'accept-encoding': 'identity' };
	const forward = async (req: http.IncomingMessage, res: http.ServerResponse) => {
		const { headers, method = '', url = '' } = req;
		const { pathname, searchParams } = new URL(url, baseUrl);
		const { operation } = findRoute(method, pathname);
		const row = operation === 'videoList' && searchParams.has('name') ? 'videoSearch' : operation;
		const exchange: Exchange = { row, url, status: 0, headers: {}, body: '' };
		exchanges.push(exchange);
		try {
			const sent = await buffer(req);
			const request = send(baseUrl + url, { method, headers: { ...headers, ...own } }).end(sent);
			// The only argument of the event.
			const [response] = (await once(request, 'response')) as [http.IncomingMessage];
			const content = await buffer(response);
			const body = jsonParse<unknown>(content.toString(), { fallbackValue: content.toString() });
			Object.assign(exchange, { status: response.statusCode, headers: response.headers, body });
			res.writeHead(exchange.status, exchange.headers).end(content);
		} catch (error) {
			exchange.lost = networkMeaning(baseUrl, error).message;
			res.destroy();
		}
	};
	const server = http.createServer((req, res) => void forward(req, res));
	const url = `http://127.0.0.1:${await listen(server)}`;
	return { url, exchanges, close: async () => await stopListening(server) };
}

export type Options = Partial<NodeRun> & { mayFail?: boolean };

export interface Setup {
	account: ServiceCredential;
	/** Whether to make, change and delete things; whether to start and end the event, too. */
	write: boolean;
	live: boolean;
	/** Is told what runs next. */
	progress: (step: string) => void;
	/** Ends the command, when what it has made is deleted. */
	signal: AbortSignal;
}

/** Runs operations of the package, and keeps what becomes of each row that they request. */
export class Check {
	/** Why a row fails, with the status of its last response. */
	readonly failures = new Map<Row, { text: string; status: number }>();

	/** What is worth knowing of a row. */
	readonly notes: Array<[Row, string]> = [];

	/** Names of assumptions with what was seen, where no single response shows it. */
	readonly seen: Array<{ name: string; what: string }> = [];

	/** Whether it only deletes what it has made. */
	isEnding = false;

	/** @param connection what the nodes connect to */
	constructor(
		readonly setup: Setup,
		readonly exchanges: Exchange[],
		readonly connection: Pick<NodeRun, 'service' | 'credentialStore'>,
	) {}

	/** Runs an operation, such as `event/get`. Its value is the JSON of its items, see {@link watch}. */
	async run(name: string, given: INodeParameters = {}, { mayFail, ...more }: Options = {}) {
		const [resource = '', operation = ''] = name.split('/');
		const parameters = { resource, operation, ...given };
		const run = { ...this.connection, timezone: 'UTC', parameters, ...more };
		return await this.watch(name, async () => await executeForJson(run), mayFail);
	}

	/**
	 * Runs something that sends requests. Its error is a failure of the row that was requested last.
	 *
	 * @param mayFail its error is no failure
	 * @returns its value or its error, and what was exchanged meanwhile
	 * @throws the reason of the signal after Ctrl-C
	 */
	async watch<T>(title: string, work: () => Promise<T>, mayFail = false) {
		if (!this.isEnding) this.setup.signal.throwIfAborted();
		this.setup.progress(title);
		const before = this.exchanges.length;
		const { value, error } = await work().then(
			(result) => ({ value: result, error: undefined }),
			(reason: unknown) => ({ value: undefined, error: reason }),
		);
		const exchanges = this.exchanges.slice(before);
		// The reference has no row for the trigger: what it requests counts as one.
		if (title === 'trigger') for (const exchange of exchanges) exchange.row = title;
		const last = exchanges.at(-1);
		if (!last) throw error ?? new Error(`${title} requested nothing`);
		const isFirst = error !== undefined && !mayFail && !this.failures.has(last.row);
		if (isFirst) this.failures.set(last.row, { text: last.lost ?? errorMessage(error), status: last.status });
		return { value, error, exchanges, last };
	}
}

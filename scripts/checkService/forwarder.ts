import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { buffer } from 'node:stream/consumers';

import { jsonParse } from 'n8n-workflow';

import { listen, stopListening } from '../../test/fakeService/listen';
import { findRoute } from '../../test/fakeService/operations';

/** A row of the reference, or the trigger. The search for videos of a name is their list with that name. */
export type Row = ReturnType<typeof findRoute>['operation'] | 'videoSearch' | 'trigger';

/** A request and its response, with JSON parsed. Without a response, the status is 0 and `error` the reason. */
export interface Exchange {
	row: Row;
	/** Path and query of the request. */
	url: string;
	status: number;
	error?: unknown;
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
			exchange.error = error;
			res.destroy();
		}
	};
	const server = http.createServer((req, res) => void forward(req, res));
	const url = `http://127.0.0.1:${await listen(server)}`;
	return { url, exchanges, close: async () => await stopListening(server) };
}

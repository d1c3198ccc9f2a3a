import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import type { INode } from 'n8n-workflow';

import { listen, stopListening } from '../fakeService/listen';

interface ChatRequest {
	messages: Array<{ role: 'system' | 'user' | 'assistant' | 'tool'; content: string | null }>;
}

/** A tool that the chat model calls, by the name that n8n gives it, and the arguments. */
type ToolCall = [tool: string, entered: object];

export type OutsideServices = Awaited<ReturnType<typeof startOutsideServices>>;

/**
 * The external services that the templates use, on loopback: files to download, an address that messages are posted to, and
 * OpenAI's chat completions. Its chat model calls its tools one after the other, and then replies with their responses.
 */
export async function startOutsideServices() {
	const server = createServer((request, response) => void respond(request, response));
	const url = `http://127.0.0.1:${await listen(server)}`;
	const outside = {
		url,
		/** Bodies posted to `/messages`, in order. */
		messages: new Array<unknown>(),
		/** Status of the next responses to `/messages`; 200 once they are used up. */
		messageStatuses: new Array<number>(),
		/** Content of `/files/<key>`, with the file name that a download has, and the access token without which it is refused. */
		files: new Map<string, { type: string; bytes: Buffer; name?: string; token?: string }>(),
		/** What the chat model calls once its tools have responded so much; undefined when it replies. */
		nextCall: (() => undefined) as (responses: string[]) => ToolCall | undefined,
		/** What the tools have responded to the chat model since the last question. */
		toolResponses: new Array<string>(),
		/** Bodies of all requests to the chat model: all that it gets to know. */
		chatRequests: new Array<string>(),
		/** Replaces a node that sends a message: posts the same text. */
		postsInstead: ({ parameters: { text } }: INode) => ({
			...{ type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
			parameters: {
				...{ method: 'POST', url: `${url}/messages`, sendBody: true, options: {} },
				bodyParameters: { parameters: [{ name: 'message', value: text ?? '' }] },
			},
		}),
		/** Downloads by a file's ID from here instead of Google Drive. */
		downloadsInstead: ({ parameters }: INode) => ({
			// An expression is a text.
			parameters: { url: (parameters.url as string).replace(/https:.*(?=\/files)/, url) },
		}),
		close: async () => await stopListening(server),
	};

	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await buffer(request);
		const address = request.url ?? '';
		const file = outside.files.get(address.replace('/files/', ''));
		const respondWith = (json: object) =>
			response.setHeader('content-type', 'application/json').end(JSON.stringify(json));
		if (file?.token !== undefined && request.headers.authorization !== `Bearer ${file.token}`) {
			response.writeHead(403).end();
		} else if (file) {
			if (file.name !== undefined)
				response.setHeader('content-disposition', `attachment; filename="${file.name}"`);
			response.setHeader('content-type', file.type).end(file.bytes);
		} else if (address === '/messages') {
			response.statusCode = outside.messageStatuses.shift() ?? 200;
			if (response.statusCode === 200) outside.messages.push(JSON.parse(body.toString()));
			respondWith({ ok: response.statusCode === 200 });
		} else if (address === '/openai/chat/completions') {
			outside.chatRequests.push(body.toString());
			// What n8n's OpenAI nodes send.
			respondWith(chat(JSON.parse(body.toString()) as ChatRequest));
		} else {
			response.writeHead(404).end();
		}
	}

	function chat({ messages }: ChatRequest): object {
		const asked = messages.findLastIndex(({ role }) => role === 'user');
		const answers = messages.slice(asked).filter(({ role }) => role === 'tool');
		outside.toolResponses = answers.map(({ content }) => content ?? '');
		const [name, entered] = outside.nextCall(outside.toolResponses) ?? [];
		const called = { name, arguments: JSON.stringify(entered) };
		const message =
			name === undefined
				? { role: 'assistant', content: outside.toolResponses.join('\n') }
				: {
						role: 'assistant',
						content: null,
						tool_calls: [{ index: 0, id: `call-${answers.length}`, type: 'function', function: called }],
					};
		const choices = [{ index: 0, message, finish_reason: name === undefined ? 'stop' : 'tool_calls' }];
		return { id: 'chat-1', created: 0, model: 'loopback', object: 'chat.completion', choices, usage: {} };
	}

	return outside;
}

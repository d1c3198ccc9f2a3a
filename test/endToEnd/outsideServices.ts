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
		/** Content of `/files/<key>`, with the file name that a download has. */
		files: new Map<string, { type: string; bytes: Buffer; name?: string }>(),
		/** What the chat model calls once its tools have responded so much; undefined when it replies. */
		nextCall: (() => undefined) as (responses: string[]) => ToolCall | undefined,
		/** What the tools have responded to the chat model since the last question. */
		toolResponses: new Array<string>(),
		/** Bodies of all requests to the chat model: all that it gets to know. */
		chatRequests: new Array<string>(),
		/** Replaces a node that sends a message: posts the same text. */
		postsInstead: ({ parameters: { html, text } }: INode) => ({
			...{ type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
			parameters: {
				...{ method: 'POST', url: `${url}/messages`, sendBody: true, options: {} },
				bodyParameters: { parameters: [{ name: 'message', value: text ?? html ?? '' }] },
			},
		}),
		/** Replaces a node that downloads a file of Google Drive: downloads by its ID from here. */
		downloadsInstead: {
			...{ type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
			parameters: {
				url: `=${url}/files/{{ encodeURIComponent($json.id) }}`,
				options: { response: { response: { responseFormat: 'file' } } },
			},
		},
		close: async () => await stopListening(server),
	};

	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await buffer(request);
		const address = request.url ?? '';
		const file = outside.files.get(address.replace('/files/', ''));
		const respondWith = (json: object) =>
			response.setHeader('content-type', 'application/json').end(JSON.stringify(json));
		if (file) {
			if (file.name !== undefined)
				response.setHeader('content-disposition', `attachment; filename="${file.name}"`);
			response.setHeader('content-type', file.type).end(file.bytes);
		} else if (address === '/messages') {
			outside.messages.push(JSON.parse(body.toString()));
			respondWith({ ok: true });
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

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import type { INode } from 'n8n-workflow';

import { listen, stopListening } from '../fakeService/listen';

interface ChatRequest {
	messages: Array<{ role: 'system' | 'user' | 'assistant' | 'tool'; content: string | null }>;
}

/** A tool that the chat model calls, by the name that n8n gives it, and the arguments. */
type ToolCall = [tool: string, entered: object];

function httpRequest(parameters: INode['parameters']): Partial<INode> {
	return { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters };
}

/**
 * The external services that the templates use, on loopback: files to download, an address that messages are posted to, and
 * OpenAI's chat completions. Its chat model calls its tools one after the other, and then replies with their responses.
 */
export class OutsideServices {
	url = '';

	/** Bodies posted to `/messages`, in order. */
	readonly messages: unknown[] = [];

	/** Which requests to `/messages` are rejected, counted from 1. */
	readonly rejectedMessages: number[] = [];

	private messageRequests = 0;

	/** What the tools have responded to the chat model since the last question. */
	toolResponses: string[] = [];

	/** Content of `/files/<key>`, with the file name that a download has, and the access token without which it is refused. */
	readonly files = new Map<string, { type: string; bytes: Buffer; name?: string; token?: string }>();

	/** What the chat model calls once its tools have responded so much; undefined when it replies. */
	nextCall: (responses: string[]) => ToolCall | undefined = () => undefined;

	/** Bodies of all requests to the chat model: all that it gets to know. */
	readonly chatRequests: string[] = [];

	private readonly server = createServer((request, response) => {
		void this.respond(request, response);
	});

	static async start(): Promise<OutsideServices> {
		const services = new OutsideServices();
		services.url = `http://127.0.0.1:${await listen(services.server)}`;
		return services;
	}

	async close(): Promise<void> {
		await stopListening(this.server);
	}

	/** Replaces a node that sends a message: posts the same text. */
	readonly postsInstead = ({ parameters: { text } }: INode) =>
		httpRequest({
			...{ method: 'POST', url: `${this.url}/messages`, sendBody: true, options: {} },
			bodyParameters: { parameters: [{ name: 'message', value: text ?? '' }] },
		});

	/** Replaces the download from Google Drive; like it, adds the file to the item's other binary data. */
	readonly downloadsInstead = ({ parameters }: INode) => {
		// The template chooses the file by an ID: a resource locator with an expression.
		const { value } = parameters.fileId as { value: string };
		const options = { response: { response: { responseFormat: 'file' } } };
		return httpRequest({ url: value.replace('{{', `${this.url}/files/{{`), options });
	};

	private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await buffer(request);
		const address = request.url ?? '';
		const file = this.files.get(address.replace('/files/', ''));
		const respondWith = (json: object) =>
			response.setHeader('content-type', 'application/json').end(JSON.stringify(json));
		if (file?.token !== undefined && request.headers.authorization !== `Bearer ${file.token}`) {
			response.writeHead(403).end();
		} else if (file) {
			if (file.name !== undefined)
				response.setHeader('content-disposition', `attachment; filename="${file.name}"`);
			response.setHeader('content-type', file.type).end(file.bytes);
		} else if (address === '/messages' && this.rejectedMessages.includes(++this.messageRequests)) {
			response.writeHead(500).end();
		} else if (address === '/messages') {
			this.messages.push(JSON.parse(body.toString()));
			respondWith({ ok: true });
		} else if (address === '/openai/chat/completions') {
			this.chatRequests.push(body.toString());
			// What n8n's OpenAI nodes send.
			respondWith(this.chat(JSON.parse(body.toString()) as ChatRequest));
		} else {
			response.writeHead(404).end();
		}
	}

	private chat({ messages }: ChatRequest): object {
		const asked = messages.findLastIndex(({ role }) => role === 'user');
		const answers = messages.slice(asked).filter(({ role }) => role === 'tool');
		this.toolResponses = answers.map(({ content }) => content ?? '');
		const [name, entered] = this.nextCall(this.toolResponses) ?? [];
		const called = { name, arguments: JSON.stringify(entered) };
		const message =
			name === undefined
				? { role: 'assistant', content: this.toolResponses.join('\n') }
				: {
						role: 'assistant',
						content: null,
						tool_calls: [{ index: 0, id: `call-${answers.length}`, type: 'function', function: called }],
					};
		const choices = [{ index: 0, message, finish_reason: name === undefined ? 'stop' : 'tool_calls' }];
		return { id: 'chat-1', created: 0, model: 'loopback', object: 'chat.completion', choices, usage: {} };
	}
}

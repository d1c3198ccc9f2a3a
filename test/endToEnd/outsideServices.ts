import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface ChatRequest {
	messages: Array<{ role: 'system' | 'user' | 'assistant' | 'tool'; content: string | null }>;
	tools: Array<{ function: { name: string } }>;
	stream?: boolean;
}

/**
 * The external services that the templates use, on loopback: files to download, an address that messages are posted to, and
 * OpenAI's chat completions. Its chat model calls its only tool, and then replies with the tool's response.
 */
export class OutsideServices {
	/** Bodies posted to `/messages`, in order. */
	readonly messages: unknown[] = [];

	/** Bodies posted to `/openai/chat/completions`, in order. */
	readonly chats: ChatRequest[] = [];

	/** Content of `/files/<key>`, with the file name that a download has, and the access token without which it is refused. */
	readonly files = new Map<string, { type: string; bytes: Buffer; name?: string; token?: string }>();

	/** Arguments with which the chat model calls its tool. */
	toolArguments: object = {};

	private readonly server = createServer((request, response) => {
		void this.respond(request, response);
	});

	async start(): Promise<void> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
	}

	get url(): string {
		// A server that listens on a TCP port has an AddressInfo; only pipes have a string.
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await buffer(request);
		const address = request.url ?? '';
		const file = this.files.get(address.replace('/files/', ''));
		if (file?.token !== undefined && request.headers.authorization !== `Bearer ${file.token}`) {
			response.writeHead(403).end();
		} else if (file) {
			if (file.name !== undefined)
				response.setHeader('content-disposition', `attachment; filename="${file.name}"`);
			response.setHeader('content-type', file.type).end(file.bytes);
		} else if (address === '/messages') {
			this.messages.push(JSON.parse(body.toString()));
			response.setHeader('content-type', 'application/json').end('{ "ok": true }');
		} else if (address === '/openai/chat/completions') {
			// What n8n's OpenAI nodes send.
			this.chat(JSON.parse(body.toString()) as ChatRequest, response);
		} else {
			response.writeHead(404).end();
		}
	}

	private chat(request: ChatRequest, response: ServerResponse): void {
		this.chats.push(request);
		const asked = request.messages.findLastIndex(({ role }) => role === 'user');
		const answer = request.messages.slice(asked).find(({ role }) => role === 'tool')?.content;
		const called = { name: request.tools[0]?.function.name, arguments: JSON.stringify(this.toolArguments) };
		const isAnswered = typeof answer === 'string';
		const message = isAnswered
			? { role: 'assistant', content: answer }
			: {
					role: 'assistant',
					content: null,
					tool_calls: [{ index: 0, id: 'call-1', type: 'function', function: called }],
				};
		const finish_reason = isAnswered ? 'stop' : 'tool_calls';
		const common = { id: 'chat-1', created: 0, model: 'loopback' };
		if (!request.stream) {
			const choices = [{ index: 0, message, finish_reason }];
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ ...common, object: 'chat.completion', choices, usage: {} }));
			return;
		}
		const chunk = (delta: object, reason: string | null) => {
			const choices = [{ index: 0, delta, finish_reason: reason }];
			return `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices })}\n\n`;
		};
		response.setHeader('content-type', 'text/event-stream');
		response.end(`${chunk(message, null)}${chunk({}, finish_reason)}data: [DONE]\n\n`);
	}
}

import type { N8nSession } from './session';

/** A message to the open editor, e.g. type `sendConsoleMessage` for what a node prints with `sendMessageToUI`. */
export interface PushMessage {
	type: string;
	data: unknown;
}

export interface PushChannel {
	/** Everything that arrived so far, in order. */
	messages: PushMessage[];
	close(): void;
}

/**
 * Listens as an open editor does. n8n has to run with `N8N_PUSH_BACKEND=sse`; executions started with the same `pushRef`
 * send their messages here.
 */
export async function openPush(session: N8nSession, pushRef: string): Promise<PushChannel> {
	const closing = new AbortController();
	const { body } = await session.fetch(`/rest/push?pushRef=${pushRef}`, { signal: closing.signal });
	if (!body) throw new Error('n8n opened no push channel');
	const messages: PushMessage[] = [];
	void collect(body, messages).catch(() => {
		// The stream breaks when this side closes it or n8n ends; whoever waits for a message notices by its absence.
	});
	return { messages, close: () => closing.abort() };
}

/** Server-sent events: `data: <JSON>` and a blank line each; comments keep the connection alive. */
async function collect(stream: ReadableStream<Uint8Array>, messages: PushMessage[]): Promise<void> {
	const decoder = new TextDecoder();
	let pending = '';
	for await (const chunk of stream) {
		const events = (pending + decoder.decode(chunk, { stream: true })).split('\n\n');
		pending = events.pop() ?? '';
		for (const event of events) {
			if (event.startsWith('data: {')) messages.push(JSON.parse(event.slice('data: '.length)));
		}
	}
}

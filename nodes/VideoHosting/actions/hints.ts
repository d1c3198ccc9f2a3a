import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { perRun } from '../shared/perRun';

/** The messages of each try of a node. n8n shows those of the last one. */
const messagesOf = perRun(() => new Set<string>());

/** Shows a message above the output of the node; the same one once, however many items it is about. */
export function addHint(
	context: IExecuteFunctions,
	message: string,
	type: NodeExecutionHint['type'] = 'info',
): void {
	const messages = messagesOf(context);
	if (messages.has(message)) return;
	messages.add(message);
	context.addExecutionHints({ message, type, location: 'outputPane' });
}

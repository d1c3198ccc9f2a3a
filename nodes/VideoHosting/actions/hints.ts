import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { retryMemory } from './retryMemory';

/** Shows a message above the output of the node, also when the node is tried again: n8n keeps the hints of the last try. */
export function addHint(
	context: IExecuteFunctions,
	message: string,
	type: NodeExecutionHint['type'] = 'info',
): void {
	const { hints } = retryMemory(context);
	if (hints.some((hint) => hint.message === message)) return;
	hints.push({ message, type, location: 'outputPane' });
	showHints(context, hints.slice(-1));
}

/** Shows the hints of earlier tries again. */
export function showHints(context: IExecuteFunctions, hints: NodeExecutionHint[]): void {
	// n8n before 1.86 has no hints.
	if ('addExecutionHints' in context) context.addExecutionHints(...hints);
}

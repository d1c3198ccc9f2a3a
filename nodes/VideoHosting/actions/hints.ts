import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

/** Shows a message above the output of the node. */
export function addHint(
	context: IExecuteFunctions,
	message: string,
	type: NodeExecutionHint['type'] = 'info',
): void {
	const shown: NodeExecutionHint = { message, type, location: 'outputPane' };
	// n8n before 1.86 has no hints.
	if ('addExecutionHints' in context) context.addExecutionHints(shown);
}

import { getGlobalState, type FunctionsBase } from 'n8n-workflow';

/** The time zone of the workflow. An imported one may have `DEFAULT`, which stands for n8n's (docs/n8n-internals.md#workflow-time-zone). */
export function workflowTimeZone(context: Pick<FunctionsBase, 'getTimezone'>): string {
	const timeZone = context.getTimezone();
	return timeZone === 'DEFAULT' ? getGlobalState().defaultTimezone : timeZone;
}

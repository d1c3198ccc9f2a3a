import { getGlobalState, type FunctionsBase } from 'n8n-workflow';

/** The time zone of the workflow. n8n stores `DEFAULT` for its own one, and resolves it only while a workflow is edited. */
export function workflowTimeZone(context: Pick<FunctionsBase, 'getTimezone'>): string {
	const timeZone = context.getTimezone();
	return timeZone === 'DEFAULT' ? getGlobalState().defaultTimezone : timeZone;
}

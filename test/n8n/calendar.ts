import type { IDataObject } from 'n8n-workflow';

import type { RunningN8n } from './instance';
import { outputOf, type Execution, type StoredCredential, type WorkflowJson } from './rest';
import { manualTrigger, noOperation, videoHosting, workflowOf } from './workflow';

/** An entry as Google Calendar responds. */
export interface CalendarEntry {
	id: string;
	summary: string;
	start: { dateTime: string; timeZone: string };
}

/** @param day of January 2031, at 18:00 in Berlin */
export function calendarEntry(id: string, day: number, summary = 'Show'): CalendarEntry {
	const dateTime = `2031-01-${String(day).padStart(2, '0')}T17:00:00Z`;
	return { id, summary, start: { dateTime, timeZone: 'Europe/Berlin' } };
}

const SYNC = 'Create or Update';

/** Entries → Video Hosting, with each field as a person drags it. */
export function calendarWorkflow(
	credential: StoredCredential,
	entries: CalendarEntry[],
	parameters: IDataObject = {
		operation: 'upsert',
		externalId: '={{ $json.id }}',
		title: '={{ $json.summary }}',
		dateScheduled: '={{ $json.start }}',
	},
): WorkflowJson {
	const events = videoHosting(SYNC, credential, { resource: 'event', ...parameters });
	const workflow = workflowOf('Calendar', [manualTrigger(), noOperation('Entries'), events]);
	const pinData = { Entries: entries.map((json) => ({ json: { ...json } })) };
	return { ...workflow, pinData, settings: { ...workflow.settings, timezone: 'Europe/Berlin' } };
}

/** What an execution of that workflow returned. */
export const synced = (execution: Execution): IDataObject[] =>
	outputOf(execution, SYNC).map(({ json }) => json);

/** Runs that workflow to its end; returns the changes. */
export async function syncCalendar(n8n: RunningN8n, credential: StoredCredential, entries: CalendarEntry[]) {
	const execution = await n8n.rest.runToSuccess(calendarWorkflow(credential, entries));
	return synced(execution).map(({ change }) => change);
}

import { type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { parameter } from '../../parameters/parameter';
import { InvalidParameterError, timeOfDateObject } from '../../parameters/values';
import { documentedStatus, eventStatusOf } from '../../service/eventStatuses';
import { eventTitleOf } from '../../service/recordFields';
import { isRecord } from '../../shared/jsonFields';
import { path } from '../../transport/request';
import { eventField, planIdOption } from '../fields';
import { addHint } from '../hints';
import type { Operation } from '../operation';
import { recordOutput } from '../recordOutput';
import { changeEvent, secretOption } from './eventForChange';

const extraBodyOption = parameter(toExtraBody, {
	displayName: 'Extra Body',
	name: 'extraBody',
	collection: 'options',
	type: 'json',
	default: '{}',
	description:
		'JSON object with fields to add to the request, for a service that requires more than hash, secret and status. Fields with these names replace them.',
});

export const start = startOrEnd('start', 'LIVE', {
	name: 'Start',
	description: 'Take an event live',
	action: 'Start event',
});

export const end = startOrEnd('end', 'END', {
	name: 'End',
	description: 'End an event that is live',
	action: 'End event',
});

/**
 * See docs/api-reference.md#start-or-end-an-event: one endpoint sets an event to LIVE or END. Its body is not shown
 * beyond plan secret and event hash.
 */
function startOrEnd(
	value: 'start' | 'end',
	status: 'LIVE' | 'END',
	texts: { name: string; description: string; action: string },
): Operation {
	return {
		option: { ...texts, value },
		parameters: [eventField, extraBodyOption, planIdOption, secretOption],
		async execute(item) {
			const { context } = item;
			const chosen = item.read(eventField);
			const extraBody = item.read(extraBodyOption);
			const { hash, response, record } = await changeEvent(
				item,
				chosen,
				async (event) =>
					await item.request(
						'PUT',
						path('events', 'start-or-end-live'),
						{ hash: event.hash, secret: event.secret, status, ...extraBody },
						'application/json;charset=UTF-8',
					),
			);
			if (status === 'END' && record) hintIfNotLive(context, hash, record);
			return recordOutput(response, 'event');
		},
	};
}

/** Ending an event that is not live may still change its status, so that it can no longer go live. */
function hintIfNotLive(context: IExecuteFunctions, hash: string, record: IDataObject): void {
	const before = documentedStatus(eventStatusOf(record) ?? '');
	if (before === undefined || before === 'LIVE') return;
	addHint(
		context,
		`The event "${eventTitleOf(record) ?? hash}" was not live when it was ended: its status was ${before}. Check its current status.`,
		'warning',
	);
}

function toExtraBody(label: string, value: unknown): IDataObject {
	const extra = typeof value === 'string' ? parsedJson(value) : (value ?? {});
	// JSON text that is parsed, or an object that n8n resolved from an expression.
	if (isRecord(extra) && timeOfDateObject(extra) === undefined) return extra;
	throw new InvalidParameterError(`${label} is not a JSON object`, 'Enter one such as {"field": "value"}.');
}

function parsedJson(text: string): unknown {
	try {
		return text.trim() === '' ? {} : JSON.parse(text);
	} catch {
		return undefined;
	}
}

import {
	updateDisplayOptions,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
} from 'n8n-workflow';

import { readParameter } from '../../parameters/readParameter';
import { InvalidParameterError, timeOfDateObject } from '../../parameters/values';
import { documentedStatus } from '../../service/eventStatuses';
import { isRecord } from '../../shared/jsonFields';
import { eventStatusOf, eventTitleOf } from '../../service/recordFields';
import { path, requestJson } from '../../transport/request';
import { eventField, planIdField, optionsField } from '../fields';
import { addHint } from '../hints';
import type { Operation } from '../operation';
import { eventHashParameter } from '../parameters';
import { recordOutput } from '../recordOutput';
import { changeEvent, secretOption } from './eventForChange';

const properties: INodeProperties[] = [
	planIdField,
	eventField,
	optionsField([
		{
			displayName: 'Extra Body',
			name: 'extraBody',
			type: 'json',
			default: '{}',
			description:
				'JSON object with fields to add to the request, for a service that requires more than hash, secret and status. Fields with these names replace them.',
		},
		secretOption,
	]),
];

export const start = startOrEnd('start', 'LIVE', {
	name: 'Start',
	description: 'Take an event live',
	action: 'Start an event',
});

export const end = startOrEnd('end', 'END', {
	name: 'End',
	description: 'End an event that is live',
	action: 'End an event',
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
		properties: updateDisplayOptions({ show: { resource: ['event'], operation: [value] } }, properties),
		async execute(context, itemIndex) {
			const hash = eventHashParameter(context, itemIndex);
			const extraBody = extraBodyOfParameter(context, itemIndex);
			const { response, record } = await changeEvent(
				context,
				itemIndex,
				hash,
				async (secret) =>
					await requestJson(context, {
						method: 'PUT',
						path: path('events', 'start-or-end-live'),
						headers: { 'Content-Type': 'application/json;charset=UTF-8' },
						body: { hash, secret, status, ...extraBody },
						itemIndex,
					}),
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

function extraBodyOfParameter(context: IExecuteFunctions, itemIndex: number): IDataObject {
	return readParameter(context, itemIndex, 'options.extraBody', (value) => {
		const extra = typeof value === 'string' ? parsedJson(value) : (value ?? {});
		// JSON text that is parsed, or an object that n8n resolved from an expression.
		if (isRecord(extra) && timeOfDateObject(extra) === undefined) return extra;
		throw new InvalidParameterError('Extra Body is not a JSON object: enter one such as {"field": "value"}');
	});
}

function parsedJson(text: string): unknown {
	try {
		return text.trim() === '' ? {} : JSON.parse(text);
	} catch {
		return undefined;
	}
}

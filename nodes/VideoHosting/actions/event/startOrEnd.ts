import type { IDataObject } from 'n8n-workflow';

import { parameter } from '../../parameters/parameter';
import { InvalidParameterError } from '../../parameters/values';
import { isRecord } from '../../shared/jsonFields';
import { changedRecord } from '../../service/record';
import { toEvent, type Stage } from '../../service/event';
import { eventField, planIdOption } from '../fields';
import type { Operation } from '../operation';
import { eventForChange, secretOption } from './eventForChange';

const extraBodyOption = parameter(toExtraBody, {
	displayName: 'Extra Body',
	name: 'extraBody',
	collection: 'options',
	type: 'json',
	default: '{}',
	description:
		'JSON object with fields to add to the request, for a service that requires more than hash, secret and status. Fields with these names replace them.',
});

export const start = startOrEnd('LIVE', 'waiting', {
	name: 'Start',
	description: 'Take an event live',
	action: 'Start live event',
});

export const end = startOrEnd('END', 'live', {
	name: 'End',
	description: 'End an event that is live',
	action: 'End live event',
});

/**
 * See docs/api-reference.md#start-or-end-an-event: one endpoint sets an event to LIVE or END. Its body is not shown
 * beyond plan secret and event hash.
 *
 * @param stage of the event that counts By External ID
 */
function startOrEnd(
	status: 'LIVE' | 'END',
	stage: Stage,
	texts: Pick<Operation, 'name' | 'description' | 'action'>,
): Operation {
	return {
		...texts,
		parameters: [eventField, extraBodyOption, planIdOption, secretOption],
		async execute(item) {
			const extraBody = item.read(extraBodyOption);
			const { hash, secret } = await eventForChange(item, [stage]);
			const response = await item.request(
				'PUT',
				['events', 'start-or-end-live'],
				{ hash, secret, status, ...extraBody },
				'application/json;charset=UTF-8',
			);
			return changedRecord(response, 'event', toEvent);
		},
	};
}

/** JSON text, or an object that n8n resolved from an expression. */
function toExtraBody(label: string, value: unknown): IDataObject {
	try {
		const text = typeof value === 'string' ? value.trim() : JSON.stringify(value ?? {});
		const extra: unknown = JSON.parse(text || '{}');
		if (isRecord(extra)) return extra;
	} catch {
		// It is not JSON.
	}
	throw new InvalidParameterError(`${label} is not a JSON object`, 'Enter one such as {"field": "value"}.');
}

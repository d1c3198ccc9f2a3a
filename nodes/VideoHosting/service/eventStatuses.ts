import type { IDataObject, IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import { fieldEntries, normalizedName } from '../shared/jsonFields';
import { operationError } from '../transport/errors';

/** The statuses of an event (docs/api-reference.md), as the panels of both nodes list them. */
export const eventStatusOptions = [
	{ name: 'Live', value: 'LIVE', description: 'The event is on air' },
	{ name: 'On Demand', value: 'ON_DEMAND', description: 'The event is over or was never live' },
	{ name: 'Waiting to Go Live', value: 'WAITING_LIVE', description: 'The event has not started yet' },
];

/** Their values: `LIVE`, `ON_DEMAND`, `WAITING_LIVE`. */
export const EVENT_STATUSES = eventStatusOptions.map(({ value }) => value);

/** The documented status that a text stands for, whatever its case, spaces, hyphens and underscores; undefined for others. */
export function documentedStatus(text: string): string | undefined {
	const letters = lettersOf(text);
	return EVENT_STATUSES.find((status) => lettersOf(status) === letters);
}

function lettersOf(text: string): string {
	return text.replace(/[\s_-]/g, '').toLowerCase();
}

/** Names of the status of an event, the usual ones first. */
const STATUS_NAMES = ['status', 'eventstatus', 'livestatus', 'state'];

/** Other names of a status; not those of an earlier or later one, such as `previousStatus`. */
const OTHER_STATUS_NAME = /^(?!prev|last|old|former|next|initial|default).*(status|state)$/;

/**
 * The field that holds the status of an event, with its path (`status`, `live.status`). A documented status in one of
 * several status fields is preferred: `{ status: 'active', liveStatus: 'LIVE' }` has the status LIVE.
 */
function statusFieldOf(event: IDataObject): { path: string; text: string } | undefined {
	const fields = [...fieldEntries(event)].flatMap(({ path, value }) => {
		// `status: { name: 'LIVE' }` is named by its parent; deeper fields belong to other records.
		const name = path.map(normalizedName).find((part) => OTHER_STATUS_NAME.test(part));
		if (name === undefined || path.length > 2 || !(typeof value === 'string' || typeof value === 'number'))
			return [];
		const rank = (STATUS_NAMES.indexOf(name) + 1 || STATUS_NAMES.length + 1) + (path.length - 1) * 10;
		return String(value).trim() === '' ? [] : [{ name, rank, path: path.join('.'), text: String(value) }];
	});
	fields.sort((a, b) => a.rank - b.rank);
	return (
		fields.find(({ text }) => documentedStatus(text) !== undefined) ??
		fields.find(({ rank }) => rank <= STATUS_NAMES.length)
	);
}

/**
 * The status of an event: a documented one as the reference writes it (`ON_DEMAND`, also for `on demand`), any other text in
 * upper case.
 */
export function eventStatusOf(event: IDataObject): string | undefined {
	const text = statusFieldOf(event)?.text;
	return text === undefined ? undefined : (documentedStatus(text) ?? text.trim().toUpperCase());
}

/** Number of different values that a message shows. */
const SHOWN_VALUES = 5;

/**
 * The error when none of the events has a documented status; undefined when there are none, or when one of them has: the service
 * may have added a new one that others have.
 */
export function undocumentedStatusError(
	context: IExecuteFunctions,
	events: readonly IDataObject[],
): NodeOperationError | undefined {
	const fields = events.map(statusFieldOf);
	if (events.length === 0 || fields.some((field) => field && documentedStatus(field.text) !== undefined))
		return undefined;
	const paths = new Set(fields.flatMap((field) => field?.path ?? []));
	const found = [...paths].map((path) => {
		const texts = new Set(fields.flatMap((field) => (field?.path === path ? [`"${field.text}"`] : [])));
		const more = texts.size > SHOWN_VALUES ? ' and others' : '';
		return `the field ${path} contains ${[...texts].slice(0, SHOWN_VALUES).join(', ')}${more}`;
	});
	return operationError(
		context,
		`No event of this plan has one of the statuses ${EVENT_STATUSES.join(', ')}: ${found.join(', ') || 'the events have no status field'}`,
		'Check the output of Event → Get Many without the option Status.',
	);
}

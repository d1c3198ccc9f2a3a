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

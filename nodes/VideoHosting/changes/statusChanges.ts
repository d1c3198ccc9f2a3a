import { fingerprint } from './fingerprint';

/** One event as a poll saw it. */
export interface EventReading<T> {
	/** What tells this event from all others of its plan. */
	event: string;
	status: string;
	record: T;
}

export interface StatusChange<T> {
	record: T;
	previousStatus: string;
	status: string;
}

/** Statuses that a change must come from and go to; empty means any. */
export interface StatusFilter {
	from: readonly string[];
	to: readonly string[];
}

/**
 * Compares what a poll listed with what was known before.
 *
 * An event listed for the first time is remembered and is no change, so that a poll without any memory is the silent
 * baseline. An event that was not listed keeps the status it had. Of an event listed twice the first reading counts.
 *
 * @param known status by the fingerprint of the event
 * @param listed in the order in which the changes shall come out
 */
export function statusChanges<T>(
	known: ReadonlyMap<string, string>,
	listed: Iterable<EventReading<T>>,
): { changes: Array<StatusChange<T>>; next: Map<string, string> } {
	const next = new Map(known);
	const changes: Array<StatusChange<T>> = [];
	const seen = new Set<string>();
	for (const { event, status, record } of listed) {
		const key = fingerprint(event);
		if (seen.has(key)) continue;
		seen.add(key);
		const previousStatus = known.get(key);
		if (previousStatus !== undefined && previousStatus !== status)
			changes.push({ record, previousStatus, status });
		next.set(key, status);
	}
	return { changes, next };
}

export function passes(
	{ from, to }: StatusFilter,
	change: { previousStatus: string; status: string },
): boolean {
	return (
		(from.length === 0 || from.includes(change.previousStatus)) &&
		(to.length === 0 || to.includes(change.status))
	);
}

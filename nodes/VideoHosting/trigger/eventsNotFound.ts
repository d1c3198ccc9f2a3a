import type { IPollFunctions, NodeApiError } from 'n8n-workflow';

import { plainError } from '../transport/errors';
import { nodeKey } from './processState';

/** Hashes under Event Names or IDs that the service does not find. */
export interface EventsNotFound {
	hashes: string[];
	/** The error that the service returned for the last of them; undefined when it returned no record instead. */
	reason?: NodeApiError;
}

/** Number of hashes that a message shows. */
const SHOWN_HASHES = 20;

/** The error that names the hashes, with the service's error message. */
export function eventsNotFoundError(context: IPollFunctions, notFound: EventsNotFound): NodeApiError {
	const { reason } = notFound;
	return plainError(context.getNode(), {
		message: messageOf(notFound),
		description:
			reason?.description ??
			'They may have been deleted, or belong to another plan. Remove these hashes, or select the events again.',
		httpCode: reason?.httpCode ?? undefined,
		failure: { cause: 'configuration-invalid' },
	});
}

/** Hashes that the log of this process has named, by workflow ID and node ID; none of a node that finds all its events. */
const namedInLog = new Map<string, ReadonlySet<string>>();

/**
 * Names the hashes in n8n's log, each once until it is found again.
 *
 * @param isWhole whether the poll read all hashes; else those that it did not read count as they did before
 */
export function warnOfEventsNotFound(
	context: IPollFunctions,
	{ hashes, reason }: EventsNotFound,
	isWhole: boolean,
): void {
	const node = nodeKey(context);
	const named = namedInLog.get(node) ?? new Set<string>();
	const fresh = hashes.filter((hash) => !named.has(hash));
	if (fresh.length > 0) {
		const message = messageOf({ hashes: fresh, reason });
		context.logger.warn(`${message} The other events are still watched.`);
	}
	const now = new Set(isWhole ? hashes : [...named, ...hashes]);
	if (now.size > 0) namedInLog.set(node, now);
	else namedInLog.delete(node);
}

function messageOf({ hashes, reason }: EventsNotFound): string {
	const shown = hashes.slice(0, SHOWN_HASHES).map((hash) => `"${hash}"`);
	const more = hashes.length - shown.length;
	const names = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
	const explanation = reason ? ` ${reason.message}` : '';
	return `The service does not find these events of Event Names or IDs: ${names}.${explanation}`;
}

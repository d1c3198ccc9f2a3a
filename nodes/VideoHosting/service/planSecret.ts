import type { IDataObject } from 'n8n-workflow';

import type { ServiceContext } from '../transport/credential';
import { toNodeError } from '../transport/errors';
import { eventPages } from './eventPages';
import { uniqueRecords } from './paging';
import { eventHashOf, planSecretOf } from './recordFields';

/** The events of one plan, read page by page and only as far as a lookup needed. */
interface EventDirectory {
	byHash: Map<string, IDataObject>;
	planSecret?: string;
	pages: AsyncGenerator<IDataObject[], void, undefined>;
}

/** One directory for each plan and run: n8n makes one context for each run of a node. */
const directories = new WeakMap<ServiceContext, Map<string, EventDirectory>>();

/**
 * Looks up an event among all events of a plan: the only operation that is known to return the plan secret
 * (docs/api-reference.md#search-all-events). Each page is read at most once for each plan and run. Reading stops at the page
 * with the event.
 *
 * @returns the event's record when the plan has it, and the secret: the record's own, or the one that other events of
 * the plan contain
 * @throws NodeApiError when a page cannot be read
 */
export async function findEvent(
	context: ServiceContext,
	planId: string,
	hash: string,
	itemIndex: number,
): Promise<{ record?: IDataObject; secret?: string }> {
	const directory = eventDirectoryOf(context, planId, itemIndex);
	while (!directory.byHash.has(hash)) {
		const next = await readNextEventPage(context, planId, directory);
		if (next === undefined) break;
		for (const record of next) {
			const recordHash = eventHashOf(record);
			if (recordHash !== undefined) directory.byHash.set(recordHash, record);
			directory.planSecret ??= planSecretOf(record);
		}
	}
	const record = directory.byHash.get(hash);
	return { record, secret: (record && planSecretOf(record)) ?? directory.planSecret };
}

function eventDirectoryOf(context: ServiceContext, planId: string, itemIndex: number): EventDirectory {
	const plans = directories.get(context) ?? new Map<string, EventDirectory>();
	directories.set(context, plans);
	const directory = plans.get(planId) ?? {
		byHash: new Map<string, IDataObject>(),
		pages: uniqueRecords(eventPages(context, { planId, itemIndex })),
	};
	plans.set(planId, directory);
	return directory;
}

async function readNextEventPage(
	context: ServiceContext,
	planId: string,
	directory: EventDirectory,
): Promise<IDataObject[] | undefined> {
	try {
		const { value, done } = await directory.pages.next();
		return done ? undefined : value;
	} catch (error) {
		// A generator that threw is finished; the next item needs a new one to retry.
		directories.get(context)?.delete(planId);
		throw toNodeError(context, error);
	}
}

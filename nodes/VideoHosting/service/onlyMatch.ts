import { quoted } from '../parameters/values';
import type { ServiceContext } from '../transport/credential';
import { operationError } from '../transport/errors';
import type { Event } from './event';
import type { Folder } from './folder';
import { isSameName } from './record';
import type { Video } from './video';

/** What a message calls the records of a list, and what a user knows them by. */
export interface Naming<Item> {
	one: string;
	/** The parameter in the panel. */
	field: string;
	/** What a user types: `title` or `name`. */
	nameLabel: string;
	idLabel: string;
	idOf: (item: Item) => string | undefined;
	nameOf: (item: Item) => string | undefined;
	dateOf: (item: Item) => string | undefined;
}

export const EVENTS: Naming<Event> = {
	one: 'event',
	field: 'Event',
	nameLabel: 'title',
	idLabel: 'Hash',
	idOf: ({ hash }) => hash,
	nameOf: ({ title }) => title,
	dateOf: ({ dateScheduled }) => dateScheduled,
};

export const FOLDERS: Naming<Folder> = {
	one: 'folder',
	field: 'Folder',
	nameLabel: 'name',
	idLabel: 'UUID',
	idOf: ({ uuid }) => uuid,
	nameOf: ({ name }) => name,
	dateOf: ({ createdDate }) => createdDate,
};

export const VIDEOS: Naming<Video> = {
	one: 'video',
	field: 'Video',
	nameLabel: 'name',
	idLabel: 'Hash',
	idOf: ({ hash }) => hash,
	nameOf: ({ name }) => name,
	dateOf: ({ createdDate }) => createdDate,
};

/** Records that an error message lists at most. */
const MOST_LISTED = 10;

/**
 * The one record with exactly this title or name; undefined when no record has it.
 *
 * @throws NodeOperationError that lists them when there are several, or when the one has no hash or UUID
 */
export function onlyMatch<Item>(
	context: ServiceContext,
	items: readonly Item[],
	{ one, field, nameLabel, idLabel, idOf, nameOf, dateOf }: Naming<Item>,
	wanted: string,
): Item | undefined {
	const matches = items.filter((item) => isSameName(nameOf(item), wanted));
	const [match] = matches;
	if (!match) return undefined;
	if (matches.length === 1 && idOf(match) !== undefined) return match;
	const listed = matches
		.slice(0, MOST_LISTED)
		.map((each) => `${idOf(each) ?? `without a ${idLabel}`} (${dateOf(each) ?? 'no date'})`);
	const more = matches.length > MOST_LISTED ? ` and ${matches.length - MOST_LISTED} more` : '';
	const subject = matches.length === 1 ? `One ${one} has` : `${matches.length} ${one}s have`;
	throw operationError(
		context,
		`${subject} the ${nameLabel} ${quoted(wanted)}: ${listed.join(', ')}${more}`,
		`Choose one of them in ${field} By ${idLabel}.`,
	);
}

/**
 * The one record with exactly this title or name; it has a hash or UUID.
 *
 * @param planId of events and videos
 * @param check what else to do, after "Check Folder"
 * @throws NodeOperationError also when no record has it
 */
export function requiredMatch<Item>(
	context: ServiceContext,
	items: readonly Item[],
	kind: Naming<Item>,
	wanted: string,
	{ planId, check = '' }: { planId?: string; check?: string },
): Item {
	const match = onlyMatch(context, items, kind, wanted);
	if (match) return match;
	const [owner, parameters] =
		planId === undefined
			? ['The application', kind.field]
			: [`The plan ${planId}`, `${kind.field} and Plan ID`];
	throw operationError(
		context,
		`${owner} has no ${kind.one} with the ${kind.nameLabel} ${quoted(wanted)}`,
		`Check ${parameters}${check}. The ${kind.nameLabel} must match exactly, including upper and lower case.`,
	);
}

import { quoted } from '../parameters/values';
import { excerpt } from '../shared/text';
import { OperationError } from '../transport/serviceError';
import type { Event } from './event';
import type { Folder } from './folder';
import { checkSome, isSameName } from './record';
import type { Video } from './video';

/** The words of the panel for the records of a list. */
export interface Naming<Item> {
	/** The parameter in the panel. */
	field: string;
	/** What a user types: `title` or `name`. */
	nameLabel: string;
	idLabel: string;
	/** What to do about several, instead of renaming. */
	otherwise?: string;
	shown: (item: Item) => { id?: string; name?: string; date?: string; folder?: string };
}

export const EVENTS: Naming<Event> = {
	field: 'Event',
	nameLabel: 'title',
	idLabel: 'Hash',
	shown: ({ hash, title, dateScheduled }) => ({ id: hash, name: title, date: dateScheduled }),
};

export const FOLDERS: Naming<Folder> = {
	field: 'Folder',
	nameLabel: 'name',
	idLabel: 'UUID',
	shown: ({ uuid, name, createdDate }) => ({ id: uuid, name, date: createdDate }),
};

export const VIDEOS: Naming<Video> = {
	field: 'Video',
	nameLabel: 'name',
	idLabel: 'Hash',
	shown: ({ hash, name, createdDate, folder }) => ({
		id: hash,
		name,
		date: createdDate,
		folder: folder.kind === 'in' ? (folder.name ?? folder.uuid) : undefined,
	}),
};

/** What tells records of one name apart, such as `2026-12-24 18:00, in Concerts`: a date, and the folder that a record shows. */
export function marksOf(date?: string, folder?: string): string {
	return [date, folder && `in ${folder}`].filter(Boolean).join(', ');
}

/** Records that an error message lists at most. */
const MOST_LISTED = 10;

/**
 * Checks that records have titles or names that can be compared with `wanted`.
 *
 * @throws OperationError when none of several records has one
 */
export function checkNamed<Item>(
	items: readonly Item[],
	{ field, nameLabel, shown }: Naming<Item>,
	wanted: string,
): void {
	checkSome(
		items,
		(item) => shown(item).name !== undefined,
		`No ${field.toLowerCase()} is listed with a ${nameLabel}, so ${quoted(wanted)} cannot be looked up`,
	);
}

/**
 * The one record with exactly this title or name; undefined when no record has it.
 *
 * @throws OperationError that lists them when there are several, when the one has no hash or UUID, or when no record has a title or name
 */
export function onlyMatch<Item>(
	items: readonly Item[],
	naming: Naming<Item>,
	wanted: string,
): Item | undefined {
	checkNamed(items, naming, wanted);
	const { field, nameLabel, idLabel, otherwise = 'rename the others', shown } = naming;
	const matches = items.filter((item) => isSameName(shown(item).name, wanted));
	const [match] = matches;
	if (!match) return undefined;
	if (matches.length === 1 && shown(match).id !== undefined) return match;
	const listed = matches
		.slice(0, MOST_LISTED)
		.map(shown)
		.map(({ id = `without a ${idLabel}`, date = 'no date', folder }) => `${id} (${marksOf(date, folder)})`);
	const more = matches.length > MOST_LISTED ? ` and ${matches.length - MOST_LISTED} more` : '';
	const one = field.toLowerCase();
	const subject = matches.length === 1 ? `One ${one} has` : `${matches.length} ${one}s have`;
	throw new OperationError(
		`${subject} the ${nameLabel} ${quoted(wanted)}: ${listed.join(', ')}${more}`,
		`Choose one of them By ${idLabel}, or ${otherwise}.`,
	);
}

/**
 * The one record with exactly this title or name; it has a hash or UUID.
 *
 * @param planId of events and videos
 * @param advice one more sentence about what to do when no record has it
 * @throws OperationError also when no record has it
 */
export function requiredMatch<Item>(
	items: readonly Item[],
	kind: Naming<Item>,
	wanted: string,
	planId?: string,
	advice = '',
): Item {
	const match = onlyMatch(items, kind, wanted);
	if (match) return match;
	const [owner, parameters] =
		planId === undefined
			? ['The application', kind.field]
			: [`The plan ${excerpt(planId)}`, `${kind.field} and Plan ID`];
	throw new OperationError(
		`${owner} has no ${kind.field.toLowerCase()} with the ${kind.nameLabel} ${quoted(wanted)}`,
		`Check ${parameters}. The ${kind.nameLabel} must match exactly, including upper and lower case. Something new may take half a minute to be listed. ${advice}`.trim(),
	);
}

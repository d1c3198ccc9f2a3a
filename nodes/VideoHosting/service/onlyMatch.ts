import type { IDataObject } from 'n8n-workflow';

import { quoted } from '../parameters/values';
import type { ServiceContext } from '../transport/credential';
import { operationError } from '../transport/errors';
import { isSameName, type RecordKind } from './recordFields';

/** Records that an error message lists at most. */
const MOST_LISTED = 10;

/**
 * The one record with exactly this title or name; undefined when no record has it.
 *
 * @throws NodeOperationError that lists them when there are several, or when the one has no hash or UUID
 */
export function onlyMatch(
	context: ServiceContext,
	records: readonly IDataObject[],
	{ one, field, nameLabel, idLabel, idOf, nameOf, dateOf }: RecordKind,
	wanted: string,
): IDataObject | undefined {
	const matches = records.filter((record) => isSameName(nameOf(record) ?? '', wanted));
	const [record] = matches;
	if (!record) return undefined;
	if (matches.length === 1 && idOf(record) !== undefined) return record;
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
 * The hash or UUID of the one record with exactly this title or name.
 *
 * @param planId of events and videos
 * @param check what else to do, after "Check Folder"
 * @throws NodeOperationError also when no record has it
 */
export function idOfOnlyMatch(
	context: ServiceContext,
	records: readonly IDataObject[],
	kind: RecordKind,
	wanted: string,
	{ planId, check = '' }: { planId?: string; check?: string },
): string {
	const match = onlyMatch(context, records, kind, wanted);
	const id = match && kind.idOf(match);
	if (id !== undefined) return id;
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

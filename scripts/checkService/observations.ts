import * as all from '../../nodes/VideoHosting/shared/assumptions';
import { fieldEntries, isRecord, normalizedName } from '../../nodes/VideoHosting/shared/jsonFields';
import { isServiceRecord, listIn, recordIn } from '../../nodes/VideoHosting/transport/response';
import type { Exchange } from './forwarder';

type Seen = [assumption: string, seen: string];

const groups = {
	signIn: all.SIGN_IN,
	...all.FIELDS,
	around: all.AROUND,
	diskUsage: all.DISK_USAGE,
	events: all.LISTS.event,
	videos: all.LISTS.video,
};

/** All of shared/assumptions.ts, by names such as `event.title`. */
export const ASSUMPTIONS = new Map<string, all.Assumption<unknown>>(
	Object.entries(groups).flatMap(([prefix, group]) =>
		Object.entries(group).map(([name, each]) => [`${prefix}.${name}`, each]),
	),
);

/** The list of records in a response; undefined when it has none. */
export function listOf({ body, row, status }: Exchange) {
	const kind = kindOf(row);
	return kind && status < 300 ? listIn(status, body, kind)?.records : undefined;
}

/** What kind of records a response has. */
function kindOf(row: string): all.RecordKind | undefined {
	// What the group can match.
	return /^(event|folder(?!Total)|video)/.exec(row)?.[1] as all.RecordKind | undefined;
}

/** Which names are assumed for what, in the order of each assumption. */
function assumedAmong(names: string[], prefix: keyof typeof groups): Seen[][] {
	return Object.entries<all.Assumption<unknown>>(groups[prefix]).map(([assumption, { values }]) => {
		const found = values.flatMap((value) => names.filter((name) => normalizedName(name) === value));
		return found.map((name) => [`${prefix}.${assumption}`, name]);
	});
}

/** Names of all fields around the records of a response. */
function namesAround(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(namesAround);
	if (!isRecord(value) || isServiceRecord(value)) return [];
	return Object.entries(value).flatMap(([name, inner]) => [name, ...namesAround(inner)]);
}

/** What a response shows of assumptions, by their names. */
export function seenIn(exchange: Exchange): Seen[] {
	const { body, headers, row, status } = exchange;
	const kind = kindOf(row);
	const leaves = fieldEntries(body).map(({ name }) => name);
	if (status < 200 || status > 299) return [];
	if (row.startsWith('diskUsage')) return assumedAmong(leaves, 'diskUsage').flat();
	if (kind === undefined) {
		const elsewhere = headers.authorization === undefined ? 'the whole body' : 'the header Authorization';
		const [token = ['signIn.token', elsewhere]] = assumedAmong(leaves, 'signIn').flat();
		return row === 'authenticate' ? [token] : [];
	}
	const records = listOf(exchange) ?? [recordIn(body, kind)].filter(isServiceRecord);
	const used = records.flatMap((record) => assumedAmong(Object.keys(record), kind));
	return [...used.flatMap((found) => found.slice(0, 1)), ...assumedAmong(namesAround(body), 'around').flat()];
}

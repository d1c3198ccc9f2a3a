import { version } from '../../package.json';
import * as all from '../../nodes/VideoHosting/shared/assumptions';
import { fieldEntries, isRecord, normalizedName } from '../../nodes/VideoHosting/shared/jsonFields';
import { isServiceRecord, listIn, recordIn } from '../../nodes/VideoHosting/transport/response';
import { operationNames, operations } from '../../test/fakeService/operations';
import type { Check } from './checkService';
import type { Exchange, Row } from './forwarder';

type Pair = [key: string, text: string];

/** Method and path of each row, in the order of the reference. */
const REQUESTS = new Map<Row, string>();
for (const row of operationNames) {
	const { methods, path } = operations[row];
	if (row === 'videoList') REQUESTS.set('videoSearch', `GET ${path}?name={video_name}`);
	REQUESTS.set(row, `${methods[0]} ${path}`);
}
REQUESTS.set('trigger', 'Trigger');

const GROUPS = {
	signIn: all.SIGN_IN,
	...all.FIELDS,
	around: all.AROUND,
	diskUsage: all.DISK_USAGE,
	events: all.LISTS.event,
	videos: all.LISTS.video,
};

/** All of shared/assumptions.ts, by names such as `event.title`. */
const ASSUMPTIONS = new Map<string, all.Assumption<unknown>>(
	Object.entries(GROUPS).flatMap(([prefix, group]) =>
		Object.entries(group).map(([name, each]) => [`${prefix}.${name}`, each]),
	),
);

/** The place of what was seen among the values of an assumption; -1 when the file does not have it. */
const placeOf = (seen: string, values: readonly unknown[]) =>
	values.findIndex((value) => normalizedName(String(value)) === normalizedName(seen));

/** Whether a name is not documented, where others are. */
function isOther([assumption, name]: Pair): boolean {
	const { values, documented } = ASSUMPTIONS.get(assumption) ?? { values: [], documented: 0 };
	return documented > 0 && placeOf(name, values) >= documented;
}

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
function assumedAmong(names: string[], prefix: keyof typeof GROUPS): Pair[][] {
	return Object.entries<all.Assumption<unknown>>(GROUPS[prefix]).map(([assumption, { values }]) => {
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
function seenIn(exchange: Exchange): Pair[] {
	const { body, headers, row, status } = exchange;
	const kind = kindOf(row);
	const leaves = fieldEntries(body).map(({ name }) => name);
	if (status < 200 || status > 299) return [];
	if (row.startsWith('diskUsage')) return assumedAmong(leaves, 'diskUsage').flat();
	if (row === 'authenticate') {
		const elsewhere = headers.authorization === undefined ? 'the whole body' : 'the header Authorization';
		return [assumedAmong(leaves, 'signIn').flat()[0] ?? ['signIn.token', elsewhere]];
	}
	if (kind === undefined) return [];
	const records = listOf(exchange) ?? [recordIn(body, kind)].filter(isServiceRecord);
	const used = records.flatMap((record) => assumedAmong(Object.keys(record), kind));
	return [...used.flatMap((found) => found.slice(0, 1)), ...assumedAmong(namesAround(body), 'around').flat()];
}

/** The types of all values in JSON by their paths, such as `body.data[].title`. */
function typesIn(value: unknown, nameOf: (name: string) => string, path = 'body'): Pair[] {
	const isList = Array.isArray(value);
	const type = value === null ? 'null' : isList ? 'array' : typeof value;
	const below = isList || isRecord(value) ? Object.entries(value) : [];
	const pathOf = (name: string) => `${path}${isList ? '[]' : `.${nameOf(name)}`}`;
	return [[path, type], ...below.flatMap(([name, each]) => typesIn(each, nameOf, pathOf(name)))];
}

/** The different texts of each key. */
function grouped(pairs: Pair[]): Map<string, string[]> {
	const groups = new Map<string, string[]>();
	for (const [key, text] of pairs) groups.set(key, [...new Set(groups.get(key)).add(text)]);
	return groups;
}

/** What was found, as lines for the screen, and as a report that has no value of a response. */
export function findingsOf({ exchanges, left, results, seen: seenInSeveral, setup }: Check) {
	const values = exchanges.flatMap(({ body }) => fieldEntries(body).map(({ value }) => value));
	const texts = new Set([...Object.values<unknown>(setup.account), ...values]);
	const known = new Set([...ASSUMPTIONS.values()].flatMap((each) => each.values));
	const isPlain = (name: string) => /^[a-z][a-z_-]{0,39}\d?$/i.test(name) && !texts.has(name);
	// Titles and hashes may be names of fields: those that are a value elsewhere are not shown.
	const nameOf = (name: string) => (known.has(normalizedName(name)) || isPlain(name) ? name : '<key>');

	const shown = exchanges.map((exchange) => ({ ...exchange, seen: seenIn(exchange) }));
	const seen = grouped([...seenInSeveral, ...shown.flatMap((exchange) => exchange.seen)]);
	const types = shown.flatMap(({ body, headers, row, status }): Pair[] => {
		const tus = Object.keys(headers).filter((name) => /^(tus|upload|location)\b/.test(name));
		const all = [...tus.map((name): Pair => ['header', name]), ...typesIn(body, nameOf)];
		return all.map(([path, type]) => [`${REQUESTS.get(row)} ${status} ${path}`, type]);
	});
	const otherNames = grouped(
		shown.flatMap(({ row, seen }) => seen.filter(isOther).map(([, name]): Pair => [row, name])),
	);
	const rows = [...REQUESTS].map(([row, request]) => {
		const { failure, notes = [] } = results.get(row) ?? {};
		const names = otherNames.get(row)?.join(', ');
		const result = failure ? 'fails' : results.has(row) ? 'works' : 'not checked';
		const all = [...(names ? [`names: ${names}`] : []), ...notes];
		return { request, result, status: failure?.status, notes: all, text: failure?.text };
	});
	const assumptions = [...ASSUMPTIONS].map(([name, each]) => {
		const found = seen.get(name) ?? [];
		const places = found.map((what) => placeOf(what, each.values));
		const known = places.every((place) => place < each.documented) ? 'documented' : 'assumed';
		const state = found.length === 0 ? 'not seen' : places.includes(-1) ? 'the file differs' : known;
		return { name, ...each, seen: found, state };
	});
	const lines = [
		...rows.map(({ request, result, status, notes, text }) => {
			const more = text === undefined ? notes.join('; ') : `${status || 'no response'}: ${text}`;
			const link = text === undefined ? ', but ' : ' with ';
			return `${request.padEnd(54)}${result}${more && link + more}`;
		}),
		'',
		'What nodes/VideoHosting/shared/assumptions.ts assumes, as it was seen:',
		...assumptions.map((each) => `${each.name.padEnd(24)}${each.state.padEnd(18)}${each.seen.join(', ')}`),
		...left.map((each) => `Not deleted: ${each}`),
	];
	const responses = Object.fromEntries([...grouped(types)].map(([path, all]) => [path, all.join(' | ')]));
	const report = { version, rows: rows.map((row) => ({ ...row, text: undefined })), assumptions, responses };
	return { lines, report, isFine: left.length === 0 && rows.every(({ result }) => result !== 'fails') };
}

import { version } from '../../package.json';
import * as all from '../../nodes/VideoHosting/shared/assumptions';
import { fieldEntries, isRecord, normalizedName } from '../../nodes/VideoHosting/shared/jsonFields';
import { isServiceRecord } from '../../nodes/VideoHosting/transport/response';
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
REQUESTS.set('trigger', `Trigger: ${REQUESTS.get('eventSearchAll')}`);

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
	Object.entries(GROUPS).flatMap(([group, assumptions]) =>
		Object.entries(assumptions).map(([name, each]) => [`${group}.${name}`, each]),
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

/** Names of fields in a response, with what they are fields of: a record, which has an ID or is in a list, or what is around it. */
function namesIn(value: unknown, kind: string, group = 'around'): Pair[] {
	if (Array.isArray(value)) return value.flatMap((each) => namesIn(each, kind, kind));
	if (!isRecord(value)) return [];
	const isWhole = isServiceRecord(value);
	return Object.entries(value).flatMap(([name, inner]): Pair[] => [
		[isWhole ? kind : group, name],
		...(isWhole ? [] : namesIn(inner, kind, group)),
	]);
}

/** What a response shows of assumptions, by their names. */
function seenIn({ body, headers, row, status }: Exchange): Pair[] {
	const group = row === 'authenticate' ? 'signIn' : /^(event|folder(?!Total)|video|diskUsage)/.exec(row)?.[0];
	if (group === undefined || status < 200 || status > 299) return [];
	const isOfRecords = group in all.FIELDS;
	const names = isOfRecords ? namesIn(body, group) : fieldEntries(body).map(({ name }) => [group, name]);
	const seen = [...ASSUMPTIONS].flatMap(([assumption, { documented, values }]) => {
		const own = names.flatMap(([of, name = '']) => (assumption.startsWith(`${of}.`) ? [name] : []));
		const found = values.flatMap((value) => own.filter((name) => normalizedName(name) === value));
		// The first one counts, and others are worth knowing where none is documented.
		return found.slice(0, documented > 0 ? 1 : undefined).map((name): Pair => [assumption, name]);
	});
	const elsewhere = headers.authorization === undefined ? 'the whole body' : 'the header Authorization';
	return row === 'authenticate' && seen.length === 0 ? [['signIn.token', elsewhere]] : seen;
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
function grouped(pairs: Array<readonly [string, string]>): Map<string, string[]> {
	const groups = new Map<string, string[]>();
	for (const [key, text] of pairs) groups.set(key, [...new Set(groups.get(key)).add(text)]);
	return groups;
}

/** What was found, as lines for the screen, and as a report that has no value of a response. */
export function findingsOf({ exchanges, failures, left, notes, seen, setup }: Check) {
	const values = exchanges.flatMap(({ body }) => fieldEntries(body).map(({ value }) => value));
	const texts = new Set([...Object.values<unknown>(setup.account), ...values]);
	const known = new Set([...ASSUMPTIONS.values()].flatMap((each) => each.values));
	const isPlain = (name: string) => /^[a-z][a-z_-]{0,39}\d?$/i.test(name) && !texts.has(name);
	// Titles and hashes may be names of fields: those that are a value elsewhere are not shown.
	const nameOf = (name: string) => (known.has(normalizedName(name)) || isPlain(name) ? name : '<key>');
	const types = exchanges.flatMap(({ body, headers, row, status }) => {
		const tus = Object.keys(headers).filter((name) => /^(tus|upload|location)\b/.test(name));
		const found = [...tus.map((name): Pair => ['header', name]), ...typesIn(body, nameOf)];
		return found.map(([path, type]): Pair => [`${REQUESTS.get(row)} ${status} ${path}`, type]);
	});
	const responses = Object.fromEntries([...grouped(types)].map(([path, each]) => [path, each.join(' | ')]));

	const shown = exchanges.flatMap((each) => seenIn(each).map((pair) => ({ row: each.row, pair })));
	const otherNames = grouped(
		shown.filter(({ pair }) => isOther(pair)).map(({ row, pair }) => [row, pair[1]]),
	);
	const notesOf = grouped([
		...[...otherNames].map(([row, names]): Pair => [row, `names: ${names.join(', ')}`]),
		...notes,
	]);
	const rows = [...REQUESTS].map(([row, request]) => {
		const { status, text } = failures.get(row) ?? {};
		const isChecked = exchanges.some((exchange) => exchange.row === row);
		const result = text !== undefined ? 'fails' : isChecked ? 'works' : 'not checked';
		return { request, result, status, notes: notesOf.get(row) ?? [], text };
	});
	const seenOf = grouped([...seen, ...shown.map(({ pair }) => pair)]);
	const assumptions = [...ASSUMPTIONS].map(([name, each]) => {
		const found = seenOf.get(name) ?? [];
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
	const report = { version, rows: rows.map((row) => ({ ...row, text: undefined })), assumptions, responses };
	return { lines, report, isFine: left.length === 0 && failures.size === 0 };
}

import { version } from '../../package.json';
import { fieldEntries, isRecord, normalizedName } from '../../nodes/VideoHosting/shared/jsonFields';
import { operationNames, operations } from '../../test/fakeService/operations';
import type { Check } from './checkService';
import type { Row } from './forwarder';
import { ASSUMPTIONS, seenIn } from './observations';

/** Method and path of each row, in the order of the reference. */
const REQUESTS = new Map<Row, string>();
for (const row of operationNames) {
	const { methods, path } = operations[row];
	if (row === 'videoList') REQUESTS.set('videoSearch', `GET ${path}?name={video_name}`);
	REQUESTS.set(row, `${methods[0]} ${path}`);
}
REQUESTS.set('trigger', 'Trigger');

const isSame = (one: unknown, other: string) => normalizedName(String(one)) === normalizedName(other);

/** Sets of texts by their keys. */
class Sets extends Map<string, Set<string>> {
	add(key: string, text: string): void {
		this.set(key, (this.get(key) ?? new Set()).add(text));
	}
}

/** The types of all values in JSON by their paths, such as `body.data[].title`. */
function typesIn(value: unknown, nameOf: (name: string) => string, path = 'body'): Array<[string, string]> {
	const isList = Array.isArray(value);
	const type = value === null ? 'null' : isList ? 'array' : typeof value;
	const below = isList || isRecord(value) ? Object.entries(value) : [];
	const pathOf = (name: string) => `${path}${isList ? '[]' : `.${nameOf(name)}`}`;
	return [[path, type], ...below.flatMap(([name, each]) => typesIn(each, nameOf, pathOf(name)))];
}

/** What was found, as lines for the screen, and as a report that has no value of a response. */
export function findingsOf({ exchanges, left, results, seen: seenInSeveral, setup }: Check) {
	const values = exchanges.flatMap(({ body }) => fieldEntries(body).map(({ value }) => value));
	const texts = new Set([...Object.values<unknown>(setup.account), ...values]);
	const known = new Set([...ASSUMPTIONS.values()].flatMap((each) => each.values));
	const isPlain = (name: string) => /^[a-z][a-z_-]{0,39}\d?$/i.test(name) && !texts.has(name);
	// Titles and hashes may be names of fields: those that are a value elsewhere are not shown.
	const nameOf = (name: string) => (known.has(normalizedName(name)) || isPlain(name) ? name : '<key>');

	const [seen, names, types] = [new Sets(), new Sets(), new Sets()];
	for (const [assumption, what] of seenInSeveral) seen.add(assumption, what);
	for (const exchange of exchanges) {
		const { body, headers, row, status } = exchange;
		for (const [assumption, name] of seenIn(exchange)) {
			seen.add(assumption, name);
			const { documented = 0, values = [] } = ASSUMPTIONS.get(assumption) ?? {};
			if (values.indexOf(normalizedName(name)) >= documented && documented > 0) names.add(row, name);
		}
		const tus = Object.keys(headers).filter((name) => /^(tus|upload|location)\b/.test(name));
		for (const [path, type] of [...tus.map((name) => ['header', name] as const), ...typesIn(body, nameOf)])
			types.add(`${REQUESTS.get(row)} ${status} ${path}`, type);
	}
	const rows = [...REQUESTS].map(([row, request]) => {
		const { failure, notes = [] } = results.get(row) ?? {};
		const others = [...(names.get(row) ?? [])];
		const all = [...(others.length > 0 ? [`names: ${others.join(', ')}`] : []), ...notes];
		const result = failure ? 'fails' : results.has(row) ? 'works' : 'not checked';
		return { request, result, status: failure?.status, notes: all, text: failure?.text };
	});
	const assumptions = [...ASSUMPTIONS].map(([name, each]) => {
		const found = [...(seen.get(name) ?? [])];
		const places = found.map((what) => each.values.findIndex((value) => isSame(value, what)));
		const known = places.every((place) => place < each.documented) ? 'documented' : 'assumed';
		const state = found.length === 0 ? 'not seen' : places.includes(-1) ? 'the file differs' : known;
		return { name, ...each, seen: found, state };
	});
	const lines = rows.map(({ request, result, status, notes, text }) => {
		const more = text === undefined ? notes.join('; ') : `${status || 'no response'}: ${text}`;
		const link = text === undefined ? ', but ' : ' with ';
		return `${request.padEnd(54)}${result}${more && link + more}`;
	});
	lines.push('', 'What nodes/VideoHosting/shared/assumptions.ts assumes, as it was seen:');
	for (const { name, seen: found, state } of assumptions)
		lines.push(`${name.padEnd(24)}${state.padEnd(18)}${found.join(', ')}`);
	for (const each of left) lines.push(`Not deleted: ${each}`);
	const responses = Object.fromEntries([...types].map(([path, all]) => [path, [...all].join(' | ')]));
	const report = { version, rows: rows.map((row) => ({ ...row, text: undefined })), assumptions, responses };
	return { lines, report, isFine: left.length === 0 && rows.every(({ result }) => result !== 'fails') };
}

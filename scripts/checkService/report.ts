import { version } from '../../package.json';
import * as all from '../../nodes/VideoHosting/shared/assumptions';
import { fieldEntries, isRecord, normalizedName } from '../../nodes/VideoHosting/shared/jsonFields';
import { isServiceRecord } from '../../nodes/VideoHosting/transport/response';
import { operationNames, operations } from '../../test/fakeService/operations';
import type { Exchange, Row } from './check';
import type { WriteChecks } from './writeChecks';

/** Method and path of each row, in the order of the reference. */
const REQUESTS = new Map<Row, string>();
for (const row of operationNames) {
	const { methods, path } = operations[row];
	if (row === 'videoList') REQUESTS.set('videoSearch', `GET ${path}?name={video_name}`);
	REQUESTS.set(row, `${methods[0]} ${path}`);
}
REQUESTS.set('trigger', `Trigger: ${REQUESTS.get('eventSearchAll')}`);

type Assumption = all.Assumption<unknown>;

/** What fields of responses are called. */
const NAMES = { signIn: all.SIGN_IN, ...all.FIELDS, around: all.AROUND, diskUsage: all.DISK_USAGE };

const GROUPS = { ...NAMES, events: all.LISTS.event, videos: all.LISTS.video };

/** All of shared/assumptions.ts, with names such as `event.title`. */
const ASSUMPTIONS = Object.entries(GROUPS).flatMap(([group, assumptions]) =>
	Object.entries<Assumption>(assumptions).map(([key, each]) => ({ name: `${group}.${key}`, ...each })),
);

const unique = <T>(list: readonly T[]) => [...new Set(list)];

const isSame = (value: unknown, seen: string) => normalizedName(String(value)) === normalizedName(seen);

/** Names of fields, such as `event.title` for those of a record, which has an ID or is in a list, and `around.data` for others. */
function namesIn(value: unknown, kind: string, group: string): string[] {
	if (Array.isArray(value)) return value.flatMap((each) => namesIn(each, kind, kind));
	if (!isRecord(value)) return [];
	const isWhole = isServiceRecord(value);
	const below = isWhole ? [] : Object.values(value).flatMap((each) => namesIn(each, kind, group));
	return [...Object.keys(value).map((name) => `${isWhole ? kind : group}.${name}`), ...below];
}

/** What a response shows of assumptions. */
function seenIn({ body, headers, row, status }: Exchange) {
	const group = row === 'authenticate' ? 'signIn' : /^(event|folder(?!Total)|video|diskUsage)/.exec(row)?.[0];
	if (group === undefined || status < 200 || status > 299) return [];
	const names = namesIn(body, group, group in all.FIELDS ? 'around' : group);
	const seen = ASSUMPTIONS.flatMap(({ name, documented, values }) => {
		const [ownGroup = ''] = name.split('.');
		const found = values.flatMap((value, place) => {
			const isOther = documented > 0 && place >= documented;
			const own = names.filter((each) => isSame(`${ownGroup}.${value}`, each));
			return own.map((each) => ({ row, name, what: each.slice(ownGroup.length + 1), isOther }));
		});
		// The first one counts. Where none is documented, the others are worth knowing, too.
		return found.slice(0, documented > 0 ? 1 : undefined);
	});
	const what = headers.authorization === undefined ? 'the whole body' : 'the header Authorization';
	const isElsewhere = row === 'authenticate' && seen.length === 0;
	return isElsewhere ? [{ row, name: 'signIn.token', what, isOther: false }] : seen;
}

/** The types of all values in JSON with their paths, such as `body.data[].title: string`. */
function typesIn(value: unknown, nameOf: (name: string) => string, path = 'body'): string[] {
	const isList = Array.isArray(value);
	const type = value === null ? 'null' : isList ? 'array' : typeof value;
	const below = isList || isRecord(value) ? Object.entries(value) : [];
	const pathOf = (name: string) => `${path}${isList ? '[]' : `.${nameOf(name)}`}`;
	return [`${path}: ${type}`, ...below.flatMap(([name, each]) => typesIn(each, nameOf, pathOf(name)))];
}

/** What was found, as lines for the screen, and as a report that has no value of a response. */
export function findingsOf({ exchanges, failures, left, notes, seen, setup }: WriteChecks) {
	const values = exchanges.flatMap(({ body }) => fieldEntries(body).map(({ value }) => value));
	const texts = new Set([...Object.values<unknown>(setup.account), ...values]);
	const known = new Set(ASSUMPTIONS.flatMap((each) => each.values));
	const isPlain = (name: string) => /^[a-z][a-z_-]{0,39}\d?$/i.test(name) && !texts.has(name);
	// Titles and hashes may be names of fields: those that are a value elsewhere are not shown.
	const nameOf = (name: string) => (known.has(normalizedName(name)) || isPlain(name) ? name : '<key>');
	const responses = exchanges.flatMap(({ body, headers, row, status }) => {
		const names = Object.keys(headers).filter((name) => /^(tus|upload|location)\b/.test(name));
		const found = [...names.map((name) => `header: ${name}`), ...typesIn(body, nameOf)];
		return found.map((each) => `${REQUESTS.get(row)} ${status} ${each}`);
	});

	const shown = exchanges.flatMap(seenIn);
	const assumptions = ASSUMPTIONS.map((each) => {
		const own = [...seen, ...shown].filter(({ name }) => name === each.name);
		const found = unique(own.map(({ what }) => what));
		const places = found.map((what) => each.values.findIndex((value) => isSame(value, what)));
		const basis = places.every((place) => place < each.documented) ? 'documented' : 'assumed';
		const state = found.length === 0 ? 'not seen' : places.includes(-1) ? 'the file differs' : basis;
		return { ...each, seen: found, state };
	});
	const rows = [...REQUESTS].map(([row, request]) => {
		const failure = failures.get(row);
		const checked = exchanges.some((each) => each.row === row) ? 'works' : 'not checked';
		const names = unique(shown.filter((each) => each.row === row && each.isOther).map(({ what }) => what));
		const others = notes.filter(([of]) => of === row).map(([, note]) => note);
		const found = unique(names.length > 0 ? [`names: ${names.join(', ')}`, ...others] : others);
		const but = found.length > 0 ? `, but ${found.join('; ')}` : '';
		const text = failure ? ` with ${failure.status || 'no response'}: ${failure.text}` : but;
		return { request, result: failure ? 'fails' : checked, status: failure?.status, notes: found, text };
	});
	const lines = [
		...rows.map(({ request, result, text }) => request.padEnd(54) + result + text),
		'',
		'What nodes/VideoHosting/shared/assumptions.ts assumes, as it was seen:',
		...assumptions.map((each) => `${each.name.padEnd(24)}${each.state.padEnd(18)}${each.seen.join(', ')}`),
		...left.map((each) => `Not deleted: ${each}`),
	];
	const shownRows = rows.map((row) => ({ ...row, text: undefined }));
	const report = { version, rows: shownRows, assumptions, responses: unique(responses) };
	return { lines, report, isFine: left.length === 0 && failures.size === 0 };
}

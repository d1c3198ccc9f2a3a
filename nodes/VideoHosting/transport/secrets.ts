import { fieldEntries, isRecord, normalizedName } from '../shared/jsonFields';
import { perRun } from '../shared/perRun';

/**
 * Normalized names of fields that hold a secret: they end in a word for one. `secretary` and `passwordProtected` do not. Stream keys are
 * not among them: users need them to broadcast.
 */
const TOKEN_NAME = /((secret|private|access|api)keys?|secrets?|tokens?|jwt|authorization)$/;
/** Other texts may contain a password, such as `2026`, as an ordinary word. */
const PASSWORD_NAME = /(passwords?|passwd|passphrase|passcode|pwd)$/;

/**
 * Where Include Secret returns the secret of the plan, in the form of n8n's `sensitiveOutputFields`: paths with the exact names. A
 * secret anywhere else is removed, since n8n could not mark it.
 */
export const SECRET_FIELDS = [
	...['secret', 'planSecret', 'plan_secret', 'plan.secret', 'plan.planSecret', 'plan.plan_secret'],
	...['eventSecret', 'event_secret', 'liveSecret', 'live_secret'],
];

/** A shorter secret is part of ordinary words, which stay as they are. */
const SHORTEST_HIDDEN = 4;

const noted = perRun(() => ({ passwords: new Set<string>(), secrets: new Set<string>() }));

const owners = new WeakMap<object, object>();

/** Keeps what a run notes by an object that it shares with others, such as the tries of Retry On Fail. */
export function shareSecrets(run: object, owner: object): void {
	owners.set(run, owner);
}

const secretsOf = (run: object) => noted(owners.get(run) ?? run);

/**
 * Notes the password and the token that a run sends. A password is hidden only in errors, because a title may contain the same word.
 *
 * @param run the context of the run, or the account of a sign-in
 */
export function noteSecrets(run: object, password: string, token = ''): void {
	const { passwords, secrets } = secretsOf(run);
	note(passwords, password);
	note(secrets, token);
}

/** Notes the tokens and plan secrets in a request or a response, which other fields and responses may repeat. */
export function noteSecretFields(run: object, body: unknown): void {
	for (const { path, value } of fieldEntries(body)) {
		// The keys of a list are numbers.
		const name = path.filter((key) => !/^\d+$/.test(key)).at(-1) ?? '';
		// A number under a plural is a count, such as of tokens, whose digits other texts contain.
		const mayBeSecret = typeof value === 'string' || (typeof value === 'number' && !/s$/i.test(name));
		if (mayBeSecret && TOKEN_NAME.test(normalizedName(name))) note(secretsOf(run).secrets, String(value));
	}
}

function isSecretName(name: string): boolean {
	return TOKEN_NAME.test(normalizedName(name)) || PASSWORD_NAME.test(normalizedName(name));
}

/** Notes a secret as text, and as JSON and addresses escape it, which write `%2F` or `%2f`. */
function note(known: Set<string>, secret: string): void {
	const inQuery = new URLSearchParams([['', secret]]).toString().slice(1);
	// A text may end in the middle of a character.
	const inPath = encodeURIComponent(Buffer.from(secret).toString());
	for (const form of [secret, JSON.stringify(secret).slice(1, -1), inPath, inQuery])
		known.add(form).add(form.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()));
}

/** Replaces these secrets in a text. Each record of a long list may have one, so all are looked for at once. */
function hiding(secrets: Iterable<string>): (text: string) => string {
	const hidden = [...secrets].filter(({ length }) => length >= SHORTEST_HIDDEN);
	if (hidden.length === 0) return (text) => text;
	// A secret may begin with another one.
	hidden.sort((one, other) => other.length - one.length);
	const literals = hidden.map((secret) => secret.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
	const pattern = new RegExp(literals.join('|'), 'g');
	return (text) => text.replace(pattern, '[hidden]');
}

/** The text of an error without the secrets that the run has sent, see {@link noteSecrets}. */
export function hideSecrets(run: object, text: string): string {
	const { passwords, secrets } = secretsOf(run);
	return hiding([...passwords, ...secrets])(text);
}

/**
 * Copies results without the fields that hold a secret by their name, at any depth. Other texts are kept without the tokens and plan
 * secrets that the run has sent or received up to now. One function for many results: each may have brought a secret of its own.
 *
 * @returns `shown`: paths of fields that stay; of a list, in each of its records
 */
export function secretRemover(run: object): <T>(value: T, shown?: readonly string[]) => T {
	const hide = hiding(secretsOf(run).secrets);
	return <T>(value: T, shown: readonly string[] = []) => {
		const cleaned = (inner: unknown, place: string): unknown => {
			if (typeof inner === 'string') return hide(inner);
			if (Array.isArray(inner))
				return inner.map((element: unknown) => cleaned(element, place === '' ? '' : `${place}[].`));
			if (!isRecord(inner)) return inner;
			const fields = Object.entries(inner).flatMap(([name, field]): Array<[string, unknown]> => {
				if (shown.includes(place + name)) return [[name, field]];
				if (isSecretName(name)) return [];
				return [[name, cleaned(field, `${place}${name}.`)]];
			});
			return Object.fromEntries(fields);
		};
		// It is rebuilt from the entries of the same value: the shape of T without some optional fields.
		return cleaned(value, '') as T;
	};
}

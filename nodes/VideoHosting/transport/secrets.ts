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

/** A shorter secret may be an ordinary word, and a longer one is no secret: both are removed by the names of their fields alone. */
const SHORTEST = 8;
const LONGEST = 10_000;

/** Secrets to remove from texts. The time depends on the length of these, not on the number of secrets. */
class Secrets {
	/** Each with whether it is removed from errors alone. */
	private readonly texts = new Map<string, boolean>();

	/** Lengths of the secrets, the longest first, by what they begin with. */
	private readonly lengths = new Map<string, number[]>();

	/** @param inErrors a password, which an output may contain as an ordinary word */
	add(secret: string, inErrors: boolean): void {
		for (const text of formsOf(secret)) {
			if (text.length < SHORTEST || text.length > LONGEST) continue;
			this.texts.set(text, inErrors && this.texts.get(text) !== false);
			const start = text.slice(0, SHORTEST);
			const lengths = this.lengths.get(start) ?? [];
			if (!lengths.includes(text.length)) lengths.push(text.length);
			// A secret may begin with another one.
			this.lengths.set(
				start,
				lengths.sort((one, other) => other - one),
			);
		}
	}

	hide(text: string, isError: boolean): string {
		const isHidden = (secret: string) => {
			const inErrors = this.texts.get(secret);
			return inErrors === false || (inErrors === true && isError);
		};
		let shown = '';
		let end = 0;
		for (let at = 0; at + SHORTEST <= text.length; at = Math.max(at + 1, end)) {
			const lengths = this.lengths.get(text.slice(at, at + SHORTEST));
			const length = lengths?.find((each) => isHidden(text.slice(at, at + each)));
			if (length === undefined) continue;
			shown += `${text.slice(end, at)}[hidden]`;
			end = at + length;
		}
		return shown + text.slice(end);
	}
}

const noted = perRun(() => new Secrets());

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
	secretsOf(run).add(password, true);
	secretsOf(run).add(token, false);
}

/** Notes the tokens and plan secrets in a request or a response, which other fields and responses may repeat. */
export function noteSecretFields(run: object, body: unknown): void {
	for (const { name, value } of fieldEntries(body)) {
		// A number under a plural is a count, such as of tokens, whose digits other texts contain.
		const mayBeSecret = typeof value === 'string' || (typeof value === 'number' && !/s$/i.test(name));
		if (mayBeSecret && TOKEN_NAME.test(normalizedName(name))) secretsOf(run).add(String(value), false);
	}
}

const HTML_NAMES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };

/** A secret as text, and as addresses, forms, HTML and JSON escape it, with digits in upper or lower case. */
function formsOf(secret: string): Set<string> {
	if (secret.length > LONGEST || /^[\w.~-]*$/.test(secret)) return new Set([secret]);
	const plainJson = JSON.stringify(secret).slice(1, -1);
	const codeOf = (text: string) =>
		`\\u${text
			.charCodeAt(text.length - 1)
			.toString(16)
			.padStart(4, '0')}`;
	// JSON as it is, in ASCII alone, and as a part of HTML, in one of two ways.
	const escaped = [/$^/g, /[^ -~]/g, /[<>&]/g, /\\"|[^ -~]|[<>&'+`]/g];
	const forms = [
		secret,
		// A text may end in the middle of a character.
		encodeURIComponent(Buffer.from(secret).toString()),
		new URLSearchParams([['', secret]]).toString().slice(1),
		secret.replace(/[&<>"']/g, (mark) => `&${HTML_NAMES[mark]};`),
		...[plainJson, plainJson.replaceAll('/', '\\/')].flatMap((json) =>
			escaped.map((pattern) => json.replace(pattern, codeOf)),
		),
	];
	return new Set([
		...forms,
		...forms.map((form) => form.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase())),
		...forms.map((form) => form.replace(/\\u[\da-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`)),
	]);
}

function isSecretName(name: string): boolean {
	return TOKEN_NAME.test(normalizedName(name)) || PASSWORD_NAME.test(normalizedName(name));
}

/** The text of an error without the secrets that the run has sent, see {@link noteSecrets}. */
export function hideSecrets(run: object, text: string): string {
	return secretsOf(run).hide(text, true);
}

/**
 * Copies results without the fields that hold a secret by their name, at any depth. Other texts are kept without the tokens and plan
 * secrets that the run has sent or received up to now. One function for many results: each may have brought a secret of its own.
 *
 * @returns `shown`: paths of fields that stay; of a list, in each of its records
 */
export function secretRemover(run: object): <T>(value: T, shown?: readonly string[]) => T {
	const secrets = secretsOf(run);
	return <T>(value: T, shown: readonly string[] = []) => {
		const cleaned = (inner: unknown, place: string): unknown => {
			if (typeof inner === 'string') return secrets.hide(inner, false);
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

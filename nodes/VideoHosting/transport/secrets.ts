import { fieldEntries, isRecord, normalizedName } from '../shared/jsonFields';
import { perRun } from '../shared/perRun';

/**
 * Normalized names of fields that hold a secret: they end in a word for one. `secretary` and `passwordProtected` do not. Stream keys are
 * not among them, since users need them to broadcast. Neither are tokens of pages and players, such as `nextPageToken`.
 */
const TOKEN_NAME =
	/((secret|private|access|api)keys?|secrets?|(?<!page|next|cursor|continuation|playback|player|embed)tokens?|jwt|authorization)$/;
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
const PLAN_SECRET_NAMES = new Set(SECRET_FIELDS.map((field) => normalizedName(field.replace('plan.', ''))));

/** A shorter secret may be an ordinary word, and a longer one is no secret: both are removed by the names of their fields alone. */
const SHORTEST = 8;
const LONGEST = 10_000;

/** Secrets to remove from texts. The time depends on the length of these, not on the number of secrets. */
class Secrets {
	private readonly texts = new Set<string>();

	/** Lengths of the secrets by what they begin with: a secret may begin with another one. */
	private readonly lengths = new Map<string, Set<number>>();

	add(secret: string): void {
		// Each request notes the same token again.
		if (secret.length > LONGEST || this.texts.has(secret)) return;
		for (const text of formsOf(secret)) {
			if (text.length < SHORTEST) continue;
			this.texts.add(text);
			const start = text.slice(0, SHORTEST);
			this.lengths.set(start, (this.lengths.get(start) ?? new Set()).add(text.length));
		}
	}

	hide(text: string): string {
		let shown = '';
		let end = 0;
		for (let at = 0; at + SHORTEST <= text.length; at = Math.max(at + 1, end)) {
			const lengths = this.lengths.get(text.slice(at, at + SHORTEST));
			if (!lengths) continue;
			const found = [...lengths].filter((length) => this.texts.has(text.slice(at, at + length)));
			if (found.length === 0) continue;
			shown += `${text.slice(end, at)}[hidden]`;
			end = at + Math.max(...found);
		}
		return shown + text.slice(end);
	}
}

/** Secrets to remove from any text, and these with the password to remove from errors: an output may have it as an ordinary word. */
const noted = perRun(() => ({ anywhere: new Secrets(), inErrors: new Secrets() }));

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
	secretsOf(run).inErrors.add(password);
	noteSecret(run, token);
}

function noteSecret(run: object, secret: string): void {
	secretsOf(run).anywhere.add(secret);
	secretsOf(run).inErrors.add(secret);
}

/**
 * Notes the plan secrets in a request or a response, which other fields and responses may repeat. Other values do harm as secrets: a
 * `nextPageToken` may be the hash of an event.
 */
export function noteSecretFields(run: object, body: unknown): void {
	for (const { name, value } of fieldEntries(body)) {
		const mayBeSecret = typeof value === 'string' || typeof value === 'number';
		if (mayBeSecret && PLAN_SECRET_NAMES.has(normalizedName(name))) noteSecret(run, String(value));
	}
}

/** What writers of JSON escape as `\u`: nothing, all but ASCII, what HTML would read, or both. */
const ESCAPED = [/$^/g, /[^ -~]/g, /[<>&]/g, /\\"|[^ -~]|[<>&'+`]/g];

const HTML_NAMES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };

/** A secret as text, and as addresses, forms, HTML and JSON escape it, with digits in upper or lower case. */
function formsOf(secret: string): string[] {
	if (/^[\w.~-]*$/.test(secret)) return [secret];
	const json = JSON.stringify(secret).slice(1, -1);
	const codeOf = (mark: string) => `\\u${mark.slice(-1).charCodeAt(0).toString(16).padStart(4, '0')}`;
	const escaped = ESCAPED.map((marks) => json.replace(marks, codeOf));
	const forms = [
		secret,
		// A text may end in the middle of a character.
		encodeURIComponent(Buffer.from(secret).toString()),
		new URLSearchParams([['', secret]]).toString().slice(1),
		secret.replace(/[&<>"']/g, (mark) => `&${HTML_NAMES[mark]};`),
		...escaped,
		...escaped.map((form) => form.replaceAll('/', '\\/')),
	];
	const otherCase = (code: string) => (code.startsWith('%') ? code.toLowerCase() : code.toUpperCase());
	return [...forms, ...forms.map((form) => form.replace(/%[\dA-F]{2}|(?<=\\u)[\da-f]{4}/g, otherCase))];
}

/** The text of an error without the secrets that the run has sent, see {@link noteSecrets}. */
export function hideSecrets(run: object, text: string): string {
	return secretsOf(run).inErrors.hide(text);
}

/**
 * Copies results without the fields that hold a secret by their name, at any depth. Other texts are kept without the tokens and plan
 * secrets that the run has sent or received up to now. One function for many results: each may have brought a secret of its own.
 *
 * @returns `shown`: paths of fields that stay; of a list, in each of its records
 */
export function secretRemover(run: object): <T>(value: T, shown?: readonly string[]) => T {
	const { anywhere } = secretsOf(run);
	return <T>(value: T, shown: readonly string[] = []) => {
		const cleaned = (inner: unknown, place: string): unknown => {
			if (typeof inner === 'string') return anywhere.hide(inner);
			if (Array.isArray(inner))
				return inner.map((element: unknown) => cleaned(element, place === '' ? '' : `${place}[].`));
			if (!isRecord(inner)) return inner;
			const fields = Object.entries(inner).flatMap(([name, field]): Array<[string, unknown]> => {
				if (shown.includes(place + name)) return [[name, field]];
				if ([TOKEN_NAME, PASSWORD_NAME].some((names) => names.test(normalizedName(name)))) return [];
				return [[name, cleaned(field, `${place}${name}.`)]];
			});
			return Object.fromEntries(fields);
		};
		// It is rebuilt from the entries of the same value: the shape of T without some optional fields.
		return cleaned(value, '') as T;
	};
}

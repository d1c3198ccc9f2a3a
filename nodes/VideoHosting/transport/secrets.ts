import { isRecord, normalizedName } from '../shared/jsonFields';

/**
 * Normalized names of fields that hold a secret. Only the whole name counts: `secretary` and `passwordProtected` are not secrets.
 * Stream keys are not among them: users need them to broadcast.
 */
const SECRET_NAME =
	/^x?((plan|lives?|client|app|application|api)?secret(key)?|(access|refresh|bearer|auth|id)?token|apikey|jwt|authorization|(user|plan)?(password|passwd))$/;

/**
 * Where Include Secret returns the secret of the plan, in the form of n8n's `sensitiveOutputFields`: paths with the exact names. A
 * secret anywhere else is removed, since n8n could not mark it.
 */
export const SECRET_FIELDS = ['secret', 'planSecret', 'plan_secret', 'plan.secret'];

/**
 * A copy of what the service returned without any field, at any depth, that holds a secret or token by its name.
 *
 * @param shown paths of fields that stay; of a list, in each of its records
 */
export function withoutSecrets<T>(value: T, shown: readonly string[] = [], place = ''): T {
	// Each result is rebuilt from the entries of the same value: the shape of T without some optional fields.
	if (Array.isArray(value))
		return value.map((element: unknown) => withoutSecrets(element, place === '' ? shown : [], place)) as T;
	if (!isRecord(value)) return value;
	const kept = Object.entries(value).filter(
		([name]) => !SECRET_NAME.test(normalizedName(name)) || shown.includes(place + name),
	);
	return Object.fromEntries(
		kept.map(([name, inner]) => [name, withoutSecrets(inner, shown, `${place}${name}.`)]),
	) as T;
}

/** A text without these secrets, also as JSON contains them: a service may echo what it received. */
export function hideSecrets(text: string, secrets: readonly unknown[]): string {
	const written = secrets
		.filter((secret) => typeof secret === 'string')
		// A shorter one is part of ordinary words.
		.filter((secret) => secret.length > 3)
		.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
		// One may begin with another one.
		.sort((one, other) => other.length - one.length);
	return written.reduce((cleaned, secret) => cleaned.replaceAll(secret, '[hidden]'), text);
}

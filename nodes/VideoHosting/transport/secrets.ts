import { isRecord, normalizedName } from '../shared/jsonFields';

/**
 * Names of fields that hold a secret, without case, underscores and hyphens. Only the whole name counts: `secretary` and
 * `passwordProtected` are not secrets. Stream keys are not in the list: users need them to broadcast.
 */
const SECRET_NAMES = new Set([
	'secret',
	'plansecret',
	'livesecret',
	'livessecret',
	'secretkey',
	'plansecretkey',
	'livesecretkey',
	'clientsecret',
	'applicationsecret',
	'appsecret',
	'apisecret',
	'apikey',
	'authorization',
	'token',
	'accesstoken',
	'refreshtoken',
	'bearertoken',
	'authtoken',
	'idtoken',
	'jwt',
	'password',
	'passwd',
	'userpassword',
	'planpassword',
]);

/**
 * Where an event record may contain the plan secret, in the form that n8n's `sensitiveOutputFields` requires: paths with the
 * exact names. Include Secret returns these fields. A secret anywhere else is removed, since n8n could not mark it.
 */
export const SECRET_FIELDS = [
	'',
	'plan.',
	'livePlan.',
	'live_plan.',
	'customerPlan.',
	'customer_plan.',
	'live.',
].flatMap((place) =>
	['secret', 'planSecret', 'plan_secret', 'liveSecret', 'live_secret', 'secretKey', 'secret_key'].map(
		(name) => place + name,
	),
);

/** A copy of what the service returned without any field, at any depth, that holds a secret or token by its name. */
export function withoutSecrets<T>(value: T): T {
	// Rebuilt from the entries of the same object: the shape of T without some optional fields.
	return removeSecrets(value, [], '') as T;
}

/** Like {@link withoutSecrets} for a record or a list of them, but the {@link SECRET_FIELDS} stay. */
export function withMarkedSecrets<T>(value: T): T {
	// As above.
	return removeSecrets(value, SECRET_FIELDS, '') as T;
}

function removeSecrets(value: unknown, shown: readonly string[], place: string): unknown {
	if (Array.isArray(value))
		return value.map((element) => removeSecrets(element, place === '' ? shown : [], place));
	if (!isRecord(value)) return value;
	const kept = Object.entries(value).filter(([name]) => !isSecretName(name) || shown.includes(place + name));
	return Object.fromEntries(
		kept.map(([name, inner]) => [name, removeSecrets(inner, shown, `${place}${name}.`)]),
	);
}

/** `x-secret` is the same name as `secret`. */
function isSecretName(name: string): boolean {
	return SECRET_NAMES.has(normalizedName(name.replace(/^x[_-]/i, '')));
}

/** A text without these secrets, also as JSON contains them: a service may echo what it received. An empty secret is ignored. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
	const written = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
	// One may begin with another one.
	const used = written.filter((secret) => secret !== '').sort((one, other) => other.length - one.length);
	return used.reduce((cleaned, secret) => cleaned.split(secret).join('[hidden]'), text);
}

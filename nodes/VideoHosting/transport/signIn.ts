import type { IHttpRequestHelper, INode } from 'n8n-workflow';

import { SIGN_IN } from '../shared/assumptions';
import { fieldEntries, isRecord, normalizedName } from '../shared/jsonFields';
import { POLICIES } from '../shared/policies';
import { excerpt } from '../shared/text';
import { raceSignal } from '../shared/waiting';
import { CREDENTIAL_TYPE, type ServiceCredential } from './credential';
import { networkMeaning, responseMeaning, TRY_LATER, type Meaning } from './errorTexts';
import { serviceText, unreadableBody } from './failure';
import { noteSecrets } from './secrets';
import {
	around,
	asSentence,
	errorText,
	ServiceError,
	toN8nError,
	withAdvice,
	withCause,
	type N8nError,
} from './serviceError';
import type { ServiceResponse } from './serviceRequest';

/** n8n keeps only node errors unchanged. A credential has no node, so its errors name the credential. */
export const CREDENTIAL_NODE: INode = {
	id: '',
	name: 'Video Hosting API',
	type: CREDENTIAL_TYPE,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const SIGNING_IN = 'Signing in to the video hosting service';

const CHECK_ACCOUNT = 'Check Base URL, email, password and application ID in the credential.';

const CHECK_HUB =
	'Check email, password and application ID in the credential, and sign in to the customer hub with them: it may ask for a second factor or a new password.';

/**
 * Signs in (docs/api-reference.md#authenticate) and returns the access token.
 *
 * @throws NodeApiError with the service's error message, or when there is no response or no token in it. n8n 1.x
 * drops everything except the message.
 */
export async function signIn({ helpers }: IHttpRequestHelper, account: ServiceCredential): Promise<string> {
	const { baseUrl, email, password, applicationId } = account;
	const { requestMs: timeout } = POLICIES;
	noteSecrets(account, password);
	const sent = helpers.httpRequest({
		method: 'POST',
		url: `${baseUrl}/v1/authenticate`,
		headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
		body: { email, password, resource: applicationId },
		timeout,
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
	});
	// n8n ends this request neither with the execution nor by itself.
	const ended = raceSignal(sent, AbortSignal.timeout(timeout));
	// With returnFullResponse the helper returns this shape; its type is any.
	const response = (await ended.catch((error: unknown) => {
		throw signInError(account, networkMeaning(baseUrl, error));
	})) as ServiceResponse;
	const failed = responseMeaning(response, baseUrl, { method: 'POST', path: 'authenticate' });
	if (failed) {
		const message = `${SIGNING_IN} failed (${failed.facts.status}): ${failed.message}`;
		throw signInError(account, { ...failed, advice: failed.advice ?? CHECK_ACCOUNT, message });
	}
	const { body } = response;
	const unreadable = unreadableBody(body);
	const token = unreadable === undefined ? accessTokenIn(response) : undefined;
	if (token !== undefined) return token;
	const names = unreadable === undefined && isRecord(body) ? Object.keys(body).join(', ') : '';
	const said = serviceText(body) ?? (names && `its fields are ${names}`);
	throw signInError(account, {
		message: `${SIGNING_IN} returned ${unreadable ?? 'no access token'}${said && `: ${said}`}`,
		advice: names ? CHECK_HUB : TRY_LATER,
		// A web page is temporary, as for any other request.
		facts: { outcome: 'unknown', kind: unreadable === undefined ? 'final' : 'passes' },
	});
}

/**
 * The bearer token in a response whose body is not documented; undefined without one. First comes the field with the most explicit of
 * the usual names, at any depth, then the header Authorization, then a body of one word.
 */
function accessTokenIn({ body, headers }: ServiceResponse): string | undefined {
	const fields = fieldEntries(body).filter(({ path }) => !/refresh/i.test(path));
	const named = SIGN_IN.token.values.flatMap((plainName) =>
		fields.filter(({ name }) => normalizedName(name) === plainName),
	);
	const values = [...named.map(({ value }) => value), headers.authorization, body];
	// It goes into a header (RFC 6750 §2.1: no spaces).
	return values
		.map((value) => (typeof value === 'string' ? value.trim().replace(/^Bearer /i, '') : ''))
		.find((token) => /^[\x21-\x7e]+$/.test(token));
}

/**
 * n8n's error of a sign-in, with its advice in the message, because n8n shows the message alone. {@link signInErrorIn} finds ours in it.
 * It has no status, for which n8n would show a text of its own when it has loaded another copy of n8n-workflow
 * (docs/n8n-internals.md#nodeapierror).
 */
function signInError(account: ServiceCredential, { message, advice = '', facts }: Meaning): N8nError {
	const { kind, retryAfterMs } = facts;
	const shown = asSentence(excerpt(errorText(account, message)));
	// The request that needs the token is not sent.
	const error = new ServiceError(shown, advice, { kind, retryAfterMs, outcome: 'not sent' });
	const inOneText = around(error, { message: withAdvice(error), advice: '' });
	const made = toN8nError({ getNode: () => CREDENTIAL_NODE }, inOneText);
	// Not enumerable, as n8n stores errors. Another copy of n8n-workflow would show a `cause` as the description.
	return Object.defineProperty(made, 'ours', { value: error });
}

/** Our error of a sign-in, in what n8n's helper throws. */
export function signInErrorIn(error: unknown): ServiceError | undefined {
	return withCause(error)
		.flatMap((each) => [each, each.ours])
		.find((each) => each instanceof ServiceError);
}

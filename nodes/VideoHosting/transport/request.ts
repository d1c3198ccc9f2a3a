import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { retry } from '../shared/patience';
import { POLICIES } from '../shared/policies';
import { anySignal, raceSignal } from '../shared/waiting';
import {
	CREDENTIAL_TYPE,
	sessionOf,
	tokenIn,
	tokenOf,
	toServiceCredential,
	type ServiceContext,
	type Session,
} from './credential';
import { errorKind, mayBeToken, outcomeOf, retryAfterOf, saysRejected } from './errorMeaning';
import { networkMeaning, type Meaning } from './errorTexts';
import { isWebPage } from './failure';
import { CHECK_FIRST, failureIn, requestError } from './requestError';
import { noteSecretFields, noteSecrets } from './secrets';
import { around, ServiceError } from './serviceError';
import { isRepeatable, isStreamed, type ServiceRequest, type ServiceResponse } from './serviceRequest';
import { signInErrorIn } from './signIn';

/** Joins path segments, each encoded, so that a hash or UUID from input data cannot change the rest of the path. */
export function path(...segments: string[]): string {
	// An encoded "." or ".." is still resolved away by URL parsers (WHATWG URL, 4.4).
	const encoded = (segment: string) =>
		encodeURIComponent(segment).replace(/^\.{1,2}$/, (dots) => dots.replaceAll('.', '%252E'));
	return segments.map(encoded).join('/');
}

/** The body of {@link requestWithRetry}: parsed JSON, a text, or '' when it is empty. */
export async function requestJson(context: ServiceContext, serviceRequest: ServiceRequest): Promise<unknown> {
	return (await requestWithRetry(context, serviceRequest)).body;
}

/**
 * Sends a request once, but for a rejected token, and returns the 2xx response.
 *
 * @throws ServiceError as {@link failureIn} makes it, or when there is no response
 */
export async function requestOnce(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
): Promise<ServiceResponse> {
	// Nothing is sent then, and nothing may have been carried out.
	cancelSignal(context)?.throwIfAborted();
	const { failure, response } = await sendAuthenticated(context, serviceRequest);
	if (failure) throw failure;
	return response;
}

/**
 * Like {@link requestOnce}, with further tries. After a 429, which was not processed, any request is repeated. After a temporary error
 * (no response, 5xx), only a harmless one is.
 *
 * @throws ServiceError of the last try, see {@link wasRetried}; the signal's reason when it was aborted in a pause
 */
export async function requestWithRetry(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
): Promise<ServiceResponse> {
	const { picker, request } = POLICIES;
	const policy = 'getCurrentNodeParameter' in context ? picker : request;
	const signal = anySignal(cancelSignal(context), serviceRequest.signal);
	let wasLost = false;
	const kindOf = (error: unknown) => {
		wasLost ||= outcomeOf(error) === 'unknown';
		const kind = errorKind(error);
		return kind === 'rate limit' || isRepeatable(serviceRequest) ? kind : 'final';
	};
	const send = async () => await requestOnce(context, serviceRequest);
	return await retry(policy, send, { kindOf, retryAfterOf, signal }).catch((error: unknown) => {
		// Such as a pause that was ended.
		if (!(error instanceof ServiceError)) throw error;
		// Such as "Event is already live" after the lost response to a Start.
		const isRepeated = wasLost && serviceRequest.method === 'PUT' && saysRejected(error);
		const lost = isRepeated ? { mayBeCarriedOut: true, advice: CHECK_FIRST } : {};
		throw around(error, { ...lost, wasRetried: true });
	});
}

/** When new tokens were rejected, by token; milliseconds of a monotonic clock. */
const vainRenewals = new Map<string, number>();

/**
 * Sends one request through n8n's helper and returns the service's response with any status. When its token is rejected, the
 * request is sent once more: with the token that another execution has stored meanwhile, else with a new one. Not repeated are:
 *
 * 1. a streamed body, which cannot be sent again
 * 2. a POST or DELETE with a web page as response: the service may have carried it out
 * 3. with a new token, a request within a minute after one was rejected: the service rejects something else, such as the plan secret
 * 4. a request of a credential that was edited meanwhile
 *
 * @throws ServiceError when there is no response
 */
async function sendAuthenticated(context: ServiceContext, serviceRequest: ServiceRequest) {
	const session = await sessionOf(context);
	const { credential } = session;
	const isSignedIn = tokenOf(session.stored, credential) !== undefined;
	const send = async (signedIn = () => {}) => await sendWithToken(context, session, serviceRequest, signedIn);
	const first = await (isSignedIn ? send() : oneByOne(context, session, send));
	const isSentOnce =
		isStreamed(serviceRequest.body) || (isWebPage(first.response.body) && !isRepeatable(serviceRequest));
	if (isSentOnce || !mayBeToken(first.failure, serviceRequest.method)) return first;
	return await oneByOne(context, session, async (signedIn) => {
		if (session.stored.accessToken === first.sentToken) {
			const stored = await context.getCredentials(CREDENTIAL_TYPE);
			// n8n 1.x would undo the edit (docs/n8n-internals.md#a-credential-that-is-edited).
			const edited = { ...toServiceCredential(stored), planId: credential.planId };
			if (JSON.stringify(edited) !== JSON.stringify(credential)) return first;
			// A credential with expressions stores the token of any of its accounts.
			if (tokenOf(stored, credential) !== undefined) session.stored = stored;
		}
		if (session.stored.accessToken !== first.sentToken) return await send(signedIn);
		const now = performance.now();
		for (const [token, at] of vainRenewals) if (now - at >= POLICIES.renewalMs) vainRenewals.delete(token);
		if (vainRenewals.has(tokenIn(session.stored))) return first;
		// With an empty token n8n signs in first (docs/n8n-internals.md#an-empty-token).
		const unsigned = { ...session.stored, accessToken: '' };
		const second = await sendWithToken(context, session, serviceRequest, signedIn, unsigned);
		if (mayBeToken(second.failure, serviceRequest.method))
			vainRenewals.set(tokenIn(session.stored), performance.now());
		return second;
	});
}

/**
 * Lets the requests of a session sign in one after the other: each looks at the token and the refusal that the one before has brought.
 *
 * @param request calls `signedIn` as soon as it has a token: the next one does not wait for its response, nor for the body of a file
 */
async function oneByOne<T>(
	context: ServiceContext,
	{ signIns }: Session,
	request: (signedIn: () => void) => Promise<T>,
): Promise<T> {
	const leave = await signIns.enter(cancelSignal(context));
	return await request(leave).finally(leave);
}

const CANCELLED: Meaning = {
	message: 'The request was cancelled before the service responded.',
	facts: { outcome: 'unknown', kind: 'final' },
};

/**
 * Sends one request, and keeps the token that n8n may have renewed for it.
 *
 * @param signedIn called before the request is sent, once there is a token
 * @param stored the credential with the token to send
 * @returns a response with any status, its error, and the token that was sent, as the credential stores it
 * @throws ServiceError when there is no response; instead of a sign-in when this run was refused one to this account
 */
async function sendWithToken(
	context: ServiceContext,
	session: Session,
	serviceRequest: ServiceRequest,
	signedIn: () => void,
	stored = session.stored,
) {
	const { body } = serviceRequest;
	const { credential } = session;
	const { baseUrl, password } = credential;
	let { accessToken: sentToken = '' } = stored;
	const data = {
		...stored,
		get accessToken() {
			return sentToken;
		},
		/** n8n calls it for a new token (docs/n8n-internals.md#token-renewal). */
		set accessToken(token) {
			sentToken = token;
			session.stored = { ...stored, accessToken: token };
			noteSecrets(context, password, tokenIn(session.stored));
			signedIn();
		},
	};
	const hasToken = () => tokenOf(data, credential) !== undefined;
	noteSecrets(context, password, tokenIn(stored));
	// The bytes of a file have no fields.
	if (!isStreamed(body)) noteSecretFields(context, body);
	let response: ServiceResponse;
	try {
		if (hasToken()) signedIn();
		else if (session.refusedSignIn) throw session.refusedSignIn;
		response = await callN8nHelper(context, baseUrl, serviceRequest, data);
	} catch (error) {
		const refused = signInErrorIn(error);
		if (refused?.facts.kind === 'final') session.refusedSignIn = refused;
		const isCancelled = cancelSignal(context)?.aborted === true;
		const { message, advice, facts } = isCancelled ? CANCELLED : (refused ?? networkMeaning(baseUrl, error));
		// Without a token nothing was sent.
		const outcome = hasToken() ? facts.outcome : 'not sent';
		throw requestError(context, serviceRequest, { message, advice, facts: { ...facts, outcome } });
	}
	noteSecretFields(context, response.body);
	return { response, failure: failureIn(context, baseUrl, serviceRequest, response), sentToken };
}

/** @throws what n8n's helper throws; the reason of the signal that ended the request */
async function callN8nHelper(
	context: ServiceContext,
	baseUrl: string,
	{ body, headers, method, path: endpoint, query, signal }: ServiceRequest,
	data: ICredentialDataDecryptedObject,
): Promise<ServiceResponse> {
	// The body of an upload may take any time; its sender watches it.
	const timeout = isStreamed(body) ? 0 : POLICIES.requestMs;
	const options: IHttpRequestOptions = {
		// n8n drops the body of a GET unless the method is left out (docs/n8n-internals.md#get-body);
		// docs/api-reference.md#list-videos needs one.
		...(method === 'GET' ? {} : { method }),
		url: `${baseUrl}/v1/${endpoint}`,
		qs: query,
		headers: { Accept: 'application/json', ...headers },
		body,
		timeout,
		returnFullResponse: true,
		// Followed redirects would carry the token elsewhere and keep a whole streamed body in memory.
		disableFollowRedirect: true,
		// Return a response for any status: the error that n8n 1.x throws has no headers and no body, and n8n 2.41 would renew the
		// token for each 401.
		ignoreHttpStatusErrors: true,
	};
	// axios' timeout begins anew with each byte.
	const deadline = timeout > 0 ? AbortSignal.timeout(timeout) : undefined;
	const ended = anySignal(cancelSignal(context), signal, deadline);
	// n8n's helper uses the signal of the context that it is called on, and overwrites the one in the options
	// (docs/n8n-internals.md#abort-signal). Object.create returns `any`; the new object is the context with one method replaced.
	const withSignal = Object.create(context, {
		getExecutionCancelSignal: { value: () => ended },
	}) as ServiceContext;
	const sent = context.helpers.httpRequestWithAuthentication.call(withSignal, CREDENTIAL_TYPE, options, {
		credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data },
	});
	// n8n signs in without a signal. With returnFullResponse it returns this shape; the declared type is `any`.
	return (await raceSignal(sent, ended)) as ServiceResponse;
}

/** The signal that n8n aborts when the execution is cancelled; polls and pickers have none. */
export function cancelSignal(context: ServiceContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

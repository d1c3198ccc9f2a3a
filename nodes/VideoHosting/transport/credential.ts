import { createHash } from 'crypto';

import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { UUID_REGEX } from '../parameters/references';
import { toText } from '../parameters/values';
import { perRun } from '../shared/perRun';
import { Lock } from '../shared/waiting';

export const CREDENTIAL_TYPE = 'videoHostingApi';

/** The n8n contexts that call the service: an execution, a picker in the editor, a poll. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** A credential as the user means it: white space around its fields is ignored, except in the password. */
export type ServiceCredential = ReturnType<typeof toServiceCredential>;

/**
 * The credential without its token, with the Base URL normalized. An expression may make a Plan ID of any type.
 *
 * @throws Error when the Base URL or the Application ID is not valid, or a field is neither text nor number
 */
export function toServiceCredential(stored: ICredentialDataDecryptedObject) {
	const { baseUrl, email, password, planId } = stored;
	const applicationId = toText('Application ID', stored.applicationId);
	// docs/api-reference.md#authenticate
	if (!new RegExp(UUID_REGEX).test(applicationId))
		throw new Error(
			'The Application ID in the Video Hosting credential must be a UUID: 32 hexadecimal digits in five groups. The customer hub shows it',
		);
	return {
		baseUrl: normalizedBaseUrl(toText('Base URL', baseUrl)),
		email: toText('Email', email),
		password: typeof password === 'string' ? password : toText('Password', password),
		applicationId,
		planId,
	};
}

/** The contexts of a run, by item and by the fields of the credential. */
const contextsOf = perRun(() => ({
	ofItems: new Map<number, Promise<IExecuteFunctions>>(),
	ofAccounts: new Map<string, IExecuteFunctions>(),
}));

/**
 * The context for the requests of an item. A credential may have expressions, so each item has an account of its own: items of the same
 * account share one context, by which session, lists and waits of a run are kept.
 *
 * @throws what n8n throws when an expression cannot be resolved
 */
export async function contextOfItem(run: IExecuteFunctions, itemIndex: number): Promise<IExecuteFunctions> {
	const { ofItems } = contextsOf(run);
	const context = ofItems.get(itemIndex) ?? readContext(run, itemIndex);
	ofItems.set(itemIndex, context);
	return await context;
}

async function readContext(run: IExecuteFunctions, itemIndex: number): Promise<IExecuteFunctions> {
	const stored = await run.getCredentials(CREDENTIAL_TYPE, itemIndex);
	const { ofAccounts } = contextsOf(run);
	const account = JSON.stringify({ ...stored, accessToken: undefined });
	const getCredentials = async (type: string) => await run.getCredentials(type, itemIndex);
	// Object.create returns `any`; the new object is the context with one method replaced.
	const context =
		ofAccounts.get(account) ??
		(Object.create(run, { getCredentials: { value: getCredentials } }) as IExecuteFunctions);
	ofAccounts.set(account, context);
	return context;
}

/** What a run keeps between its requests to one account. */
export interface Session {
	credential: ServiceCredential;
	/** The credential as n8n stores it, with the latest token of the run. */
	stored: ICredentialDataDecryptedObject;
	/** The error of a refused sign-in, which the run does not repeat. */
	refusedSignIn?: Error;
	/** Serializes sign-ins and renewals of the token. */
	signIns: Lock;
}

/**
 * The session of a run. n8n reads and decrypts the credential at every call of getCredentials(), so it is called once.
 *
 * @throws Error when the Base URL is not valid
 */
export const sessionOf = perRun(async (context: ServiceContext): Promise<Session> => {
	const stored = await context.getCredentials(CREDENTIAL_TYPE);
	return { credential: toServiceCredential(stored), stored, signIns: new Lock() };
});

/**
 * The credential of this node, read once per run; see {@link toServiceCredential}.
 *
 * @throws Error when the Base URL is not valid
 */
export async function serviceCredential(context: ServiceContext): Promise<ServiceCredential> {
	return (await sessionOf(context)).credential;
}

/** Identifies the application of a credential: its ID is a UUID, in upper or lower case. */
export async function applicationOf(context: ServiceContext): Promise<string> {
	const { applicationId, baseUrl } = await serviceCredential(context);
	return JSON.stringify([baseUrl, applicationId.toLowerCase()]);
}

const LOOPBACK_HOSTS = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * The address of the service without a trailing slash and without the version prefix `/v1`, which every path of the
 * reference contains (docs/api-reference.md#basics).
 *
 * @throws Error when the text is not a URL, is not `https` (`http` is accepted for loopback hosts only), or contains a user
 * name, a query or a fragment
 */
function normalizedBaseUrl(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isSafe =
		url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_HOSTS.test(url.hostname));
	if (!isSafe || url.href !== url.origin + url.pathname)
		throw new Error(
			'The Base URL in the Video Hosting credential must be https://, a host and, if needed, a path, e.g. https://api.example.com. Use http:// for localhost only',
		);
	const segments = url.pathname.split('/');
	while (segments.at(-1) === '') segments.pop();
	if (segments.at(-1) === 'v1') segments.pop();
	return url.origin + segments.join('/');
}

/**
 * What the credential stores for a token of this account: the token, a space, and a fingerprint of the account. No token contains a
 * space. n8n keeps the token of a credential when the other fields are edited (docs/n8n-internals.md#a-credential-that-is-edited).
 *
 * The fingerprint has 24 bits and is salted with the token: an edit is noticed, but passwords cannot be tried against it.
 */
export function storedToken(token: string, account: ServiceCredential): string {
	const { baseUrl, email, password, applicationId } = account;
	const digest = createHash('sha256')
		.update(token + JSON.stringify([baseUrl, email, password, applicationId]))
		.digest('hex');
	return `${token} ${digest.slice(0, 6)}`;
}

/** The token in the hidden field of a stored credential, of whichever account; '' before the first sign-in. */
export function tokenIn({ accessToken }: ICredentialDataDecryptedObject): string {
	return typeof accessToken === 'string' ? accessToken.replace(/ .*/, '') : '';
}

/** The token in a stored credential if it belongs to this account; undefined for any other. */
export function tokenOf(
	stored: ICredentialDataDecryptedObject,
	account: ServiceCredential,
): string | undefined {
	const token = tokenIn(stored);
	return stored.accessToken === storedToken(token, account) ? token : undefined;
}

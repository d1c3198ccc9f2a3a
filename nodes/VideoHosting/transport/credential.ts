import { createHash } from 'crypto';

import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { perRun } from '../shared/perRun';

export const CREDENTIAL_TYPE = 'videoHostingApi';

/** The n8n contexts that call the service: an execution, a picker in the editor, a poll. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** What an access token is issued for. */
export interface Account {
	baseUrl: string;
	email: string;
	password: string;
	/** UUID. */
	applicationId: string;
}

/** A credential as the user means it: white space around its fields is ignored, except in the password. */
export interface ServiceCredential extends Account {
	/** Of any type, when it is an expression. */
	planId: unknown;
}

/**
 * The credential without its token, with the Base URL normalized.
 *
 * @throws Error when the Base URL is not valid
 */
export function toServiceCredential(credential: ICredentialDataDecryptedObject): ServiceCredential {
	const text = (name: string) => {
		const value = credential[name];
		return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	};
	return {
		baseUrl: normalizeBaseUrl(text('baseUrl')),
		email: text('email').trim(),
		password: text('password'),
		applicationId: text('applicationId').trim(),
		planId: credential.planId,
	};
}

/** What a run keeps between its requests. */
interface Session {
	/** n8n decrypts the credential at every call of getCredentials(). */
	credential?: ServiceCredential;
	/** The access tokens that requests were sent with: the service may quote one after n8n has stored a newer one. */
	tokens: Set<string>;
	/** Statuses and methods of requests that were rejected although their token was just renewed, and none of the method succeeded since. */
	rejections: Set<string>;
	/** The error of a sign-in that was refused for a reason that does not pass by itself: it is not repeated in the run. */
	refusedSignIn?: unknown;
}

export const sessionOf = perRun<Session>(() => ({
	tokens: new Set(),
	rejections: new Set(),
}));

/**
 * The credential of this node, read once per run; see {@link toServiceCredential}.
 *
 * @throws NodeOperationError when the Base URL is not valid
 */
export async function serviceCredential(context: ServiceContext): Promise<ServiceCredential> {
	const session = sessionOf(context);
	if (session.credential) return session.credential;
	const stored = await context.getCredentials(CREDENTIAL_TYPE);
	try {
		return (session.credential = toServiceCredential(stored));
	} catch (error) {
		throw new NodeOperationError(context.getNode(), error as Error, {
			description: 'Open the credential of this node and correct the field Base URL.',
		});
	}
}

const LOOPBACK_HOSTS = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * The address of the service without a trailing slash and without the version prefix `/v1`, which every path of the
 * reference contains (docs/api-reference.md#basics).
 *
 * @throws Error when the text is not a URL, is not `https` (`http` is accepted for loopback hosts only), or contains a user
 * name, a query or a fragment
 */
function normalizeBaseUrl(text: string): string {
	const trimmed = text.trim();
	if (trimmed === '')
		throw new Error(
			'The Base URL in the Video Hosting credential is empty. Enter the address of the service',
		);

	if (!URL.canParse(trimmed)) {
		throw new Error(
			'The Base URL in the Video Hosting credential must be a full address, e.g. https://api.example.com',
		);
	}
	const url = new URL(trimmed);
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK_HOSTS.test(url.hostname))) {
		throw new Error(
			'The Base URL in the Video Hosting credential must start with https://, because email, password and token are sent to it. Use http:// for localhost only',
		);
	}
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
		throw new Error(
			'The Base URL in the Video Hosting credential must not contain a user name, a query or a fragment. Enter https://, the host and, if needed, a path',
		);
	}
	return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '');
}

/**
 * A stored access token belongs to the account that it was obtained with. The one hidden field in which n8n keeps it contains
 * the token, a space (which no token contains, see signIn.ts), and a fingerprint of the account.
 */

/** What the credential stores for a token of this account. */
export function storedToken(token: string, account: Account): string {
	return `${token} ${fingerprint(token, account)}`;
}

/** The token itself, of whichever account; '' when none is stored. */
export function tokenIn(stored: unknown): string {
	return typeof stored === 'string' ? (stored.split(' ', 1)[0] ?? '') : '';
}

/** The stored token if it belongs to this account; undefined for any other. */
export function tokenOf(stored: unknown, account: Account): string | undefined {
	const token = tokenIn(stored);
	return token !== '' && stored === storedToken(token, account) ? token : undefined;
}

/**
 * 24 bits, salted with the token: an edit of the credential is noticed, but passwords cannot be tried against it, because one
 * of 16 million wrong ones fits.
 */
function fingerprint(token: string, { baseUrl, email, password, applicationId }: Account): string {
	const content = JSON.stringify([token, baseUrl, email, password, applicationId]);
	return createHash('sha256').update(content).digest('hex').slice(0, 6);
}

import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { perRun } from '../shared/perRun';
import { normalizeBaseUrl } from './baseUrl';

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

/** A sign-in that the service refused for a reason that does not pass by itself. */
export interface RefusedSignIn {
	account: Account;
	/** The token that the service rejected before; undefined when none was sent. */
	token?: string;
	error: unknown;
}

/** What a run keeps between its requests. */
interface Session {
	/** n8n decrypts the credential at every call of getCredentials(). */
	credential?: ServiceCredential;
	/** The access tokens that requests were sent with: the service may quote one after n8n has stored a newer one. */
	tokens: Set<string>;
	/** Methods whose last request was rejected with a token that was just renewed. */
	rejectedMethods: Set<string>;
	/** A sign-in that was refused: it is not repeated for the same account. */
	refusedSignIn?: RefusedSignIn;
	/** Milliseconds waited after 429, by the position of the input item. */
	rateLimitWaits: Map<number | undefined, number>;
}

export const sessionOf = perRun<Session>(() => ({
	tokens: new Set(),
	rejectedMethods: new Set(),
	rateLimitWaits: new Map(),
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

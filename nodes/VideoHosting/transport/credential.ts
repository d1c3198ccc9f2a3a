import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { normalizeBaseUrl } from './baseUrl';

export const CREDENTIAL_TYPE = 'videoHostingApi';

/** The n8n contexts that call the service: an execution, a picker in the editor, a poll. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** What the user typed into the credential, and the token that n8n stores with it. */
export type VideoHostingCredential = {
	baseUrl: string;
	email: string;
	password: string;
	applicationId: string;
	planId?: string;
	accessToken?: string;
};

/**
 * n8n decrypts the credential at every call of getCredentials(). These fields do not change within one run, so they are cached;
 * the token can change, so it is not.
 */
const perContext = new WeakMap<ServiceContext, Promise<Omit<VideoHostingCredential, 'accessToken'>>>();

/**
 * The credential of this node with its Base URL normalized, read once per context.
 *
 * @throws NodeOperationError when the Base URL is not valid
 */
export async function serviceCredential(
	context: ServiceContext,
): Promise<Omit<VideoHostingCredential, 'accessToken'>> {
	const known = perContext.get(context);
	if (known) return await known;
	const reading = readCredential(context);
	perContext.set(context, reading);
	return await reading;
}

/**
 * Clears the cache of {@link serviceCredential} for a context: n8n uses one context for all polls of an active trigger, and
 * the user may change the credential between them.
 */
export function forgetCredential(context: ServiceContext): void {
	perContext.delete(context);
}

/** Most tokens to keep of a context: one of a trigger sees a new token at each renewal. */
const MOST_TOKENS = 10;

const knownTokens = new WeakMap<ServiceContext, Set<string>>();

/**
 * The access tokens that {@link storedCredential} has read for a context, oldest first. The service may quote the token that a
 * request was sent with after n8n has stored a newer one.
 */
export function tokensReadFor(context: ServiceContext): string[] {
	return [...(knownTokens.get(context) ?? [])];
}

/** The credential as n8n stores it now, with the current access token. */
export async function storedCredential(context: ServiceContext): Promise<VideoHostingCredential> {
	const credential = await context.getCredentials<VideoHostingCredential>(CREDENTIAL_TYPE);
	if (credential.accessToken !== undefined && credential.accessToken !== '') {
		const tokens = [...tokensReadFor(context), credential.accessToken].slice(-MOST_TOKENS);
		knownTokens.set(context, new Set(tokens));
	}
	return credential;
}

async function readCredential(context: ServiceContext): Promise<Omit<VideoHostingCredential, 'accessToken'>> {
	const { baseUrl, email, password, applicationId, planId } = await storedCredential(context);
	try {
		return { baseUrl: normalizeBaseUrl(baseUrl), email, password, applicationId, planId };
	} catch (error) {
		throw new NodeOperationError(context.getNode(), error as Error, {
			description: 'Open the credential of this node and correct the field Base URL.',
		});
	}
}

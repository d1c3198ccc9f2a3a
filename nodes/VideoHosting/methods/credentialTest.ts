import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { eventPages } from '../service/events';
import { firstRecords } from '../service/paging';
import { optionalPlanOrDefault } from '../service/plan';
import { storedToken, tokenIn, toServiceCredential } from '../transport/credential';
import { path, requestJson } from '../transport/request';
import { shownError, withAdvice } from '../transport/serviceError';
import type { ServiceResponse } from '../transport/serviceRequest';
import { CREDENTIAL_NODE, signIn, signInErrorIn } from '../transport/signIn';

/**
 * The test of the credential's dialog: signs in, counts the folders and, with a Plan ID, reads an event of the plan. It is no test
 * request of the credential, because the dialog shows only the status of its response (docs/n8n-internals.md#credential-tests).
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	// The only HTTP helper of this context.
	const { request } = this.helpers;
	const httpRequest = async (options: IHttpRequestOptions): Promise<ServiceResponse> => {
		const older = { json: true, simple: false, resolveWithFullResponse: true, followRedirect: false };
		const { body = '', ...response } = (await request({ ...options, ...older })) as ServiceResponse;
		return { body, ...response };
	};
	const stored = { ...data, accessToken: '' };
	const context = {
		// Tells a picker, which a user waits for.
		getCurrentNodeParameter: () => undefined,
		getNode: () => CREDENTIAL_NODE,
		getCredentials: () => Promise.resolve(stored),
		helpers: {
			httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) => {
				const headers = { ...options.headers, Authorization: `Bearer ${tokenIn(stored)}` };
				return await httpRequest({ ...options, headers });
			},
		},
		// A test has no context of a node. These are the members that a request uses of the smallest one, a picker's.
	} as unknown as ILoadOptionsFunctions;
	try {
		const account = toServiceCredential(data);
		stored.accessToken = storedToken(await signIn({ helpers: { httpRequest } }, account), account);
		await requestJson(context, { method: 'GET', path: path('folders', 'total') });
		const planId = await optionalPlanOrDefault(context, '');
		if (planId !== undefined) await firstRecords(eventPages(context, planId, { quantity: 1 }), 1);
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		return { status: 'Error', message: withAdvice(shownError(context, signInErrorIn(error) ?? error)) };
	}
}

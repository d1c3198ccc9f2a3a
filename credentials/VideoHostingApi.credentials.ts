import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestHelper,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeProperties,
} from 'n8n-workflow';

import { raceSignal } from '../nodes/VideoHosting/shared/pause';
import { requestPolicy } from '../nodes/VideoHosting/shared/retryPolicy';
import {
	accessTokenOf,
	storedToken,
	tokenOf,
	toServiceCredential,
} from '../nodes/VideoHosting/transport/credential';
import { reportsFailure } from '../nodes/VideoHosting/transport/errorTexts';
import type { ServiceResponse } from '../nodes/VideoHosting/transport/serviceRequest';
import {
	extractAccessToken,
	rejectedSignInError,
	signInError,
	unreachableSignInError,
} from '../nodes/VideoHosting/transport/signIn';

export class VideoHostingApi implements ICredentialType {
	name = 'videoHostingApi';

	displayName = 'Video Hosting API';

	// n8n's rules require an address. CONTRIBUTING.md, Release: the README of the public repository replaces it.
	documentationUrl = 'https://docs.n8n.io/integrations/community-nodes/';

	icon: Icon = {
		light: 'file:../nodes/VideoHosting/videoHosting.svg',
		dark: 'file:../nodes/VideoHosting/videoHosting.dark.svg',
	};

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description: 'Address of the service, starting with https://. A trailing slash or /v1 is ignored.',
		},
		{
			displayName: 'Email',
			name: 'email',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. nathan@example.com',
			description: 'Email address that you use to sign in to the customer hub',
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'Password that you use to sign in to the customer hub',
		},
		{
			displayName: 'Application ID',
			name: 'applicationId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 0b9c5ad8-3f6e-4a55-9f2e-1d2c3b4a5968',
			description: 'UUID of the application, shown in the customer hub',
		},
		{
			displayName: 'Plan ID',
			name: 'planId',
			type: 'string',
			default: '',
			description: 'Plan of all operations, shown in the customer hub. A node can use another one.',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	/**
	 * Signs in (docs/api-reference.md#authenticate). n8n calls this when no token is stored, when {@link authenticate} throws, and
	 * after a 401, and stores what it returns.
	 *
	 * @throws NodeApiError with the service's error message, or when the response has no token
	 */
	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject) {
		const account = toServiceCredential(credentials);
		const { baseUrl, email, password, applicationId } = account;
		let response: ServiceResponse;
		try {
			const sent = this.helpers.httpRequest({
				method: 'POST',
				url: `${baseUrl}/v1/authenticate`,
				headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
				body: { email, password, resource: applicationId },
				timeout: requestPolicy.responseTimeoutMs,
				disableFollowRedirect: true,
				ignoreHttpStatusErrors: true,
				returnFullResponse: true,
			});
			// n8n ends this request neither with the execution nor by itself. With returnFullResponse the helper returns this
			// shape; its type is any.
			const { statusCode, headers, body } = (await raceSignal(
				sent,
				AbortSignal.timeout(requestPolicy.deadlineMs),
			)) as IN8nHttpFullResponse;
			response = { statusCode, headers: headers as ServiceResponse['headers'], body };
		} catch (error) {
			throw unreachableSignInError(baseUrl, error);
		}
		if (response.statusCode >= 300 || reportsFailure(response.body))
			throw rejectedSignInError(response, password);
		const token = extractAccessToken(response);
		if (token === undefined) {
			throw signInError({
				message:
					'Signing in to the video hosting service returned no access token. Check the Base URL in the credential.',
			});
		}
		return { accessToken: storedToken(token, account) };
	}

	/**
	 * Adds the token, but only to requests for the configured service: the HTTP Request node may request any URL.
	 *
	 * @throws Error when the request goes to another host; StaleTokenError when the credential was changed since the token was
	 * obtained
	 */
	authenticate(
		credentials: ICredentialDataDecryptedObject,
		// The HTTP Request node calls n8n's older helper, which names the address `uri`.
		requestOptions: IHttpRequestOptions & { uri?: string },
	): Promise<IHttpRequestOptions> {
		const account = toServiceCredential(credentials);
		const service = new URL(account.baseUrl);
		const address = requestOptions.url || requestOptions.uri || '';
		const target = new URL(address, requestOptions.baseURL || service);
		if (target.origin !== service.origin)
			throw new Error(
				`The Video Hosting credential is for ${service.host} and is not sent to ${target.host}: use an address of the service`,
			);
		const token = tokenOf(accessTokenOf(credentials), account);
		if (token === undefined) throw new StaleTokenError();
		return Promise.resolve({
			...requestOptions,
			headers: { ...requestOptions.headers, Authorization: `Bearer ${token}` },
			sendCredentialsOnCrossOriginRedirect: false,
		});
	}

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/\\/v1$/, "") }}',
			url: '/v1/folders/total',
		},
	};
}

/**
 * Makes n8n sign in and call `authenticate` again, before anything is sent: n8n treats an error of `authenticate` like the
 * response 401 that it contains (docs/n8n-internals.md#token-renewal).
 */
class StaleTokenError extends Error {
	readonly response = { status: 401 };

	constructor() {
		super('The credential was changed since its access token was obtained');
	}
}

import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { storedToken, tokenOf, toServiceCredential } from '../nodes/VideoHosting/transport/credential';
import { signIn } from '../nodes/VideoHosting/transport/signIn';

export class VideoHostingApi implements ICredentialType {
	name = 'videoHostingApi';

	displayName = 'Video Hosting API';

	// `homepage` of package.json; n8n's rules require a text here.
	documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-video-hosting';

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
			description:
				'Optional. Events, videos, titles and the trigger need it; the customer hub shows it. A node can use another plan.',
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
	 * n8n calls this when no token is stored, when {@link authenticate} throws, and after a 401, and stores what it returns.
	 *
	 * @throws NodeApiError as {@link signIn}
	 */
	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject) {
		const account = toServiceCredential(credentials);
		return { accessToken: storedToken(await signIn(this, account), account) };
	}

	/**
	 * Adds the token, but only to requests for the configured service: the HTTP Request node may request any URL.
	 *
	 * @throws Error when the request goes to another host; an error with status 401 when the credential was changed since the token was
	 * obtained
	 */
	authenticate(
		credentials: ICredentialDataDecryptedObject,
		// The HTTP Request node calls n8n's older helper, which names the address `uri`.
		requestOptions: IHttpRequestOptions & { uri?: string },
	): Promise<IHttpRequestOptions> {
		const { url, uri, baseURL, headers } = requestOptions;
		const account = toServiceCredential(credentials);
		const service = new URL(account.baseUrl);
		const address = url || uri || '';
		const base = baseURL || account.baseUrl;
		// As HTTP clients read it: relative to a base, `http:host` would be a path.
		const target = new URL(address, URL.canParse(address) ? undefined : base);
		if (target.origin !== service.origin)
			throw new Error(
				`The Video Hosting credential is for ${service.host} and is not sent to ${target.host}: use an address of the service`,
			);
		const token = tokenOf(credentials, account);
		if (token === undefined) throw staleTokenError();
		return Promise.resolve({
			...requestOptions,
			headers: { ...headers, Authorization: `Bearer ${token}` },
			sendCredentialsOnCrossOriginRedirect: false,
		});
	}
}

/**
 * Makes n8n sign in and call `authenticate` again, before anything is sent: n8n treats an error of `authenticate` like the
 * response 401 that it contains (docs/n8n-internals.md#token-renewal).
 */
function staleTokenError(): Error {
	const message = 'The credential was changed since its access token was obtained';
	return Object.assign(new Error(message), { response: { status: 401 } });
}

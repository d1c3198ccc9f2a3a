import { Credentials } from 'n8n-core';
import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	type INodeParameters,
} from 'n8n-workflow';

import { storedToken, tokenIn, toServiceCredential } from '../../nodes/VideoHosting/transport/credential';
import { VideoHostingApi } from '../../credentials/VideoHostingApi.credentials';

/**
 * One stored credential, and the steps of n8n's own CredentialsHelper
 * (docs/n8n-internals.md#credential-helpers-in-tests) that the HTTP helpers call on it.
 */
export class CredentialStore extends ICredentialsHelper {
	private readonly type = new VideoHostingApi();

	/** @param stored its `accessToken`, if any, is one that the service issued for it */
	constructor(readonly stored: ICredentialDataDecryptedObject) {
		super();
		if (typeof stored.accessToken === 'string' && stored.accessToken !== '') this.token = stored.accessToken;
	}

	/** The token as the service issued it. */
	get token(): string {
		return tokenIn(this.stored);
	}

	/** Stores a token as signing in does. */
	set token(token: string) {
		this.stored.accessToken = storedToken(token, toServiceCredential(this.stored));
	}

	authenticate: ICredentialsHelper['authenticate'] = async (
		credentials,
		_type,
		options: IHttpRequestOptions,
	) => await this.type.authenticate(credentials, options);

	runPreAuthentication: ICredentialsHelper['runPreAuthentication'] = async (helpers, credentials) =>
		await this.type.preAuthentication.call(helpers, credentials);

	preAuthentication: ICredentialsHelper['preAuthentication'] = async (helpers, credentials, ...more) => {
		// After the name of the type and the node.
		const [, , isExpired] = more;
		if (credentials.accessToken !== '' && !isExpired) return undefined;
		const output = await this.type.preAuthentication.call(helpers, credentials);
		Object.assign(this.stored, output);
		return Object.assign(credentials, output);
	};

	getCredentials = async () =>
		await Promise.resolve(new Credentials({ id: '1', name: 'Video Hosting' }, this.type.name));
	getDecrypted: ICredentialsHelper['getDecrypted'] = async (
		_data,
		_node,
		_type,
		mode,
		executeData,
		...more
	) => {
		const [, values] = more;
		const stored = { ...this.stored };
		if (!values) return await Promise.resolve(stored);
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = values;
		const place = [runExecutionData, runIndex, itemIndex, node.name, connectionInputData, mode] as const;
		// Each field resolves to what a credential may contain.
		return workflow.expression.getParameterValue(
			stored as INodeParameters,
			...place,
			{},
			executeData,
		) as typeof stored;
	};
	getCredentialsProperties = () => this.type.properties;
	getParentTypes = () => [];
	isCredentialUsableByNode = () => true;
	updateCredentials = async () => {};
	updateCredentialsOauthTokenData = async () => {};
}

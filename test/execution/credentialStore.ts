import { Credentials } from 'n8n-core';
import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
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

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		requestOptions: IHttpRequestOptions,
	) {
		return await this.type.authenticate(credentials, requestOptions);
	}

	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		_node: INode,
		credentialsExpired: boolean,
	) {
		if (credentials.accessToken !== '' && !credentialsExpired) return undefined;
		const output = await this.runPreAuthentication(helpers, credentials);
		Object.assign(this.stored, output);
		return Object.assign(credentials, output);
	}

	async runPreAuthentication(helpers: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject) {
		return await this.type.preAuthentication.call(helpers, credentials);
	}

	getCredentials = async () =>
		await Promise.resolve(new Credentials({ id: '1', name: 'Video Hosting' }, this.type.name));
	getDecrypted = async () => await Promise.resolve({ ...this.stored });
	getCredentialsProperties = () => this.type.properties;
	getParentTypes = () => [];
	isCredentialUsableByNode = () => true;
	updateCredentials = async () => {};
	updateCredentialsOauthTokenData = async () => {};
}

import { CredentialTestContext } from 'n8n-core';
import { NodeApiError } from 'n8n-workflow';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions, JsonObject } from 'n8n-workflow';

import { VideoHostingApi } from '../../credentials/VideoHostingApi.credentials';
import { testCredential } from '../../nodes/VideoHosting/methods/credentialTest';
import { signIn } from '../../nodes/VideoHosting/transport/signIn';
import { CredentialStore } from '../execution/credentialStore';
import { executeContext, executeForJson, executeNode } from '../execution/executeNode';
import { additionalData } from '../execution/workflowOfOneNode';
import { startService } from '../fakeService';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { requestJson } from '../transport/requestJson';
import { failureOf } from '../upload/uploading';

serviceForEachTest();

const count = { resource: 'folder', operation: 'count' };
const get = { method: 'GET', path: 'folders/total' } as const;
const contextOf = async () => (await executeContext({ service, parameters: count })).context;

describe('Signing in', () => {
	it('sends email, password and the application ID as resource, and no token', async () => {
		await executeForJson({ service, parameters: count });
		const [sent] = service.requestsOf('authenticate');
		const { email, password, applicationId } = service.credential;
		expect(sent).toMatchObject({ method: 'POST', path: '/v1/authenticate', query: {}, status: 200 });
		expect(sent?.body).toEqual({ email, password, resource: applicationId });
		expect(sent?.headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' });
		expect(sent?.headers.authorization).toBeUndefined();
	});

	it.each([
		['keeps white space in the password', { password: ' of white  space ' }, ' of white  space '],
		['sends a password of an expression as text', { password: 2026 }, '2026'],
	])('%s', async (_what, credential, password) => {
		service.settings.password = password;
		expect(await executeForJson({ service, parameters: count, credential })).toEqual([{ folders: 0 }]);
	});

	it('with a wrong password fails with the words of the service, and once in a run, also in an n8n with another copy of n8n-workflow, which npm installs beside the package', async () => {
		const context = await contextOf();
		const credential = { ...service.credential, password: 'wrong' };
		const error = await failureOf(new VideoHostingApi().preAuthentication.call(context, credential));
		// To the other copy, it has the same fields, and another class.
		Object.setPrototypeOf(error, Error.prototype);
		// n8n's declared type is JSON; it passes what was thrown.
		const rejected = new NodeApiError(context.getNode(), error as unknown as JsonObject);
		const message = 'Signing in to the video hosting service failed (401): Invalid email or password.';
		const description = 'Check Base URL, email, password and application ID in the credential.';
		expect(rejected).toMatchObject({ message: `${message} ${description}`, description: undefined });
		const send = jest.spyOn(context.helpers, 'httpRequestWithAuthentication').mockRejectedValue(rejected);
		for (const running of [requestJson(context, get), requestJson(context, get)])
			expect(await failureOf(running)).toMatchObject({ message, description });
		expect(send).toHaveBeenCalledTimes(1);
	});

	it('explains in a sentence why there is no response, also in the dialog of the credential', async () => {
		await service.goDown();
		const { helpers } = await contextOf();
		const signIn = new VideoHostingApi().preAuthentication.call({ helpers }, { ...service.credential });
		await expect(signIn).rejects.toThrow(/cannot be reached \(ECONNREFUSED\)\. Check the Base URL/);
		// The dialog shows the code of an error's cause instead of the message, where there is one.
		await expect(signIn).rejects.not.toHaveProperty('code');
		await expect(signIn).rejects.toHaveProperty('messages', []);
	});
});

it.each(['', '/v1/', '///'])('The Base URL works with %j at its end', async (end) => {
	const credential = { baseUrl: ` ${service.baseUrl}${end} ` };
	expect(await executeForJson({ service, parameters: count, credential })).toEqual([{ folders: 0 }]);
	expect(service.requests.map(({ path }) => path)).toEqual(['/v1/authenticate', '/v1/folders/total']);
});

it.each([
	'',
	'api.example.com',
	'http://api.example.com',
	'http://localhost.example.com',
	'ftp://localhost',
	'https://user:pass@api.example.com',
	'https://api.example.com/?a=b',
])('The Base URL %j is rejected, and nothing is sent', async (baseUrl) => {
	const run = executeForJson({ service, parameters: count, credential: { baseUrl } });
	await expect(run).rejects.toThrow(
		'The Base URL in the Video Hosting credential must be https://, a host and, if needed, a path, e.g. https://api.example.com. Use http:// for localhost only',
	);
});

it.each(['', 'my application', '3f1d8c1e-6f0b-4a57-9f3e'])(
	'The Application ID %j is named, and nothing is sent',
	async (applicationId) => {
		const run = executeForJson({ service, parameters: count, credential: { applicationId } });
		await expect(run).rejects.toThrow(
			'The Application ID in the Video Hosting credential must be a UUID: 32 hexadecimal digits in five groups. The customer hub shows it',
		);
		expect(service.requests).toEqual([]);
	},
);

describe('The credential test', () => {
	const tested = async (changes: ICredentialDataDecryptedObject = {}) => {
		const { credentialStore } = await executeContext({ service, parameters: count });
		const data = { ...service.credential, accessToken: '', ...changes };
		const context = new CredentialTestContext(additionalData(credentialStore));
		return await testCredential.call(context, { id: '1', name: 'New', type: 'videoHostingApi', data });
	};
	const rejectingFolders = (status: number, headers?: Record<string, string>) => {
		service.injectFault({ on: 'folderTotal', kind: 'status', status, error: 'No', headers, times: 9 });
		return {};
	};
	const asksForMore = () => {
		const names = ['step', 'secondFactorRequired', 'availableMethods', 'maskedPhoneNumber', 'challenge'];
		const body = Object.fromEntries(names.map((name) => [name, 'x']));
		service.injectFault({ on: 'authenticate', kind: 'status', status: 200, body });
		return {};
	};
	const operations = () => service.requests.map(({ operation, status }) => `${operation} ${status}`);

	it('signs in, counts the folders and, with a Plan ID, reads an event of the plan, which may have none', async () => {
		expect(await tested({ planId: '' })).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(operations()).toEqual(['authenticate 200', 'folderTotal 200']);
		expect(await tested()).toMatchObject({ status: 'OK' });
		service.seedEvents(3);
		expect(await tested({ baseUrl: ` ${service.baseUrl}/v1// ` })).toMatchObject({ status: 'OK' });
		const { planId } = service.credential;
		const read = service.requestsOf('eventSearchAll').filter(({ status }) => status === 200);
		expect(read.at(-1)?.query).toMatchObject({ planId, quantity: '1' });
	});

	it.each<[string, () => ICredentialDataDecryptedObject, RegExp]>([
		['a wrong password', () => ({ password: 'wrong' }), /failed \(401\): Invalid email or password\. Check/],
		['a wrong Plan ID', () => ({ planId: 'plan-0' }), /^Plan not found\. Check Plan ID\.$/],
		['no UUID', () => ({ applicationId: '1' }), /^The Application ID .* must be a UUID/],
		['a path', () => ({ baseUrl: `${service.baseUrl}/api` }), /failed \(404\): Not Found\. Check/],
		['the folders', () => rejectingFolders(403), /^No\. Check email/],
		['a limit', () => rejectingFolders(429, { 'Retry-After': '60' }), /^No\. Run this again later/],
		[
			'a second factor',
			asksForMore,
			/its fields are step, .*, challenge\. .* second factor or a new password\.$/,
		],
	])('shows the words of the service about %s, and what to check', async (_what, changes, message) => {
		expect(await tested(changes())).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	});

	it.each(['authenticate', 'folderTotal'] as const)('follows no redirect of %s', async (on) => {
		service.injectFault({ on, kind: 'redirect', status: 300, to: `${service.baseUrl}/v1/videos` });
		expect(await tested()).toMatchObject({ status: 'Error', message: expect.stringMatching(/redirects/) });
		expect(operations().at(-1)).toBe(`${on} 300`);
	});
});

describe('The token', () => {
	const credential = () => new CredentialStore({ ...service.credential, accessToken: 'secret-token' }).stored;
	const authenticated = async (options: Partial<IHttpRequestOptions> & { uri?: string }) =>
		await new VideoHostingApi().authenticate(credential(), { url: '', ...options });

	it.each([
		['an address of the service', () => ({ url: `${service.baseUrl}/v1/folders` })],
		['a path below the base URL', () => ({ baseURL: service.baseUrl, url: '/v1/folders' })],
		["the service from n8n's HTTP Request node", () => ({ uri: `${service.baseUrl}/v1/folders` })],
	])('goes to %s', async (_what, options) => {
		const { headers, sendCredentialsOnCrossOriginRedirect } = await authenticated(options());
		expect(headers).toEqual({ Authorization: 'Bearer secret-token' });
		expect(sendCredentialsOnCrossOriginRedirect).toBe(false);
	});

	it.each<[string, Partial<IHttpRequestOptions> & { uri?: string }]>([
		['another host', { url: 'https://elsewhere.example/v1/folders' }],
		["another host from n8n's HTTP Request node", { uri: 'https://elsewhere.example/v1/folders' }],
		['another host over the base URL', { baseURL: 'https://elsewhere.example', url: '/v1/folders' }],
		['another port', { url: 'http://127.0.0.1:1/v1/folders' }],
		['a host that only begins like it', { url: 'http://127.0.0.1.elsewhere.example/' }],
		['an address without slashes', { url: 'http:elsewhere.example/' }],
		['a protocol-relative address', { url: '//elsewhere.example/v1/folders' }],
	])('is not sent to %s', async (_what, options) => {
		await expect(async () => await authenticated(options)).rejects.toThrow(
			/is not sent to \S+: use an address of the service/,
		);
	});

	it('of another account is sent nowhere', async () => {
		const { credentialStore } = await executeNode({ service, parameters: count });
		// 24 bits of the account: passwords cannot be tried against them.
		expect(credentialStore.stored.accessToken).toMatch(/^\S+ [\da-f]{6}$/);
		const oldToken = credentialStore.token;
		const elsewhere = await startService();
		const { baseUrl, email, password, applicationId } = service.credential;
		service.requests.length = 0;
		for (const edit of [
			{ baseUrl: elsewhere.baseUrl },
			{ baseUrl, password: 'wrong' },
			{ password, email: 'somebody@example.com' },
			{ email, applicationId: '00000000-0000-4000-8000-000000000000' },
			{ applicationId: ` ${applicationId} `, email: `${email}\n` },
		]) {
			Object.assign(credentialStore.stored, edit);
			await executeNode({ service, parameters: count, credentialStore }).catch(() => undefined);
		}
		const sent = [...service.requests, ...elsewhere.requests];
		expect(sent.filter(({ headers }) => headers.authorization === `Bearer ${oldToken}`)).toEqual([]);
		expect(sent.filter(({ operation }) => operation === 'authenticate')).toHaveLength(5);
		// White space is no other account.
		expect(sent.filter(({ operation }) => operation === 'folderTotal')).toHaveLength(2);
		await elsewhere.close();
	});
});

it.each<[unknown, Record<string, string>]>([
	[{ refresh: 'refresh-1', access: 'access-1' }, {}],
	[{ tokens: { refresh: { token: 'refresh-1' }, access: { token: 'access-1' } } }, {}],
	[{ refreshToken: 'refresh-1', jwtToken: 'access-1' }, {}],
	[{ user: { api_token: 'access-1' } }, {}],
	[{ message: 'Welcome' }, { Authorization: 'Bearer access-1' }],
	['bearer access-1\n', { 'Content-Type': 'text/plain' }],
	['"access-1"', { 'Content-Type': 'application/json' }],
])('The token is found, and not the one that renews it: %j', async (body, headers) => {
	service.injectFault({ on: 'authenticate', kind: 'status', status: 200, body, headers });
	expect(await signIn(await contextOf(), service.credential)).toBe('access-1');
});

import { inspect } from 'node:util';

import type { NodeApiError } from 'n8n-workflow';

import type { ServiceContext } from '../../nodes/VideoHosting/transport/credential';
import { signIn } from '../../nodes/VideoHosting/transport/signIn';
import { by, run as runForJson, runWithHints } from '../actions/run';
import { executeContext, executeNode, type NodeRun } from '../execution/executeNode';
import { loadPicker } from '../execution/loadPicker';
import { policies } from '../execution/policies';
import { fetchTestEvent } from '../execution/pollNode';
import { startService, type Fault, type OperationName } from '../fakeService';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { failureOf, textOf } from '../upload/uploading';
import { requestJson } from './requestJson';

serviceForEachTest();

const parameters = { resource: 'folder', operation: 'count' };
const get = { method: 'GET', path: 'folders/total' } as const;
const post = { method: 'POST', path: 'folders', body: { name: 'Concerts' } } as const;
const contextOf = async (run: Partial<NodeRun> = {}) =>
	(await executeContext({ service, parameters, ...run })).context;
/** A run that has signed in and sent one request. */
const signedIn = async () => {
	const { context, credentialStore } = await executeContext({ service, parameters });
	await requestJson(context, get);
	return { context, credentialStore };
};
const statuses = () => service.requests.map(({ operation, status }) => [operation, status]);
const signInAlone = async () => {
	const { helpers } = await contextOf();
	return await signIn({ helpers }, service.credential);
};
type Failure = Omit<Extract<Fault, { kind: 'status' }>, 'on' | 'kind'>;

const LATER = 'Try again later. If it happens again, check the Base URL in the credential.';
const CHECK = 'It may have been carried out: check that before you run this again.';

describe('An error response', () => {
	const account =
		'Check email, password and application ID in the credential, and that they may use this plan.';
	const proxy =
		'A proxy or firewall may have sent it: check the Base URL in the credential, and ask its administrator to let n8n reach the service.';
	const proxySignIn =
		'Check the user name and the password in the environment variables HTTP_PROXY and HTTPS_PROXY.';
	const maintenance =
		'It may be a sign-in or maintenance page: open the Base URL in a browser, and ask its administrator to let n8n reach the service.';
	const values = 'Check the values that were entered.';
	const record = 'It may have been deleted, or belong to another plan or application.';
	const webPage = (status: number) => `The service returned ${status} with a web page instead of JSON`;
	const html = '\n<html><body>Error</body></html>';
	const temporary = { cause: 'temporarily-unavailable' } as const;
	it.each<[Failure, said: string, advice: string, NodeApiError['failure']?]>([
		[{ status: 400, error: 'Bad Request' }, 'Bad Request', values],
		[{ status: 400, body: {} }, 'The service returned 400 without a message', values],
		[{ status: 401, error: 'Forbidden' }, 'Forbidden', account],
		[{ status: 403, error: 'Forbidden' }, 'Forbidden', account],
		[{ status: 404, error: 'Folder not found' }, 'Folder not found', record],
		[{ status: 403, body: html }, webPage(403), proxy],
		[{ status: 404, body: '\n404 page not found\n' }, '404 page not found', proxy],
		[
			// Longer than an operation may wait.
			{ status: 429, error: 'Slow down', headers: { 'Retry-After': '900' } },
			'Slow down',
			'Run this again later.',
			{ cause: 'rate-limited', retryAfterMs: 900_000 },
		],
		[{ status: 400, error: 'JWT is malformed' }, 'JWT is malformed', account],
		[{ status: 407, error: 'Sign in' }, 'The proxy that n8n uses requires a sign-in (407)', proxySignIn],
		[{ status: 200, body: { code: 404, msg: 'No such folder' } }, 'No such folder', record],
		[{ status: 500, error: 'Out of order' }, 'Out of order', LATER, temporary],
		[{ status: 502, body: html }, webPage(502), CHECK, temporary],
	])('says what happened and what to do: %j', async (...given) => {
		const [failure, said, advice, cause] = given;
		const headers = { 'Content-Type': 'application/json', ...failure.headers };
		service.injectFault({ on: 'folderCreate', kind: 'status', times: 2, ...failure, headers });
		const error = await failureOf(requestJson(await contextOf(), post));
		expect(textOf(error)).toBe(`${said}. ${advice}`);
		expect(error.messages).toEqual(['POST /v1/folders']);
		expect(error).toHaveProperty('httpCode', String(failure.status === 200 ? 404 : failure.status));
		// n8n's scheduler of polls sees it.
		expect(error).toHaveProperty('failure', cause);
	});

	it.each(['folderTotal', 'authenticate'] as const)('that is a redirect is not followed: %s', async (on) => {
		const elsewhere = await startService();
		service.injectFault({ on, kind: 'redirect', status: 300, to: `${elsewhere.baseUrl}/v1/folders/total` });
		const message = textOf(await failureOf(requestJson(await contextOf(), get)));
		const { host } = new URL(elsewhere.baseUrl);
		expect(message).toContain(
			`A page in front of the service answers: the Base URL in the credential redirects to ${host}. `,
		);
		expect(elsewhere.requests).toEqual([]);
		await elsewhere.close();
	});

	const page = 'A page in front of the service answers: the';
	it.each([
		['/login?next=/v1/folders/total', `${page} Base URL in the credential redirects to HOST.`, maintenance],
		['/v1/folders/total/closed', `${page} Base URL in the credential redirects to HOST.`, maintenance],
		['https://', `${page} Base URL in the credential redirects.`, maintenance],
		['https://HOST/v1/folders/total', 'The Base URL in the credential redirects to HOST.', 'https://HOST'],
		['/v1/folders/total/', 'The Base URL in the credential redirects to HOST.', 'http://HOST'],
		['/api/v1/folders/total?a=b', 'The Base URL in the credential redirects to HOST.', 'http://HOST/api'],
	])('that redirects to %s names the host, and the address of the service', async (to, message, advice) => {
		const { host } = new URL(service.baseUrl);
		const named = (text: string) => text.replaceAll('HOST', host);
		service.injectFault({ on: 'folderTotal', kind: 'redirect', status: 302, to: named(to) });
		const description = `${advice === maintenance ? '' : 'Enter the address it redirects to: '}${named(advice)}`;
		const error = await failureOf(requestJson(await contextOf(), get));
		expect(error).toMatchObject({ message: named(message), description });
	});
});

it.each([
	['\n<!doctype html><title>Welcome</title>', 'text/html', 'The service returned a web page.'],
	['\n{"folders": 3', 'application/json', 'The service returned incomplete JSON.'],
])('A response with status 200 that is not JSON is an error: %s', async (body, type, message) => {
	const headers = { 'Content-Type': type };
	const on: OperationName[] = ['folderTotal', 'folderCreate'];
	service.injectFault({ on, kind: 'status', status: 200, body, headers, times: 4 });
	const error = await failureOf(requestJson(await contextOf(), get));
	expect(error).toMatchObject({ message, failure: { cause: 'temporarily-unavailable' } });
	const posted = await failureOf(requestJson(await contextOf(), post));
	expect(textOf(posted)).toBe(`${message} ${CHECK}`);
});

it.each([
	['refuses the connection', 'ECONNREFUSED', 'http:'],
	['speaks no TLS', 'EPROTO', 'https:'],
])('A service that %s is named with its host and what to check', async (_why, code, protocol) => {
	const context = await contextOf({ credential: { baseUrl: service.baseUrl.replace('http:', protocol) } });
	if (protocol === 'http:') await service.goDown();
	const { host } = new URL(service.baseUrl);
	expect(textOf(await failureOf(requestJson(context, post)))).toBe(
		`The service at ${host} cannot be reached (${code}). Check the Base URL in the credential and that the service is running.`,
	);
});

const postAlone = async () => await requestJson(await contextOf(), post);
it.each<['hang' | 'trickle', OperationName, () => Promise<unknown>]>([
	['hang', 'folderCreate', postAlone],
	['trickle', 'folderCreate', postAlone],
	['trickle', 'authenticate', postAlone],
	['trickle', 'authenticate', signInAlone],
	['trickle', 'eventSearchAll', async () => await fetchTestEvent({ service })],
])("A %s of %s ends at a deadline, in runs, polls and the credential's dialog", async (kind, on, run) => {
	// A response that trickles begins in time, and would take minutes.
	policies.requestMs = 500;
	service.injectFault({ on, kind, ms: 10_000, times: 9 });
	const { message, description } = await failureOf(run());
	expect(message).toMatch(/did not respond \((ETIMEDOUT|ECONNABORTED)\)\./);
	// Before signing in, nothing was sent.
	expect(description === CHECK).toBe(on === 'folderCreate');
});

describe.each([
	['GET', { path: 'folders/total' }, 'folderTotal', 3, 4],
	['PUT', { path: 'folders/u', body: { name: 'x' } }, 'folderUpdate', 3, 4],
	['POST', { path: 'folders', body: { name: 'x' } }, 'folderCreate', 1, 4],
	['DELETE', { path: 'folders/u', body: { name: 'x' } }, 'folderDelete', 1, 4],
	// The upload itself waits for its slot.
	['POST', { path: 'videos', needsSlot: true }, 'uploadCreate', 3, 1],
] as const)('A %s of %j', (method, request, on, tries, limitedTries) => {
	const long = { 'Retry-After': '900' };
	it.each<[number, object]>([
		[tries, { kind: 'reset' }],
		[tries, { status: 502, body: '<html></html>' }],
		[tries, { status: 503, headers: { 'Retry-After': '0' } }],
		[1, { status: 503, headers: long }],
		[1, { status: 409 }],
		[limitedTries, { status: 429 }],
		[1, { status: 429, headers: long }],
	])('is sent %i times after three faults: %j', async (times, fault) => {
		// The fault is one of those above.
		service.injectFault({ kind: 'status', times: 3, ...fault, on } as Fault);
		await requestJson(await contextOf(), { method, ...request }).catch(() => undefined);
		expect(service.requestsOf(on)).toHaveLength(times);
	});
});

it('A rate limit is waited for less long by a picker', async () => {
	policies.picker['rate limit'].totalMs = 500;
	const headers = { 'Retry-After': '1' };
	service.injectFault({ on: 'folderList', kind: 'status', status: 429, headers });
	await expect(loadPicker('searchFolders', { service })).rejects.toThrow('429');
	expect(service.requestsOf('folderList')).toHaveLength(1);
});

it.each([
	[402, 'The plan of the account may have ended'],
	[413, 'The file is larger than the plan'],
	[507, 'The account has no disk space left'],
])('The creation of an upload is not repeated after %i, and the error says what to do', async (...given) => {
	const [status, advice] = given;
	service.injectFault({ on: 'uploadCreate', kind: 'status', status, error: 'No', times: 9 });
	const create = { method: 'POST', path: 'videos', needsSlot: true } as const;
	const error = await failureOf(requestJson(await contextOf(), create));
	expect(textOf(error)).toContain(`No. ${advice}`);
	expect(service.requestsOf('uploadCreate')).toHaveLength(1);
});

describe('The token', () => {
	it.each([401, 403] as const)('is renewed when it has expired with %i, once a request', async (status) => {
		service.settings.expiredTokenStatus = status;
		const context = await contextOf();
		await requestJson(context, post);
		service.expireTokens();
		await requestJson(context, post);
		expect(statuses()).toEqual([
			['authenticate', 200],
			['folderCreate', 200],
			['folderCreate', status],
			['authenticate', 200],
			['folderCreate', 200],
		]);
		// The renewed one is kept, and renewed as well when it expires.
		await requestJson(context, get);
		expect(service.requestsOf('authenticate')).toHaveLength(2);
		service.expireTokens();
		await requestJson(context, get);
		expect(service.requestsOf('authenticate')).toHaveLength(3);
	});

	it.each([
		[400, { error: 'Token expired' }],
		[419, { message: 'Your session has expired.' }],
		[440, { error: { message: 'invalid session' } }],
		[498, { errors: [{ detail: 'Invalid authorization' }] }],
		[500, { error: 'jwt expired' }],
		[200, { error: 'Unauthenticated.' }],
		[200, { code: 401, message: 'Sign in first', data: null }],
	])('is renewed once when the service rejects it with %i %j', async (status, body) => {
		const { context } = await signedIn();
		service.injectFault({ on: 'folderCreate', kind: 'status', status, body });
		await requestJson(context, post);
		expect(statuses().slice(2)).toEqual([
			['folderCreate', status],
			['authenticate', 200],
			['folderCreate', 200],
		]);
	});

	it.each([
		[400, { error: 'Title is missing' }],
		[429, { error: 'Too many requests for this token' }],
		[409, 'Token expired'],
	])('is not renewed for %i %j', async (status, body) => {
		const { context } = await signedIn();
		service.injectFault({ on: 'folderCreate', kind: 'status', status, body });
		await requestJson(context, post).catch(() => undefined);
		expect(service.requestsOf('authenticate')).toHaveLength(1);
	});

	it('that another execution has renewed is tried instead of a new one: each request is sent at most once more', async () => {
		const { context, credentialStore } = await signedIn();
		const { token } = credentialStore;
		service.expireTokens();
		await executeNode({ service, parameters, credentialStore });
		service.injectFault({ on: 'folderCreate', kind: 'status', status: 401, times: 9 });
		await failureOf(requestJson(context, post));
		const sent = service.requestsOf('folderCreate').map(({ headers }) => headers.authorization);
		expect(sent).toEqual([`Bearer ${token}`, `Bearer ${credentialStore.token}`]);
		expect(service.requestsOf('authenticate')).toHaveLength(2);
	});

	it('is not renewed for a web page of a proxy, and what is not harmless is not sent again', async () => {
		const { context } = await signedIn();
		answer('folderCreate', '<html><body>Forbidden</body></html>', { status: 403 });
		const { message } = await failureOf(requestJson(context, post));
		expect(message).toBe('The service returned 403 with a web page instead of JSON.');
		expect(statuses().slice(2)).toEqual([['folderCreate', 403]]);
	});

	it('is renewed once a minute for ten items and the next run with a wrong plan secret, whatever succeeds or is rejected meanwhile', async () => {
		const { context, credentialStore } = await executeContext({ service, parameters });
		service.injectFault({ on: 'folderCreate', kind: 'status', status: 401, error: 'No', times: 10 });
		service.injectFault({ on: 'eventUpdate', kind: 'status', status: 403, error: 'Forbidden', times: 99 });
		const body = { secret: 'wrong', hash: 'a', title: 'b', eventId: 1 };
		const [folder] = service.seedFolders(1);
		const update = async (run = context) =>
			await failureOf(requestJson(run, { method: 'PUT', path: 'events/update', body }));
		for (let item = 0; item < 10; item++) {
			await requestJson(context, get);
			await requestJson(context, { method: 'PUT', path: `folders/${folder?.uuid}`, body: { name: 'x' } });
			await update();
			await failureOf(requestJson(context, post));
		}
		await update((await executeContext({ service, parameters, credentialStore })).context);
		expect(service.requestsOf('authenticate')).toHaveLength(2);
		expect(service.requestsOf('eventUpdate')).toHaveLength(12);
		policies.renewalMs = 0;
		await update();
		expect(service.requestsOf('authenticate')).toHaveLength(3);
	});

	it('that was renewed is kept when a request with the old one ends later', async () => {
		const { context } = await signedIn();
		service.injectFault({ on: 'folderTotal', kind: 'trickle', ms: 20 });
		const slow = requestJson(context, get);
		await service.until(() => service.requestsOf('folderTotal')[1]?.status === 200);
		service.expireTokens();
		await requestJson(context, post);
		await slow;
		await requestJson(context, get);
		expect(service.requests.filter(({ status }) => status === 401)).toHaveLength(1);
	});

	it('is not renewed for the old account when the credential was edited meanwhile', async () => {
		const { context, credentialStore } = await signedIn();
		service.expireTokens();
		credentialStore.stored.email = 'somebody@example.com';
		await failureOf(requestJson(context, get));
		expect(statuses().slice(2)).toEqual([['folderTotal', 401]]);
	});
});

it('Each item is sent with the credential as its expressions resolve for it: one sign-in and one list for each account', async () => {
	const other = await startService({ email: 'b@example.com', password: 'other-password' });
	const accounts = [service, other];
	const items = Array.from({ length: 20 }, (_, i) => ({
		json: { ...accounts[i % 2]?.credential, title: `Event ${i < 4 ? 1 : i}` },
	}));
	const fields = ['baseUrl', 'email', 'password', 'applicationId', 'planId'];
	const credential = Object.fromEntries(fields.map((field) => [field, `={{ $json.${field} }}`]));
	const create = {
		...{ resource: 'event', operation: 'create', title: '={{ $json.title }}' },
		...{ dateScheduled: '2027-03-01T19:30:00', options: { skipIfExists: true } },
	};
	const { output } = await runWithHints(create, { items, credential });
	expect(output.map(({ skipped }) => skipped === true)).toEqual(items.map((_, i) => i === 2 || i === 3));
	for (const { requestsOf, state } of accounts) {
		expect(state.events).toHaveLength(9);
		expect(requestsOf('authenticate')).toHaveLength(1);
	}
	expect(new Set(service.state.events.map(({ title }) => title))).not.toContain('Event 5');
	const broken = { ...credential, planId: '={{ $json.planId.what.not }}' };
	const missing = [{ json: { ...service.credential, planId: null } }, items[0]].flatMap((item) => item ?? []);
	const failing = { items: missing, credential: broken, onError: 'continueRegularOutput' } as const;
	expect(await runForJson(create, failing)).toMatchObject([{ error: expect.any(String) }, {}]);
	await other.close();
});

describe('Signing in', () => {
	const account = 'Check Base URL, email, password and application ID in the credential.';
	const hub =
		'Check email, password and application ID in the credential, and sign in to the customer hub with them: it may ask for a second factor or a new password.';
	it.each([
		[
			{ message: 'Enter the code we sent' },
			`returned no access token: Enter the code we sent. ${hub}`,
			false,
		],
		[{ mfa: true, next: '/otp' }, `returned no access token: its fields are mfa, next. ${hub}`, false],
		[{ status: 'error', message: 'Unknown' }, `failed (200): Unknown. ${account}`, false],
		['Not now, please', `returned no access token. ${LATER}`, false],
		['<!doctype html><title>Welcome</title>', `returned a web page. ${LATER}`, true],
		['{"token":"a', `returned incomplete JSON. ${LATER}`, true],
	])(
		'with status 200 and no token is an error that says what came: %j',
		async (body, message, isTemporary) => {
			service.injectFault({ on: 'authenticate', kind: 'status', status: 200, body });
			const error = await failureOf(signInAlone());
			expect(error.message).toBe(`Signing in to the video hosting service ${message}`);
			const failure = isTemporary ? { cause: 'temporarily-unavailable' } : undefined;
			expect(error).toHaveProperty('failure', failure);
		},
	);

	it.each([
		['a wrong password', { password: 'wrong-password' }, {}],
		['a password that was changed after the token was issued', {}, { password: 'another one' }],
	])('is refused once in a run of 50 items, for %s', async (_reason, credential, changed) => {
		const { credentialStore } = await executeNode({ service, parameters });
		Object.assign(credentialStore.stored, credential);
		Object.assign(service.settings, changed);
		service.expireTokens();
		const before = service.requests.length;
		const { items } = await executeNode({
			...{ service, parameters, credentialStore },
			...{ items: Array.from({ length: 50 }, () => ({ json: {} })), onError: 'continueRegularOutput' },
		});
		const messages = new Set(items.map(({ json }) => json.error));
		expect([...messages]).toEqual([expect.stringMatching(/^Signing in /)]);
		const later = service.requests.slice(before).map(({ operation }) => operation);
		expect(later.filter((operation) => operation === 'authenticate')).toHaveLength(1);
	});

	it('that is refused after a 401 about something else ends no request with the valid token', async () => {
		const { context } = await signedIn();
		service.injectFault({ on: 'folderCreate', kind: 'status', status: 401, error: 'Not yours', times: 9 });
		service.injectFault({ on: 'authenticate', kind: 'status', status: 403, error: 'Locked', times: 9 });
		expect((await failureOf(requestJson(context, post))).message).toMatch(/^Signing in .*Locked/);
		expect(await requestJson(context, get)).toEqual({ folders: 0 });
	});

	it.each(['authenticate', 'folderTotal'] as const)(
		'happens once for requests that begin side by side, and so does its refusal (slow: %s)',
		async (on) => {
			const three = async (run: Promise<ServiceContext>) => {
				const context = await run;
				return await Promise.allSettled(
					[post, get, get].map(async (each) => await requestJson(context, each)),
				);
			};
			service.injectFault({ on, kind: 'delay', ms: 100, times: 9 });
			const { context } = await signedIn();
			for (const run of [contextOf(), Promise.resolve(context)]) {
				service.expireTokens();
				expect((await three(run)).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
			}
			expect(service.requestsOf('authenticate')).toHaveLength(3);
			service.settings.password = 'changed';
			service.expireTokens();
			for (const run of [contextOf(), Promise.resolve(context)]) await three(run);
			expect(service.requestsOf('authenticate')).toHaveLength(5);
		},
	);

	it('lets the next request begin before the response of the one that signed in', async () => {
		service.injectFault({ on: 'folderCreate', kind: 'delay', ms: 500 });
		const context = await contextOf();
		const ended: string[] = [];
		const sent = [post, get].map(async (each) => {
			await requestJson(context, each);
			ended.push(each.method);
		});
		await Promise.all(sent);
		expect(ended).toEqual(['GET', 'POST']);
	});

	it.each([
		[{ kind: 'status', status: 503, error: 'No', times: 9 }, /failed \(503\): No\. Try again later\. /],
		[{ kind: 'reset' }, /did not respond \(ECONNRESET\)\. Try again later\.$/],
	] as const)('fails for a while: nothing was sent, and the next succeeds: %j', async (fault, message) => {
		service.injectFault({ on: 'authenticate', ...fault });
		const context = await contextOf();
		const error = await failureOf(requestJson(context, post));
		expect(textOf(error)).toMatch(message);
		expect(error).toHaveProperty('failure', { cause: 'temporarily-unavailable' });
		service.clearFaults();
		expect(await requestJson(context, get)).toEqual({ folders: 0 });
	});
});

it('No error shows a part of a token or a password, where a long echo is cut in the middle of it', async () => {
	const { context, credentialStore } = await signedIn();
	const begin = 'Signing in to the video hosting service failed (400): ';
	for (const [on, secret, length, running] of [
		['folderCreate', credentialStore.token, 301, async () => await requestJson(context, post)],
		['authenticate', service.credential.password, 300 - begin.length, signInAlone],
	] as const) {
		const error = `${'x'.repeat(length - secret.length)}${secret} is not valid${'y'.repeat(300)}`;
		service.injectFault({ on, kind: 'status', status: 400, error });
		const failure = await failureOf(running());
		const text = `${JSON.stringify(failure)}\n${inspect(failure, { depth: 8 })}`;
		expect(text).toMatch(/xxx\[hidden\] is not validy{1,99}…/);
		expect(text).not.toContain(secret.slice(0, -5));
	}
});

it('No error shows a part of a plan secret that begins with the password, when the service quotes it', async () => {
	service.settings.password = 'Choir2026';
	const error = 'Choir2026-kTx81qLw is not the secret';
	service.injectFault({ on: 'eventStartOrEnd', kind: 'status', status: 403, times: 9, error });
	const event = by('hash', service.seedEvents(1)[0]?.hash ?? '');
	const start = { resource: 'event', operation: 'start', event, options: { secret: 'Choir2026-kTx81qLw' } };
	const [json] = await runForJson(start, { onError: 'continueRegularOutput' });
	expect(json?.error).toMatch(/^\[hidden\] is not the secret\./);
});

it('A title keeps a word that is also the password, or the password of another record', async () => {
	const title = { hash: 'b', name: `2026 with ${service.credential.password}` };
	answer('videoList', [{ hash: 'a', password: '2026' }, title]);
	const getMany = { resource: 'video', operation: 'getAll', limit: 2 };
	expect(await runForJson(getMany)).toEqual([{ hash: 'a' }, title]);
});

it('A gateway that states a reason alone leaves open whether a folder was created', async () => {
	answer('folderCreate', { reason: 'upstream connect error' }, { status: 503 });
	const { description } = await failureOf(runForJson({ resource: 'folder', operation: 'create', name: 'A' }));
	expect(description).toContain('may have been carried out');
});

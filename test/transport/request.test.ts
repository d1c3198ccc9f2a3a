import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

import { NodeApiError } from 'n8n-workflow';

import { VideoHostingApi } from '../../credentials/VideoHostingApi.credentials';
import { requestPolicy } from '../../nodes/VideoHosting/shared/retryPolicy';
import { isRateLimited, withAdvice } from '../../nodes/VideoHosting/transport/errors';
import { requestJson } from '../../nodes/VideoHosting/transport/request';
import { executeContext, executeNode, type NodeRun } from '../execution/executeNode';
import { activeTrigger, fetchTestEvent } from '../execution/pollNode';
import { startService, type Fault, type OperationName, type RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const parameters = { resource: 'folder', operation: 'count' };
const get = { method: 'GET', path: 'folders/total' } as const;
const post = { method: 'POST', path: 'folders', body: { name: 'Concerts' } } as const;
const contextOf = async (run: Partial<NodeRun> = {}) =>
	(await executeContext({ service, parameters, ...run })).context;
const statuses = () => service.requests.map(({ operation, status }) => [operation, status]);
type Failure = Omit<Extract<Fault, { kind: 'status' }>, 'on' | 'kind'>;

async function failureOf(run: Promise<unknown>): Promise<NodeApiError> {
	const error = await run.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (error instanceof NodeApiError) return error;
	throw new Error(`Not a NodeApiError: ${String(error)}`);
}

describe('An error response', () => {
	it.each<[Failure, string, string]>([
		[{ status: 400, error: 'Bad Request' }, 'Bad Request. Check the values of this operation.', '400'],
		[
			{ status: 404, error: 'Folder not found' },
			'Folder not found. It may have been deleted, or belong to another plan or application.',
			'404',
		],
		[
			{ status: 404, body: '<html><body>Not Found</body></html>' },
			'The service returned 404 with a web page instead of JSON. A proxy or firewall may have sent it: check the Base URL in the credential, and ask its administrator to let n8n reach the service.',
			'404',
		],
		[{ status: 418, error: "I'm a teapot" }, "I'm a teapot. Check the values of this operation.", '418'],
		[
			// Longer than an operation may wait.
			{ status: 429, error: 'Slow down', headers: { 'Retry-After': '900' } },
			'Slow down. Run this again later.',
			'429',
		],
		[
			{ status: 500, error: 'Internal Server Error' },
			'Internal Server Error. Try again later. If it happens again, check the Base URL in the credential.',
			'500',
		],
		[
			{ status: 502, body: '<html><body>Bad Gateway</body></html>' },
			'The service returned 502 with a web page instead of JSON. It may have been carried out: check that before you run this again.',
			'502',
		],
		[
			{ status: 503, body: 'upstream timed out\nat line 3' },
			'upstream timed out. It may have been carried out: check that before you run this again.',
			'503',
		],
		[
			{ status: 504, body: '{}' },
			'The service returned 504 without a message. It may have been carried out: check that before you run this again.',
			'504',
		],
		...[
			[{ message: 'Not today' }, 'Not today.'] as const,
			[{ error: ' ' }, 'The service returned 400 without a message.'] as const,
			[['a', 'list'], 'The service returned 400 without a message.'] as const,
			[{ error: 'x'.repeat(400) }, `${'x'.repeat(299)}…`] as const,
		].map<[Failure, string, string]>(([body, words]) => [
			{ status: 400, body: JSON.stringify(body) },
			`${words} Check the values of this operation.`,
			'400',
		]),
	])(
		'%j is reported with the error message of the service and what to do',
		async (failure, message, httpCode) => {
			const headers = { 'Content-Type': 'application/json', ...failure.headers };
			service.injectFault({ on: 'folderCreate', kind: 'status', ...failure, headers });
			const error = await failureOf(requestJson(await contextOf(), post));
			expect(error).toMatchObject({
				httpCode,
				messages: [`The service returned ${httpCode} for POST /v1/folders`],
			});
			expect(withAdvice(error)).toBe(message);
			// A POST is never repeated: the service may have carried it out.
			expect(service.requestsOf('folderCreate')).toHaveLength(1);
		},
	);

	it.each([301, 302, 307, 308])('by a redirect (%i) is not followed', async (status) => {
		const elsewhere = await startService();
		service.injectFault({
			on: 'folderTotal',
			kind: 'redirect',
			status,
			to: `${elsewhere.baseUrl}/v1/folders/total`,
		});
		const message = withAdvice(await failureOf(requestJson(await contextOf(), get)));
		expect(message).toMatch(/Base URL in the credential redirects/);
		expect(elsewhere.requests).toEqual([]);
		await elsewhere.close();
	});

	it.each([
		[400, undefined],
		[401, { cause: 'credential-invalid' }],
		[403, { cause: 'credential-invalid' }],
		[404, undefined],
		[408, undefined],
		[409, undefined],
		[425, undefined],
		[429, { cause: 'rate-limited', retryAfterMs: 900_000 }],
		[503, { cause: 'temporarily-unavailable', retryAfterMs: 900_000 }],
	])('%i shows the poll scheduler of n8n only what it proves', async (status, cause) => {
		const headers = { 'Retry-After': '900' };
		service.injectFault({ on: 'folderCreate', kind: 'status', status, headers, times: 2 });
		const error = await failureOf(requestJson(await contextOf(), post));
		expect(error.failure).toEqual(cause);
		expect(isRateLimited(error)).toBe(status === 429);
	});

	it.each([401, 403] as const)('%i to a request with a secret names the option Secret', async (status) => {
		service.injectFault({ on: 'eventUpdate', kind: 'status', status, error: 'Forbidden', times: 2 });
		const body = { secret: 'my-plan-secret', hash: 'a', title: 'b', eventId: 1 };
		const request = { method: 'PUT', path: 'events/update', body } as const;
		const message = withAdvice(await failureOf(requestJson(await contextOf(), request)));
		expect(message).toBe(
			'Forbidden. Check the option Secret, or leave it empty: the node then looks up the secret of the plan.',
		);
	});
});

describe('A response that is not JSON', () => {
	it.each([
		['<!doctype html><title>Welcome</title>', 'text/html', 'The service returned a web page.'],
		['{"folders": 3', 'application/json', 'The service returned incomplete JSON.'],
	])('%s is an error, though its status is 200', async (body, type, message) => {
		service.injectFault({
			on: 'folderTotal',
			kind: 'status',
			status: 200,
			body,
			headers: { 'Content-Type': type },
		});
		const error = await failureOf(requestJson(await contextOf(), get));
		expect(withAdvice(error)).toBe(
			`${message} Try again later. If it happens again, check the Base URL in the credential.`,
		);
	});
});

describe('A service that does not respond', () => {
	it('refuses the connection: the message names its host and what to check', async () => {
		const context = await contextOf();
		await service.goDown();
		const { host } = new URL(service.baseUrl);
		expect(withAdvice(await failureOf(requestJson(context, post)))).toBe(
			`The service at ${host} cannot be reached (ECONNREFUSED). Check the Base URL in the credential and that the service is running.`,
		);
	});

	it('ends after the timeout', async () => {
		service.injectFault({ on: 'folderCreate', kind: 'hang' });
		const error = await failureOf(requestJson(await contextOf(), { ...post, timeout: 200 }));
		expect(withAdvice(error)).toMatch(/did not respond in time \(\w+\)\. It may have been carried out/);
	});

	it('is let alone when the execution is cancelled', async () => {
		service.injectFault({ on: 'folderTotal', kind: 'hang', times: 3 });
		const abort = new AbortController();
		const asking = failureOf(requestJson(await contextOf({ abortSignal: abort.signal }), get));
		await service.until(() => service.requestsOf('folderTotal').length === 1);
		abort.abort();
		expect((await asking).message).toBe('The execution was cancelled before the service responded.');
		expect(service.requestsOf('folderTotal')).toHaveLength(1);
	});
});

describe('A response that breaks off within its body', () => {
	/** The first response of an operation does, while `work` is done; the next ones are whole. */
	const whileCut = async <T>(on: OperationName, work: Promise<T>): Promise<T> => {
		service.injectFault({ on, kind: 'trickle', ms: 50 });
		await service.until(() => service.requestsOf(on).some(({ status }) => status === 200));
		await sleep(100);
		await service.goDown();
		await service.comeBack();
		return await work;
	};

	it('to a POST is an error', async () => {
		const error = failureOf(requestJson(await contextOf(), post));
		const advice = withAdvice(await whileCut('folderCreate', error));
		expect(advice).toContain('closed the connection before it had responded');
		expect(advice).toContain('It may have been carried out');
		expect(service.requestsOf('folderCreate')).toHaveLength(1);
	});

	it('to a GET is requested again', async () => {
		const response = requestJson(await contextOf(), get);
		expect(await whileCut('folderTotal', response)).toEqual({ folders: 0 });
	});

	it('to a sign-in does not blame the Base URL', async () => {
		const error = failureOf(requestJson(await contextOf(), post));
		expect(withAdvice(await whileCut('authenticate', error))).not.toContain('Base URL');
	});

	it('to a poll reports nothing', async () => {
		service.seedEvents(5);
		const trigger = await activeTrigger({ service, parameters: { triggerOn: 'eventCreated' } });
		await trigger.poll();
		await whileCut(
			'eventSearchAll',
			trigger.poll().catch(() => null),
		);
		expect(await trigger.poll()).toBeNull();
	});
});

describe('A response that trickles', () => {
	const { deadlineMs, responseTimeoutMs } = requestPolicy;
	// A response starts in time, and would take minutes.
	beforeEach(() => Object.assign(requestPolicy, { deadlineMs: 500, responseTimeoutMs: 500 }));
	afterEach(() => Object.assign(requestPolicy, { deadlineMs, responseTimeoutMs }));

	it.each(['folderCreate', 'authenticate'] as const)('ends the request at its deadline: %s', async (on) => {
		service.injectFault({ on, kind: 'trickle', ms: 10_000 });
		const error = await failureOf(requestJson(await contextOf(), post));
		expect(error.message).toContain('did not respond in time (ETIMEDOUT).');
		expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
	});

	it('ends a poll, whose context has no signal, and the dialog of the credential', async () => {
		service.injectFault({ on: 'eventSearchAll', kind: 'trickle', ms: 10_000, times: 9 });
		await expect(fetchTestEvent({ service })).rejects.toThrow('did not respond in time (ETIMEDOUT).');

		service.injectFault({ on: 'authenticate', kind: 'trickle', ms: 10_000 });
		const { helpers } = await contextOf();
		const signIn = new VideoHostingApi().preAuthentication.call({ helpers }, { ...service.credential });
		await expect(signIn).rejects.toThrow('did not respond in time (ETIMEDOUT). Try again later.');
	});
});

const requests = {
	GET: [get, 'folderTotal'],
	HEAD: [{ method: 'HEAD', path: 'videos/uploads/u' }, 'uploadHead'],
	PUT: [{ method: 'PUT', path: 'folders/u', body: { name: 'x' } }, 'folderUpdate'],
	POST: [post, 'folderCreate'],
	DELETE: [{ method: 'DELETE', path: 'folders/u', body: { name: 'x' } }, 'folderDelete'],
} as const;
const methods = Object.keys(requests) as Array<keyof typeof requests>;

describe.each(methods)('A %s', (method) => {
	const [request, on] = requests[method];
	const isRepeated = method !== 'POST' && method !== 'DELETE';
	const inTotal = isRepeated ? 3 : 1;
	const long = { 'Retry-After': '900' };

	it.each<[number, object]>([
		[inTotal, { kind: 'reset' }],
		[inTotal, { status: 500 }],
		[inTotal, { status: 502, body: '<html></html>' }],
		[inTotal, { status: 503, headers: { 'Retry-After': '0' } }],
		[4, { status: 429 }],
		[4, { status: 429, headers: { 'Retry-After': '0' } }],
		...[400, 404, 409, 425].map<[number, object]>((status) => [1, { status }]),
		[1, { status: 429, headers: long }],
		[1, { status: 503, headers: long }],
	])('is sent %i times after three faults: %j', async (times, fault) => {
		// The fault is one of those above.
		service.injectFault({ kind: 'status', times: 3, ...fault, on } as Fault);
		await requestJson(await contextOf(), request).catch(() => undefined);
		expect(service.requestsOf(on)).toHaveLength(times);
	});
});

it.each([
	['waits for a short rate limit', '0', true],
	['does not wait for a long one', '900', false],
])('A poll %s', async (_what, retryAfter, isWaited) => {
	const headers = { 'Retry-After': retryAfter };
	service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 429, headers });
	await fetchTestEvent({ service }).catch(() => undefined);
	expect(service.requestsOf('eventSearchAll').length > 1).toBe(isWaited);
});

describe('The token', () => {
	it.each([401, 403] as const)(
		'is renewed once when it has expired with %i, and the request sent again',
		async (status) => {
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
			// The renewed one is kept.
			await requestJson(context, get);
			expect(service.requestsOf('authenticate')).toHaveLength(2);
		},
	);

	it.each([401, 403] as const)('is renewed no second time when %i stays', async (status) => {
		service.injectFault({
			on: 'folderCreate',
			kind: 'status',
			status,
			error: 'You may not do this',
			times: 9,
		});
		const error = await failureOf(requestJson(await contextOf(), post));
		expect(withAdvice(error)).toMatch(
			/^You may not do this\. Check email, password and application ID in the credential/,
		);
		expect(error.failure).toEqual({ cause: 'credential-invalid' });
		expect(statuses()).toEqual([
			['authenticate', 200],
			['folderCreate', status],
			['authenticate', 200],
			['folderCreate', status],
		]);
	});

	it('is renewed once in a run of 50 items with a wrong plan secret, though their lookups succeed', async () => {
		const context = await contextOf();
		service.injectFault({ on: 'eventUpdate', kind: 'status', status: 403, error: 'Forbidden', times: 99 });
		const body = { secret: 'wrong', hash: 'a', title: 'b', eventId: 1 };
		for (let item = 0; item < 50; item++) {
			await requestJson(context, get);
			await failureOf(requestJson(context, { method: 'PUT', path: 'events/update', body }));
		}
		expect(service.requestsOf('authenticate')).toHaveLength(2);
		expect(service.requestsOf('eventUpdate')).toHaveLength(51);

		// A token that expires later is renewed all the same.
		service.expireTokens();
		await requestJson(context, get);
		service.clearFaults();
		await requestJson(context, post);
		service.expireTokens();
		await requestJson(context, post);
		expect(service.requestsOf('authenticate')).toHaveLength(4);
	});

	it('is renewed again when it expires while a request with a renewed one is repeated', async () => {
		const context = await contextOf();
		await requestJson(context, get);
		service.expireTokens();
		// Of the request with the renewed token.
		service.injectFault({ on: 'folderTotal', kind: 'status', status: 503, skip: 1 });
		service.injectFault({ on: 'folderTotal', kind: 'expireToken', skip: 1 });
		await requestJson(context, get);
		expect(service.requestsOf('authenticate')).toHaveLength(3);
	});

	it('that another execution has renewed is used without signing in again', async () => {
		const { context, credentialStore } = await executeContext({ service, parameters });
		await requestJson(context, get);
		service.expireTokens();
		await executeNode({ service, parameters, credentialStore });
		await requestJson(context, get);
		expect(service.requestsOf('authenticate')).toHaveLength(2);
	});

	it('is not renewed for the old account when the credential was edited meanwhile', async () => {
		const { context, credentialStore } = await executeContext({ service, parameters });
		await requestJson(context, get);
		service.expireTokens();
		credentialStore.stored.email = 'somebody@example.com';
		await failureOf(requestJson(context, get));
		expect(statuses().slice(2)).toEqual([['folderTotal', 401]]);
	});

	it('of another account is sent nowhere', async () => {
		const { credentialStore } = await executeNode({ service, parameters });
		const oldToken = credentialStore.token;
		const elsewhere = await startService();
		const { baseUrl, email, applicationId } = service.credential;
		const edits = [
			{ baseUrl: elsewhere.baseUrl },
			{ baseUrl, password: 'wrong' },
			{ password: service.credential.password, email: 'somebody@example.com' },
			{ email, applicationId: '00000000-0000-4000-8000-000000000000' },
			{ applicationId: ` ${applicationId} `, email: `${email}\n` },
		];
		service.requests.length = 0;
		for (const edit of edits) {
			Object.assign(credentialStore.stored, edit);
			await executeNode({ service, parameters, credentialStore }).catch(() => undefined);
		}
		const sent = [...service.requests, ...elsewhere.requests];
		expect(sent.filter(({ headers }) => headers.authorization === `Bearer ${oldToken}`)).toEqual([]);
		expect(sent.map(({ operation, status }) => [operation, status])).toEqual([
			...[
				['authenticate', 401],
				['authenticate', 401],
				['authenticate', 401],
			],
			...[
				['authenticate', 200],
				['folderTotal', 200],
			],
			...[
				['authenticate', 200],
				['folderTotal', 200],
			],
		]);
		await elsewhere.close();
	});
});

describe('Signing in', () => {
	it.each([
		['a wrong password', { password: 'wrong-password' }, {}],
		['a password that was changed after the token was issued', {}, { password: 'another one' }],
		['a response without a token', {}, { authenticateResponse: 'none' as const }],
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
		const messages = new Set(items.map(({ error }) => error?.message));
		expect([...messages]).toEqual([expect.stringMatching(/^Signing in /)]);
		expect(items.map(({ error }) => error?.context.itemIndex)).toEqual([...items.keys()]);
		const later = service.requests.slice(before).map(({ operation }) => operation);
		expect(later.filter((operation) => operation === 'authenticate')).toHaveLength(1);
		// The next run signs in again.
		Object.assign(credentialStore.stored, { password: service.settings.password });
		service.settings.authenticateResponse = 'token';
		await executeNode({ service, parameters, credentialStore });
	});

	it('that is refused after a 401 about something else ends no request with the valid token', async () => {
		const context = await contextOf();
		await requestJson(context, get);
		service.injectFault({ on: 'folderCreate', kind: 'status', status: 401, error: 'Not yours', times: 9 });
		service.injectFault({ on: 'authenticate', kind: 'status', status: 403, error: 'Locked', times: 9 });
		for (let tries = 0; tries < 3; tries++) {
			expect((await failureOf(requestJson(context, post))).message).toMatch(/^Signing in .*Locked/);
			expect(await requestJson(context, get)).toEqual({ folders: 0 });
		}
		expect(service.requestsOf('authenticate')).toHaveLength(2);
	});

	it('fails for a while: the message reports it, and the next request succeeds', async () => {
		service.injectFault({ on: 'authenticate', kind: 'status', status: 503, error: 'Maintenance', times: 9 });
		const error = await failureOf(requestJson(await contextOf(), post));
		expect(error.message).toMatch(/failed \(503\): Maintenance\. Try again later\.$/);
		expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
	});

	it('breaks off: the request was not sent, so nothing needs to be checked', async () => {
		service.injectFault({ on: 'authenticate', kind: 'reset' });
		const message = withAdvice(await failureOf(requestJson(await contextOf(), post)));
		expect(message).toMatch(/closed the connection before it had responded \(ECONNRESET\)\. Try again\.$/);
	});
});

describe('No error shows', () => {
	const shown = async (running: Promise<unknown>) => {
		const error = await failureOf(running);
		return `${JSON.stringify(error)}\n${inspect(error, { depth: 8 })}`;
	};
	const tokenOf = (on: OperationName) =>
		String(service.requestsOf(on)[0]?.headers.authorization).replace('Bearer ', '');

	it('a part of a token, where a long echo is cut in the middle of it', async () => {
		const context = await contextOf();
		await requestJson(context, get);
		const error = `${'x'.repeat(299 - tokenOf('folderTotal').length + 2)}${tokenOf('folderTotal')} is not valid`;
		service.injectFault({ on: 'folderCreate', kind: 'status', status: 400, error });
		const text = await shown(requestJson(context, post));
		expect(text).toContain('xxx');
		expect(text).not.toContain(tokenOf('folderTotal').slice(0, -3));
	});

	it('a part of a password that signing in echoes (dialog of the credential, HTTP Request node)', async () => {
		const { password } = service.credential;
		const error = `Request body: ${'x'.repeat(287 - password.length)}${password}, and so on`;
		service.injectFault({ on: 'authenticate', kind: 'status', status: 400, error });
		const { helpers } = await contextOf();
		const signIn = new VideoHostingApi().preAuthentication.call({ helpers }, { ...service.credential });
		const failure: unknown = await signIn.catch((thrown: unknown) => thrown);
		const text = `${JSON.stringify(failure)}\n${inspect(failure, { depth: 8 })}`;
		expect(text).toContain('Request body');
		expect(text).not.toContain(password.slice(0, -5));
	});

	it('a token that n8n signed in for, and that another execution renewed while the request ran', async () => {
		const { context, credentialStore } = await executeContext({ service, parameters });
		await requestJson(context, get);
		const token = tokenOf('folderTotal');
		service.injectFault({ on: 'folderCreate', kind: 'delay', ms: 100 });
		service.injectFault({ on: 'folderCreate', kind: 'status', status: 400, error: `Not with ${token}` });
		const text = shown(requestJson(context, post));
		await service.until(() => service.requestsOf('folderCreate').length > 0);
		credentialStore.token = 'token-of-another-execution';
		expect(await text).toContain('Not with');
		expect(await text).not.toContain(token);
	});
});

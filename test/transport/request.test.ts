import { NodeApiError } from 'n8n-workflow';

import { requestJson } from '../../nodes/VideoHosting/transport/request';
import { executeContext, type NodeRun } from '../execution/executeNode';
import { startService, type Fault, type RunningService } from '../fakeService';
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
			'The service returned 404 with a web page instead of JSON. A proxy or firewall may have sent it: ask its administrator to let n8n reach the service, and check the Base URL in the credential.',
			'404',
		],
		[
			{ status: 409, error: 'Conflict!' },
			'Conflict! It was changed in the meantime: get it again and retry.',
			'409',
		],
		[
			{ status: 413, body: '' },
			'The service returned 413 without a message. The service, or a proxy in front of it, rejects requests of this size.',
			'413',
		],
		[{ status: 418, error: "I'm a teapot" }, "I'm a teapot. Check the values of this operation.", '418'],
		[
			{ status: 429, error: 'Slow down' },
			'Slow down. Run this again later, or turn on Retry On Fail in the settings of the node.',
			'429',
		],
		[
			{ status: 500, error: 'Internal Server Error' },
			'Internal Server Error. Try again later, or turn on Retry On Fail in the settings of the node.',
			'500',
		],
		[
			{ status: 502, body: '<html><body>Bad Gateway</body></html>' },
			'The service returned 502 with a web page instead of JSON. Try again later, or turn on Retry On Fail in the settings of the node.',
			'502',
		],
		[
			{ status: 503, body: 'upstream timed out\nat line 3' },
			'upstream timed out. Try again later, or turn on Retry On Fail in the settings of the node.',
			'503',
		],
		[
			{ status: 504, body: '{}' },
			'The service returned 504 without a message. Try again later, or turn on Retry On Fail in the settings of the node.',
			'504',
		],
	])(
		'%j is reported with the error message of the service and what to do',
		async (failure, message, httpCode) => {
			const headers = { 'Content-Type': 'application/json' };
			service.injectFault({ on: 'folderCreate', kind: 'status', headers, ...failure });
			const error = await failureOf(requestJson(await contextOf(), { ...post, itemIndex: 3 }));
			expect(error).toMatchObject({
				message,
				description: `The service returned ${httpCode} for POST /v1/folders.`,
				httpCode,
				messages: [],
				context: { itemIndex: 3 },
			});
			// A POST is never repeated: the service may have carried it out.
			expect(service.requestsOf('folderCreate')).toHaveLength(1);
		},
	);

	it.each([
		[{ message: 'Not today' }, 'Not today.'],
		[{ error: { message: 'Nested' } }, 'Nested.'],
		[{ error: ' ' }, 'The service returned 400 without a message.'],
		[['a', 'list'], 'The service returned 400 without a message.'],
		[{ error: `${'x'.repeat(400)}` }, `${'x'.repeat(299)}…`],
	])('with the body %j is understood', async (body, words) => {
		service.injectFault({
			on: 'folderCreate',
			kind: 'status',
			status: 400,
			body: JSON.stringify(body),
			headers: { 'Content-Type': 'application/json' },
		});
		const { message } = await failureOf(requestJson(await contextOf(), post));
		expect(message).toBe(`${words} Check the values of this operation.`);
	});

	it.each([301, 302, 307, 308])('by a redirect (%i) is not followed', async (status) => {
		const elsewhere = await startService();
		service.injectFault({
			on: 'folderTotal',
			kind: 'redirect',
			status,
			to: `${elsewhere.baseUrl}/v1/folders/total`,
		});
		const { message } = await failureOf(requestJson(await contextOf(), get));
		expect(message).toMatch(/Base URL in the credential is not the final address/);
		expect(elsewhere.requests).toEqual([]);
		await elsewhere.close();
	});

	it('sets how long the poll scheduler of n8n waits', async () => {
		service.injectFault({
			on: 'folderCreate',
			kind: 'status',
			status: 429,
			headers: { 'Retry-After': '90' },
		});
		const { failure } = await failureOf(requestJson(await contextOf(), post));
		expect(failure).toEqual({ cause: 'rate-limited', retryAfterMs: 90_000 });
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
		expect(error.message).toBe(
			`${message} Try again later; if it happens again, check the Base URL in the credential.`,
		);
	});
});

describe('A service that does not respond', () => {
	it('refuses the connection: the message names its host and what to check', async () => {
		const context = await contextOf();
		await service.goDown();
		const { host } = new URL(service.baseUrl);
		expect((await failureOf(requestJson(context, post))).message).toBe(
			`The service at ${host} refused the connection. Check the Base URL in the credential and that the service is running.`,
		);
	});

	it('closes the connection: a POST is not repeated', async () => {
		service.injectFault({ on: 'folderCreate', kind: 'lostResponse' });
		const error = await failureOf(requestJson(await contextOf(), post));
		expect(error.message).toMatch(/closed the connection before it responded\. Try again\.$/);
		expect(service.state.folders).toHaveLength(1);
	});

	it('ends after the timeout', async () => {
		service.injectFault({ on: 'folderCreate', kind: 'hang' });
		const error = await failureOf(requestJson(await contextOf(), { ...post, timeout: 200 }));
		expect(error.message).toMatch(/did not respond in time\. Try again later\.$/);
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

	it('has no name that can be looked up', async () => {
		const context = await contextOf({ credential: { baseUrl: 'https://video-hosting.invalid' } });
		const { message } = await failureOf(requestJson(context, post));
		expect(message).toMatch(
			/^The service at video-hosting\.invalid (was not found|could not be looked up)\./,
		);
	});
});

describe('What is repeated', () => {
	it.each<
		[string, Omit<Extract<Fault, { kind: 'reset' }>, 'on'> | Omit<Extract<Fault, { kind: 'status' }>, 'on'>]
	>([
		['a reset connection', { kind: 'reset', times: 2 }],
		['500', { kind: 'status', status: 500, times: 2 }],
		['502 with a web page', { kind: 'status', status: 502, body: '<html></html>', times: 2 }],
		[
			'429 with a short Retry-After',
			{ kind: 'status', status: 429, headers: { 'Retry-After': '0' }, times: 2 },
		],
	])('a GET, up to three times, after %s', async (_what, fault) => {
		service.injectFault({ ...fault, on: 'folderTotal' });
		expect(await requestJson(await contextOf(), get)).toEqual({ folders: 0 });
		expect(service.requestsOf('folderTotal')).toHaveLength(3);

		service.injectFault({ ...fault, times: 9, on: 'folderTotal' });
		await failureOf(requestJson(await contextOf(), get));
		expect(service.requestsOf('folderTotal')).toHaveLength(6);
	});

	it('not a GET with a long Retry-After', async () => {
		service.injectFault({
			on: 'folderTotal',
			kind: 'status',
			status: 503,
			headers: { 'Retry-After': '3600' },
		});
		const { failure } = await failureOf(requestJson(await contextOf(), get));
		expect(failure).toEqual({ cause: 'temporarily-unavailable', retryAfterMs: 3_600_000 });
		expect(service.requestsOf('folderTotal')).toHaveLength(1);
	});

	it.each([400, 404, 409])('not a GET that was rejected with %i', async (status) => {
		service.injectFault({ on: 'folderTotal', kind: 'status', status });
		await failureOf(requestJson(await contextOf(), get));
		expect(service.requestsOf('folderTotal')).toHaveLength(1);
	});

	it.each(['POST', 'PUT', 'DELETE'] as const)('never a %s', async (method) => {
		const on = ({ POST: 'folderCreate', PUT: 'folderUpdate', DELETE: 'folderDelete' } as const)[method];
		const path = method === 'POST' ? 'folders' : 'folders/some-uuid';
		service.injectFault({ on, kind: 'reset' });
		service.injectFault({ on, kind: 'status', status: 503, skip: 1 });
		await failureOf(requestJson(await contextOf(), { method, path, body: { name: 'x' } }));
		await failureOf(requestJson(await contextOf(), { method, path, body: { name: 'x' } }));
		expect(service.requestsOf(on)).toHaveLength(2);
	});
});

describe.each([
	['an n8n that renews on both', false],
	['n8n 1.x, which renews on 401 alone', true],
])('The token, in %s', (_what, olderN8n) => {
	it.each([401, 403] as const)(
		'is renewed once when it has expired with %i, and the request sent again',
		async (status) => {
			service.settings.expiredTokenStatus = status;
			const context = await contextOf({ olderN8n });
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
		const error = await failureOf(requestJson(await contextOf({ olderN8n }), post));
		expect(error.message).toMatch(
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
});

describe('Signing in', () => {
	it.each([
		[{ password: 'wrong-password' }, 'Invalid email or password'],
		[{ applicationId: '00000000-0000-4000-8000-000000000000' }, 'Application not found'],
	])('with %j shows the error message of the service', async (credential, words) => {
		const error = await failureOf(requestJson(await contextOf({ credential }), get));
		expect(error.message).toBe(
			`Signing in to the video hosting service failed (401): ${words}. Check email, password and application ID in the credential.`,
		);
		expect(error.failure).toEqual({ cause: 'credential-invalid' });
	});

	it('fails for a while: the message reports it, and the next request succeeds', async () => {
		service.injectFault({ on: 'authenticate', kind: 'status', status: 503, error: 'Maintenance', times: 9 });
		const error = await failureOf(requestJson(await contextOf(), post));
		expect(error.message).toMatch(/failed \(503\): Maintenance\. Try again later\.$/);
		expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
	});

	it('returns no token: the message reports it', async () => {
		service.settings.authenticateResponse = 'none';
		const { message } = await failureOf(requestJson(await contextOf(), get));
		expect(message).toMatch(/returned no access token/);
	});

	it('meets a service that is down', async () => {
		await service.goDown();
		const { message } = await failureOf(requestJson(await contextOf(), post));
		expect(message).toMatch(/refused the connection/);
	});
});

it('A Base URL that is not valid is reported, and nothing is sent', async () => {
	const context = await contextOf({ credential: { baseUrl: 'http://api.example.com' } });
	await expect(requestJson(context, get)).rejects.toThrow(/must start with https:\/\//);
	expect(service.requests).toEqual([]);
});

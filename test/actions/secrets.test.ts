import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { inspect } from 'node:util';

import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import type { CredentialStore } from '../execution/credentialStore';
import { executeForJson, executeNode } from '../execution/executeNode';
import { loadPicker } from '../execution/loadPicker';
import { by } from '../execution/locator';
import { fetchTestEvent } from '../execution/pollNode';
import { responseShapes } from '../fakeService';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { CASES, records, validItem, validParameters } from './operationCases';

const n8nLogger = Container.get(Logger);

let logged: unknown[];
serviceForEachTest({
	secretInEveryResponse: true,
	secretElsewhere: true,
});
beforeEach(() => {
	logged = [];
	const log = (...said: unknown[]) => void logged.push(said);
	for (const level of ['debug', 'info', 'warn', 'error'] as const)
		jest.spyOn(console, level).mockImplementation(log);
	Container.set(Logger, loggerThat(log));
});
afterEach(() => {
	jest.restoreAllMocks();
	Container.set(Logger, n8nLogger);
});

const COUNT = { resource: 'folder', operation: 'count' };
const OPERATIONS = Object.entries(CASES).flatMap(([name, { request }]) => {
	if (typeof request === 'string') return [];
	const [resource = '', operation = ''] = name.split('/');
	return { endpoint: request.endpoint, name, parameters: validParameters(resource, operation)[0] ?? {} };
});
const { hash: HASH, uuid: UUID, videoHash } = records;

function seed() {
	service.seedEvents([{ hash: HASH }]);
	service.seedVideos([{ hash: videoHash }]);
	service.seedFolders([{ uuid: UUID }]);
}

/** n8n's own logger with every level on and its output redirected. */
function loggerThat(log: (...said: unknown[]) => void): Logger {
	const value = { value: log };
	// Object.create returns any; the new object is the logger with its methods replaced.
	return Object.create(n8nLogger, { debug: value, info: value, warn: value, error: value }) as Logger;
}

/** Every secret that the service may have received or issued. */
function secrets(): string[] {
	const tokens = service.requests.map(({ headers }) => headers.authorization?.replace('Bearer ', '') ?? '');
	return [...new Set([service.credential.password, 'plan-secret-7Qm2', ...tokens])].filter(
		(secret) => secret !== '',
	);
}

/** Runs one operation and returns all that n8n could store, show or log of it, as text. */
async function everythingLeftBehind(
	parameters: INodeParameters,
	credentialStore?: CredentialStore,
): Promise<string> {
	const items = [await validItem()];
	const left: unknown[] = [];
	for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const) {
		try {
			const {
				items: output,
				hints,
				consoleMessages,
			} = await executeNode({ service, parameters, items, onError, credentialStore });
			left.push(output, hints, consoleMessages);
		} catch (error) {
			left.push(error);
		}
	}
	left.push(...logged);
	return left
		.map((part) => `${JSON.stringify(part)}\n${inspect(part, { depth: 8, showHidden: true })}`)
		.join('\n');
}

describe.each(OPERATIONS)('$name leaves no secret behind', ({ endpoint, parameters }) => {
	it('when it works', async () => {
		seed();
		const left = await everythingLeftBehind(parameters);
		expect(secrets().length).toBeGreaterThan(2);
		for (const secret of secrets()) expect(left).not.toContain(secret);
	});

	it('when the service adds secrets to its response', async () => {
		seed();
		const secret = 'plan-secret-7Qm2';
		const plan = { secret, keys: [{ access_token: secret }], webhookSecret: secret, viewer_password: secret };
		const hash = parameters.resource === 'video' ? videoHash : HASH;
		const body = [{ hash, uuid: UUID, name: 'x', size: 5, plan }];
		service.injectFault({ on: endpoint, kind: 'status', status: 200, body, times: 8 });
		const left = await everythingLeftBehind(parameters);
		expect(left).not.toContain('Error');
		expect(left).not.toContain('plan-secret-7Qm2');
	});

	it('when the service rejects a request and echoes it', async () => {
		seed();
		// A run that works first, so that there is a token to echo.
		const { credentialStore } = await executeNode({ service, parameters: COUNT });
		const error = `Not with ${credentialStore.token} of ${service.credential.password}`;
		const sentSecret = ['eventUpdate', 'eventStartOrEnd'].includes(endpoint) ? ', plan-secret-7Qm2' : '';
		service.injectFault({ on: endpoint, kind: 'status', status: 409, error: error + sentSecret, times: 8 });
		const left = await everythingLeftBehind(parameters, credentialStore);
		expect(left).toContain('Not with [hidden] of [hidden]');
		for (const secret of secrets()) expect(left).not.toContain(secret);
	});

	it.each([
		['closes the connection', { kind: 'reset' }],
		['sends it elsewhere', { kind: 'redirect', to: 'http://elsewhere.invalid/' }],
	] as const)('when the service %s', async (_what, fault) => {
		seed();
		service.injectFault({ on: endpoint, times: 6, ...fault });
		const left = await everythingLeftBehind(parameters);
		expect(left).toContain('NodeApiError');
		for (const secret of secrets()) expect(left).not.toContain(secret);
	});
});

describe('Signing in', () => {
	it.each([
		['reset', { kind: 'reset' }],
		[
			'rejected with a web page',
			{ kind: 'status', status: 502, body: '<html>correct horse battery staple</html>' },
		],
	] as const)('%s does not reveal the password', async (_what, fault) => {
		service.injectFault({ on: 'authenticate', times: 9, ...fault });
		const left = await everythingLeftBehind(COUNT);
		expect(left).toMatch(/NodeApiError/);
		expect(left).not.toContain(service.credential.password);
	});
});

it('Pickers and the trigger show no secret', async () => {
	seed();
	const shown = [
		await loadPicker('searchEvents', { service }),
		await loadPicker('searchVideos', { service }),
		await fetchTestEvent({ service }),
		await fetchTestEvent({ service, parameters: { options: { events: HASH } } }),
	];
	expect(JSON.stringify(shown)).toContain(HASH);
	for (const secret of secrets()) expect(JSON.stringify(shown)).not.toContain(secret);
});

it('An event that another execution created shows no secret', async () => {
	service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body: '[]', times: 99 });
	const [valid] = validParameters('event', 'create');
	const parameters = { ...valid, options: { skipIfExists: true } };
	for (const skipped of [false, true]) {
		const [json] = await executeForJson({ service, parameters });
		expect(json).toMatchObject({ skipped, embedUrl: expect.stringContaining('[hidden]') as string });
	}
});

const { recordNames, singleShapes, listShapes } = responseShapes;
const RECORDS = recordNames.flatMap((names) => [
	...singleShapes.map((singleShape) => ['get', { recordNames: names, singleShape }] as const),
	...listShapes.map((listShape) => ['getAll', { recordNames: names, listShape }] as const),
]);

it.each(RECORDS)(
	'Include Secret shows the plan secret of Event → %s, in a field that is marked as sensitive: %j',
	async (operation, settings) => {
		Object.assign(service.settings, settings);
		seed();
		const parameters = { resource: 'event', operation, event: by('hash', HASH) };
		expect(JSON.stringify(await executeForJson({ service, parameters }))).not.toContain('plan-secret-7Qm2');
		const options = { includeSecret: true };
		const { items } = await executeNode({ service, parameters: { ...parameters, options } });
		expect(JSON.stringify(items[0]?.json)).toContain('plan-secret-7Qm2');

		const redacted = items.map(({ json }) => redactedByN8n(json));
		expect(JSON.stringify(redacted)).not.toContain('plan-secret-7Qm2');
		expect(JSON.stringify(redacted)).toContain(HASH);
	},
);

it('Include Secret shows no secret that n8n could not mark', async () => {
	const record = {
		hash: HASH,
		secret: 'marked',
		live_secret: 'marked',
		nested: { deeper: { secret: 'unmarked' } },
		list: [{ secret: 'unmarked' }],
		'x-secret': 'unmarked',
	};
	service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 200, body: record });
	const parameters = {
		resource: 'event',
		operation: 'get',
		event: by('hash', HASH),
		options: { includeSecret: true },
	};
	expect(await executeForJson({ service, parameters })).toEqual([
		{ hash: HASH, secret: 'marked', live_secret: 'marked', nested: { deeper: {} }, list: [{}] },
	]);
});

it.each([
	['Tx81!q w', 'secret=Tx81%21q+w'],
	['Tx81/q+w==', 'secret=Tx81%2fq%2bw%3d%3d'],
])('No output shows the plan secret %s as an address writes it: %s', async (secret, query) => {
	const body = [{ hash: HASH, secret, embedUrl: `https://player.example/embed?${query}` }];
	service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body, times: 9 });
	const output = await executeForJson({ service, parameters: { resource: 'event', operation: 'getAll' } });
	expect(output).toEqual([{ hash: HASH, embedUrl: 'https://player.example/embed?secret=[hidden]' }]);
});

it('A field whose name only begins with a word for a secret is shown, and so is a stream key', async () => {
	const body = { secretary: 'Ann', passwordProtected: true, token_count: 3, streamKey: 'live-1234' };
	service.injectFault({ on: 'folderTotal', kind: 'status', status: 200, body });
	expect(await executeForJson({ service, parameters: COUNT })).toEqual([body]);
});

/** As n8n's NodeDefinedFieldRedactionStrategy follows the paths of `sensitiveOutputFields`. */
function redactedByN8n(json: INodeExecutionData['json']): IDataObject {
	const copy = structuredClone(json);
	for (const path of new VideoHosting().description.sensitiveOutputFields ?? []) {
		const segments = path.split('.');
		const last = segments.pop() ?? '';
		let place: unknown = copy;
		for (const segment of segments) place = isObject(place) ? place[segment] : undefined;
		if (isObject(place) && last in place) place[last] = { __redacted: true };
	}
	return copy;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

it.each<[string, IDataObject]>([
	['a usual name', { viewer_pwd: 'Tx81qLw2', passcode: 'Tx81qLw2', apiKeys: 'Tx81qLw2' }],
	['a number', { secret: 83_920_174, embedUrl: 'https://example.com/?s=83920174' }],
	['a list', { secrets: ['Tx81qLw2'], embedUrl: 'https://example.com/?s=Tx81qLw2' }],
])('A record with %s for a secret shows none', async (_what, fields) => {
	const [event] = service.seedEvents(1);
	service.injectFault({
		on: 'eventSearchByHash',
		kind: 'status',
		status: 200,
		body: { ...event, ...fields },
	});
	const parameters = { resource: 'event', operation: 'get', event: by('hash', event?.hash ?? '') };
	const output = await executeForJson({ service, parameters });
	expect(JSON.stringify(output)).not.toMatch(/Tx81qLw2|83920174/);
});

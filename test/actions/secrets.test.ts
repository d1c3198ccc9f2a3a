import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { INodeParameters } from 'n8n-workflow';
import { inspect } from 'node:util';

import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import type { CredentialStore } from '../execution/credentialStore';
import { executeNode } from '../execution/executeNode';
import { loadPicker } from '../execution/loadPicker';
import { fetchTestEvent } from '../execution/pollNode';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { records, REQUESTS, responseForms, seedRecords, validItem, validParameters } from './operationCases';
import { by, run, runWithHints } from './run';

const n8nLogger = Container.get(Logger);

let logged: unknown[];
serviceForEachTest({ secretInEveryResponse: true, secretElsewhere: true });
beforeEach(() => {
	seedRecords();
	logged = [];
	const log = (...said: unknown[]) => void logged.push(said);
	for (const level of ['debug', 'info', 'warn', 'error'] as const) {
		jest.spyOn(console, level).mockImplementation(log);
		jest.spyOn(n8nLogger, level).mockImplementation(log);
	}
});

const COUNT = { resource: 'folder', operation: 'count' };
const SECRET = 'plan-secret-7Qm2';
const { hash, videoHash, uuid } = records;
/** An address that contains a secret. */
const address = `https://player.example/?s=${SECRET}`;

/** Expects no secret in a text that the service may have received or issued. */
function expectNoSecret(text: string): void {
	for (const secret of service.secrets) expect(text).not.toContain(secret);
}

/** Runs one operation and expects no secret in all that n8n could store, show or log of it; returns that as text. */
async function leftBehind(parameters: INodeParameters, credentialStore?: CredentialStore): Promise<string> {
	const items = [await validItem()];
	const left: unknown[] = [];
	for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const) {
		const execution = executeNode({ service, parameters, items, onError, credentialStore });
		const shown = execution.then((result) => [result.items, result.hints, result.consoleMessages]);
		left.push(await shown.catch((error: unknown) => error));
	}
	const texts = [...left, ...logged].map(
		(part) => `${JSON.stringify(part)}\n${inspect(part, { depth: 8, showHidden: true })}`,
	);
	expectNoSecret(texts.join('\n'));
	return texts.join('\n');
}

describe.each(REQUESTS)('$name leaves no secret behind', ({ endpoint, parameters }) => {
	it('when it works', async () => {
		await leftBehind(parameters);
		expect(service.requestsOf(endpoint)[0]?.headers.authorization).toMatch(/^Bearer \S+$/);
	});

	it('when the service adds secrets to its response', async () => {
		const plan = { secret: SECRET, keys: [{ access_token: SECRET }], webhookSecret: SECRET };
		const found = parameters.resource === 'video' ? videoHash : hash;
		const body = [{ hash: found, uuid, name: 'x', size: 5, plan: { ...plan, viewer_password: SECRET } }];
		service.injectFault({ on: endpoint, kind: 'status', status: 200, body, times: 8 });
		// A second deletion would find no folder.
		const named = { ...parameters, ...(parameters.operation === 'delete' ? { options: { name: 'x' } } : {}) };
		expect(await leftBehind(named)).not.toContain('Error');
	});

	it('when the service rejects a request and echoes it', async () => {
		// A run that works first, so that there is a token to echo.
		const { credentialStore } = await executeNode({ service, parameters: COUNT });
		const error = `Not with ${credentialStore.token} of ${service.credential.password}`;
		const sentSecret = ['eventUpdate', 'eventStartOrEnd'].includes(endpoint) ? `, ${SECRET}` : '';
		service.injectFault({ on: endpoint, kind: 'status', status: 409, error: error + sentSecret, times: 8 });
		expect(await leftBehind(parameters, credentialStore)).toContain('Not with [hidden] of [hidden]');
	});

	it.each([
		['closes the connection', { kind: 'reset' }],
		['sends it elsewhere', { kind: 'redirect', to: 'http://elsewhere.invalid/' }],
	] as const)('when the service %s', async (_what, fault) => {
		service.injectFault({ on: endpoint, times: 6, ...fault });
		expect(await leftBehind(parameters)).toContain('NodeApiError');
	});
});

it.each([
	{ kind: 'reset' },
	{ kind: 'status', status: 502, body: '<html>correct horse battery staple</html>' },
] as const)('Signing in does not reveal the password after %j', async (fault) => {
	service.injectFault({ on: 'authenticate', times: 9, ...fault });
	expect(await leftBehind(COUNT)).toContain('NodeApiError');
});

it('Pickers and the trigger show no secret', async () => {
	const shown = JSON.stringify([
		await loadPicker('searchEvents', { service }),
		await loadPicker('searchVideos', { service }),
		await fetchTestEvent({ service }),
		await fetchTestEvent({ service, parameters: { options: { events: hash } } }),
	]);
	expect(shown).toContain(hash);
	expectNoSecret(shown);
});

it('An event that another execution created shows no secret', async () => {
	service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body: '[]', times: 99 });
	const [valid] = validParameters('event/create');
	for (const skipped of [false, true]) {
		const [json] = await run({ ...valid, options: { skipIfExists: true } });
		expect(json).toMatchObject({ skipped, embedUrl: expect.stringContaining('[hidden]') });
	}
});

it('The output of an item shows no plan secret that only the list of a later item contains', async () => {
	answer('eventSearchByHash', { hash, embedUrl: address }, { times: 1 });
	const items = [by('hash', hash), by('title', 'Town hall')].map((chosen) => ({ json: { chosen } }));
	const get = { resource: 'event', operation: 'get', event: '={{ $json.chosen }}' };
	const [first] = await run(get, { items });
	expect(first).toEqual({ hash, embedUrl: 'https://player.example/?s=[hidden]' });
});

const create = { resource: 'event', operation: 'create', dateScheduled: '2020-01-01' };
it.each([
	['An error about two events', { ...create, operation: 'get', event: by('title', 'A') }, '2 events'],
	['A hint', { ...create, title: address }, 'that is in the past'],
])('%s shows no plan secret that a list contains', async (_what, parameters, said) => {
	service.seedEvents(['A', 'A'].map((title) => ({ title, dateScheduled: address })));
	const given = { ...parameters, options: { skipIfExists: true } };
	const onError = 'continueRegularOutput';
	const shown = JSON.stringify(await runWithHints(given, { onError }));
	expect(shown).toContain(said);
	expectNoSecret(shown);
});

it.each(responseForms().flatMap((form) => [['get', form] as const, ['getAll', form] as const]))(
	'Include Secret shows the plan secret of Event → %s, in a field that is marked as sensitive: %j',
	async (operation, settings) => {
		Object.assign(service.settings, settings);
		const parameters = { resource: 'event', operation, event: by('hash', hash) };
		expectNoSecret(JSON.stringify(await run(parameters)));
		const output = await run({ ...parameters, options: { includeSecret: true } });
		const hasSecret = ([, value]: [string, unknown]) => JSON.stringify(value).includes(SECRET);
		const shown = output.flatMap((json) =>
			Object.entries(json)
				.filter(hasSecret)
				.map(([field]) => field),
		);
		expect(shown).not.toEqual([]);
		expect(new VideoHosting().description.sensitiveOutputFields).toEqual(expect.arrayContaining(shown));
	},
);

const unmarked = { secret: 'unmarked' };
const marked = { secret: 'marked', live_secret: 'marked' };
const ofPages = { nextPageToken: hash, playback_token: 'Tx81qLw2', url: '?p=Tx81qLw2' };
const noSecrets = { secretary: 'Ann', passwordProtected: true, token_count: 3, streamKey: 'live-1234' };

it.each<[string, object, object, INodeParameters?]>([
	['usual names of secrets', {}, { viewer_pwd: 'Tx81qLw2', passcode: 'Tx81qLw2', apiKeys: 'Tx81qLw2' }],
	['a number for a secret', { url: '?s=[hidden]' }, { secret: 83_920_174, url: '?s=83920174' }],
	['a list of plan secrets', { url: '?s=[hidden]' }, { secret: ['Tx81qLw2'], url: '?s=Tx81qLw2' }],
	[
		'secrets of others',
		{ url: '?s=Tx81qLw2' },
		{ secrets: ['Tx81qLw2'], accessToken: 'Tx81qLw2', url: '?s=Tx81qLw2' },
	],
	['tokens of a page and a player', ofPages, ofPages],
	['a secret as JSON writes it', { url: '?s=[hidden]' }, { secret: 'k"Tx81/(q', url: '?s=k\\"Tx81/(q' }],
	['a secret as a form writes it', { url: '?s=[hidden]' }, { secret: 'Tx81!q w', url: '?s=Tx81%21q+w' }],
	['a secret in an address', { url: '?s=[hidden]' }, { secret: 'Tx81/q+w==', url: '?s=Tx81%2fq%2bw%3d%3d' }],
	['names that begin with a word for a secret, and a stream key', noSecrets, noSecrets],
	[
		'secrets that n8n cannot mark, and Include Secret',
		{ ...marked, nested: { deeper: {} }, list: [{}] },
		{ ...marked, nested: { deeper: unmarked }, list: [unmarked], 'x-secret': 'unmarked' },
		{ includeSecret: true },
	],
])('The output of an event with %s is %j', async (_what, shown, fields, options = {}) => {
	service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 200, body: { hash, ...fields } });
	const parameters = { resource: 'event', operation: 'get', event: by('hash', hash), options };
	expect(await run(parameters)).toEqual([{ hash, ...shown }]);
});

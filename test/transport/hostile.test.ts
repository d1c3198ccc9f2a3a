import { createHash } from 'node:crypto';
import { inspect } from 'node:util';

import { withAdvice } from '../../nodes/VideoHosting/transport/errors';
import { requestJson } from '../../nodes/VideoHosting/transport/request';
import { by, run } from '../actions/run';
import { executeContext } from '../execution/executeNode';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { failureOf } from '../upload/uploading';

/** C3: what the service sends neither stops n8n nor fills an error. */
serviceForEachTest();

const parameters = { resource: 'folder', operation: 'count' };
const get = { method: 'GET', path: 'folders/total' } as const;
const post = { method: 'POST', path: 'folders', body: { name: 'Concerts' } } as const;
const contextOf = async () => (await executeContext({ service, parameters })).context;
const CHECK = 'It may have been carried out: check that before you run this again.';

/** On a slow machine; what is not linear takes ten times as long. */
const LONGEST_MS = 3000;

/** Milliseconds without a turn for others, at most. */
async function longestBlock(running: Promise<unknown>): Promise<number> {
	let longest = 0;
	let last = performance.now();
	const timer = setInterval(() => {
		longest = Math.max(longest, performance.now() - last);
		last = performance.now();
	}, 5);
	await running.catch(() => undefined);
	clearInterval(timer);
	return Math.max(longest, performance.now() - last);
}

/** JSON with this many levels of arrays. */
const nested = (levels: number, content = '') => '['.repeat(levels) + content + ']'.repeat(levels);
const deep = {
	zeros: nested(3000, Array(5000).fill('0').join()),
	brackets: nested(20_000),
	objects: '{"error":'.repeat(20_000) + '0' + '}'.repeat(20_000),
};
const asJson = { 'Content-Type': 'application/json' };

describe.each(Object.entries(deep))('JSON with thousands of levels (%s)', (_what, body) => {
	it('is a response that cannot be read, after which a creation may have been carried out', async () => {
		service.injectFault({
			on: ['folderTotal', 'folderCreate'],
			kind: 'status',
			status: 200,
			body,
			headers: asJson,
			times: 9,
		});
		const context = await contextOf();
		const reading = failureOf(requestJson(context, get));
		expect(await longestBlock(reading)).toBeLessThan(LONGEST_MS);
		expect((await reading).message).toBe('The service returned JSON with more than 100 levels.');
		const creating = failureOf(requestJson(context, post));
		expect(withAdvice(await creating)).toBe(`The service returned JSON with more than 100 levels. ${CHECK}`);
	});

	it.each(['folderTotal', 'authenticate'] as const)('is an error with status 400, too: %s', async (on) => {
		service.injectFault({ on, kind: 'status', status: 400, body, headers: asJson, times: 9 });
		const failing = failureOf(requestJson(await contextOf(), get));
		expect(await longestBlock(failing)).toBeLessThan(LONGEST_MS);
		expect((await failing).message).toMatch(/400/);
	});

	it('is no sign-in', async () => {
		service.injectFault({ on: 'authenticate', kind: 'status', status: 200, body, headers: asJson, times: 9 });
		const { message } = await failureOf(requestJson(await contextOf(), get));
		expect(message).toContain('returned JSON with more than 100 levels');
	});
});

it('JSON with 100 levels is read', async () => {
	service.injectFault({ on: 'folderTotal', kind: 'status', status: 200, body: nested(100), headers: asJson });
	expect(await requestJson(await contextOf(), get)).toEqual(JSON.parse(nested(100)));
});

it('Get Many shows 20,000 records with a secret each as fast as others', async () => {
	const secretAt = (index: number) => createHash('sha1').update(String(index)).digest('hex');
	const events = (secretOf: (index: number) => object) =>
		Array.from({ length: 20_000 }, (_, index) => ({
			...{ hash: `hash-${index}`, title: `Event ${index} of the plan with the secret plan`, eventId: index },
			...{ embedUrl: `https://player.example/?s=${secretAt(index)}&autoplay=1`, ...secretOf(index) },
		}));
	const getMany = async () => await run({ resource: 'event', operation: 'getAll', returnAll: true });
	answer(
		'eventSearchAll',
		events(() => ({})),
	);
	const plain = await longestBlock(getMany());
	service.clearFaults();
	answer(
		'eventSearchAll',
		events((index) => ({ secret: secretAt(index) })),
	);
	let output: unknown[] = [];
	const hidden = await longestBlock(getMany().then((items) => (output = items)));
	expect(hidden).toBeLessThan(2 * plain + LONGEST_MS);
	expect(output).toHaveLength(20_000);
	expect(output[19_999]).toMatchObject({ embedUrl: 'https://player.example/?s=[hidden]&autoplay=1' });
});

it('A secret of fewer than eight characters hides no word', async () => {
	const event = { hash: 'a', title: 'live', status: 'LIVE', url: '?s=live' };
	answer('eventSearchByHash', { ...event, accessToken: 'live' });
	expect(await run({ resource: 'event', operation: 'get', event: by('hash', 'a') })).toEqual([event]);
});

it.each([
	['as it is', (password: string) => password],
	['as JSON', (password: string) => JSON.stringify(password).slice(1, -1)],
	['as a form', (password: string) => new URLSearchParams({ password }).toString().slice(9)],
	['as HTML', () => 'p&lt;a&quot;s&amp;s/w&#39;rd é'],
	['as JSON of PHP', () => 'p<a\\"s&s\\/w\'rd \\u00e9'],
	['as JSON of Go', () => 'p\\u003ca\\"s\\u0026s/w\'rd é'],
	['as JSON of .NET', () => 'p\\u003Ca\\u0022s\\u0026s/w\\u0027rd \\u00E9'],
])('No error shows the password %s', async (_how, formOf) => {
	const password = 'p<a"s&s/w\'rd é';
	const credential = { password };
	service.settings.password = password;
	service.injectFault({
		on: 'folderTotal',
		kind: 'status',
		status: 400,
		error: `Not with "${formOf(password)}"!`,
	});
	const { context } = await executeContext({ service, parameters, credential });
	const error = await failureOf(requestJson(context, get));
	expect(error.message).toBe('Not with "[hidden]"!');
	expect(inspect(error)).not.toContain(formOf(password));
});

describe('HTML is text in an error', () => {
	const html = '<a href="https://elsewhere.example">Sign in</a><!-- 1 < 2 -->';
	const text = '‹a href="https://elsewhere.example">Sign in‹/a>‹!-- 1 < 2 -->';
	it.each([
		['the service', { operation: 'count' }, 'folderTotal', `${text}. Check the values that were entered.`],
		['a parameter', { operation: 'get', folder: by('name', html) }, 'folderCreate', `"${text}"`],
		[
			'a description',
			{ resource: 'event', operation: 'get', event: by('hash', 'a') },
			'eventSearchByHash',
			text,
		],
	] as const)('of %s', async (_whose, chosen, on, shown) => {
		answer(on, { error: html }, { status: 400 });
		const [item] = await run({ ...parameters, ...chosen }, { onError: 'continueRegularOutput' });
		expect(item?.error).toContain(shown);
		expect(item?.error).not.toContain('<a');
	});
});

const MB = 1_000_000;
it.each<[string, unknown, number]>([
	['words', { error: 'a '.repeat(MB / 2) }, 400],
	['spaces', { message: ' '.repeat(MB) + 'x' }, 400],
	['colons', { error: ': no '.repeat(MB / 5) }, 404],
	['lines', '\n'.repeat(MB) + 'x', 502],
	['brackets', '<'.repeat(MB), 502],
	['white space before JSON', ' '.repeat(MB), 200],
	['one word', { token: '.'.repeat(MB), error: 'session'.repeat(MB / 7) }, 400],
	['texts', { errors: Array.from({ length: MB / 10 }, (_, index) => `text ${index}`) }, 422],
])('A megabyte of %s is read at once, and an error has 300 characters of it', async (_what, body, status) => {
	service.injectFault({ on: 'eventSearchAll', kind: 'status', status, body, times: 9 });
	const running = run({ resource: 'event', operation: 'getAll' }, { onError: 'continueRegularOutput' });
	expect(await longestBlock(running)).toBeLessThan(LONGEST_MS);
	expect(JSON.stringify(await running).length).toBeLessThan(1000);
});

it('A long path is shortened in the details of an error', async () => {
	const { messages } = await failureOf(
		requestJson(await contextOf(), { method: 'GET', path: 'x'.repeat(5000) }),
	);
	expect(messages[0]).toHaveLength(300);
});

import { createHash } from 'node:crypto';
import { inspect } from 'node:util';

import { by, run } from '../actions/run';
import { processorMs } from '../execution/clock';
import { executeContext } from '../execution/executeNode';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { failureOf, textOf } from '../upload/uploading';
import { requestJson } from './requestJson';

/** C3: what the service sends neither stops n8n nor fills an error. */
serviceForEachTest();

const parameters = { resource: 'folder', operation: 'count' };
const get = { method: 'GET', path: 'folders/total' } as const;
const post = { method: 'POST', path: 'folders', body: { name: 'Concerts' } } as const;
const getEvent = { resource: 'event', operation: 'get', options: { planId: 'x'.repeat(5_000) } };
const contextOf = async () => (await executeContext({ service, parameters })).context;

/** On a slow machine; what is not linear takes ten times as long. */
const LONGEST_MS = 3000;

/** Processor time without a turn for others, at most; milliseconds. */
async function longestBlock(running: Promise<unknown>): Promise<number> {
	let longest = 0;
	let last = processorMs();
	const timer = setInterval(() => {
		longest = Math.max(longest, processorMs(last));
		last = processorMs();
	}, 5);
	await running.catch(() => undefined);
	clearInterval(timer);
	return Math.max(longest, processorMs(last));
}

/** JSON with this many levels of arrays. */
const nested = (levels: number, content = '') => '['.repeat(levels) + content + ']'.repeat(levels);
const deep = {
	zeros: nested(3000, Array(5000).fill('0').join()),
	brackets: nested(20_000),
	objects: '{"error":'.repeat(20_000) + '0' + '}'.repeat(20_000),
};
const asJson = { 'Content-Type': 'application/json' };

const TOO_DEEP = /returned JSON with more than 100 levels/;

it.each(Object.entries(deep))('JSON of thousands of levels is an error at once: %s', async (_what, body) => {
	for (const [status, on, request, expected] of [
		[200, 'authenticate', get, TOO_DEEP],
		[400, 'authenticate', get, /400/],
		[200, 'folderTotal', get, TOO_DEEP],
		[400, 'folderTotal', get, /400/],
		[200, 'folderCreate', post, /more than 100 levels\. It may have been carried out/],
	] as const) {
		service.clearFaults();
		service.injectFault({ on, kind: 'status', status, body, headers: asJson, times: 9 });
		// A run repeats no refused sign-in.
		const running = failureOf(requestJson(await contextOf(), request));
		expect(await longestBlock(running)).toBeLessThan(LONGEST_MS);
		expect(textOf(await running)).toMatch(expected);
	}
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
	const getMany = async (all: object[]) => {
		service.clearFaults();
		answer('eventSearchAll', all);
		return await run({ resource: 'event', operation: 'getAll', returnAll: true });
	};
	const plain = await longestBlock(getMany(events(() => ({}))));
	const running = getMany(events((index) => ({ secret: secretAt(index) })));
	const hidden = await longestBlock(running);
	const output = await running;
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
	const echo = `Not with "${formOf(password)}"!`;
	service.injectFault({ on: 'folderTotal', kind: 'status', status: 400, error: echo });
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

it.each([`${'['.repeat(20_000)}${']'.repeat(20_000)}`, '{"valueOf":1,"toString":1}'])(
	'JSON whose code is no number reports no failure by it',
	async (code) => {
		const headers = { 'Content-Type': 'application/json' };
		const body = `{"code":${code}}`;
		service.injectFault({ on: 'folderCreate', kind: 'status', status: 200, body, headers, times: 9 });
		const said = await requestJson(await contextOf(), post).catch((error: Error) => error.message);
		expect(JSON.stringify(said)).not.toMatch(/call stack|primitive/);
	},
);

it.each([
	{ resource: 'folder', operation: 'create', name: 'x'.repeat(5_000) },
	{ ...getEvent, event: by('hash', 'a') },
	{ ...getEvent, event: by('title', 'a') },
])('A long text of an item is shortened in errors: $resource $event.mode', async (long) => {
	answer('folderCreate', { error: 'No' }, { status: 400 });
	answer(['eventSearchByHash', 'eventSearchAll'], { error: 'Event not found' }, { status: 404 });
	expect((await failureOf(run(long))).message.length).toBeLessThan(500);
});

import {
	nextPause,
	retry,
	retryAfterMs,
	Tries,
	type Backoff,
} from '../../nodes/VideoHosting/shared/patience';

const LIMIT = { tries: 5, totalMs: 1_000, firstMs: 100, longestBackoffMs: 300 };
const decide = (
	limit: Partial<Backoff>,
	about: { tried?: number; leftMs?: number; retryAfterMs?: number; random?: number },
) => {
	const { random = 0, ...given } = about;
	jest.spyOn(Math, 'random').mockReturnValue(random);
	return nextPause({ ...LIMIT, ...limit }, { tried: 1, leftMs: 1_000, ...given });
};

const shortened = { isShortened: true };
it.each([
	['after a pause that doubles', {}, { tried: 2 }, 200],
	['after the longest pause', {}, { tried: 4 }, 300],
	['up to half a pause earlier, as several clients may wait', {}, { random: 1 }, 50],
	['never, when it was tried often enough', {}, { tried: 5 }, undefined],
	['never, when the time is over', {}, { leftMs: 50 }, undefined],
	['when the service asks for it', {}, { retryAfterMs: 1_000 }, 1_000],
	['never, when the service asks for more time than is left', {}, { retryAfterMs: 1_001 }, undefined],
	['when the time is over', shortened, { retryAfterMs: 9_000, leftMs: 600 }, 600],
	['never after the time is over', shortened, { leftMs: 0 }, undefined],
] as const)('The next try comes %s', (_when, limit, about, expected) => {
	expect(decide(limit, about)).toEqual(expected);
});

it('The next try is counted for each kind of error apart, and never comes after a kind without a limit', () => {
	const policy = { passes: { ...LIMIT, tries: 2 }, unknown: { ...LIMIT, tries: 2 } };
	const tries = new Tries();
	const next = (kind: 'passes' | 'unknown' | 'final') => tries.nextPause(policy, kind) !== undefined;
	expect([next('passes'), next('unknown'), next('passes')]).toEqual([true, true, false]);
	expect(next('final')).toBe(false);
	const others = new Tries();
	const waits = [1, 2, 3].map(() => others.nextPause({ passes: LIMIT }, 'passes', 400));
	expect(waits).toEqual([400, 400, undefined]);
});

describe('Work is tried again', () => {
	const policy = { passes: { ...LIMIT, firstMs: 2, isShortened: true } };
	const failing = jest.fn((): Promise<string> =>
		Promise.reject(new Error(`Try ${failing.mock.calls.length}`)),
	);
	const kindOf = () => 'passes' as const;
	beforeEach(() => failing.mockClear());

	it('until it succeeds, or fails in the last try', async () => {
		failing.mockRejectedValueOnce(new Error('Busy')).mockResolvedValueOnce('done');
		expect(await retry(policy, failing, { kindOf })).toBe('done');
		await expect(retry(policy, failing, { kindOf })).rejects.toThrow('Try 7');
		failing.mockClear();
		await expect(retry(policy, failing, { kindOf: () => 'final' })).rejects.toThrow('Try 1');
	});

	it('after what the service asks for, until a deadline or a cancel', async () => {
		const retryAfterOf = () => 900_000;
		const deadline = performance.now() + 600;
		const pauseMs = new Tries(deadline).nextPause(policy, 'passes', retryAfterOf());
		expect(pauseMs).toBeLessThanOrEqual(600);
		const over = { kindOf, retryAfterOf, deadline: performance.now() };
		await expect(retry(policy, failing, over)).rejects.toThrow('Try 1');
		const signal = AbortSignal.abort(new Error('Cancelled'));
		await expect(retry(policy, failing, { kindOf, signal })).rejects.toThrow('Cancelled');
	});
});

it.each([
	['0', 0],
	['120', 2],
	[new Date(Date.now() + 3_600_000).toUTCString(), 60],
	['Thu Jan  1 00:00:00 1970', 0],
	['2 minutes', undefined],
	[undefined, undefined],
])('Retry-After is a number of seconds or a date: %s', (header, minutes) => {
	const ms = retryAfterMs(header);
	expect(ms === undefined ? undefined : Math.round(ms / 60_000)).toBe(minutes);
});

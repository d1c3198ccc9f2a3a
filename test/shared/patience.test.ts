import { nextPause, retryAfterMs, Tries, type Limit } from '../../nodes/VideoHosting/shared/patience';

const LIMIT: Limit = { tries: 5, totalMs: 1_000, firstMs: 100, longestMs: 300 };
const decide = (
	limit: Partial<Limit>,
	about: { tried?: number; waitedMs?: number; retryAfterMs?: number; random?: number },
) => {
	const { random = 0, retryAfterMs: asked, ...count } = about;
	jest.spyOn(Math, 'random').mockReturnValue(random);
	return nextPause({ ...LIMIT, ...limit }, { tried: 1, waitedMs: 0, ...count }, asked);
};
afterEach(() => jest.restoreAllMocks());

const shortened = { isShortened: true };
it.each([
	['after a pause that doubles', {}, { tried: 2 }, 200],
	['after the longest pause', {}, { tried: 4 }, 300],
	['up to half a pause earlier, as several clients may wait', {}, { random: 1 }, 50],
	['never, when it was tried often enough', {}, { tried: 5 }, undefined],
	['never, when the time is over', {}, { waitedMs: 950 }, undefined],
	['when the service asks for it', {}, { retryAfterMs: 1_000 }, 1_000],
	['never, when the service asks for more time than is left', {}, { retryAfterMs: 1_001 }, undefined],
	['when the time is over', shortened, { retryAfterMs: 9_000, waitedMs: 400 }, 600],
	['never after the time is over', shortened, { waitedMs: 1_000 }, undefined],
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

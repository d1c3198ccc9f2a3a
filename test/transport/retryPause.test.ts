import fc from 'fast-check';

import { pauseBeforeRetry, type FailedTry } from '../../nodes/VideoHosting/shared/retryPause';

const limits = { tries: 3, errorPause: { firstMs: 500, longestMs: 10_000 }, rateLimitMs: 300_000 };
const failure = fc.record({
	cause: fc.constantFrom<FailedTry['cause'][]>('rate-limited', 'temporary', 'permanent'),
	retryAfterMs: fc.option(fc.nat({ max: 400_000 }), { nil: undefined }),
});

it('whatever fails: the waits end, respect Retry-After, and nothing is repeated that may do harm', () => {
	fc.assert(
		fc.property(fc.infiniteStream(failure), fc.boolean(), (failures, isRepeatable) => {
			const count = { 'rate-limited': 0, temporary: 0, permanent: 0 };
			let waitedMs = 0;
			for (const { cause, retryAfterMs } of failures) {
				const failed = { cause, retryAfterMs, isRepeatable, failures: ++count[cause], waitedMs };
				const pauseMs = pauseBeforeRetry(failed, limits);
				if (pauseMs === undefined) break;
				expect(pauseMs).toBeGreaterThanOrEqual(Math.max(retryAfterMs ?? 0, 250));
				if (cause === 'rate-limited') waitedMs += pauseMs;
				else {
					expect([cause, isRepeatable]).toEqual(['temporary', true]);
					expect(count.temporary).toBeLessThan(limits.tries);
					expect(pauseMs).toBeLessThanOrEqual(limits.errorPause.longestMs);
				}
				expect(waitedMs).toBeLessThanOrEqual(limits.rateLimitMs);
			}
		}),
	);
});

it('without patience, a rate limit ends at once', () => {
	const failed = { cause: 'rate-limited', isRepeatable: true, failures: 1, waitedMs: 0 } as const;
	expect(pauseBeforeRetry(failed, { ...limits, rateLimitMs: 0 })).toBeUndefined();
	expect(pauseBeforeRetry({ ...failed, retryAfterMs: 61_000 }, limits)).toBe(61_000);
});

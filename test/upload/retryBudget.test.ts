import fc from 'fast-check';

import { RetryBudget } from '../../nodes/VideoHosting/upload/retry';
import { retryPolicy } from '../../nodes/VideoHosting/shared/retryPolicy';

const event = fc.oneof(
	fc.record({ offset: fc.nat({ max: 1_000_000 }), retryAfterMs: fc.nat({ max: 86_400_000 }) }),
	fc.constant('startOver' as const),
);

it('ends any sequence of faults, and waits no longer than Max Wait for all Retry-After headers in it', () => {
	fc.assert(
		fc.property(fc.nat({ max: 7_200_000 }), fc.array(event, { maxLength: 300 }), (maxWaitMs, events) => {
			const budget = new RetryBudget(maxWaitMs);
			let waited = 0;
			let tries = 0;
			for (let round = 0; round < 20; round++) {
				for (const one of events) {
					if (one === 'startOver') budget.startOver();
					else {
						budget.countError(new Error('reset'), one.offset);
						if (!budget.allows()) break;
						tries++;
						const granted = budget.grantWait(one.retryAfterMs);
						expect(granted).toBeGreaterThanOrEqual(0);
						expect(granted).toBeLessThanOrEqual(one.retryAfterMs);
						waited += granted;
					}
				}
			}
			expect(waited).toBeLessThanOrEqual(maxWaitMs);
			expect(tries).toBeLessThan(retryPolicy.totalTries);
		}),
	);
});

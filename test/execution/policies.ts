import { POLICIES } from '../../nodes/VideoHosting/shared/policies';

/** As users have them. */
export const usualPolicies = structuredClone(POLICIES);

/** In tests: short pauses, which a test may change for itself. Each test file loads the module anew. */
export const policies = POLICIES;

beforeEach(() => {
	const short = { firstMs: 2, longestBackoffMs: 20 };
	const { newVideo, picker, request, slot, transfer } = Object.assign(
		policies,
		structuredClone(usualPolicies),
	);
	for (const limit of [...Object.values(request), ...Object.values(picker)]) limit.firstMs = 5;
	for (const limit of [request['rate limit'], transfer['rate limit']]) limit.totalMs = 3_000;
	for (const limit of Object.values(transfer)) Object.assign(limit, short);
	Object.assign(slot, { firstMs: 5, longestBackoffMs: 20 });
	Object.assign(newVideo.passes, short);
	policies.leftAfterMs = 100;
});

afterEach(() => jest.restoreAllMocks());

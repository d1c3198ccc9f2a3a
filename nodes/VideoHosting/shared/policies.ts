const rejected = { tries: 3, totalMs: 600_000, firstMs: 1_000, longestBackoffMs: 60_000, isShortened: true };
const unknown = { tries: 3, totalMs: 60_000, firstMs: 1_000, longestBackoffMs: 60_000 };
const rateLimit = { totalMs: 300_000, firstMs: 500, longestBackoffMs: 10_000 };
const passes = { tries: 3, totalMs: 20_000, firstMs: 500, longestBackoffMs: 10_000 };

/**
 * How often the node tries and how long it waits; times in milliseconds. Of a limit, `tries` bounds the requests, `longestBackoffMs` one
 * pause without Retry-After, and `totalMs` all pauses together. Each request has `requestMs` in addition, a picker's too. Example: a list
 * that hangs is asked for three times, and fails after six minutes.
 */
export const POLICIES = {
	/** A request of an execution or a poll. Also a request of an upload before the service's first response about it. */
	request: { 'rate limit': rateLimit, passes, rejected, unknown },
	/** A request of a picker, which a user looks at. */
	picker: { 'rate limit': { ...rateLimit, totalMs: 20_000 }, passes },
	/** An upload, since its highest offset last rose. */
	transfer: {
		'rate limit': rateLimit,
		passes: { tries: 10, totalMs: 600_000, firstMs: 1_000, longestBackoffMs: 60_000, isShortened: true },
		rejected,
		unknown,
	},
	/** The upload slot; Max Wait bounds the whole wait, with the requests. */
	slot: { firstMs: 500, longestBackoffMs: 2_000, isShortened: true },
	/** A new video that is not listed yet. The total bounds the whole wait, with the readings. */
	newVideo: { passes: { totalMs: 30_000, firstMs: 1_000, longestBackoffMs: 1_500, isShortened: true } },
	/** How long one reading of the lists that may contain it may take; the second one is for a reading after that total is over. */
	videoReading: { timeoutMs: 15_000, lateTimeoutMs: 5_000 },
	/** How long a request may take until its response has arrived, if its body is no stream. */
	requestMs: 120_000,
	/** How long the first poll of an activation may take; n8n 2 gives up a publication after 84 s (docs/n8n-internals.md#activation). */
	activationMs: 60_000,
	/** A token that was renewed in vain is not renewed again within this time. */
	renewalMs: 60_000,
	/** After so much use of the slot, other programs get a turn: a gap longer than their pauses. */
	slotTurn: { useMs: 60_000, gapMs: 2_500 },
	/** A source that was opened this long ago is opened again before the next request for a new upload. */
	sourceMs: 60_000,
	/** How long nobody must have worked on an unfinished upload before it counts as left: a retry comes sooner. */
	leftAfterMs: 10_000,
};

/** How patient a request is, besides an upload's. Tests shorten the times; nothing else changes them. */
export const requestPolicy = {
	/** How long a response may take to start, in milliseconds. */
	responseTimeoutMs: 60_000,
	/** How long a request may take in total, in milliseconds: a response may start in time and then trickle. */
	deadlineMs: 120_000,
	/** Tries of a request that may be repeated, after errors that pass. */
	tries: 3,
	/** Pause after an error, in milliseconds, see backoffDelay(). A longer Retry-After of an error is not waited for. */
	errorPause: { firstMs: 500, longestMs: 10_000 },
	/** How long a request of an execution waits for a rate limit (429) in total, in milliseconds. */
	rateLimitMs: 300_000,
	/** The same of a poll, whose next one is a better try, and of a picker, which a user looks at. */
	shortRateLimitMs: 20_000,
};

/** How patient a transfer is. Tests shorten the pauses; nothing else changes them. */
export const retryPolicy = {
	/** Tries in a row that do not raise the highest offset; with the pauses below about four minutes. */
	tries: 10,
	/** Tries of one upload in total, whatever its offset does. */
	totalTries: 1_000,
	/** Times in a row that the service must reject a request of an upload, or not know the upload, before that counts. */
	rejectedTries: 3,
	/** Pause after an error, in milliseconds: doubling from the first to the longest, see backoffDelay(). */
	errorPause: { firstMs: 1_000, longestMs: 60_000 },
	/** Pause before the upload slot is requested again, in milliseconds. */
	slotPause: { firstMs: 500, longestMs: 2_000 },
	/** After so much use of the slot, other programs get a turn: a gap longer than their pauses. Milliseconds. */
	slotTurn: { useMs: 60_000, gapMs: 2_500 },
	/** How long nobody must have worked on an unfinished upload before it counts as left, in milliseconds: a retry comes sooner. */
	leftAfterMs: 10_000,
};

/** How patient a poll of the trigger is, besides its requests. Tests shorten it; nothing else changes it. */
export const pollPolicy = {
	/** Pause before an empty first list is read once more, in milliseconds. */
	emptyListPauseMs: 3_000,
};

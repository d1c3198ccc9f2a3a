/** How patient a transfer is. Tests shorten the pauses; nothing else changes them. */
export const retryPolicy = {
	/** Tries in a row that bring the service's offset no further; with the pauses below about four minutes. */
	tries: 10,
	/** Pause after a fault, in milliseconds: doubling from the first to the longest, see growingPause(). */
	faultPause: { firstMs: 1_000, longestMs: 60_000 },
	/** Pause before the upload slot is asked for again, in milliseconds. */
	slotPause: { firstMs: 2_000, longestMs: 30_000 },
};

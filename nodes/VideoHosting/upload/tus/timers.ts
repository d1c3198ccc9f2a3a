/**
 * In place of the global timers of tus-js-client, which n8n's rules for community packages forbid. Only its own retries use
 * them, which this package switches off.
 */
export function setTimeout(): never {
	throw new Error('tus-js-client does not retry in this package');
}

export function clearTimeout(): void {
	// No timer was set.
}

import { sleep } from 'n8n-workflow';

/**
 * tus-js-client's timers, which the build puts in place of the globals that n8n's rules for community packages forbid.
 * Only its own retries use them, which this package switches off.
 */
export function setTimeout(callback: () => void, ms: number): AbortController {
	const controller = new AbortController();
	void sleep(ms).then(() => {
		if (!controller.signal.aborted) callback();
	});
	return controller;
}

export function clearTimeout(timer: AbortController): void {
	timer.abort();
}

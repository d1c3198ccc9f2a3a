import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Report } from './progress';

/**
 * Runs `work` while no other process on this machine runs work under the same lock file. A process that died without
 * giving the lock back does not hold it. `what` names the work for the person who has to wait.
 */
export async function withLock(
	file: string,
	what: string,
	report: Report,
	work: () => Promise<void>,
): Promise<void> {
	let isReported = false;
	while (!tryLock(file)) {
		const holder = holderOf(file);
		if (holder === undefined) rmSync(file, { force: true });
		else if (!isReported) {
			report(`Waiting for ${what} by process ${holder} (if there is no such work, delete ${file}) …`);
			isReported = true;
		}
		await sleep(250);
	}
	try {
		await work();
	} finally {
		rmSync(file, { force: true });
	}
}

function tryLock(file: string): boolean {
	try {
		writeFileSync(file, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if (isSystemError(error, 'EEXIST')) return false;
		throw error;
	}
}

/** Process ID of the holder, or undefined when it is no longer alive. */
function holderOf(file: string): number | undefined {
	try {
		const holder = Number(readFileSync(file, 'utf8'));
		process.kill(holder, 0);
		return holder;
	} catch (error) {
		if (isSystemError(error, 'ESRCH') || isSystemError(error, 'ENOENT')) return undefined;
		throw error;
	}
}

/**
 * Whether Node failed with this code, e.g. `ENOENT`. By the code alone: inside Jest, an error of Node's own modules is no
 * instance of the test's `Error`.
 */
export function isSystemError(error: unknown, code: string): boolean {
	return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

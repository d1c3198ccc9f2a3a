import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Report } from './progress';
import { isSystemError } from './systemError';

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
	await takeLock(file, what, report);
	try {
		await work();
	} finally {
		rmSync(file, { force: true });
	}
}

async function takeLock(file: string, what: string, report: Report): Promise<void> {
	const waitingReportedEvery = 10_000;
	let lastReport = -Infinity;
	for (;;) {
		if (tryLock(file)) return;
		const holder = holderOf(file);
		if (holder === undefined) {
			rmSync(file, { force: true });
			continue;
		}
		if (Date.now() - lastReport >= waitingReportedEvery) {
			report(`Waiting for ${what} by process ${holder} (if there is no such work, delete ${file}) …`);
			lastReport = Date.now();
		}
		await sleep(250);
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

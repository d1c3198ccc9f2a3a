import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

import { SetupError, step, type Report } from './progress';

/** Set to any value but 0, it keeps every command of this repository from using apt-get. */
const refusal = 'VIDEO_HOSTING_NO_APT';

/** Whether {@link refusal} is set in the environment. */
export function isAptSwitchedOff(): boolean {
	return !['', '0'].includes(process.env[refusal] ?? '');
}

/** Whether this process can install Debian packages: it is root on a system with apt-get, and apt-get is not switched off. */
export function canInstallDebianPackages(): boolean {
	return !isAptSwitchedOff() && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/**
 * Installs Debian packages without starting the services that come with them. Reports the packages and how to prevent it
 * before apt-get runs.
 *
 * @throws SetupError with the end of apt-get's output when it fails, or with the command to type when it is switched off
 */
export async function installDebianPackages(names: string[], report: Report): Promise<void> {
	if (isAptSwitchedOff()) throw new SetupError(missingPrograms(names));
	const title = `Installing ${names.join(', ')} with apt-get (set ${refusal}=1 to prevent it)`;
	await step(report, title, async () => {
		try {
			await aptGet('update');
			await aptGet('install', '--yes', '--no-install-recommends', ...names);
		} catch (error) {
			const output = error instanceof Error ? error.message : String(error);
			throw new SetupError(
				`apt-get could not install ${names.join(', ')}:\n${output.trimEnd().split('\n').slice(-10).join('\n')}`,
			);
		}
	});
}

/** What to do about Debian packages that are needed, missing, and not installed by this process. */
export function missingPrograms(names: string[]): string {
	const reason = isAptSwitchedOff() ? ` ${refusal} is set, so nothing is installed.` : '';
	return `Missing: ${names.join(', ')}.${reason} Install with: sudo apt-get install ${names.join(' ')}. Then run the command again.`;
}

async function aptGet(...args: string[]): Promise<void> {
	// In runlevel 1 (single user) Debian's install scripts start no service (invoke-rc.d(8)).
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
	// Another test may be installing something, too.
	const flags = ['--quiet', '--option', 'DPkg::Lock::Timeout=300'];
	await promisify(execFile)('apt-get', [...flags, ...args], { env, maxBuffer: Infinity });
}

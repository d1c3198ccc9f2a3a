import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

import { SetupError, step, type Report } from './progress';

/** Whether this process may install Debian's packages by itself: it is root on a system that has apt-get. */
export function canInstallDebianPackages(): boolean {
	return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/**
 * Installs Debian packages without starting the services that come with them. Throws a `SetupError` with the end of
 * apt-get's own words when that fails.
 */
export async function installDebianPackages(names: string[], report: Report): Promise<void> {
	await step(report, `Installing ${names.join(', ')} from Debian`, async () => {
		try {
			await aptGet('update');
			await aptGet('install', '--yes', '--no-install-recommends', ...names);
		} catch (error) {
			const said = error instanceof Error ? error.message : String(error);
			throw new SetupError(
				`apt-get could not install ${names.join(', ')}:\n${said.trimEnd().split('\n').slice(-10).join('\n')}`,
			);
		}
	});
}

async function aptGet(...args: string[]): Promise<void> {
	// In runlevel 1 (single user) Debian's install scripts start no service (invoke-rc.d(8)).
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
	// Another test may be installing something, too.
	const flags = ['--quiet', '--option', 'DPkg::Lock::Timeout=300'];
	await promisify(execFile)('apt-get', [...flags, ...args], { env, maxBuffer: Infinity });
}

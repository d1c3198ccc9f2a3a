import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { canInstallDebianPackages, installDebianPackages, missingPrograms } from '../n8n/debianPackages';
import { SetupError, type Report } from '../n8n/progress';

/** Folders of Debian's programs; PostgreSQL keeps its server out of PATH, in a folder for each major release. */
function folders(): string[] {
	const postgresql = '/usr/lib/postgresql';
	const releases = existsSync(postgresql) ? readdirSync(postgresql).sort().reverse() : [];
	return ['/usr/bin', '/usr/sbin', ...releases.map((release) => join(postgresql, release, 'bin'))];
}

/**
 * Path of a program of a Debian package, which is installed first where it is missing: by root itself, without starting
 * the service that comes with it. Throws a `SetupError` with the command to type where this process is not root or apt-get is switched off.
 */
export async function installProgram(name: string, packageName: string, report: Report): Promise<string> {
	const installed = pathOf(name);
	if (installed !== undefined) return installed;
	if (!canInstallDebianPackages()) {
		throw new SetupError(missingPrograms([packageName]));
	}
	await installDebianPackages([packageName], report);
	const path = pathOf(name);
	if (path === undefined) throw new SetupError(`The Debian package ${packageName} brought no ${name}.`);
	return path;
}

function pathOf(name: string): string | undefined {
	return folders()
		.map((folder) => join(folder, name))
		.find((path) => existsSync(path));
}

/**
 * A command line that runs a program as an unprivileged user when this process is root: PostgreSQL does not run as
 * root, and the others have no need to.
 */
export function unprivileged(
	user: string,
	program: string,
	args: string[],
): { command: string; args: string[] } {
	if (process.getuid?.() !== 0) return { command: program, args };
	const group = execFileSync('id', ['-g', user], { encoding: 'utf8' }).trim();
	return {
		command: 'setpriv',
		args: [`--reuid=${user}`, `--regid=${group}`, '--clear-groups', program, ...args],
	};
}

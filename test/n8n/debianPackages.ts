import { exec } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { SetupError, step } from './progress';

/** Every program that a command of this repository may need besides Node, npm and git, and its Debian package. */
const packages = {
	python3: 'python3',
	make: 'make',
	'g++': 'g++',
	chromium: 'chromium',
	'redis-server': 'redis-server',
	postgres: 'postgresql',
	tinyproxy: 'tinyproxy-bin',
};

export type Program = keyof typeof packages;

/** Set to any value but 0, it keeps every command of this repository from using apt-get. */
const refusal = 'VIDEO_HOSTING_NO_APT';

/**
 * Paths of the programs. Those that are missing are installed first, without starting the services that come with them.
 *
 * @throws SetupError with the end of apt-get's output when it fails, or with the command to type where this process cannot install
 */
export async function installedPrograms(...programs: Program[]): Promise<string[]> {
	const missing = programs.filter((program) => pathOf(program) === undefined);
	if (missing.length > 0) await install(missing.map((program) => packages[program]).join(' '));
	return programs.map((program) => {
		const path = pathOf(program);
		if (path !== undefined) return path;
		throw new SetupError(`The Debian package ${packages[program]} brought no ${program}.`);
	});
}

async function install(names: string): Promise<void> {
	const isRefused = !['', '0'].includes(process.env[refusal] ?? '');
	if (isRefused || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		const reason = isRefused ? ` ${refusal} is set, so nothing is installed.` : '';
		throw new SetupError(
			`Missing: ${names}.${reason} Install with: sudo apt-get install ${names}. Then run the command again.`,
		);
	}
	// In runlevel 1 (single user) Debian's install scripts start no service (invoke-rc.d(8)).
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
	// Another test may be installing something, too.
	const aptGet = 'apt-get --quiet --yes --option DPkg::Lock::Timeout=300';
	const command = `${aptGet} update && ${aptGet} install --no-install-recommends ${names}`;
	await step(`Installing ${names} with apt-get (set ${refusal}=1 to prevent it)`, async () => {
		await promisify(exec)(command, { env, maxBuffer: Infinity }).catch((error: unknown) => {
			throw new SetupError(`apt-get failed:\n${String(error).slice(-1_000)}`);
		});
	});
}

/** Looks where PATH of a person who is not root does not lead, too: Debian's PostgreSQL has a folder for each major release. */
function pathOf(program: Program): string | undefined {
	const postgresql = '/usr/lib/postgresql';
	const releases = existsSync(postgresql) ? readdirSync(postgresql).sort().reverse() : [];
	const folders = (process.env.PATH ?? '').split(delimiter);
	folders.push('/usr/sbin', ...releases.map((release) => join(postgresql, release, 'bin')));
	return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

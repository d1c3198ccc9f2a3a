import { execFile } from 'node:child_process';
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
 * Installs those of the programs that are missing, without starting the services that come with them.
 *
 * @throws SetupError with the end of apt-get's output when it fails, or with the command to type where this process cannot install
 */
export async function installPrograms(programs: Program[]): Promise<void> {
	const names = programs.filter((program) => pathOf(program) === undefined).map((name) => packages[name]);
	if (names.length === 0) return;
	const isRefused = !['', '0'].includes(process.env[refusal] ?? '');
	if (isRefused || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		const reason = isRefused ? ` ${refusal} is set, so nothing is installed.` : '';
		throw new SetupError(
			`Missing: ${names.join(', ')}.${reason} Install with: sudo apt-get install ${names.join(' ')}. Then run the command again.`,
		);
	}
	const title = `Installing ${names.join(', ')} with apt-get (set ${refusal}=1 to prevent it)`;
	await step(title, async () => {
		await aptGet('update');
		await aptGet('install', '--yes', '--no-install-recommends', ...names);
	});
}

/** Path of a program, which is installed first where it is missing. Throws as {@link installPrograms} does. */
export async function installedProgram(program: Program): Promise<string> {
	await installPrograms([program]);
	const path = pathOf(program);
	if (path === undefined)
		throw new SetupError(`The Debian package ${packages[program]} brought no ${program}.`);
	return path;
}

/** Looks where PATH of a person who is not root does not lead, too: Debian's PostgreSQL has a folder for each major release. */
function pathOf(program: Program): string | undefined {
	const postgresql = '/usr/lib/postgresql';
	const releases = existsSync(postgresql) ? readdirSync(postgresql).sort().reverse() : [];
	const folders = (process.env.PATH ?? '').split(delimiter);
	folders.push('/usr/sbin', ...releases.map((release) => join(postgresql, release, 'bin')));
	return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

async function aptGet(...args: string[]): Promise<void> {
	// In runlevel 1 (single user) Debian's install scripts start no service (invoke-rc.d(8)).
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
	// Another test may be installing something, too.
	const flags = ['--quiet', '--option', 'DPkg::Lock::Timeout=300'];
	try {
		await promisify(execFile)('apt-get', [...flags, ...args], { env, maxBuffer: Infinity });
	} catch (error) {
		throw new SetupError(`apt-get ${args[0]} failed:\n${String(error).slice(-1_000)}`);
	}
}

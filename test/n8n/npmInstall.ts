import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { canInstallDebianPackages, installDebianPackages, missingPrograms } from './debianPackages';
import { withLock } from './lock';
import { startProgram, tailOf } from './processes';
import { SetupError, step, type Report } from './progress';

/** What a folder of the cache holds. */
export interface Installation {
	/** Name of the folder inside the cache, and the name shown while it is being installed. */
	folder: string;
	dependencies: Record<string, string>;
	overrides: Record<string, string>;
	/** npm's `--before`: newest publishing date, `YYYY-MM-DD`. */
	before?: string;
	/** Packages whose install scripts are run, all others' are not. */
	rebuild: string[];
	/** Free disk space the installation needs, in bytes. */
	diskBytes: number;
}

/** Absent: npm runs with this process's own Node. */
export interface NodeForNpm {
	executable: string;
	/** Folder with Node's headers, for add-ons that npm builds. */
	headers?: string;
}

const markerFile = 'installed.json';

/** Downloads are kept here, outside the clone, so that every clone and every run shares them. */
export function cacheFolder(): string {
	return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-video-hosting');
}

/**
 * Returns the folder that holds the installation, installing it first where that has not been done.
 * A folder counts only with the marker of this very installation, written after `verify` passed; whatever an interrupted
 * install left, or one of other versions, is thrown away.
 * Throws a `SetupError` that explains what to do when there is no network or no disk space or npm fails.
 */
export async function installOnce(
	installation: Installation,
	node: NodeForNpm | undefined,
	verify: (folder: string) => Promise<void>,
	report: Report,
): Promise<string> {
	const folder = join(cacheFolder(), installation.folder);
	const { dependencies, overrides, before, rebuild } = installation;
	const marker = JSON.stringify({ dependencies, overrides, before, rebuild }, null, '\t');
	const isInstalled = () =>
		existsSync(join(folder, markerFile)) && readFileSync(join(folder, markerFile), 'utf8') === marker;
	if (isInstalled()) return folder;

	mkdirSync(cacheFolder(), { recursive: true });
	await withLock(`${folder}.lock`, `the installation of ${installation.folder}`, report, async () => {
		if (isInstalled()) return;
		assertDiskSpace(installation);
		const unfinished = `${folder}.unfinished`;
		rmSync(unfinished, { recursive: true, force: true });
		await installInto(unfinished, installation, node, report);
		await verify(unfinished);
		writeFileSync(join(unfinished, markerFile), marker);
		rmSync(folder, { recursive: true, force: true });
		renameSync(unfinished, folder);
	});
	return folder;
}

async function installInto(
	folder: string,
	installation: Installation,
	node: NodeForNpm | undefined,
	report: Report,
): Promise<void> {
	const { dependencies, overrides, before, rebuild } = installation;
	mkdirSync(folder, { recursive: true });
	writeFileSync(
		join(folder, 'package.json'),
		JSON.stringify({ private: true, dependencies, overrides }, null, '\t'),
	);
	await step(report, `Downloading ${installation.folder} from the npm registry`, async () => {
		await npm(
			folder,
			['install', '--ignore-scripts', ...(before === undefined ? [] : ['--before', before])],
			node,
		);
	});
	if (rebuild.length === 0) return;
	await installBuildTools(report);
	await step(report, `Building ${rebuild.join(', ')} for ${installation.folder}`, async () => {
		await npm(folder, ['rebuild', '--ignore-scripts=false', ...rebuild], node);
	});
}

/** What node-gyp needs: programs with the names of their Debian packages. Reports those that are missing where it cannot install them. */
async function installBuildTools(report: Report): Promise<void> {
	const isMissing = (program: string) =>
		!(process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
	const missing = ['python3', 'make', 'g++'].filter(isMissing);
	if (missing.length === 0) return;
	if (canInstallDebianPackages()) await installDebianPackages(missing, report);
	// Not an error: an add-on may come ready-made. Where it has to be built, npm's failure is explained.
	else report(missingPrograms(missing));
}

/**
 * How npm retries a download, with pauses in milliseconds: few times and soon, so that a machine without network reports it
 * within seconds, not minutes. Tests shorten the pauses.
 */
export const downloadRetries = { retries: 3, firstPauseMs: 1_000, longestPauseMs: 5_000 };

const npmFlags = () => [
	'--no-audit',
	'--no-fund',
	`--fetch-retries=${downloadRetries.retries}`,
	`--fetch-retry-mintimeout=${downloadRetries.firstPauseMs}`,
	`--fetch-retry-maxtimeout=${downloadRetries.longestPauseMs}`,
];

async function npm(folder: string, args: string[], node: NodeForNpm | undefined): Promise<void> {
	const logFile = `${folder}.log`;
	rmSync(logFile, { force: true });
	const env: NodeJS.ProcessEnv = {
		...process.env,
		...(node?.headers && { npm_config_nodedir: node.headers }),
	};
	if (node) env.PATH = [dirname(node.executable), process.env.PATH].join(delimiter);
	const program = await startProgram({
		command: 'npm',
		// A flag beats what an npm around this one (npm start, npm test) hands down in the environment.
		args: [...args, '--prefix', folder, ...npmFlags()],
		cwd: folder,
		env,
		logFile,
	});
	const { code } = await program.exited;
	if (code !== 0) throw new SetupError(explainNpmFailure(`npm ${args.join(' ')}`, logFile));
}

function explainNpmFailure(command: string, logFile: string): string {
	const output = tailOf(logFile, 25);
	if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/.test(output)) {
		return `The npm registry could not be reached. Check the network and npm's proxy settings, then run the command again.\n${output}`;
	}
	if (/ENOSPC/.test(output)) {
		return `The disk is full. Make room under ${cacheFolder()}, or point XDG_CACHE_HOME to another disk, then run the command again.`;
	}
	if (/gyp ERR!/.test(output)) {
		return `An add-on could not be built. It requires Python 3, make and a C++ compiler; on Debian: apt-get install python3 make g++\n${output}`;
	}
	return `"${command}" failed; its whole output is in ${logFile}. Its last lines:\n${output}`;
}

function assertDiskSpace({ folder, diskBytes }: Installation): void {
	const { bavail, bsize } = statfsSync(cacheFolder());
	const free = bavail * bsize;
	if (free >= diskBytes) return;
	const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
	throw new SetupError(
		`Installing ${folder} needs ${gigabytes(diskBytes)} of disk space, and ${cacheFolder()} has ${gigabytes(free)} left. ` +
			'Make room there, or point XDG_CACHE_HOME to another disk, then run the command again.',
	);
}

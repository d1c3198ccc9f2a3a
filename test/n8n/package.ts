import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { name, version } from '../../package.json';
import { startProgram, tailOf } from './processes';
import { SetupError, step, type Report } from './progress';

const repository = join(__dirname, '..', '..');

/**
 * Builds the package and packs it as `npm publish` would, into a new temporary folder.
 * Returns the path of the tarball. Throws a `SetupError` with npm's own output when that fails.
 */
export async function packPackage(report: Report): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-video-hosting-package-'));
	try {
		await step(report, 'Building and packing the package', async () => {
			await npm(folder, ['run', 'build']);
			await npm(folder, ['pack', '--pack-destination', folder]);
		});
	} catch (error) {
		rmSync(folder, { recursive: true, force: true });
		throw error;
	}
	const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
	if (tarball === undefined) throw new Error(`npm pack left no tarball in ${folder}`);
	return join(folder, tarball);
}

async function npm(folder: string, args: string[]): Promise<void> {
	const logFile = join(folder, `npm-${args[0]}.log`);
	const program = await startProgram({ command: 'npm', args, cwd: repository, env: process.env, logFile });
	if ((await program.exited) !== 0)
		throw new SetupError(`"npm ${args.join(' ')}" failed:\n${tailOf(logFile, 60)}`);
}

/**
 * Puts the packed package where n8n keeps community packages, as its own installer does (`downloadPackage` of
 * community-packages.service.ts): unpacked into `.n8n/nodes/node_modules`, without its development and peer dependencies,
 * and listed in `.n8n/nodes/package.json`. n8n loads whatever lies there, listed in its database or not.
 */
export function installCommunityPackage(tarball: string, userFolder: string): void {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const folder = join(nodesFolder, 'node_modules', name);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	const packageFile = join(folder, 'package.json');
	const fields: object = JSON.parse(readFileSync(packageFile, 'utf8'));
	const kept = { ...fields, devDependencies: undefined, peerDependencies: undefined };
	writeFileSync(packageFile, JSON.stringify(kept));
	const listed = { name: 'installed-nodes', private: true, dependencies: { [name]: version } };
	writeFileSync(join(nodesFolder, 'package.json'), JSON.stringify(listed));
}

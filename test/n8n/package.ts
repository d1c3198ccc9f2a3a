import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
		await step(report, 'Building the package', async () => await npm(folder, ['run', 'build']));
		await step(report, 'Packing the package', async () => {
			await npm(folder, ['pack', '--pack-destination', folder]);
		});
	} catch (error) {
		rmSync(folder, { recursive: true, force: true });
		throw error;
	}
	const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
	if (tarball === undefined) throw new Error(`npm pack left no tarball in ${folder}`);
	return join(folder, tarball);
}

async function npm(folder: string, args: string[]): Promise<void> {
	const logFile = join(folder, `npm-${args[0]}.log`);
	const program = await startProgram({ command: 'npm', args, cwd: repository, env: process.env, logFile });
	const { code } = await program.exited;
	if (code !== 0) throw new SetupError(`"npm ${args.join(' ')}" failed:\n${tailOf(logFile, 60)}`);
}

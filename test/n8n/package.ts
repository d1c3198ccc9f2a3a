import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { name } from '../../package.json';
import { SetupError, step } from './progress';

const repository = join(__dirname, '..', '..');
/** What `npm run pack` writes: the file that is published. */
const tarball = join(repository, `${name}.tgz`);

/** Builds and packs the package. Throws a `SetupError` with npm's own output when that fails. */
export async function packPackage(): Promise<void> {
	await step('Building and packing the package', async () => {
		await promisify(execFile)('npm', ['run', 'pack'], { cwd: repository }).catch(
			({ stdout, stderr }: { stdout: string; stderr: string }) => {
				throw new SetupError(`"npm run pack" failed:\n${`${stdout}${stderr}`.slice(-4_000)}`);
			},
		);
	});
}

/**
 * Puts the packed package where n8n keeps community packages, as its own installer does (`downloadPackage` of
 * community-packages.service.ts). n8n loads whatever lies there, listed in its database or not.
 */
export function installCommunityPackage(userFolder: string): void {
	const folder = join(userFolder, '.n8n', 'nodes', 'node_modules', name);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import packageJson from '../../package.json';
import { installCommunityPackage } from '../n8n/communityPackage';
import { installN8n } from '../n8n/installN8n';
import { n8n2 } from '../n8n/releases';
import { storeSparseFile } from './storedFile';
import type { TestBed } from './testBed';
import type { Result, SideName, Transfer } from './transfers';

/**
 * Starts a process for one side, on the Node that n8n runs on; it ends with the test bed. Returns what uploads a file, and how
 * long that took, in milliseconds.
 */
export async function startSide(
	bed: TestBed,
	side: SideName,
): Promise<(transfer: Pick<Transfer, 'credential' | 'size'>) => Promise<number>> {
	const userFolder = bed.temporaryFolder();
	installCommunityPackage(bed.tarball, userFolder);
	const modules = join(userFolder, '.n8n', 'nodes', 'node_modules');
	symlinkSync(dirname(require.resolve('n8n-workflow/package.json')), join(modules, 'n8n-workflow'));
	const packageFolder = join(modules, packageJson.name);
	const { node } = await installN8n(n8n2, () => {});
	const child = fork(join(__dirname, 'transfers.ts'), [side], {
		execPath: node,
		execArgv: ['--import', 'tsx'],
		env: { ...process.env, N8N_USER_FOLDER: userFolder },
	});
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`The process of "${side}" ended with code ${code}`);
	});
	ended.catch(() => {});
	bed.endLater(async () => {
		child.kill();
		await ended.catch(() => {});
	});
	return async (transfer) => {
		storeSparseFile(userFolder, transfer.size);
		const received = once(child, 'message');
		child.send({ ...transfer, userFolder, packageFolder } satisfies Transfer);
		// What transfers.ts sends.
		const [result] = (await Promise.race([received, ended])) as [Result];
		if ('error' in result) throw new Error(`Upload with "${side}": ${result.error}`);
		return result.milliseconds;
	};
}

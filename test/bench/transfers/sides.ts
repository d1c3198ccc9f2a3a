import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { storeSparseFile } from '../storedFile';
import type { TestBed } from '../testBed';
import type { Folders, SideResult, withN8nCore, SideName, Transfer } from './transfer';

/** Uploads a file and returns how long that took, in milliseconds. */
export type TimedUpload = (transfer: Transfer) => Promise<number>;

/** Starts a process for one side, on the Node that n8n runs on; it ends with the test bed. */
export async function startSide(
	bed: TestBed,
	name: SideName,
	...further: Array<typeof withN8nCore>
): Promise<TimedUpload> {
	const folders: Folders = {
		userFolder: bed.temporaryFolder(name),
		packageFolder: await bed.installedPackage(),
	};
	const child = fork(join(__dirname, 'main.ts'), [name, ...further], {
		execPath: await bed.node(),
		execArgv: ['--import', 'tsx'],
		env: { ...process.env, N8N_USER_FOLDER: folders.userFolder },
	});
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`The process of "${name}" ended with code ${code}`);
	});
	ended.catch(() => {});
	bed.endLater(async () => {
		child.kill();
		await ended.catch(() => {});
	});
	return async (transfer) => {
		storeSparseFile(folders.userFolder, transfer.size);
		const received = once(child, 'message');
		child.send({ ...transfer, ...folders });
		// What main.ts of this folder sends.
		const [result] = (await Promise.race([received, ended])) as [SideResult];
		if ('error' in result) throw new Error(`Upload with "${name}": ${result.error}`);
		return result.milliseconds;
	};
}

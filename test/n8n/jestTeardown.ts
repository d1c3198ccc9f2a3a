import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

import { packedPackage, sharedN8nFile } from './jestSetup';
import { signalGroup } from './processes';

export default function removeWhatTestsShared(): void {
	const file = sharedN8nFile();
	if (existsSync(file)) {
		const { pid, userFolder }: { pid: number; userFolder: string } = JSON.parse(readFileSync(file, 'utf8'));
		signalGroup(pid, 'SIGKILL');
		// n8n may be writing at this very moment.
		rmSync(userFolder, { recursive: true, force: true, maxRetries: 5 });
	}
	rmSync(dirname(packedPackage()), { recursive: true, force: true });
}

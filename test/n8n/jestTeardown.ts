import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

import { packedPackage } from './jestSetup';

export default async function removeWhatTestsShared(): Promise<void> {
	await globalThis.sharedN8n?.remove();
	rmSync(dirname(packedPackage()), { recursive: true, force: true });
}

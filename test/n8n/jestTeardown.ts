import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

import { packedPackage } from './jestSetup';

export default function removePackedPackage(): void {
	rmSync(dirname(packedPackage()), { recursive: true, force: true });
}
